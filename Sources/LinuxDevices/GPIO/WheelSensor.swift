public import Quantities

/// The sensor of a wheel: a reed or Hall switch between a GPIO line and ground.
///
/// The kernel notes each time the line falls, so that none is missed while something else is done. Pulses that follow the one before
/// within `bounce` are the same one: a contact bounces for some milliseconds. How many there were is told once a second, also while
/// there are none: so it is known that the sensor works and the wheel stands.
public final class WheelSensor: SensorSource {
  /// Takes what it counts; set it before `start`.
  public var sink: (SensorInput) -> Void = { _ in }
  /// Why it gives nothing any more since the last `start`; nil while it works.
  public private(set) var failure: DeviceFailure?

  /// How the line is taken.
  typealias Opening = (_ chip: String, _ line: UInt32) throws(DeviceFailure) -> any EdgeInput

  /// Between two readings.
  static var interval: Interval { .seconds(1) }

  private let chip: String
  private let line: UInt32
  private let bounce: Interval
  private let open: Opening
  private var input: (any EdgeInput)?
  private var loop: EventLoop?
  private var due: Instant?
  private var count: UInt32 = 0
  /// When the line fell last, on the kernel's clock.
  private var lastFall: Instant?

  /// - Parameters:
  ///   - chip: As `gpiochip0`.
  ///   - line: Number of the line on it.
  ///   - bounce: Pulses closer together are one.
  public convenience init(chip: String, line: UInt32, bounce: Interval) {
    self.init(chip: chip, line: line, bounce: bounce) { chip, line throws(DeviceFailure) in
      try GPIOPins.edges(chip: chip, line: line)
    }
  }

  init(chip: String, line: UInt32, bounce: Interval, open: @escaping Opening) {
    self.chip = chip
    self.line = line
    self.bounce = bounce
    self.open = open
  }

  /// As in `wheel at gpiochip0 line 22`.
  public var name: String { "wheel at \(chip) line \(line)" }

  /// Takes the line and joins the loop.
  ///
  /// - Throws: When the line can't be had.
  public func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    stop()
    failure = nil
    let input = try open(chip, line)
    do throws(DeviceFailure) {
      loop.add(self)
      try loop.watch(input.descriptor, for: .reading, by: self)
    } catch {
      loop.remove(self)
      input.release()
      throw error
    }
    self.input = input
    self.loop = loop
    due = now
  }

  /// Leaves the loop and lets the line go; the count goes on after the next start.
  public func stop() {
    loop?.remove(self)
    loop = nil
    input?.release()
    input = nil
    due = nil
    lastFall = nil
  }

  /// Counts what the kernel has noted.
  public func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {
    guard let input else { return }
    do throws(DeviceFailure) {
      for fall in try input.takeFalls() {
        // Each bounce keeps the contact busy for as long again.
        if lastFall.map({ fall - $0 >= bounce }) ?? true { count &+= 1 }
        lastFall = fall
      }
    } catch {
      stop()
      failure = error
    }
  }

  /// When it tells next.
  public var nextDeadline: Instant? { due }

  /// Tells when it is time.
  public func advance(to now: Instant) {
    guard let due, now >= due else { return }
    self.due = now + WheelSensor.interval
    sink(.reading(.wheel(WheelReading(time: now, pulses: count))))
  }

  /// Pulses so far.
  public var facts: [(name: String, value: String)] { [("pulses", "\(count)")] }

  /// It tells once a second by itself.
  public var patience: Interval? { nil }
}
