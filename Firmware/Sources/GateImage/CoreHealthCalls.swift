import ASCIIText
import BoardHealth
import CPUSupport
import InlineStorage

extension CoreRun {
  /// A board crashes until a part is left out, and says so.
  @inline(never) mutating func health() {
    var ledger = RestartLedger()
    ledger.begin(.power, part: nil, stackUsed: 0, stackRoom: 0)
    for number in 0..<UInt32(3) {
      var record = FaultRecord()
      record.cause = .fault
      record.part = LoopPart(rawValue: opaque(3)) ?? .start
      record.registers[15] = cpu_opaque(number + 1)
      ledger.note(record)
      ledger.begin(.other, part: nil, stackUsed: cpu_opaque(7), stackRoom: 9)
    }
    expect(ledger.leftOut.contains(.modem) && ledger.isIntact && ledger.cause == .fault)
    var text = InlineBytes<1024>()
    ledger.encodeMembers(into: &text)
    ledger.fault.encodeJSON(into: &text)
    expect(!text.isTruncated)
    for place in 0..<text.count { note(UInt32(text[place])) }
    expect(ledger.look(at: cpu_opaque(RestartLedger.retryAfter)))
    var watch = LoopWatch()
    watch.finish(.bytes)
    expect(!watch.endTurn())
  }
}
