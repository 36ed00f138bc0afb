import Foundation
import LinuxDevices
import Quantities
import ServerSupport
import Synchronization

/// Plays the inertial sensor of a bike, 100 samples a second, to whoever takes them.
final class RidePlayer: Sendable {
  /// What the bike does.
  enum Scene: Sendable { case standing, ridden }

  private struct State {
    var scene = Scene.standing
    var isOver = false
  }
  private let state = Mutex(State())

  /// Begins to play, with a bike that stands.
  ///
  /// - Parameter take: Called on the player's thread with each sample, whose time is when it was measured.
  init(_ take: @escaping @Sendable (InertialSample) -> Void) throws {
    let ride = try RideSamples.ride.get()
    guard BackgroundThread.start({ [weak self] in RidePlayer.play(ride, take) { self?.state.withLock { $0 } } }) else {
      throw SetUpFailure("no thread for the player")
    }
  }

  /// Changes what the bike does.
  func show(_ scene: Scene) { state.withLock { $0.scene = scene } }

  /// Ends it.
  func stop() { state.withLock { $0.isOver = true } }

  deinit { stop() }

  private static func play(
    _ ride: RideSamples, _ take: (InertialSample) -> Void, _ state: () -> State?
  ) {
    let start = MonotonicClock.now
    var number = 0
    var place = 0
    var before = Scene.standing
    while let state = state(), !state.isOver {
      let due = start + .milliseconds(10 * number)
      number += 1
      var wait = EventWait()
      wait.wait(until: due)
      if state.scene != before { place = 0 }
      before = state.scene
      // However late the test comes: after eight seconds the thief has had enough.
      let samples = state.scene == .ridden && place < 800 ? ride.riding : ride.standing
      var sample = samples[place % samples.count]
      place += 1
      sample.time = due
      take(sample)
    }
  }
}

/// An inertial sensor on the board, however it is connected.
protocol PlayedSensor: AnyObject, Sendable {
  /// The section `imu` of a configuration.
  var section: String { get }
  /// The bike.
  var player: RidePlayer { get }
  /// Takes it away, as a loose wire does.
  func vanish() throws
  /// Brings it back in the same place.
  func comeBack() throws
}

/// Lets the player be made before the sensor is whole.
private final class SampleRelay: Sendable {
  /// In an object: a closure that a mutex holds itself is wrapped once more at each look at it, until the stack is too small for it.
  private final class Taker: Sendable {
    let take: @Sendable (InertialSample) -> Void
    init(_ take: @escaping @Sendable (InertialSample) -> Void) { self.take = take }
  }
  private let taker = Mutex<Taker?>(nil)

  func pass(_ sample: InertialSample) { taker.withLock { $0 }?.take(sample) }

  func begin(_ take: @escaping @Sendable (InertialSample) -> Void) {
    let new = Taker(take)
    taker.withLock { $0 = new }
  }
}

/// A made IIO tree with a FIFO as the character device.
final class PlayedIIODevice: PlayedSensor {
  private struct Files {
    var writer: Int32 = -1
    var wasOn = false
  }
  private let folder: BoardFolder
  private let files: Mutex<Files>
  let player: RidePlayer
  var section: String { "imu: { source: 'iio', device: 'bmi160', root: '\(folder.path)', rate: 100 }" }

  private static let device = "sys/bus/iio/devices/iio:device0"

  init() throws {
    let folder = try BoardFolder()
    self.folder = folder
    let relay = SampleRelay()
    player = try RidePlayer { sample in relay.pass(sample) }
    files = Mutex(Files())
    try comeBack()
    relay.begin { [weak self] sample in self?.write(sample) }
  }

  deinit {
    player.stop()
    files.withLock { if $0.writer >= 0 { close($0.writer) } }
  }

