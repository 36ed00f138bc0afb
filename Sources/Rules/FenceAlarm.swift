public import Quantities

/// Where the machine of a pet's collar is.
public enum FenceAlarmState: UInt8, Equatable, BitwiseCopyable, Sendable, CaseIterable {
  /// No fence is active, or the collar is disabled: positions are reported, alerts never.
  case unassigned
  /// A fence is active, and the pet is within, or on the way to be found outside.
  case idle
  /// The pet is outside, and that is reported again and again.
  case alerting
  /// The owner has found it: nothing is reported until it is back, and has left again.
  case suppressed
}

/// Why an alarm is over. There is no fourth reason.
public enum FenceAlarmEnd: UInt8, Equatable, BitwiseCopyable, Sendable, CaseIterable {
  /// The pet is back.
  case entered
  /// The owner has found it.
  case found
  /// No fence is active any longer, or the collar is disabled, or other fences are active now.
  case removed
}

/// The machine of a pet's collar.
///
/// | from | on | to |
/// |---|---|---|
/// | unassigned | `assign` | idle (TC1); outside, an exit follows when it is confirmed |
/// | idle | `exit` | alerting (TC2) |
/// | idle | `remove` | unassigned (TC3) |
/// | alerting | `enter` | idle (TC4) |
/// | alerting | `remove` | unassigned (TC5) |
/// | alerting | `found` | suppressed |
/// | suppressed | `enter` | idle |
/// | suppressed | `remove` | unassigned |
public struct FenceAlarm: Equatable, BitwiseCopyable, Sendable {
  /// Where it is.
  public private(set) var state = FenceAlarmState.unassigned
  private var telling = AlertRepetition()

  /// How often the present exit was reported before: 0 with the first alert.
  public var repetition: UInt16 { telling.count }
  /// When it is repeated.
  public var nextDeadline: Instant? { telling.nextDeadline }

  /// Unassigned.
  public init() {}

  /// Goes on where an earlier life was: what was not answered is repeated at once.
  public init(_ state: FenceAlarmState, repetition: UInt16, at time: Instant) {
    self.state = state
    telling.remember(count: repetition)
    if state == .alerting { telling.hurry(at: time) }
  }

  /// A fence is active now. Other fences than before end what was reported of those.
  public mutating func assign() -> FenceAlarmEnd? {
    let wasAlerting = state == .alerting
    self = FenceAlarm()
    state = .idle
    return wasAlerting ? .removed : nil
  }

  /// No fence is active any longer.
  public mutating func remove() -> FenceAlarmEnd? {
    let wasAlerting = state == .alerting
    self = FenceAlarm()
    return wasAlerting ? .removed : nil
  }

  /// It has left the fence; true when that is to be reported.
  public mutating func exit(at time: Instant, _ parameters: FenceParameters) -> Bool {
    guard state == .idle else { return false }
    state = .alerting
    telling.begin(at: time, parameters.pace)
    return true
  }

  /// It is within again.
  public mutating func enter() -> FenceAlarmEnd? {
    guard state == .alerting || state == .suppressed else { return nil }
    let wasAlerting = state == .alerting
    self = FenceAlarm()
    state = .idle
    return wasAlerting ? .entered : nil
  }

  /// The owner has found it.
  public mutating func found() -> FenceAlarmEnd? {
    guard state == .alerting else { return nil }
    state = .suppressed
    telling.end()
    return .found
  }

  /// Lets time pass; true when the alert is to be repeated.
  ///
  /// - Parameter isHeard: False while the last one still waits for who is to hear it.
  public mutating func advance(to time: Instant, isHeard: Bool = true, _ parameters: FenceParameters) -> Bool {
    telling.advance(to: time, isHeard: isHeard, parameters.pace)
  }

  /// The time between two alerts is another.
  mutating func configure(from old: FenceParameters, to new: FenceParameters) {
    telling.configure(from: old.pace, to: new.pace)
  }
}
