import Foundation
import Glibc
import LinuxDevices
import ModemSimulation
import Quantities
import SIM7000
import TrackerRuntime
import Uplinks

/// A simulated modem with a network behind it, on a serial line that lives on the clock of its loop.
final class VirtualModem: SerialTransport, LoopMember {
  let path = "virtual modem"
  let hasPins = false
  private(set) var bitsPerSecond = 115_200
  let descriptor: Int32
  private let writingEnd: Int32
  private(set) var network: VirtualNetwork
  private var module: SimulatedModem
  private let clock: VirtualClock
  private let origin: Instant
  private var heard: [UInt8] = []
  private weak var uplink: CellularUplink?
  /// What the driver is told beside the servers.
  var adjust: (inout ModemSettings) -> Void = { _ in }
  /// What it was told to tell a broker, over its lives.
  var memory: any KeptBytes = ForgottenBytes()
  /// What was found out of it, over the lives of its drivers.
  var quirks: any KeptBytes = ForgottenBytes()
  /// All that it was sent.
  private(set) var written: [UInt8] = []

  init(
    _ clock: VirtualClock, outages: [(channel: NetworkChannel, times: Range<Instant>)] = [],
    refusedTopics: String = "", dialect: FirmwareDialect = FirmwareDialect(), seed: UInt64 = 1
  ) {
    self.clock = clock
    origin = clock.now
    // A descriptor to watch on which nothing ever comes: what is heard is told at its time.
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    (descriptor, writingEnd) = (ends[0], ends[1])
    network = VirtualNetwork(seed: seed)
    network.add(HTTPServer(host: "track.example", port: 8080, behaviour: .fixed(HTTPAnswer())))
    network.add(MQTTBroker(host: "broker.example", port: 1883, refusedTopics: refusedTopics))
    for outage in outages {
      network.addOutage(
        from: .zero + (outage.times.lowerBound - origin), until: .zero + (outage.times.upperBound - origin),
        of: outage.channel)
    }
    var configuration = SimulatedModemConfiguration()
    configuration.dialect = dialect
    module = SimulatedModem(configuration, seed: seed)
  }

  deinit {
    Glibc.close(descriptor)
    Glibc.close(writingEnd)
  }

  /// A new driver for it, and its ways.
  func makeUplink(_ loop: EventLoop) -> CellularUplink {
    var settings = ModemSettings()
    settings.driver.accessPoint = AccessPointName("iot.example") ?? settings.driver.accessPoint
    settings.driver.httpServer = ServerAddress("http://track.example:8080") ?? settings.driver.httpServer
    settings.driver.mqttHost = ServerAddress("broker.example") ?? settings.driver.mqttHost
    settings.driver.smsNumber = TelephoneNumber("+31600000001") ?? settings.driver.smsNumber
    adjust(&settings)
    var lines = ModemLines()
    lines.setPowerKey = { [unowned self] isLow in onModule { $0.set(.powerKey, low: isLow, at: $1) } }
    lines.readStatus = { [unowned self] in module.statusIsHigh }
    let uplink = CellularUplink(settings, lines: lines, clock: clock, seed: 1, memory: memory, quirks: quirks) {
      [unowned self] _, _ in self
    }
    self.uplink = uplink
    heard = []
    loop.add(self)
    return uplink
  }

  /// Lets requests on a channel vanish, each of them: the connection stays open, and nobody ever answers.
  func loseRequests(on channel: NetworkChannel) { network.setChance(of: .loseRequest, on: channel, perMille: 1000) }

  /// What the servers and telephones have got on a channel, with the time.
  func received(on channel: NetworkChannel) -> [(time: Instant, text: String)] {
    network.received.filter { $0.channel == channel }.map {
      (origin + ($0.time - .zero), String(decoding: $0.bytes, as: UTF8.self))
    }
  }

  /// Somebody else tells the broker something.
  func publish(_ text: String, to topic: String, isRetained: Bool = false) {
    network.publish(Array(text.utf8), to: topic, isRetained: isRetained, at: time)
    settle()
  }

  /// What the broker has got, with the time.
  var published: [(time: Instant, topic: String, text: String)] {
    network.received.filter { $0.channel == .mqtt }.map {
      (origin + ($0.time - .zero), $0.destination, String(decoding: $0.bytes, as: UTF8.self))
    }
  }

  /// How often it was sent this.
  func count(of command: String) -> Int {
    String(decoding: written, as: UTF8.self).components(separatedBy: command).count - 1
  }

  /// What `leash status` says of the driver.
  var facts: [String: String] { Dictionary(uniqueKeysWithValues: uplink?.facts ?? []) }

  /// What it keeps.
  var retained: [String: String] { network.retained.mapValues { String(decoding: $0, as: UTF8.self) } }

  private var time: Instant { .zero + (clock.now - origin) }

  private func onModule(_ body: (inout SimulatedModem, Instant) -> Void) {
    body(&module, time)
    settle()
  }

  private func settle() {
    var isQuiet = false
    while !isQuiet {
      isQuiet = true
      heard += module.takeOutput()
      while let request = module.nextRequest() {
        isQuiet = false
        network.take(request, at: time)
      }
      while let reply = network.nextReply() {
        isQuiet = false
        module.deliver(reply, at: time)
      }
    }
  }

  // MARK: The line

  func read(into buffer: inout [UInt8]) throws(DeviceFailure) -> Int {
    let count = min(buffer.count, heard.count)
    buffer.replaceSubrange(0..<count, with: heard.prefix(count))
    heard.removeFirst(count)
    return count
  }

  func write(_ bytes: ArraySlice<UInt8>) throws(DeviceFailure) -> Int {
    written += bytes
    onModule { $0.receive(Array(bytes), at: $1) }
    return bytes.count
  }

  func setRate(_ rate: Int) throws(DeviceFailure) {
    bitsPerSecond = rate
    onModule { $0.setHostRate(rate, at: $1) }
  }

  func set(_ pin: SerialPin, asserted: Bool) throws(DeviceFailure) {}
  func isAsserted(_ pin: SerialPin) throws(DeviceFailure) -> Bool { false }
  func discardInput() { heard = [] }
  func close() {}

  // MARK: Time

  func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}

  func advance(to now: Instant) {
    module.advance(to: time)
    network.advance(to: time)
    settle()
    if !heard.isEmpty { uplink?.handle(.reading, of: descriptor, at: now) }
  }

  var nextDeadline: Instant? {
    if !heard.isEmpty { return clock.now }
    let next = [module.nextDeadline, network.nextDeadline].compactMap { $0 }.min()
    return next.map { origin + ($0 - .zero) }
  }
}
