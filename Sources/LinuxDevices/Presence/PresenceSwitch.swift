public import Quantities

/// Tells that the owner is near while a line of a GPIO chip says so: the output of a receiver of the owner's key, a hidden switch.
///
/// It is looked at ten times a second, and what is seen twice in a row counts. While it is on that is reported every five seconds.
public final class PresenceSwitch: SensorSource {
  /// Takes what it sees; set it before `start`.
  public var sink: (SensorInput) -> Void = { _ in }
  /// Why it gives nothing any more since the last `start`; nil while it works.
  public private(set) var failure: DeviceFailure?

  /// Between two looks.
  static var interval: Interval { .milliseconds(100) }

  private let line: ContactLine
  private let token: UInt8
  private let tellsAway: Bool
  private let open: ContactSensor.Opening
  private var input: (any DigitalInput)?
  private var loop: EventLoop?
  private var due: Instant?
  private var seen: Bool?
  private var told: Bool?
  private var toldAt: Instant?

  /// - Parameters:
  ///   - line: Where it is.
  ///   - token: The token of its readings.
  ///   - tellsAway: Whether off means that the owner is away; false where the owner may be near by other signs.
  public convenience init(_ line: ContactLine, token: UInt8, tellsAway: Bool) {
    self.init(line, token: token, tellsAway: tellsAway) { line throws(DeviceFailure) in
      try GPIOPins.input(chip: line.chip, line: line.line, hasPullUp: true)
    }
  }

  init(_ line: ContactLine, token: UInt8, tellsAway: Bool, open: @escaping ContactSensor.Opening) {
    self.line = line
    self.token = token
    self.tellsAway = tellsAway
    self.open = open
  }

  /// As in `presence at gpiochip0 line 17`.
  public var name: String { "presence at \(line.chip) line \(line.line)" }

  /// Takes the line and joins the loop.
  ///
  /// - Throws: When the line can't be had.
  public func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    stop()
    failure = nil
    input = try open(line)
    self.loop = loop
    loop.add(self)
    due = now
  }

  /// Leaves the loop and lets the line go.
  public func stop() {
    input?.release()
    input = nil
    loop?.remove(self)
    loop = nil
    due = nil
    (seen, told, toldAt) = (nil, nil, nil)
  }

  private func look(at now: Instant) {
    guard let input else { return }
    let isOn: Bool
    do {
      isOn = try (input.level() == .high) == line.isOnWhenHigh
    } catch {
      failure = error
      stop()
      return
    }
    defer { seen = isOn }
    due = now + PresenceSwitch.interval
    guard isOn == seen else { return }
    let isOld = toldAt.map { now - $0 >= TagSensor.interval } ?? true
    guard isOn != told || (isOn && isOld) else { return }
    told = isOn
    toldAt = now
    if isOn || tellsAway { sink(.reading(.presence(PresenceReading(time: now, isNear: isOn, token: token)))) }
  }

  /// No descriptors.
  public func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}
  /// When it looks next.
  public var nextDeadline: Instant? { due }
  /// Looks when it is time.
  public func advance(to now: Instant) { if let due, now >= due { look(at: now) } }

  /// How it stands.
  public var facts: [(name: String, value: String)] { told.map { [("near", $0 ? "yes" : "no")] } ?? [] }

  /// It may be off for weeks.
  public var patience: Interval? { nil }
}
