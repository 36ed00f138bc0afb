public import Quantities
import Telemetry

/// How long the owner is near, and what that holds back.
@frozen public struct PresenceParameters: Equatable, BitwiseCopyable, Sendable {
  /// How long a vehicle must be under way with its owner near until it is taken for the owner's own; zero: no alert is held back.
  /// Default 60 s, the most.
  public var holdFor: Interval = .seconds(60)
  /// How long the owner is near after a sighting. Short: a tag that is rarely heard is lost, and alerts come; long: a thief has as
  /// long. Default 30 s.
  public var nearAfterSighting: Interval = .seconds(30)
  /// How long the owner is near by a request that does not say. Default 300 s.
  public var nearByRequest: Interval = .seconds(300)

  /// The defaults.
  @inlinable public init() {}
}

/// Whether the owner is near: by a tag that is seen, for a while after each sighting, or by the owner's word, for as long as that said.
///
/// Near is of effect only while it is fresh: nothing that was once near stays so by itself, and no restart keeps it.
struct PresenceKeeper: TrackerPart {
  /// What was told last; nil when nothing has ever told.
  private(set) var isNear: Bool?
  /// Which tag was seen last; 0 when that is not known.
  private(set) var token: UInt8 = 0
  /// When it was seen last; nil before the first time.
  private(set) var lastSeen: Instant?
  /// When the vehicle is taken for the owner's own, if the owner is known to be near then; nil while it is not under way.
  private var settleTime: Instant?
  private var sightedUntil: Instant?
  private var wordUntil: Instant?
  private var lastReading: Instant?
  private var parameters: PresenceParameters

  init(_ configuration: TrackerConfiguration) { parameters = configuration.presence }

  mutating func configure(_ configuration: TrackerConfiguration) { parameters = configuration.presence }

  /// Until when the owner is near, if nothing more is heard.
  private var nearUntil: Instant? {
    guard let sightedUntil, let wordUntil else { return sightedUntil ?? wordUntil }
    return max(sightedUntil, wordUntil)
  }

  /// True while the owner is near.
  func isNear(at time: Instant) -> Bool { nearUntil.map { time < $0 } ?? false }

  /// True when the owner was seen or heard in this life, and has not gone away since.
  var isConfirmed: Bool { wordUntil != nil || (sightedUntil != nil && lastSeen != nil) }

  // MARK: What is heard

  mutating func process(_ reading: Reading, _ journal: inout TrackerJournal) {
    guard case .presence(let reading) = reading, lastReading.map({ $0 <= reading.time }) ?? true else { return }
    lastReading = reading.time
    if reading.isNear {
      token = reading.token
      lastSeen = reading.time
      sightedUntil = reading.time + parameters.nearAfterSighting
      tell(&journal)
    } else {
      leave(&journal)
    }
  }

  /// The owner says to be near.
  ///
  /// - Parameter duration: For how long; zero for as long as the setting says.
  mutating func come(for duration: Interval, _ journal: inout TrackerJournal) {
    wordUntil = journal.now + (duration > .zero ? duration : parameters.nearByRequest)
    tell(&journal)
  }

  /// The owner is away, whatever was said and seen before.
  mutating func leave(_ journal: inout TrackerJournal) {
    sightedUntil = nil
    wordUntil = nil
    tell(&journal)
  }

  /// Lets time pass: what was seen long ago is of no effect any more.
  mutating func tell(_ journal: inout TrackerJournal) {
    let isNear = isNear(at: journal.now)
    guard self.isNear != isNear else { return }
    self.isNear = isNear
    journal.emit(.presence(isNear: isNear, token: token), at: journal.now)
  }

  // MARK: What it means for an alert

  /// Whether an alert is to be held back.
  ///
  /// - Parameters:
  ///   - evidence: What was noticed. An opened box is never held back: it may be the last that is heard.
  ///   - isHeld: Whether one is held back already.
  ///   - isNew: Whether no alert of this alarm has been told.
  func holds(_ evidence: MovementEvidence, isHeld: Bool, isNew: Bool, at time: Instant) -> Bool {
    (isHeld || isNew) && isNear(at: time) && parameters.holdFor > .zero && evidence.detector != .tamper
  }

  /// The vehicle has set off while an alert is held back.
  mutating func setOff(at since: Instant) { settleTime = since + parameters.holdFor }

  /// No alert is held back any more.
  mutating func settle() { settleTime = nil }

  /// True when the owner was known to be near after the vehicle had been under way for the whole grace.
  func hasMovedAlong(at time: Instant) -> Bool {
    guard let settleTime, settleTime <= time else { return false }
    return isVouched(settleTime)
  }

  /// Whether the owner is known to be near at a time or later: by a sighting then, or by a word that lasts so long.
  private func isVouched(_ time: Instant) -> Bool {
    if sightedUntil != nil, let lastSeen, lastSeen >= time { return true }
    return wordUntil.map { $0 >= time } ?? false
  }

  var nextDeadline: Instant? {
    guard isNear == true, let nearUntil else { return nil }
    guard let settleTime, isVouched(settleTime) else { return nearUntil }
    return min(nearUntil, settleTime)
  }

  func describe(in packet: inout Packet) {
    if isNear != nil { packet.isOwnerNear = isNear(at: packet.time) }
  }

  /// After a restart with an alert held back: the owner has as long to be seen as after a sighting.
  mutating func expect(at time: Instant) {
    isNear = true
    sightedUntil = time + parameters.nearAfterSighting
  }
}
