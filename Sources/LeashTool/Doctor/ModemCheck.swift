import LinuxDevices
import LinuxRuntime
import Quantities
import SIM7000
import Uplinks

extension DoctorCheck {
  /// The modem: who answers, the SIM card, the signal, the network.
  static let modem = DoctorCheck(name: "modem", limit: .seconds(25)) { patient in
    guard let settings = patient.configuration?.modem else {
      return patient.configuration == nil ? [] : [.ok("modem", "none is configured")]
    }
    if case .running(let status) = patient.tracker {
      let device = status.uplinks.first { $0.name.hasPrefix("modem") }
      guard let device else { return [.ok("modem", "in use by the running tracker")] }
      let refusal = device.facts.first { $0.name == "apn" }
      return [told("modem", device)]
        + (refusal.map { [ModemVerdict.accessPointIsRefused($0.value, settings, on: settings.port)] } ?? [])
    }
    if patient.tracker.isThere { return [unasked("modem", patient)] }
    do throws(CommandFailure) {
      let port = try device { () throws(DeviceFailure) in
        try patient.machine.open(settings.port, Int(settings.driver.rate))
      }
      defer { port.close() }
      return try ask(port, settings)
    } catch {
      return [.fail("modem", line: error.message)]
    }
  }

  private static func ask(
    _ port: any SerialTransport, _ settings: ModemSettings
  ) throws(CommandFailure) -> [Finding] {
    let session = try TalkSession(port, console: .captured(), isJSON: false, log: nil, stop: -1)
    var probe = ModemProbe()
    guard let rate = try probe.search(session, rate: nil) else {
      if settings.powerKey != nil || settings.supply != nil {
        return [
          .warn(
            "modem", "\(port.path): nothing answers AT at any speed; it may be off",
            advice:
              "'leash run' switches it on; start leash run and check 'leash status'")
        ]
      }
      return [
        .fail(
          "modem", "\(port.path): nothing answers AT at any speed",
          advice: "switch it on (PWRKEY 1 s), cross TX and RX, try: leash modem talk \(port.path)")
      ]
    }
    session.isShowing = false
    var interview = ModemInterview(session)
    let name = ModemVerdict.model(try interview.answer("AT+CGMM"))
    let revision = try interview.answer("AT+CGMR")
    var findings = [
      Finding.ok("modem", "\(port.path): \(name) answers at \(rate) bit/s"), ModemVerdict.firmware(revision),
    ]
    let sim = try interview.answer("AT+CPIN?")
    findings.append(ModemVerdict.card(ModemVerdict.line("+CPIN:", in: sim), hasPIN: !settings.driver.pin.isEmpty))
    findings.append(ModemVerdict.signal(ModemVerdict.line("+CSQ:", in: try interview.answer("AT+CSQ"))))
    var registrations: [String] = []
    for command in ["AT+CEREG?", "AT+CGREG?", "AT+CREG?"] { registrations += try interview.answer(command) }
    findings.append(ModemVerdict.registration(registrations))
    if !settings.driver.accessPoint.isEmpty { findings.append(try accessPoint(&interview, settings, on: port.path)) }
    try interview.hearRest()
    let others = ModemVerdict.others(interview.lines.filter { $0 != name }, findings)
    return findings + (others.map { [$0] } ?? [])
  }

  /// The access point in the modem's first context, with which it attaches. Another one is replaced, as the tracker does at each start:
  /// only that shows whether the modem takes it.
  private static func accessPoint(
    _ interview: inout ModemInterview, _ settings: ModemSettings, on port: String
  ) throws(CommandFailure) -> Finding {
    let name = ModemVerdict.accessPoint(of: settings)
    if ModemVerdict.hasContext(name, try interview.answer("AT+CGDCONT?")) { return .ok("apn", name) }
    let refusal = try interview.answer(ModemVerdict.setting(name)).last ?? "OK"
    if ModemVerdict.hasContext(name, try interview.answer("AT+CGDCONT?")) {
      return .ok("apn", "\(name), stored just now")
    }
    return ModemVerdict.accessPointIsRefused(
      "the modem answers \(ModemVerdict.setting(name)) with '\(refusal)', and does not store it", settings, on: port)
  }
}

