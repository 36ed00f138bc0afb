public import Quantities
import SensorFrames

/// A WitMotion sensor on a serial line, in its standard mode (`WitMotionStream`).
///
/// Nothing is sent to the sensor: rate and contents are those it was set to with its maker's tool.
public final class WitMotionSensor: SensorSource {
  /// Takes what it measures, in the order of time; set it before `start`.
  public var sink: (SensorInput) -> Void = { _ in }
  /// Why it gives nothing any more since the last `start`; nil while it works.
  public private(set) var failure: DeviceFailure?

  private let path: String
  private let bitsPerSecond: Int
  private let microteslaPerStep: Float?
  private var port: (any SerialTransport)?
  private var loop: EventLoop?
  private var stream: WitMotionStream
  /// Bytes read since it was made.
  private(set) var byteCount = 0
  private var buffer = [UInt8](repeating: 0, count: 4096)

  /// As `WitMotionStream` has it.
  package static var description: SensorDescription { WitMotionStream.description }

  /// - Parameters:
  ///   - path: `/dev/ttyUSB0`.
  ///   - bitsPerSecond: 9600 as delivered; 115200 is needed for 100 Hz.
  ///   - microteslaPerStep: What a step of the model's magnetometer is, where its manual says so; nil leaves it out.
  public init(_ path: String, bitsPerSecond: Int = 9600, microteslaPerStep: Float? = nil) {
    self.path = path
    self.bitsPerSecond = bitsPerSecond
    self.microteslaPerStep = microteslaPerStep
    stream = WitMotionStream(microteslaPerStep: microteslaPerStep)
  }

  /// What it is woken by; nil while it is stopped.
  var descriptor: Int32? { port?.descriptor }

  /// As in `imu witmotion at ttyUSB0`.
  public var name: String { "imu witmotion at \(path.split(separator: "/").last ?? "")" }

  /// Opens the port.
  public func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    stop()
    failure = nil
    stream = WitMotionStream(microteslaPerStep: microteslaPerStep)
    let port = try SerialPort.open(path, bitsPerSecond: bitsPerSecond)
    port.discardInput()
    self.port = port
    self.loop = loop
    loop.add(self)
    do throws(DeviceFailure) { try loop.watch(port.descriptor, for: .reading, by: self) } catch {
      stop()
      throw error
    }
  }

  /// Leaves the loop and closes the port.
  public func stop() {
    loop?.remove(self)
    loop = nil
    port?.close()
    port = nil
  }

  /// Reads what has come.
  public func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {
    guard let port else { return }
    do throws(DeviceFailure) {
      let count = try port.read(into: &buffer)
      byteCount += count
      for byte in buffer[..<count] {
        if let sample = stream.receive(byte, at: now) { sink(.inertial(sample)) }
      }
    } catch {
      let found = error
      stop()
      failure = found
    }
  }

  /// It waits for bytes only.
  public func advance(to now: Instant) {}

  /// It waits for bytes only.
  public var nextDeadline: Instant? { nil }

  /// Rate, speed and junk.
  public var facts: [(name: String, value: String)] {
    guard port != nil else { return [] }
    var facts: [(name: String, value: String)] = [("part", "WitMotion"), ("speed", "\(bitsPerSecond) bit/s")]
    facts.append(("rate", stream.hertz.map { "\(plain(($0 * 10).rounded() / 10)) Hz" } ?? "being learned"))
    facts.append(("range", "±16 g"))
    facts.append(("angular range", "±2000 °/s"))
    if stream.junkCount > 0 { facts.append(("bytes outside of frames", "\(stream.junkCount)")) }
    return facts
  }

  /// The slowest setting is a sample in ten seconds, the usual one ten in a second; beside the second of learning.
  public var patience: Interval? { .seconds(5) }
}
