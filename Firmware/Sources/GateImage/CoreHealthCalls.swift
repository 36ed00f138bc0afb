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

extension CoreRun {
  /// The console of a board: each kind of line, its answers, and the tail of events.
  @inline(never) mutating func console() {
    var reader = ConsoleReader()
    let lines: InlineArray<4, StaticString> = ["@status\n", "@inject sensor 55 C9034AF6\n", "@log 12\n", "@nothing\n"]
    var answer = InlineBytes<512>()
    var lineCount = 0
    for place in 0..<4 {
      for index in 0..<lines[place].utf8CodeUnitCount {
        guard let line = reader.receive(opaque(lines[place].utf8Start[index])) else { continue }
        lineCount += 1
        switch line {
        case .garbage(let kind): reader.encodeGarbage(kind, into: &answer)
        case .command(.inject(_, let piece)): piece.encode(into: &answer)
        case .command, .request: break
        }
      }
    }
    var tail = ConsoleTail()
    tail.add(answer.span)
    expect(lineCount == 4 && tail.encode(behind: "@tail ", into: &answer) == 1)
    for place in 0..<answer.count { note(UInt32(answer[place])) }
  }
}