/// Questions to a modem, and all that it said.
struct ModemInterview {
  private let session: TalkSession
  /// All its lines but echoes and good ends: answers, what it says by itself, what nobody knows.
  private(set) var lines: [String] = []

  init(_ session: TalkSession) { self.session = session }

  /// Lines between a command and its end, without its echo; `ERROR` and the like are lines, too.
  mutating func answer(_ command: String) throws(CommandFailure) -> [String] {
    try hearRest()
    session.forget()
    try session.send(Array((command + "\r").utf8))
    let deadline = MonotonicClock.now + .seconds(3)
    var found: [String] = []
    while let text = try session.nextLine(until: deadline)?.text {
      if text == "OK" || text == "0" { break }
      if text == command || text.isEmpty { continue }
      found.append(text)
      if text == "ERROR" || text.hasPrefix("+CME ERROR") { break }
    }
    lines += found
    return found
  }

  /// What came behind the end of the last answer.
  mutating func hearRest() throws(CommandFailure) {
    while let text = try session.nextLine(until: MonotonicClock.now)?.text { lines.append(text) }
  }
}

/// What a modem's answers mean for an owner.
///
/// - Source: [ts27007] sections 7.2, 8.3 and 8.5; [sim7000-at] for the words of the SIM card.
enum ModemVerdict {
  /// What to do with a line that nobody understands.
  static let offer = "try 'leash modem talk'; 'leash modem record' records the dialogue for a report"

  /// From the answer to `AT+CGMM`: the model, when the modem tells it. What it says by itself may come first.
  static func model(_ lines: [String]) -> String {
    let names = unknown(in: lines).filter { line in
      line != "ERROR" && line.contains(where: \.isLetter) && line.first.map { $0.isLetter || $0.isNumber } == true
    }
    return lines.first { $0.hasPrefix("SIM7") || $0.hasPrefix("SIMCOM") } ?? names.first ?? "a modem"
  }

  /// From all its lines: the first that is no answer, and nothing that a modem says by itself; nil when there is none, or a
  /// finding names it already.
  static func others(_ lines: [String], _ findings: [Finding]) -> Finding? {
    let strange = unknown(in: lines).filter { line in !findings.contains { $0.found.contains("'\(line)'") } }
    guard let first = strange.first else { return nil }
    let more = strange.count > 1 ? ", and \(strange.count - 1) more," : ""
    return .warn("modem", "it says '\(first)'\(more) besides, which is unknown", advice: offer)
  }

  /// The lines that are in no table. What follows the head of a message is its text, which is nobody's business, up to the next line that
  /// is known.
  private static func unknown(in lines: [String]) -> [String] {
    var isText = false
    var found: [String] = []
    for line in lines {
      if ModemAnnotation.beginsText(line) {
        isText = true
      } else if ModemAnnotation.isKnown(line) {
        isText = false
      } else if !isText {
        found.append(line)
      }
    }
    return found
  }

  /// From the answer to `AT+CGMR`: by this line the driver knows what a firmware does otherwise.
  static func firmware(_ lines: [String]) -> Finding {
    for line in lines where FirmwareRevision(Array(line.utf8).span) != nil {
      let name = line.hasPrefix("Revision:") ? line.dropFirst(9) : line[...]
      return .ok("firmware", String(name.drop { $0 == " " }))
    }
    guard let line = lines.first else {
      return .warn("firmware", "the modem does not say which it has", advice: offer)
    }
    return .warn(
      "firmware", "the modem says '\(line)', which is unknown",
      advice: "it is treated like firmware without deviations; 'leash modem record' records the dialogue for a report")
  }

