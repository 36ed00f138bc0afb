public import Quantities

/// An inertial sensor whose driver is in the kernel: Linux's Industrial I/O.
///
/// Frames come from the buffered character device with the driver's own timestamps, converted to the monotonic clock. Where
/// frames have no timestamp, samples are dated by the read and the spacing. One device may have all axes, or accelerometer
/// and gyroscope of a part may be two devices, whose samples are brought together as `SixAxisMerge` says. Axes are those of
/// the part, turned by the driver's mount matrix where there is one.
public final class IndustrialIOSensor: SensorSource {
  /// Takes what it measures, in the order of time; set it before `start`.
  public var sink: (SensorInput) -> Void = { _ in }
  /// Why it gives nothing any more since the last `start`; nil while it works.
  public private(set) var failure: DeviceFailure?

  private let device: String
  private let root: String
  private let settings: InertialSettings
  private let difference: (TimestampClock) -> Int64
  private var buffers: [IndustrialIOBuffer] = []
  private var merge: SixAxisMerge?
  private var loop: EventLoop?

  /// - Parameters:
  ///   - device: `iio:device0`, the name of a part such as `bmi160`, or the beginning of two names, as `lsm6dso` for
  ///     `lsm6dso_accel` and `lsm6dso_gyro`.
  ///   - root: The folder with `sys` and `dev`.
  public convenience init(_ device: String, settings: InertialSettings = InertialSettings(), root: String = "/") {
    self.init(device, settings: settings, root: root) { $0.aheadOfMonotonic }
  }

  /// - Parameter difference: By how many nanoseconds a clock is ahead of the monotonic one.
  init(
    _ device: String, settings: InertialSettings, root: String, difference: @escaping (TimestampClock) -> Int64
  ) {
    self.device = device
    self.settings = settings
    self.root = root
    self.difference = difference
  }

  /// What it is woken by: the accelerometer's device first.
  var descriptors: [Int32] { buffers.map(\.descriptor) }

  /// As in `imu lsm6dso at iio:device0`.
  public var name: String {
    let nodes = buffers.map(\.files.node)
    return nodes.isEmpty || nodes == [device] ? "imu \(device)" : "imu \(device) at \(nodes.joined(separator: " and "))"
  }

  /// Finds, sets up and starts the buffers.
  public func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    stop()
    failure = nil
    do throws(DeviceFailure) {
      for files in try IndustrialIOSearch.devices(named: device, root: root) {
        buffers.append(try IndustrialIOBuffer(files, settings, difference: difference))
      }
      merge = buffers.count > 1 ? SixAxisMerge() : nil
      self.loop = loop
      loop.add(self)
      for buffer in buffers { try loop.watch(buffer.descriptor, for: .reading, by: self) }
    } catch {
      stop()
      throw error
    }
  }

  /// Leaves the loop, stops the buffers and closes the devices.
  public func stop() {
    loop?.remove(self)
    loop = nil
    for buffer in buffers { buffer.close() }
    buffers = []
    merge = nil
  }

  /// Reads a buffer.
  public func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {
    guard let buffer = buffers.first(where: { $0.descriptor == descriptor }) else { return }
    do throws(DeviceFailure) {
      let isForce = buffer.has(.specificForce)
      try buffer.read(at: now) { sample in
        if merge == nil {
          sink(.inertial(sample))
        } else if isForce {
          merge?.add(force: sample)
        } else {
          merge?.add(rate: sample)
        }
      }
    } catch {
      let found = error
      stop()
      failure = found
      return
    }
    advance(to: now)
  }

  /// Gives what waited for the other device long enough.
  public func advance(to now: Instant) { merge?.drain(at: now) { sink(.inertial($0)) } }

  /// When a sample has waited long enough for the other device.
  public var nextDeadline: Instant? { merge?.nextDeadline }

  /// Part, rate, ranges, clock and trigger.
  public var facts: [(name: String, value: String)] {
    var facts: [(name: String, value: String)] = []
    for buffer in buffers {
      let prefix = buffers.count < 2 ? "" : buffer.has(.specificForce) ? "accelerometer " : "gyroscope "
      facts.append(("\(prefix)part", "\(buffer.files.name) at \(buffer.files.node)"))
      facts.append(("\(prefix)rate", "\(plain(buffer.hertz)) Hz"))
      if let limit = buffer.limit(.specificForce) {
        facts.append(("range", "±\(Int((limit / standardGravity).rounded())) g"))
      }
      if let limit = buffer.limit(.angularRate) {
        facts.append(("angular range", "±\(Int((limit * 180 / .pi).rounded())) °/s"))
      }
      facts.append(("\(prefix)clock", buffer.clock?.rawValue ?? "arrival"))
      if let trigger = buffer.trigger { facts.append(("\(prefix)trigger", trigger)) }
      if buffer.undatedCount > 0 { facts.append(("\(prefix)dated by arrival", "\(buffer.undatedCount)")) }
    }
    return facts
  }

  /// Twenty samples, a second at least.
  public var patience: Interval? { InertialSettings.patience(hertz: buffers.map(\.hertz).min() ?? settings.hertz) }
}
