public import Quantities

/// What a board measures from time to time, by asking files of the kernel.
public protocol PolledDevice {
  /// As in `supply BAT0`.
  var name: String { get }
  /// Looks for it.
  ///
  /// - Throws: When it is not there; the failure names those that are.
  mutating func find() throws(DeviceFailure)
  /// What it measures now; nil when it shows nothing of use.
  ///
  /// - Throws: When it is gone.
  mutating func read(at now: Instant) throws(DeviceFailure) -> Reading?
  /// What it measured last.
  var facts: [(name: String, value: String)] { get }
}

/// Reads a device at the start and at each interval. Nothing waits for it: these files answer at once, or in milliseconds.
public final class PolledSensor: SensorSource {
  /// Takes what it measures; set it before `start`.
  public var sink: (SensorInput) -> Void = { _ in }
  /// Why it gives nothing any more since the last `start`; nil while it works.
  public private(set) var failure: DeviceFailure?

  private var device: any PolledDevice
  private let interval: Interval
  private var loop: EventLoop?
  private var due: Instant?

  /// - Parameters:
  ///   - device: What is read.
  ///   - interval: Between two readings.
  public init(_ device: some PolledDevice, every interval: Interval) {
    self.device = device
    self.interval = interval
  }

  /// As in `supply BAT0`.
  public var name: String { device.name }

  /// Reads once and joins the loop.
  ///
  /// - Throws: When there is no such device; it names those that there are.
  public func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    stop()
    failure = nil
    try device.find()
    self.loop = loop
    loop.add(self)
    read(at: now)
  }

  /// Leaves the loop.
  public func stop() {
    loop?.remove(self)
    loop = nil
    due = nil
  }

  private func read(at now: Instant) {
    do {
      let reading = try device.read(at: now)
      due = now + interval
      if let reading { sink(.reading(reading)) }
    } catch {
      failure = error
      stop()
    }
  }

  /// No descriptors.
  public func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}
  /// When it reads next.
  public var nextDeadline: Instant? { due }
  /// Reads when it is time.
  public func advance(to now: Instant) { if let due, now >= due { read(at: now) } }

  /// What it read last.
  public var facts: [(name: String, value: String)] { device.facts }

  /// A battery that reports nothing of itself is silent for ever, and a barometer out of its range for as long as it is.
  public var patience: Interval? { nil }
}
