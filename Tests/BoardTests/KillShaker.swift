import Foundation
import LinuxDevices
import Quantities
import ServerSupport
import Synchronization

/// An inertial sensor in a made IIO tree that plays stillness and shakes in real time, with exact timestamps.
///
/// It goes on while its readers come and go, as a part on a board does. What nobody read is thrown away with `forget`, as
/// the kernel does when its device is closed.
final class KillShaker: Sendable {
  /// Samples per second: more than a board has, so that movements are short.
  static let hertz = 200

  private struct State {
    var isShaking = false
    /// Time of the next frame; those before it are written.
    var next: Instant
    /// Since when it is still; the first frame that is not shaken.
    var stillSince: Instant
    var isOver = false
    var frameCount = 0
  }

  private let root: String
  private let descriptor: Int32
  private let state: Mutex<State>
  private static var spacing: Interval { Interval(microseconds: Int64(1_000_000 / hertz)) }

  /// Makes the tree in a folder and begins to play stillness.
  init(in folder: String) throws {
    root = folder + "/iio"
    try KillShaker.makeTree(root)
    descriptor = open(root + "/dev/iio:device0", O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw SetUpFailure("no FIFO in \(root)") }
    let now = MonotonicClock.now
    state = Mutex(State(next: now, stillSince: now))
    guard BackgroundThread.start({ [self] in play() }) else { throw SetUpFailure("no thread for the sensor") }
  }

  /// Ends it; its thread holds it until then.
  func stop() { state.withLock { $0.isOver = true } }

  deinit { close(descriptor) }

  /// The `imu` section of a configuration.
  var section: String { "imu: { source: 'iio', device: 'bmi160', rate: \(KillShaker.hertz), root: '\(root)' }" }

  // MARK: Playing

  /// Shakes from the next frame on; gives that frame's time.
  func beginShake() -> Instant {
    state.withLock { state in
      state.isShaking = true
      return state.next
    }
  }

  /// Is still from the next frame on; gives that frame's time.
  @discardableResult func endShake() -> Instant {
    state.withLock { state in
      if state.isShaking { state.stillSince = state.next }
      state.isShaking = false
      return state.next
    }
  }

  /// True when it has been still for so long, and the reader knows of it but for the last frames.
  func hasBeenStill(for length: Interval) -> Bool {
    let isLong = state.withLock { !$0.isShaking && $0.next - $0.stillSince >= length }
    var unread: Int32 = 0
    // FIONREAD of Linux, whose macro does not reach Swift.
    guard isLong, ioctl(descriptor, 0x541B, &unread) == 0 else { return false }
    return unread <= 8 * 24
  }

  /// Begins stillness anew and throws away what nobody has read.
  func forget() {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    state.withLock { state in
      while read(descriptor, &bytes, bytes.count) > 0 {}
      state.isShaking = false
      state.stillSince = state.next
    }
  }

  private func play() {
    var random = KillRandom(seed: 7)
    while true {
      let next = state.withLock { $0.isOver ? nil : $0.next }
      guard let next else { return }
      var wait = EventWait()
      wait.wait(until: next)
      state.withLock { state in
        let now = MonotonicClock.now
        while state.next <= now {
          let frame = KillShaker.frame(state.frameCount, isShaking: state.isShaking, at: state.next, &random)
          // Nobody reads, and it is full: lost, as in the kernel.
          _ = write(descriptor, frame, frame.count)
          state.next = state.next + KillShaker.spacing
          state.frameCount += 1
        }
      }
    }
  }

  /// 24 bytes: six numbers, four bytes of padding, the time.
  private static func frame(_ count: Int, isShaking: Bool, at time: Instant, _ random: inout KillRandom) -> [UInt8] {
    func noise() -> Int16 { Int16.random(in: -5...5, using: &random) }
    // A hand that shakes at 25 Hz: 4 m/s² and 1 rad/s.
    let sign: Int16 = isShaking ? (count / 4 % 2 == 0 ? 1 : -1) : 0
    let values = [
      noise() + sign * 2000, noise(), 4903 + noise(), noise(), noise() + sign * 1000, noise(),
    ]
    var bytes: [UInt8] = []
    for value in values { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
    bytes += [0, 0, 0, 0]
    withUnsafeBytes(of: (time.microseconds * 1000).littleEndian) { bytes += $0 }
    return bytes
  }

  private static func makeTree(_ root: String) throws {
    let device = root + "/sys/bus/iio/devices/iio:device0"
    var files = [
      "name": "bmi160", "buffer/enable": "0", "buffer/length": "2", "in_accel_scale": "0.002",
      "in_anglvel_scale": "0.001", "current_timestamp_clock": "monotonic", "sampling_frequency": "\(hertz)",
    ]
    let axes = ["accel_x", "accel_y", "accel_z", "anglvel_x", "anglvel_y", "anglvel_z"]
    for (index, name) in (axes + ["timestamp"]).enumerated() {
      files["scan_elements/in_\(name)_en"] = "0"
      files["scan_elements/in_\(name)_index"] = "\(index)"
      files["scan_elements/in_\(name)_type"] = index < 6 ? "le:s16/16>>0" : "le:s64/64>>0"
    }
    for folder in [device + "/buffer", device + "/scan_elements", root + "/dev"] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    for (name, text) in files {
      try (text + "\n").write(toFile: "\(device)/\(name)", atomically: false, encoding: .utf8)
    }
    guard mkfifo(root + "/dev/iio:device0", 0o600) == 0 else { throw SetUpFailure("no FIFO in \(root)") }
  }
}

/// Random numbers that a seed repeats.
///
/// - Source: SplitMix64 [steele].
struct KillRandom: RandomNumberGenerator {
  private var bits: SplitMix64

  init(seed: UInt64) { bits = SplitMix64(seed: seed) }

  mutating func next() -> UInt64 { bits.next() }

  /// True once in `count` times.
  mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
