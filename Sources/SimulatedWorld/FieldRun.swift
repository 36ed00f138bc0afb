import FieldDialogue
import Quantities
import TrackerRuntime
import SIM7000

/// The driver with the modem of a field dialogue: one packet, on virtual time.
package final class FieldRun {
  /// The dialogue.
  package let dialogue: FieldDialogue
  /// The driver's configuration, with what the dialogue sets.
  package let configuration: ModemConfiguration
  /// The packet.
  package let packet: [UInt8]
  /// The modem.
  package private(set) var peer: FieldPeer
  /// When the packet was delivered; nil when it was not.
  package private(set) var delivered: Interval?
  /// Why it was handed back, when it was.
  package private(set) var undelivered: UndeliveredReason?
  /// What came for the tracker.
  package private(set) var replies: [[UInt8]] = []
  /// Times the driver told of a start of the modem.
  package private(set) var toldStarts = 0
  /// The dialogue as it went, with times in seconds.
  package private(set) var transcript: [String] = []
  /// The time.
  package private(set) var now = Instant.zero

  private let driver: ModemBench.DriverHandle
  private var lastStatus = false
  private var pending: [UInt8] = []

  /// A driver and a modem that meet for the first time.
  package init(_ dialogue: FieldDialogue, packet: [UInt8]? = nil, seed: UInt64 = 1) {
    self.dialogue = dialogue
    let configuration = FieldRun.configuration(for: dialogue)
    self.configuration = configuration
    self.packet = packet ?? FaultRun.payload(1)
    peer = FieldPeer(dialogue)
    driver = ModemBench.DriverHandle(Modem(configuration: configuration, seed: seed))
  }

  /// The driver for the dialogue.
  package static func configuration(for dialogue: FieldDialogue) -> ModemConfiguration {
    var driver = FaultStory.driver()
    driver.wiring.hasStatus = dialogue.wiring.contains("status")
    driver.wiring.hasPowerKey = dialogue.wiring.contains("key")
    driver.wiring.hasReset = dialogue.wiring.contains("reset")
    driver.wiring.hasSupplySwitch = dialogue.wiring.contains("supply")
    driver.wiring.hasDTR = dialogue.wiring.contains("dtr")
    driver.deliveryTimeout = max(driver.deliveryTimeout, .seconds(length(of: dialogue)))
    for (name, value) in dialogue.settings { _ = set(name, value, of: &driver) }
    return driver
  }

  /// Sets what a dialogue sets; false when there is no such setting, or it can't have this value.
  private static func set(_ name: String, _ value: String, of driver: inout ModemConfiguration) -> Bool {
    let bytes = Array(value.utf8)
    func put<Value>(_ new: Value?, _ path: WritableKeyPath<ModemConfiguration, Value>) -> Bool {
      guard let new else { return false }
      driver[keyPath: path] = new
      return true
    }
    switch name {
    case "accessPoint": return put(AccessPointName(bytes.span), \.accessPoint)
    case "accessUser": return put(Credential(bytes.span), \.accessUser)
    case "accessPassword": return put(Credential(bytes.span), \.accessPassword)
    case "pin": return put(ModemText(bytes.span), \.pin)
    case "httpServer": return put(ServerAddress(bytes.span), \.httpServer)
    case "commandTopic": return put(TopicName(bytes.span), \.mqttCommandTopic)
    case "smsNumber": return put(TelephoneNumber(bytes.span), \.smsNumber)
    case "certificate": return put(ModemText(bytes.span), \.certificate)
    case "mqttTLS": return put(["on": true, "off": false][value], \.mqttUsesTLS)
    case "echo": return put(["on": true, "off": false][value], \.verifiesEcho)
    case "idle": return put(["off": IdlePolicy.off, "sleep": .sleep, "awake": .awake][value], \.idle)
    default: return false
    }
  }

  /// What the modem has refused of the access point.
  package var refusedCommand: CommandRefusal? { driver.modem.refusedCommand }

  /// The driver's way for the dialogue's packet; nil when the dialogue has none.
  package var transport: ModemTransport? { ModemTransport.allCases.first { "\($0)" == dialogue.transport } }

  /// How long the longest expectation takes, ten minutes at least.
  private static func length(of dialogue: FieldDialogue) -> Int {
    let limits = dialogue.expectations.filter { $0.name == "delivered" }.compactMap { number($0.value) }
    return max(600, Int(limits.max() ?? 0) + 1)
  }

  private static func number(_ value: String) -> Double? {
    let number = Double(value.split(separator: " ").last ?? "")
    guard let number, number >= 0, number < 1_000_000 else { return nil }
    return number
  }

  /// What of the dialogue's words the driver does not have, in words.
  package static func problems(in dialogue: FieldDialogue) -> [String] {
    var words: [String] = []
    let ways = ModemTransport.allCases.map { "\($0)" }
    if !dialogue.transport.isEmpty, !ways.contains(dialogue.transport) {
      words.append("transport \(dialogue.transport) is none of \(ways.joined(separator: ", "))")
    }
    var driver = FaultStory.driver()
    for (name, value) in dialogue.settings where !set(name, value, of: &driver) {
      words.append("setting \(name) \(value) is not known, or can't have this value")
    }
    let texts = ["reply", "never"]
    let flags = ["undelivered", "unconfirmed"]
    let limits = ["delivered", "resets", "power", "radio", "starts", "copies", "commands"]
    for (name, value) in dialogue.expectations {
      let isGood =
        limits.contains(name) && number(value) != nil || flags.contains(name) && value == "yes"
        || texts.contains(name) && !value.isEmpty
      if !isGood { words.append("expect \(name) \(value) is not known, or can't have this value") }
    }
    let lines: Set<String> = ["status", "key", "reset", "supply", "dtr"]
    for line in dialogue.wiring.subtracting(lines).sorted() { words.append("wiring \(line) is not known") }
    return words
  }

  /// Plays until the packet is delivered or handed back, for ten minutes or as long as an expectation says, and then until `end` for
  /// what must not happen afterwards.
  package func run(then rest: Interval = .zero) {
    let limit = Instant.seconds(FieldRun.length(of: dialogue))
    settle()
    if let transport {
      let bytes = packet
      _ = driver.modem.submit(bytes.span, ticket: 1, by: transport, at: now)
      settle()
      step(to: limit) { [unowned self] in delivered == nil && undelivered == nil }
      step(to: now + rest) { true }
    } else {
      step(to: limit) { true }
    }
  }

  /// What the server has got: on a connection whole lines, however they were sent.
  private var served: [[UInt8]] {
    guard transport == .tcp || transport == .applicationTCP else { return peer.received }
    return peer.received.joined().split(separator: 0x0A).map(Array.init)
  }

  /// What of the expectations does not hold, in words.
  package var failures: [String] {
    var words: [String] = []
    for (name, value) in dialogue.expectations {
      let limit = Double(value.split(separator: " ").last ?? "") ?? 0
      func most(_ count: Int, _ what: String) { if Double(count) > limit { words.append("\(count) \(what)") } }
      switch name {
      case "delivered":
        guard let delivered else {
          words.append(undelivered.map { "returned: \($0)" } ?? "not delivered")
          continue
        }
        if delivered.secondsDouble > limit { words.append("delivered after \(delivered.secondsDouble) s") }
      case "undelivered": if undelivered == nil { words.append("not returned") }
      case "unconfirmed": if delivered != nil { words.append("called delivered") }
      case "resets": most(peer.resets, "resets")
      case "power": most(peer.powerCycles, "power cycles")
      case "radio": most(peer.radioCycles, "radio cycles")
      case "starts": most(toldStarts, "starts told")
      case "copies": most(served.count, "copies at the server")
      case "commands": most(peer.heard.count, "commands")
      case "reply":
        let text = String(decoding: FieldRun.unescaped(value), as: UTF8.self)
        let all = replies.map { String(decoding: $0, as: UTF8.self) }
        if !all.contains(where: { $0.contains(text) }) { words.append("no reply \(value); there are \(all)") }
      case "never":
        if peer.heard.contains(where: { $0.line.hasPrefix(value) }) { words.append("\(value) was said") }
      default: words.append("expect \(name) is not known")
      }
    }
    // What an earlier connection left unended is no part of its line.
    if delivered != nil, !(served + peer.received).contains(where: { FieldRun.line($0) == packet }) {
      words.append("delivered what the server has not")
    }
    return words
  }

  private static func line(_ bytes: [UInt8]) -> [UInt8] { bytes.last == 0x0A ? Array(bytes.dropLast()) : bytes }

  private static func unescaped(_ text: String) -> [UInt8] { Array(text.replacing("\\n", with: "\n").utf8) }

  private func step(to end: Instant, while condition: () -> Bool) {
    var steps = 0
    while condition(), steps < 500_000 {
      steps += 1
      let next = [driver.modem.nextDeadline, peer.nextDeadline].compactMap { $0 }.min()
      guard let next, next <= end else {
        now = max(now, end)
        driver.modem.advance(to: now)
        settle()
        return
      }
      now = max(now, next)
      peer.advance(to: now)
      driver.modem.advance(to: now)
      settle()
    }
  }

  private func settle() {
    var rounds = 0
    while rounds < 1000 {
      rounds += 1
      var isQuiet = true
      if peer.isOn != lastStatus {
        lastStatus = peer.isOn
        isQuiet = false
        if configuration.wiring.hasStatus { driver.modem.setStatus(isHigh: lastStatus, at: now) }
      }
      while let action = driver.modem.nextAction() {
        isQuiet = false
        perform(action)
      }
      var bytes = ByteBuffer()
      driver.modem.drainOutput(at: now, into: &bytes)
      if !bytes.bytes.isEmpty {
        isQuiet = false
        note(">", bytes.bytes)
        peer.receive(bytes.bytes, at: now)
      }
      let output = peer.takeOutput()
      if !output.isEmpty {
        isQuiet = false
        note("<", output)
        driver.modem.receive(output.span, at: now)
      }
      if isQuiet { return }
    }
  }

  private func note(_ direction: String, _ bytes: [UInt8]) {
    var text = ""
    for byte in bytes {
      switch byte {
      case 0x0D: text += "\\r"
      case 0x0A: text += "\\n"
      case 0x20..<0x7F: text += String(UnicodeScalar(byte))
      default: text += "\\x" + String(byte, radix: 16)
      }
    }
    transcript.append("\(time) \(direction) \(text)")
  }

  private var time: String { "\(Double(now.microseconds / 1000) / 1000)" }

  private func perform(_ action: ModemAction) {
    switch action {
    case .setPowerKey(let isLow): peer.setKey(isLow: isLow, at: now)
    case .setReset(let isLow): peer.setReset(isLow: isLow, at: now)
    case .setSupply(let isOn): peer.setSupply(isOn: isOn, at: now)
    case .delivered: delivered = now - .zero
    case .undelivered(_, let reason): undelivered = reason
    case .reply(let source, _):
      var bytes = ByteBuffer()
      driver.modem.drainReply(into: &bytes)
      if source != .http { replies.append(bytes.bytes) }
    case .started: toldStarts += 1
    case .setDTR, .setRate, .fix, .networkTime, .supplyLow, .recovery: break
    }
    transcript.append("\(time) * \(action)")
  }
}