  func comeBack() throws {
    let manager = FileManager.default
    let base = "\(folder.path)/\(Self.device)"
    for path in ["\(base)/scan_elements", "\(base)/buffer", "\(folder.path)/dev"] {
      try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    var attributes = [
      "name": "bmi160", "buffer/enable": "0", "buffer/length": "2", "in_accel_scale": "0.002",
      "in_anglvel_scale": "0.0005", "current_timestamp_clock": "monotonic", "in_accel_sampling_frequency": "100",
      "in_anglvel_sampling_frequency": "100",
    ]
    let axes = ["accel_x", "accel_y", "accel_z", "anglvel_x", "anglvel_y", "anglvel_z", "timestamp"]
    for (index, axis) in axes.enumerated() {
      attributes["scan_elements/in_\(axis)_en"] = "0"
      attributes["scan_elements/in_\(axis)_index"] = "\(index)"
      attributes["scan_elements/in_\(axis)_type"] = axis == "timestamp" ? "le:s64/64>>0" : "le:s16/16>>0"
    }
    for (name, text) in attributes {
      try (text + "\n").write(toFile: "\(base)/\(name)", atomically: false, encoding: .utf8)
    }
    let fifo = "\(folder.path)/dev/iio:device0"
    guard mkfifo(fifo, 0o600) == 0 else { throw SetUpFailure("\(fifo): no FIFO") }
    let writer = open(fifo, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard writer >= 0 else { throw SetUpFailure("\(fifo): does not open") }
    files.withLock { $0 = Files(writer: writer) }
  }

  func vanish() throws {
    try FileManager.default.removeItem(atPath: "\(folder.path)/\(Self.device)")
    unlink("\(folder.path)/dev/iio:device0")
    files.withLock { files in
      close(files.writer)
      files.writer = -1
    }
  }

  private func write(_ sample: InertialSample) {
    guard let force = sample.specificForce, let rate = sample.angularRate else { return }
    files.withLock { files in
      guard files.writer >= 0 else { return }
      guard let text = try? String(contentsOfFile: "\(folder.path)/\(Self.device)/buffer/enable", encoding: .utf8),
        text.hasPrefix("1")
      else {
        // A buffer that is switched off is empty.
        var rest = [UInt8](repeating: 0, count: 65_536)
        if files.wasOn { _ = read(files.writer, &rest, rest.count) }
        files.wasOn = false
        return
      }
      files.wasOn = true
      var frame: [UInt8] = []
      for (value, scale) in [force.x, force.y, force.z].map({ ($0, Float(0.002)) })
        + [rate.x, rate.y, rate.z].map({ ($0, Float(0.0005)) })
      { frame += littleEndian(Int16(clamping: Int((value / scale).rounded()))) }
      frame += [0, 0, 0, 0] + littleEndian(sample.time.microseconds * 1000)
      _ = Glibc.write(files.writer, frame, frame.count)
    }
  }
}

/// A WitMotion sensor on a pseudo-terminal.
final class PlayedWitMotion: PlayedSensor {
  private struct Plug {
    var terminal: PseudoTerminal?
  }
  private let folder: BoardFolder
  private let terminal = Mutex(Plug())
  let player: RidePlayer
  private var path: String { "\(folder.path)/imu" }
  var section: String { "imu: { source: 'serial', port: '\(path)', rate: 115200 }" }

  init() throws {
    folder = try BoardFolder()
    let relay = SampleRelay()
    player = try RidePlayer { sample in relay.pass(sample) }
    try comeBack()
    relay.begin { [weak self] sample in self?.write(sample) }
  }

  deinit { player.stop() }

  func comeBack() throws {
    let path = path
    try terminal.withLock { $0.terminal = try PseudoTerminal(bitsPerSecond: 115_200, link: path) }
  }

  func vanish() throws { terminal.withLock { $0.terminal = nil } }

  private func write(_ sample: InertialSample) {
    guard let force = sample.specificForce, let rate = sample.angularRate else { return }
    func frame(_ type: UInt8, _ values: [Float]) -> [UInt8] {
      var bytes: [UInt8] = [0x55, type]
      for value in values { bytes += littleEndian(Int16(clamping: Int(value.rounded()))) }
      return bytes + [UInt8(truncatingIfNeeded: bytes.reduce(0) { $0 + Int($1) })]
    }
    let g = Float(32768 / 16 / 9.80665)
    let turn = Float(32768.0 / 2000 * 180 / .pi)
    let bytes =
      frame(0x51, [force.x * g, force.y * g, force.z * g, 2500])
      + frame(0x52, [rate.x * turn, rate.y * turn, rate.z * turn, 0])
    terminal.withLock { plug in
      guard let terminal = plug.terminal else { return }
      terminal.countClients()
      // Nobody there to read: the bytes are lost, as on a wire.
      if terminal.clientCount == 0 { terminal.discardUnread() }
      _ = try? terminal.write(bytes[...])
    }
  }
}

/// The bytes of a number, the lowest first.
private func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
  withUnsafeBytes(of: value.littleEndian) { Array($0) }
}
