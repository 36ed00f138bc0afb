import LinuxDevices
import Quantities
import SIM7000
import Synchronization
import Telemetry
import Testing
import TrackerRuntime
import Uplinks

@testable import LinuxRuntime

/// Time that passes when nothing is left to do, and only then: hours are over as soon as their work is done.
final class VirtualClock: LoopClock {
  private let time: Mutex<Instant>

  init(at start: Instant = .zero) { time = Mutex(start) }

  var now: Instant { time.withLock { $0 } }

  /// Goes to the deadline at once; descriptors that are ready come first.
  func wait(until deadline: Instant?, _ look: (_ microseconds: Int64) -> Int) -> Int {
    let count = look(0)
    if count == 0, let deadline { time.withLock { $0 = max($0, deadline) } }
    return count
  }
}

/// Times in which something does not work.
struct Outages {
  var times: [Range<Instant>] = []

  func contains(_ time: Instant) -> Bool { times.contains { $0.contains(time) } }
  /// The end of the one that a time is in.
  func end(at time: Instant) -> Instant? { times.first { $0.contains(time) }?.upperBound }
}

/// A sensor that measures at regular times what a test says, and fails in its outages.
final class VirtualSensor: SensorSource {
  let name: String
  var sink: (SensorInput) -> Void = { _ in }
  private(set) var failure: DeviceFailure?
  var facts: [(name: String, value: String)] { [] }
  var patience: Interval? { .seconds(20) }
  /// Whether it is a receiver that needs less while it is stopped.
  var savesWhenStopped = false
  /// How often it was started.
  private(set) var startCount = 0
  private let outages: Outages
  private let period: Interval
  private let measure: (Instant) -> SensorInput
  private weak var loop: EventLoop?
  private(set) var nextDeadline: Instant?

  init(_ name: String, every period: Interval, except outages: Outages, _ measure: @escaping (Instant) -> SensorInput) {
    self.name = name
    self.period = period
    self.outages = outages
    self.measure = measure
  }

  private var gone: DeviceFailure { DeviceFailure(.read, name, .explained("gone")) }

  func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    failure = nil
    startCount += 1
    if outages.contains(now) { throw gone }
    self.loop = loop
    loop.add(self)
    nextDeadline = now + period
  }

  func stop() {
    nextDeadline = nil
    loop?.remove(self)
  }

  func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}

  func advance(to now: Instant) {
    guard let due = nextDeadline, now >= due else { return }
    if outages.contains(now) {
      stop()
      failure = gone
      return
    }
    nextDeadline = due + period
    sink(measure(now))
  }
}

/// What a server has got: of each packet when and what.
final class VirtualInbox {
  struct Packet: Equatable {
    var time: Instant
    var sequence: UInt32
    var kind: PacketKind
    var text: String
  }
  private(set) var packets: [Packet] = []
  func append(_ packet: OutgoingPacket, at now: Instant) {
    packets.append(
      Packet(
        time: now, sequence: packet.sequence, kind: packet.kind, text: String(decoding: packet.bytes, as: UTF8.self)))
  }
}

/// A way to a server that acknowledges after a fifth of a second, and nothing in its outages.
final class VirtualUplink: Uplink {
  let name = "virtual server"
  let capacity = 200
  var onNews: () -> Void = {}
  var facts: [(name: String, value: String)] { [] }
  private(set) var state = UplinkState.idle
  private let inbox: VirtualInbox
  private let outages: Outages
  private var waiting: [(due: Instant, packet: OutgoingPacket)] = []
  private var news: [UplinkNews] = []
  private weak var loop: EventLoop?

  init(to inbox: VirtualInbox, except outages: Outages) {
    self.inbox = inbox
    self.outages = outages
  }

  func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    self.loop = loop
    loop.add(self)
    state = .open
  }

  func stop() {
    loop?.remove(self)
    state = .idle
  }

  func take(_ packet: OutgoingPacket, at now: Instant) {
    if waiting.contains(where: { $0.packet.sequence == packet.sequence }) { return }
    waiting.append((now + .milliseconds(200), packet))
  }

  func forget(_ sequence: UInt32, way: Int) { waiting.removeAll { $0.packet.sequence == sequence } }
  func nextNews() -> UplinkNews? { news.isEmpty ? nil : news.removeFirst() }
  func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}

  var nextDeadline: Instant? {
    if case .failed(_, let retryAt?) = state { return retryAt }
    return waiting.lazy.map(\.due).min()
  }

  func advance(to now: Instant) {
    if let end = outages.end(at: now) {
      state = .failed(reason: "away", retryAt: end)
      return
    }
    state = .open
    for (_, packet) in waiting.filter({ $0.due <= now }) {
      waiting.removeAll { $0.packet.sequence == packet.sequence }
      inbox.append(packet, at: now)
      news.append(.delivered(sequence: packet.sequence))
    }
    if !news.isEmpty { onNews() }
  }
}