  /// The configured access point.
  static func accessPoint(of settings: ModemSettings) -> String {
    let bytes = settings.driver.accessPoint.bytes
    return String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self)
  }

  /// The command that stores an access point.
  static func setting(_ name: String) -> String { "AT+CGDCONT=1,\"IP\",\"\(name)\"" }

  /// From the answer to `AT+CGDCONT?`: true when the first context has this name, in whatever case.
  static func hasContext(_ name: String, _ lines: [String]) -> Bool {
    lines.contains { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count >= 3, fields[0].hasPrefix("+CGDCONT:"), fields[0].hasSuffix(" 1") || fields[0].hasSuffix(":1")
      else { return false }
      return fields[2].lowercased() == "\"\(name.lowercased())\""
    }
  }

  /// A command that names the access point was refused.
  static func accessPointIsRefused(_ words: String, _ settings: ModemSettings, on port: String) -> Finding {
    let command = setting(accessPoint(of: settings))
    return .warn(
      "apn", words, advice: "if no packets arrive: leash modem talk \(port), then AT+CFUN=4, \(command), AT+CFUN=1")
  }

  /// The line of an answer that has the wanted name, or the error in its place: what the modem says by itself may come first.
  static func line(_ name: String, in lines: [String]) -> String {
    lines.first { $0.hasPrefix(name) } ?? lines.first { $0 == "ERROR" || $0.hasPrefix("+CME ERROR") } ?? lines.first
      ?? ""
  }

  /// What stands behind the colon of a line, with or without a blank.
  private static func value(of line: String) -> String {
    String(line.drop { $0 != ":" }.dropFirst().drop { $0 == " " })
  }

  /// From the line that answers `AT+CPIN?`.
  static func card(_ line: String, hasPIN: Bool) -> Finding {
    let isTold = line.hasPrefix("+CPIN:")
    return card(isTold ? "+CPIN: \(value(of: line))" : line, isTold, hasPIN)
  }

  private static func card(_ line: String, _ isTold: Bool, _ hasPIN: Bool) -> Finding {
    switch line {
    case "+CPIN: READY": .ok("sim", "ready")
    case "+CME ERROR: 14", "+CME ERROR: SIM busy", "+CPIN: NOT READY":
      .warn("sim", "not ready yet", advice: "repeat 'leash doctor' in ten seconds")
    case "+CPIN: SIM PIN" where hasPIN: .ok("sim", "waits for its PIN, which the tracker will enter")
    case "+CPIN: SIM PIN":
      .fail("sim", "waits for its PIN", advice: "set modem.pin, or remove the PIN in a phone")
    case "+CPIN: SIM PUK":
      .fail("sim", "locked: PUK required", advice: "unlock the card in a phone")
    case _ where isTold && line != "+CPIN: NOT INSERTED":
      .warn("sim", "the modem says '\(line)', which is unknown", advice: offer)
    default:
      .fail(
        "sim", "no card: the modem says '\(line.isEmpty ? "nothing" : line)'",
        advice: "switch the modem off and insert the card as the holder shows")
    }
  }

  /// From the answer to `AT+CSQ`.
  static func signal(_ line: String) -> Finding {
    let fields = value(of: line).split(separator: ",")
    guard line.hasPrefix("+CSQ:"), let level = fields.first.flatMap({ Int($0) }) else {
      return .warn(
        "signal", "the modem says '\(line)', which is unknown",
        advice: offer)
    }
    guard level <= 31 else {
      return .warn("signal", "none", advice: "connect the LTE antenna (not the GNSS one); check bands and modem.radio")
    }
    let strength = ModemAnnotation.signal(["\(level)"]) ?? "unknown"
    guard level >= 6 else {
      return .warn("signal", "\(strength): weak", advice: "move the antenna away from metal, or to a window")
    }
    return .ok("signal", strength)
  }

  /// From the answers to `AT+CEREG?`, `AT+CGREG?` and `AT+CREG?`; any network will do.
  static func registration(_ lines: [String]) -> Finding {
    let states = lines.compactMap { line -> Int? in
      guard ["+CEREG:", "+CGREG:", "+CREG:"].contains(where: line.hasPrefix) else { return nil }
      let fields = value(of: line).split(separator: ",")
      return fields.dropFirst().first.flatMap { Int($0) }
    }
    if states.contains(1) { return .ok("network", "registered") }
    if states.contains(5) { return .ok("network", "registered, roaming") }
    if states.contains(2) {
      return .warn(
        "network", "searching",
        advice: "wait two minutes and repeat: leash doctor; then check modem.radio and the bands")
    }
    if states.contains(3) {
      return .fail(
        "network", "the network refuses this card", advice: "ask its provider about LTE-M, NB-IoT and roaming")
    }
    if states.isEmpty, let line = lines.first {
      return .warn("network", "the modem says '\(line)', which is unknown", advice: offer)
    }
    return .warn(
      "network", "not registered, and not searching", advice: "'leash run' starts the search; check modem.radio")
  }
}
