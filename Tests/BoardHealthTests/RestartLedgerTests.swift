import ASCIIText
import BoardHealth
import InlineStorage
import Testing

private func crashed(_ part: LoopPart, _ cause: RestartCause = .watchdog) -> FaultRecord {
  var record = FaultRecord()
  record.cause = cause
  record.part = part
  record.uptime = 4321
  return record
}

extension RestartLedger {
  fileprivate mutating func live(_ hardware: HardwareReset = .other, part: LoopPart? = nil) {
    begin(hardware, part: part, stackUsed: 100, stackRoom: 1000)
  }

  fileprivate mutating func crash(in part: LoopPart) {
    note(crashed(part))
    live()
  }

  fileprivate var text: String {
    var bytes = InlineBytes<1024>()
    encodeMembers(into: &bytes)
    return String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self)
  }

  /// The ledger with one bit of its memory changed.
  fileprivate func flipped(_ bit: Int) -> RestartLedger {
    var copy = self
    withUnsafeMutableBytes(of: &copy) { $0[bit / 8] ^= 1 << UInt8(bit % 8) }
    return copy
  }
}

private let everyPart = (0..<UInt8(LoopPart.count)).compactMap { LoopPart(rawValue: $0) }

@Suite struct RestartLedgerTests {
  @Test func memoryThatNobodyHasWrittenIsABoardThatGotPower() {
    for byte in 0..<UInt8.max {
      var ledger = RestartLedger()
      withUnsafeMutableBytes(of: &ledger) { for place in $0.indices { $0[place] = byte } }
      #expect(!ledger.isIntact)
      ledger.live()
      #expect(ledger.isIntact && ledger.cause == .power && ledger.restarts == 0 && ledger.fault.number == 0)
    }
  }