/// A board on virtual time: the program of `leash run`, with its state in a file, and sensors and servers that a test tells about.
final class VirtualBoard {
  let clock = VirtualClock(at: .seconds(1000))
  let inbox = VirtualInbox()
  var configuration = BoardConfiguration()
  var inertialOutages = Outages()
  var receiverOutages = Outages()
  var serverOutages = Outages()
  /// Writes its state in a thread, as the program does: what follows from a change is told some time later.
  var keepsBesideLoop = false
  /// Of a second way to the same owner; nil when there is none.
  var secondOutages: Outages?
  /// A modem in place of the servers, and what goes through it.
  var modem: VirtualModem?
  var modemWays: [ModemWay] = []
  /// What sounds.
  var sound: (any SoundMaker)?
  /// Where it is, and how fast, m/s.
  var place: (Instant) -> (position: GeodeticPosition?, speed: Double) = { _ in
    (GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 4.5), 0)
  }
  /// When the bike is shaken.
  var thefts = Outages()
  /// What the inertial sensor tells of a movement.
  var tell: (InertialSample) -> InertialSample = { $0 }
  private(set) var run: BoardRun?

  /// A way through the modem.
  struct ModemWay {
    var transport: ModemTransport
    var receiver: Int
    var format: PacketFormat

    init(_ transport: ModemTransport, receiver: Int = 0, format: PacketFormat = .json) {
      self.transport = transport
      self.receiver = receiver
      self.format = format
    }
  }

  init(_ folder: Folder) {
    configuration.stateFile = folder("state.db")
    configuration.hasFixedSeed = true
  }

  /// The beginning of a time of day.
  static func hour(_ hours: Double) -> Instant { .seconds(1000 + Int(hours * 3600)) }

  /// Begins a life.
  func start() throws {
    let (thefts, place, tell) = (thefts, place, tell)
    let inertial = VirtualSensor("virtual imu", every: .milliseconds(200), except: inertialOutages) { time in
      // The noise of a still sensor, and the swing of a bike that is carried away.
      let step = time.microseconds / 200_000
      let noise = Float(step % 7 - 3) * 0.001
      let swing: Float = thefts.contains(time) ? (step % 4 < 2 ? 1 : -1) : 0
      return .inertial(
        tell(
          InertialSample(
            time: time, angularRate: Vector3(noise * 0.1, swing * 1.5, 0),
            specificForce: Vector3(swing * 4, noise, 9.81 + noise + swing * 3))))
    }
    let receiver = VirtualSensor("virtual receiver", every: .seconds(5), except: receiverOutages) { time in
      var fix = GNSSFix(time: time)
      fix.mode = .threeDimensional
      let (position, speed) = place(time)
      fix.position = position
      fix.horizontalAccuracy = 3
      fix.speed = speed
      fix.utc = UTCTime(microseconds: 1_700_000_000_000_000 + time.microseconds)
      return .fix(fix)
    }
    receiver.savesWhenStopped = true
    let uplinks = [serverOutages, secondOutages].compactMap { $0 }.map { VirtualUplink(to: inbox, except: $0) }
    let loop = try EventLoop(clock: clock)
    var parts = BoardParts(sensors: [inertial, receiver], uplinks: uplinks)
    if let modem {
      let uplink = modem.makeUplink(loop)
      let ways = modemWays.map {
        var way = PacketDelivery.Way(uplink, receiver: $0.receiver, format: $0.format, channel: $0.transport.rawValue)
        way.isTextMessage = $0.transport == .sms
        way.byteLimit = $0.transport.payloadLimit
        return way
      }
      parts = BoardParts(sensors: [inertial, receiver], ways: ways, modem: uplink)
    }
    parts.sound = sound
    let run = try BoardRun(
      configuration, parts: parts, storage: BoardStorage(configuration, clock: clock, isBesideLoop: keepsBesideLoop),
      loop: loop, at: clock.now)
    try run.start()
    self.run = run
  }

  /// Lets time pass without it.
  func pass(until end: Instant) { _ = clock.wait(until: end) { _ in 0 } }

  /// Lets it live until then.
  func live(until end: Instant) { while clock.now < end { run?.turn(until: end) } }

  /// Ends the life at once: nothing more is written.
  func cut() { run = nil }

  /// Ends the life in good order.
  func stop() {
    run?.stop()
    run = nil
  }
}
