import Glibc
import LinuxDevices
import Quantities
import ServerSupport
import Testing

/// A gpsd whose words the test writes, on a free port.
final class FakeGPSD {
  let port: UInt16
  private let listener: Int32
  private var connection: Int32 = -1

  init() throws { (listener, port) = try LoopbackSocket.listen() }

  deinit {
    hangUp()
    close(listener)
  }

  /// The version that gpsd gives at once, and one receiver.
  static let greeting =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"
    + #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","activated":"2026-11-21T12:00:00.000Z"}]}"#
    + "\r\n"

  /// An epoch of a receiver.
  static func position(_ second: Int, from device: String = "/dev/a") -> String {
    let time = "2026-11-21T12:00:\(second < 10 ? "0" : "")\(second).000Z"
    return #"{"class":"TPV","device":"\#(device)","mode":3,"time":"\#(time)","lat":48,"lon":11.00000\#(second)}"#
      + "\r\n"
  }

  /// Takes the client, who has connected or soon will; false when nobody comes for ten seconds.
  func takeClient() -> Bool {
    guard isReadableSoon(listener) else { return false }
    connection = accept(listener, nil, nil)
    return connection >= 0
  }

  func say(_ text: String) { LoopbackSocket.send(Array(text.utf8), to: connection) }

  /// What the client asked for.
  func heard() -> String {
    guard isReadableSoon(connection) else { return "" }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(connection, &buffer, buffer.count, 0)
    return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
  }

  func hangUp() {
    if connection >= 0 { close(connection) }
    connection = -1
  }
}

/// A source in a loop, with what it gave.
final class SensorBench<Source: SensorSource> {
  let loop: EventLoop
  let source: Source
  private(set) var fixes: [GNSSFix] = []
  private(set) var sentences: [UInt8] = []

  init(_ source: Source) throws {
    loop = try EventLoop(clock: MachineClock())
    self.source = source
    source.sink = { [weak self] input in
      switch input {
      case .fix(let fix): self?.fixes.append(fix)
      case .sentences(let bytes, at: _): self?.sentences += bytes
      case .inertial, .reading: Issue.record("no inertial sensor")
      }
    }
  }

  deinit { source.stop() }

  func start() throws { try source.start(in: loop, at: MonotonicClock.now) }

  /// Turns the loop until something is so; false when it is not within ten seconds.
  func turns(until isSo: () -> Bool) -> Bool {
    let limit = MonotonicClock.now + .seconds(10)
    while !isSo() {
      guard MonotonicClock.now < limit else { return false }
      loop.turn(until: limit)
    }
    return true
  }

  /// A fact by its name.
  func fact(_ name: String) -> String? { source.facts.first { $0.name == name }?.value }
}
