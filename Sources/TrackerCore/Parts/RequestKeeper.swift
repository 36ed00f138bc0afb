import ASCIIText
import InlineStorage
import Quantities
import Telemetry

/// What requests have left behind: counter, numbers obeyed, and what they have switched.
struct RequestKeeper: TrackerPart {
  /// The counter of the last signed request; 0 before the first.
  private(set) var counter: UInt64 = 0
  /// True when something is to be kept over a restart.
  private(set) var isUsed = false
  /// No alerts until the next parking.
  var isDisarmed = false { didSet { isUsed = true } }
  /// Positions are withheld.
  var isPrivate = false { didSet { isUsed = true } }
  /// No alerts, whatever else is said.
  var isDisabled = false { didSet { isUsed = true } }
  /// Whether alerts are on once it is enabled.
  var wantsAlerts = false
  /// The counter of the claim that made the owner the owner; 0 while there is none.
  var claim: UInt64 = 0 { didSet { isUsed = true } }
  /// A start anew was asked for and has not been told.
  var isRebooting = false { didSet { isUsed = true } }
  /// The number of that request.
  var rebootNumber: UInt32 = 0
  /// What the last request was answered.
  var lastAnswer: StatusReason?
  /// The value of that answer, whether or not the outbox had room for its packet; nil when it had none.
  var lastValue: PacketText?
  /// True once the owner of the run has been told of it.
  var isRebootTold = true
  /// Numbers of those obeyed last, the oldest first.
  private var numbers = InlineArray<8, UInt32>(repeating: 0)

  init() {}

  static var sections: StateSections { .requests }

  func isUsed(_ section: StateSections) -> Bool { isUsed }

  // MARK: Verdicts

  /// A request was let in.
  mutating func noteAdmitted(counter: UInt64) {
    guard counter > self.counter else { return }
    self.counter = counter
    isUsed = true
  }

  /// Remembers a number.
  ///
  /// - Returns: False when it was obeyed already.
  mutating func isNew(_ number: UInt32) -> Bool {
    var place = 0
    while place < 8 {
      if numbers[place] == number { return false }
      place += 1
    }
    place = 0
    while place < 7 {
      numbers[place] = numbers[place + 1]
      place += 1
    }
    numbers[7] = number
    isUsed = true
    return true
  }

  // MARK: Owner

  /// All of the owner's but the counter.
  mutating func forgetOwner() {
    claim = 0
    isDisarmed = false
    isPrivate = false
    isDisabled = false
    wantsAlerts = false
    numbers = InlineArray(repeating: 0)
  }

  func describe(in packet: inout Packet) { packet.isDisabled = isDisabled }

  // MARK: State

  func encode(_ section: StateSections, at time: Instant, into content: inout SectionContent) {
    content.append(littleEndian: counter, bytes: 8)
    let switches: UInt8 = (isDisarmed ? 1 : 0) | (isPrivate ? 2 : 0) | (isRebooting ? 4 : 0)
    let owned: UInt8 = (isDisabled ? 8 : 0) | (wantsAlerts ? 16 : 0) | (claim > 0 ? 32 : 0)
    content.append(switches | owned)
    content.append(littleEndian: UInt64(rebootNumber), bytes: 4)
    var place = 0
    while place < 8 {
      content.append(littleEndian: UInt64(numbers[place]), bytes: 4)
      place += 1
    }
    if claim > 0 { content.append(littleEndian: claim, bytes: 8) }
  }

  struct Kept {
    var counter: UInt64 = 0
    var flags: UInt8 = 0
    var rebootNumber: UInt32 = 0
    var numbers = InlineArray<8, UInt32>(repeating: 0)
    var isUsed = false
    var claim: UInt64 = 0

    init() {}

    init(_ bytes: Span<UInt8>, _ reader: inout RecordReader) {
      counter = UInt64(bitPattern: reader.int64(bytes))
      flags = reader.byte(bytes)
      reader.require(flags < 64)
      rebootNumber = reader.uint32(bytes)
      var place = 0
      while place < 8 {
        numbers[place] = reader.uint32(bytes)
        place += 1
      }
      if flags & 32 != 0 { claim = UInt64(bitPattern: reader.int64(bytes)) }
      isUsed = true
    }

    /// Whether alerts were wanted, as far as `alerts` goes, where they were on or off.
    func areWanted(alerts: Bool) -> Bool { flags & 8 != 0 ? flags & 16 != 0 : alerts || flags & 1 != 0 }
  }

  mutating func restore(_ kept: borrowing KeptState, at time: Instant) {
    guard kept.requests.isUsed else { return }
    counter = kept.requests.counter
    isDisarmed = kept.requests.flags & 1 != 0
    isPrivate = kept.requests.flags & 2 != 0
    isRebooting = kept.requests.flags & 4 != 0
    rebootNumber = kept.requests.rebootNumber
    isDisabled = kept.requests.flags & 8 != 0
    wantsAlerts = kept.requests.flags & 16 != 0
    claim = kept.requests.claim
    numbers = kept.requests.numbers
    isUsed = true
  }
}
