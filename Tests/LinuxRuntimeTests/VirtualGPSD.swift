import ASCIIText
import Glibc
import TrackerRuntime
import LinuxDevices
import Quantities

/// A gpsd on virtual time: the bytes it says, on a socket, and all that reads them is that of `leash run`. Put it into the loop.
final class VirtualGPSD: LoopMember {
  /// How it behaves.
  enum Mood: Equatable {
    /// It gives an epoch every ten seconds.
    case works
    /// Nobody listens, and connections that are there are closed.
    case isDown
    /// It takes connections, and what it says ends there.
    case isSilent
    /// What it says is no JSON, or is cut, or lies.
    case garbles
    /// Its receiver has no fix.
    case hasNoFix
  }

  var mood: (Instant) -> Mood = { _ in .works }
  /// How far the vehicle is north of where it was parked, m.
  var north: (Instant) -> Double = { _ in 0 }
  /// How fast it goes, m/s.
  var speed: (Instant) -> Double = { _ in 0 }
  /// When somebody began to connect.
  private(set) var connections: [Instant] = []
  private let clock: VirtualClock
  private var descriptor: Int32 = -1
  private var nextEpoch: Instant = .zero
  private var lineCount = 0

  init(_ clock: VirtualClock) { self.clock = clock }

  deinit { hangUp() }

  private func hangUp() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  private func say(_ text: String) {
    guard descriptor >= 0 else { return }
    let bytes = Array((text + "\r\n").utf8)
    // A listener that is gone shows at the next connection.
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
  }

  func open(host: String, port: UInt16, name: String) throws(DeviceFailure) -> any GPSDOpening {
    connections.append(clock.now)
    hangUp()
    guard mood(clock.now) != .isDown else { return try Opening(.failed(ECONNREFUSED)) }
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends) == 0 else {
      throw DeviceFailure(.open, name, errorNumber: errno, .other)
    }
    descriptor = ends[0]
    if mood(clock.now) != .isSilent {
      say(#"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#)
      let receiver = #"{"class":"DEVICE","path":"/dev/a","activated":"2026-11-21T12:00:00.000Z"}"#
      say(#"{"class":"DEVICES","devices":[\#(receiver)]}"#)
    }
    return try Opening(.connected(ends[1]))
  }

  func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}
  var nextDeadline: Instant? { nextEpoch }

  func advance(to now: Instant) {
    guard now >= nextEpoch else { return }
    nextEpoch = now + .seconds(10)
    lineCount += 1
    let utc = UTCTime(microseconds: 1_700_000_000_000_000 + now.microseconds)
    var text = ByteBuffer()
    text.append(iso8601: utc)
    let time = String(decoding: text.bytes, as: UTF8.self)
    switch mood(now) {
    case .works:
      let latitude = 52 + north(now) / 111_200
      say(
        #"{"class":"TPV","device":"/dev/a","mode":3,"time":"\#(time)","lat":\#(latitude),"lon":4.5,"#
          + #""eph":3.0,"speed":\#(speed(now)),"track":0}"#)
    case .hasNoFix: say(#"{"class":"TPV","device":"/dev/a","mode":1,"time":"\#(time)"}"#)
    case .isDown: hangUp()
    case .isSilent: break
    case .garbles:
      let lines = [
        "\u{1}\u{2}ÿ{}{{[", #"{"class":"TPV","device":"/dev/a","mode":3,"ti"#,
        #"{"class":"TPV","device":"/dev/a","mode":3,"time":"\#(time)","lat":"north","lon":[]}"#,
        #"{"class":"SKY","satellites":[{"PRN":}]}"#, String(repeating: "x", count: 40_000),
      ]
      say(lines[lineCount % lines.count])
    }
  }

  private final class Opening: GPSDOpening {
    let wakeUp: WakeUp
    private var outcome: GPSDOutcome?

    init(_ outcome: GPSDOutcome) throws(DeviceFailure) {
      wakeUp = try WakeUp()
      self.outcome = outcome
      wakeUp.signal()
    }

    func take() -> GPSDOutcome? {
      wakeUp.clear()
      defer { outcome = nil }
      return outcome
    }

    func abandon() { if case .connected(let descriptor)? = take() { close(descriptor) } }
  }
}
