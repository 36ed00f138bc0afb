import ASCIIText
import InlineStorage

/// What the registers of a board tell about its last reset.
package enum HardwareReset: Sendable {
  /// It had no power.
  case power
  /// Its watchdog.
  case watchdog
  /// A pin, software, or there are no such registers.
  case other
}

/// The lives of a board since it had power, in memory that a reset does not clear.
///
/// It consists of words only, so that its bytes are all of it; after power came they are anything, which the checksum tells.
///
/// A crash is followed by a restart with everything. After three in a row, none of which lived ten minutes, the part of the last
/// one is left out ([decision 41](docs/decisions/0041-a-board-restarts-three-times.md)); six hours later it is tried once more.
package struct RestartLedger: BitwiseCopyable, Sendable {
  /// Crashes in a row after which something is left out.
  package static var mostFailures: UInt32 { 3 }
  /// A life of so many milliseconds was a good one.
  package static var goodLife: UInt32 { 600_000 }
  /// After so many milliseconds without a part it is tried again.
  package static var retryAfter: UInt32 { 6 * 3_600_000 }

  private static var mark: UInt32 { 0x4C45_4731 }

  private var marked: UInt32
  /// Restarts since there was power.
  package private(set) var restarts: UInt32 = 0
  /// Crashes in a row.
  package private(set) var failures: UInt32 = 0
  private var causeNumber: UInt32 = 0
  /// The cause of the next start, one more than its number; 0 when nobody has noted one.
  private var announced: UInt32 = 0
  /// What the board does without.
  package private(set) var leftOut = LeftOut.nothing
  /// The last crash.
  package private(set) var fault = FaultRecord()
  private var checksum: UInt32 = 0

  /// That of a board that has just got power.
  package init() {
    marked = RestartLedger.mark
    seal()
  }

  /// True when it was written by a board, and whole.
  package var isIntact: Bool { marked == RestartLedger.mark && checksum == sum }

  /// Why the board runs.
  package var cause: RestartCause { RestartCause(rawValue: causeNumber) ?? .reset }

  /// A board starts.
  ///
  /// - Parameters:
  ///   - hardware: What its registers tell.
  ///   - part: What the loop was doing last; nil when that is unknown.
  ///   - stackUsed: Bytes of the stack that were written to in the life before.
  ///   - stackRoom: All of them.
  package mutating func begin(_ hardware: HardwareReset, part: LoopPart?, stackUsed: UInt32, stackRoom: UInt32) {
    guard isIntact else {
      self = RestartLedger()
      return
    }
    if hardware == .power {
      let last = fault
      self = RestartLedger()
      fault = last
      return seal()
    }
    restarts &+= 1
    var cause = announced > 0 ? RestartCause(rawValue: announced - 1) ?? .reset : .reset
    if announced == 0, hardware == .watchdog {
      // Nothing could be noted before.
      var record = FaultRecord()
      record.cause = .watchdog
      record.part = part ?? .start
      note(record)
      cause = .watchdog
    }
    announced = 0
    causeNumber = cause.rawValue
    if cause.isFailure {
      fault.stackUsed = stackUsed
      fault.stackRoom = stackRoom
      failures &+= 1
      if failures >= RestartLedger.mostFailures {
        leftOut.add(fault.part)
        failures = 0
      }
    }
    seal()
  }

  /// Notes a crash; the board restarts next.
  package mutating func note(_ record: FaultRecord) {
    if !isIntact { self = RestartLedger() }
    let number = fault.number &+ 1
    fault = record
    fault.number = number
    announced = record.cause.rawValue + 1
    seal()
  }

  /// The board restarts next because it was asked to: with everything.
  package mutating func noteRequest() {
    leftOut = .nothing
    failures = 0
    announced = RestartCause.request.rawValue + 1
    seal()
  }

  /// Another image runs than before, from a slot of its own: what the other one has done is no reason to do without anything.
  package mutating func noteOtherImage() {
    leftOut = .nothing
    failures = 0
    seal()
  }

  /// What a board that has run so many milliseconds has to do; true when it is to restart, to try again what it does without.
  package mutating func look(at uptime: UInt32) -> Bool {
    if uptime >= RestartLedger.goodLife, failures > 0 {
      failures = 0
      seal()
    }
    guard uptime >= RestartLedger.retryAfter, leftOut != .nothing else { return false }
    leftOut = .nothing
    // One more crash, and it is left out again.
    failures = RestartLedger.mostFailures - 1
    announced = RestartCause.retry.rawValue + 1
    seal()
    return true
  }

  /// Writes why the board runs and what it does without, as members of a JSON object.
  package func encodeMembers(into sink: inout some ByteSink) {
    sink.append("\"cause\":\"")
    sink.append(cause.name)
    sink.append("\",\"restarts\":")
    sink.append(decimal: UInt64(restarts))
    sink.append(",\"crashes\":")
    sink.append(decimal: UInt64(fault.number))
    sink.append(",\"leftOut\":")
    leftOut.encodeJSON(into: &sink)
  }

  private mutating func seal() { checksum = sum }

  private var sum: UInt32 {
    var copy = self
    copy.checksum = 0
    return withUnsafeBytes(of: copy) { bytes in CRC32.extend(1, bytes.bindMemory(to: UInt8.self)) }
  }
}