  @Test func eachBitThatHasChangedIsNoticed() {
    var ledger = RestartLedger()
    ledger.crash(in: .modem)
    #expect(ledger.isIntact)
    for bit in 0..<8 * MemoryLayout<RestartLedger>.size { #expect(!ledger.flipped(bit).isIntact, "bit \(bit)") }
  }

  @Test func aCrashIsToldAtTheNextStartAndNotAtTheOneAfter() {
    var ledger = RestartLedger()
    ledger.live()
    ledger.note(crashed(.sensor, .fault))
    ledger.live()
    #expect(ledger.cause == .fault && ledger.fault.part == .sensor && ledger.fault.uptime == 4321)
    #expect(ledger.fault.stackUsed == 100 && ledger.fault.stackRoom == 1000)
    ledger.live()
    #expect(ledger.cause == .reset && ledger.fault.number == 1 && ledger.fault.part == .sensor)
    #expect(ledger.text == #""cause":"reset","restarts":3,"crashes":1,"leftOut":[]"#)
  }

  @Test func whatOnlyTheRegistersOfTheBoardTellIsAWatchdogInThePartThatRan() {
    var ledger = RestartLedger()
    ledger.live()
    ledger.live(.watchdog, part: .storage)
    #expect(ledger.cause == .watchdog && ledger.fault.part == .storage && !ledger.fault.hasRegisters)
    #expect(ledger.fault.number == 1 && ledger.fault.stackUsed == 100)
    // What was noted before knows more.
    ledger.note(crashed(.modem, .fault))
    ledger.live(.watchdog, part: .storage)
    #expect(ledger.cause == .fault && ledger.fault.part == .modem && ledger.fault.number == 2)
  }

  @Test func powerForgetsWhatIsLeftOutAndKeepsTheRecord() {
    var ledger = RestartLedger()
    for _ in 0..<3 { ledger.crash(in: .sensor) }
    #expect(ledger.leftOut.contains(.sensor))
    ledger.live(.power)
    #expect(ledger.cause == .power && ledger.leftOut == .nothing && ledger.restarts == 0 && ledger.failures == 0)
    #expect(ledger.fault.number == 3 && ledger.fault.part == .sensor)
  }

  @Test func theThirdCrashInARowLeavesOutItsPart() {
    for part in everyPart where part != .start && part != .restore {
      var ledger = RestartLedger()
      ledger.crash(in: .console)
      ledger.crash(in: part)
      #expect(ledger.leftOut == .nothing && ledger.failures == 2)
      ledger.crash(in: part)
      #expect(ledger.leftOut.contains(part) && ledger.failures == 0)
      #expect(everyPart.count { ledger.leftOut.contains($0) } == (part == .storage || part == .deadlines ? 2 : 1))
    }
  }

  @Test func aPartThatIsOnlyThereAtTheStartLeavesOutWhatNeedsIt() {
    var ledger = RestartLedger()
    for _ in 0..<3 { ledger.crash(in: .restore) }
    #expect(ledger.text.contains(#""leftOut":["storage"]"#) && ledger.leftOut.contains(.restore))
    for _ in 0..<3 { ledger.crash(in: .start) }
    #expect(ledger.text.contains(#""leftOut":["tracker","storage"]"#) && ledger.leftOut.hasNoTracker)
  }

  @Test func noCrashesEverMakeALoopOfRestartsWithoutEnd() {
    for part in everyPart {
      var ledger = RestartLedger()
      var restarts = 0
      // A board without tracker, console and sleep does nothing that could fail.
      while !(ledger.leftOut.hasNoTracker && ledger.leftOut.contains(.console) && ledger.leftOut.contains(.sleep)) {
        ledger.crash(in: part)
        restarts += 1
        guard restarts < 100 else { break }
      }
      #expect(restarts <= 12, "\(part)")
      let end = ledger.leftOut
      for _ in 0..<9 { ledger.crash(in: part) }
      #expect(everyPart.allSatisfy { !end.contains($0) || ledger.leftOut.contains($0) })
    }
  }

  @Test func aGoodLifeForgetsCrashesAndAShorterOneDoesNot() {
    var ledger = RestartLedger()
    ledger.crash(in: .modem)
    ledger.crash(in: .modem)
    let isRetriedBefore = ledger.look(at: RestartLedger.goodLife - 1)
    #expect(!isRetriedBefore && ledger.failures == 2)
    let isRetried = ledger.look(at: RestartLedger.goodLife)
    #expect(!isRetried && ledger.failures == 0 && ledger.isIntact)
  }

  @Test func afterSixHoursWhatIsLeftOutIsTriedAgainOnce() {
    var ledger = RestartLedger()
    for _ in 0..<3 { ledger.crash(in: .modem) }
    let isTooEarly = ledger.look(at: RestartLedger.retryAfter - 1)
    #expect(!isTooEarly && ledger.leftOut.contains(.modem))
    let isRetried = ledger.look(at: RestartLedger.retryAfter)
    #expect(isRetried)
    ledger.live()
    #expect(ledger.cause == .retry && ledger.leftOut == .nothing)
    ledger.crash(in: .modem)
    #expect(ledger.leftOut.contains(.modem))
    // With nothing left out there is nothing to try.
    ledger.noteRequest()
    ledger.live()
    #expect(ledger.cause == .request && ledger.leftOut == .nothing && ledger.isIntact)
    let isRetriedForNothing = ledger.look(at: RestartLedger.retryAfter)
    #expect(!isRetriedForNothing)
  }

  @Test func aRestartThatWasAskedForCountsAsNoCrash() {
    var ledger = RestartLedger()
    ledger.crash(in: .modem)
    ledger.crash(in: .modem)
    ledger.noteRequest()
    ledger.live()
    #expect(ledger.failures == 0 && ledger.restarts == 3)
    ledger.crash(in: .modem)
    #expect(ledger.leftOut == .nothing)
  }

  @Test func anotherImageBeginsWithEverythingAndKnowsOfTheCrash() {
    var ledger = RestartLedger()
    for _ in 0..<3 { ledger.crash(in: .modem) }
    ledger.noteOtherImage()
    #expect(ledger.leftOut == .nothing && ledger.failures == 0 && ledger.isIntact)
    #expect(ledger.cause == .watchdog && ledger.fault.number == 3 && ledger.fault.part == .modem)
    for _ in 0..<2 { ledger.crash(in: .modem) }
    ledger.noteOtherImage()
    ledger.crash(in: .modem)
    #expect(ledger.leftOut == .nothing && ledger.failures == 1)
  }

  @Test func theRecordTellsRegistersWhereThereAreSome() {
    func text(_ record: FaultRecord) -> String {
      var bytes = InlineBytes<1024>()
      record.encodeJSON(into: &bytes)
      return String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self)
    }
    #expect(text(FaultRecord()) == "null")
    var record = crashed(.deadlines, .stack)
    record.number = 7
    record.stackUsed = 12
    record.stackRoom = 34
    #expect(
      text(record)
        == #"{"number":7,"cause":"stack","part":"deadlines","uptime":4.321,"exception":0,"stackUsed":12,"stackRoom":34}"#
    )
    for place in 0..<17 { record.registers[place] = UInt32(place + 1) }
    record.exception = 3
    record.exceptionReturn = 0xFFFF_FFE9
    record.faultStatus = [1 << 16, 1 << 30, 0xE000_ED34, 0xA]
    let told = text(record)
    #expect(
      told.contains(##""registers":{"r0":"0x00000001","##) && told.contains(##""r12":"0x0000000D","sp":"0x0000000E""##))
    #expect(
      told.contains(##""lr":"0x0000000F","pc":"0x00000010","xpsr":"0x00000011"},"exceptionReturn":"0xFFFFFFE9""##))
    #expect(
      told.contains(
        ##""cfsr":"0x00010000","hfsr":"0x40000000","mmfar":"0xE000ED34","bfar":"0x0000000A","stackUsed":12"##))
  }

  @Test func onlyATurnWithAllStepsFeedsTheWatchdog() {
    let steps: [LoopWatch.Step] = [.bytes, .deadlines, .storage]
    for chosen in 0..<8 {
      var watch = LoopWatch()
      for (place, step) in steps.enumerated() where chosen & 1 << place != 0 { watch.finish(step) }
      let isWhole = watch.endTurn()
      #expect(isWhole == (chosen == 7))
      // The next turn begins without any.
      for (place, step) in steps.enumerated() where chosen & 1 << place == 0 { watch.finish(step) }
      let isRest = watch.endTurn()
      #expect(isRest == (chosen == 0))
    }
  }
}
