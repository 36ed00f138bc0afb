import ASCIIText
import InlineStorage
import Quantities
import Telemetry

/// What requests have left behind: counter, numbers obeyed, pace of the channels, what was refused, and what they have switched.
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
  /// What the buzzer is to do, in seconds, until it is fetched; 0 for nothing.
  private var soundSeconds: UInt16 = 0
  private var soundPattern = SoundPattern.steady
  private var isHushed = false
  /// Until when the buzzer sounds, in tenths of seconds of the tracker's clock.
  private var soundEnd: UInt32 = 0
  /// Numbers of those obeyed last, the oldest first.
  private var numbers = InlineArray<8, UInt32>(repeating: 0)
  /// Until when each channel has used up what it may ask, in tenths of seconds of the tracker's clock.
  private var paid = InlineArray<11, UInt32>(repeating: 0)
  private var refusals = InlineArray<13, UInt16>(repeating: 0)

  init() {}

  /// Time between two requests of a channel, in tenths of seconds.
  private static var spacing: UInt32 { 100 }

  // MARK: Pace

  private static func tenths(_ time: Instant) -> UInt32 {
    UInt32(truncatingIfNeeded: max(0, time.microseconds) / 100_000)
  }

  /// True when a channel may ask now; with credit four at once.
  func isInPace(_ channel: UInt8, hasCredit: Bool, at time: Instant) -> Bool {
    guard channel > 0, Int(channel) < paid.count else { return channel == 0 }
    let now = RequestKeeper.tenths(time)
    let ahead = paid[Int(channel)] > now ? paid[Int(channel)] - now : 0
    return ahead <= (hasCredit ? 3 * RequestKeeper.spacing : 0)
  }

  // MARK: Verdicts

  /// A request was let in.
  mutating func noteAdmitted(_ channel: UInt8, counter: UInt64, at time: Instant) {
    if counter > self.counter {
      self.counter = counter
      isUsed = true
    }
    guard channel > 0, Int(channel) < paid.count else { return }
    paid[Int(channel)] = max(paid[Int(channel)], RequestKeeper.tenths(time)) &+ RequestKeeper.spacing
  }

  /// A request was refused.
  mutating func note(_ reason: RequestRefusal) {
    let place = Int(reason.rawValue)
    if refusals[place] < .max { refusals[place] += 1 }
  }

  /// How many were refused for a reason, up to 65,535.
  func refused(_ reason: RequestRefusal) -> Int { Int(refusals[Int(reason.rawValue)]) }

  /// How many were refused.
  var refusedCount: UInt32 {
    var sum: UInt32 = 0
    var place = 0
    while place < RequestRefusal.count {
      sum += UInt32(refusals[place])
      place += 1
    }
    return sum
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

  // MARK: Buzzer

  /// The buzzer is to sound from now on; what sounds already and would last longer goes on instead.
  mutating func sound(_ pattern: SoundPattern, _ duration: Interval, at time: Instant) {
    let seconds = UInt16(clamping: max(1, (duration.microseconds + 999_999) / 1_000_000))
    let end = RequestKeeper.tenths(time) &+ 10 * UInt32(seconds)
    guard end >= soundEnd else { return }
    isHushed = false
    soundPattern = pattern
    soundSeconds = seconds
    soundEnd = end
  }

  /// Nothing is to sound any more.
  mutating func hush() {
    soundSeconds = 0
    soundPattern = .steady
    soundEnd = 0
    isHushed = true
  }

  var hasSound: Bool { soundSeconds > 0 || isHushed }

  /// What the buzzer is to do, once.
  mutating func takeSound() -> (SoundPattern, Interval)? {
    guard hasSound else { return nil }
    defer {
      soundSeconds = 0
      isHushed = false
    }
    return (soundPattern, .seconds(Int(soundSeconds)))
  }

  // MARK: State

  func encode(into content: inout SectionContent) {
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
