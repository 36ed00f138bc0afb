import Glibc
import LinuxDevices
import Quantities
import SIM7000

/// `leash modem send`: one packet through the driver and a modem on a serial port, to the server's acknowledgement.
enum ModemSendCommand {
  static let http = Option<String>(
    "http", "URL", "POST the packet to this address, such as http://track.example:8080/pub.")
  static let legacyHTTP = Option<String>(
    "legacy-http", "URL", "The same with legacy HTTP (HTTPINIT); http only.")
  static let mqtt = Option<String>(
    "mqtt", "HOST[:PORT]/TOPIC", "Publish it to this topic with quality of service 1. Default port: 1883.")
  static let tcp = Option<String>("tcp", "HOST:PORT", "Send it as a line to this server, which answers 'ACK NUMBER'.")
  static let sms = Option<String>("sms", "NUMBER", "Send it as a text message, at most 160 characters.")
  static let accessPoint = Option<String>(
    "apn", "NAME", "Access point of the mobile network. Default: assigned by the network.")
  static let pin = Option<String>("pin", "PIN", "PIN of the SIM card; tried once.")
  static let certificate = Option<String>(
    "certificate", "NAME",
    "Certificate in the modem that the server is checked with, for https and '--tls'; see 'leash modem certificate'.")
  static let tls = Flag("tls", "Encrypt '--mqtt'. Default port: 8883.")
  static let rate = Option<Int>(
    "rate", "BITS", default: 115_200, "Speed of the line. A modem at another speed is found and changed.")
  static let number = Option<Int>("number", "NUMBER", default: 1, "Number of the packet, for '--tcp'.")
  static let timeout = Option<Double>("timeout", "SECONDS", default: 300, "How long to try.")
  static let verbose = Flag("verbose", "Show the dialogue on the serial line.")
  static let json = Flag("json", "Print one JSON object at the end: delivered, seconds, attempts, reason, unknownLine.")
  static let port = Positional("PORT", "A serial port such as /dev/ttyUSB0, or a pseudo-terminal.")
  static let payload = Positional("PAYLOAD", "The packet, at most 1024 bytes; 512 with --mqtt.")

  static let command = Command(
    "send", "Send one packet through a modem and wait for the acknowledgement",
    discussion: """
      Uses a modem on a serial port as the tracker does: finds it, sets it up, registers, opens a session, sends, \
      and recovers from errors until the server has the packet. Exits with 1 if that fails. The power key is not \
      used, so the modem must be switched on. 'leash modem simulate' provides a simulated one.
      """,
    parameters: [
      .positional(port), .positional(payload), .option(http), .option(legacyHTTP), .option(mqtt), .option(tcp),
      .option(sms), .flag(tls), .option(certificate), .option(accessPoint), .option(pin), .option(rate),
      .option(number),
      .option(timeout), .flag(verbose), .flag(json),
    ]
  ) { arguments, console throws(CommandFailure) in
    let settings = try SendSettings(arguments)
    if let replaced = settings.replaced {
      console.err.writeLine("leash modem send: a text message has no \(replaced): sent as '?'")
    }
    return try SendRun(settings, console, isVerbose: arguments[verbose], isJSON: arguments[json]).run()
  }
}

/// The arguments of `leash modem send`, checked.
struct SendSettings {
  var path: String
  var payload: [UInt8]
  var ticket: UInt32
  var transport: ModemTransport
  var driver = ModemConfiguration()
  var timeout: Interval

  init(_ arguments: Arguments) throws(CommandFailure) {
    path = arguments[ModemSendCommand.port][0]
    payload = Array(arguments[ModemSendCommand.payload][0].utf8)
    let number = arguments[ModemSendCommand.number] ?? 1
    guard let ticket = UInt32(exactly: number) else {
      throw .usage("option '--number': '\(number)' is not a number from 0 to \(UInt32.max)")
    }
    self.ticket = ticket
    let seconds = arguments[ModemSendCommand.timeout] ?? 300
    guard seconds >= 1, seconds <= 86_400 else {
      throw .usage("option '--timeout': '\(seconds)' is not a number of seconds from 1 to 86400")
    }
    timeout = Interval(microseconds: Int64(seconds * 1_000_000))
    transport = .http
    // Only the two wires: whoever has the power key is not on a serial port.
    driver.wiring.hasStatus = false
    driver.wiring.hasPowerKey = false
    driver.wiring.hasReset = false
    driver.deliveryTimeout = timeout
    let bits = arguments[ModemSendCommand.rate] ?? 115_200
    guard let rate = UInt32(exactly: bits), rate > 0, IPR.Set(bitsPerSecond: rate) != nil else {
      throw .usage("option '--rate': a SIM7000 does not support \(bits) bit/s; 115200 is usual")
    }
    driver.rate = Int32(rate)
    try setNetwork(arguments)
    try setWay(arguments)
    try setSecurity(arguments)
    guard !payload.isEmpty, payload.count <= transport.payloadLimit else {
      throw .usage(
        "PAYLOAD has \(payload.count) bytes; this transport takes 1 to \(transport.payloadLimit)")
    }
  }

  /// Characters that a text message of 7 bits does not have; nil when there are none.
  var replaced: String? {
    guard transport == .sms else { return nil }
    let others = String(decoding: payload, as: UTF8.self).unicodeScalars.filter { !$0.isASCII }
    guard !others.isEmpty else { return nil }
    var names: [String] = []
    for scalar in others where !names.contains("'\(scalar)'") { names.append("'\(scalar)'") }
    return names.joined(separator: ", ")
  }

  private mutating func setNetwork(_ arguments: Arguments) throws(CommandFailure) {
    if let name = arguments[ModemSendCommand.accessPoint] {
      driver.accessPoint = try text(name, "--apn", "a name of at most 63 printable characters")
    }
    if let pin = arguments[ModemSendCommand.pin] {
      let digits: ModemText<8> = try text(pin, "--pin", "four to eight digits")
      guard CPIN.Enter(digits) != nil else { throw .usage("option '--pin': four to eight digits are expected") }
      driver.pin = digits
    }
  }

  /// A text that can stand in a command.
  private func text<let capacity: Int>(
    _ words: some StringProtocol, _ option: String, _ expectation: String
  ) throws(CommandFailure) -> ModemText<capacity> {
    let bytes = Array(words.utf8)
    guard let text = ModemText<capacity>(bytes.span), !text.isEmpty else {
      throw .usage("option '\(option)': '\(words)' is not \(expectation)")
    }
    return text
  }

  private mutating func setWay(_ arguments: Arguments) throws(CommandFailure) {
    var ways = 0
    if let url = arguments[ModemSendCommand.http] {
      ways += 1
      transport = .http
      try setURL(url, "--http")
    }
    if let url = arguments[ModemSendCommand.legacyHTTP] {
      ways += 1
      transport = .legacyHTTP
      try setURL(url, "--legacy-http")
    }
    if let place = arguments[ModemSendCommand.mqtt] {
      ways += 1
      transport = .mqtt
      try setBroker(place)
    }
    if let place = arguments[ModemSendCommand.tcp] {
      ways += 1
      transport = .tcp
      let expectation = "HOST:PORT, such as track.example:5000"
      guard let colon = place.lastIndex(of: ":"), let port = UInt16(place[place.index(after: colon)...]), port > 0
      else {
        throw .usage("option '--tcp': '\(place)' is not \(expectation)")
      }
      driver.tcpHost = try text(place[..<colon], "--tcp", expectation)
      driver.tcpPort = port
    }
    if let number = arguments[ModemSendCommand.sms] {
      ways += 1
      transport = .sms
      let digits: TelephoneNumber = try text(number, "--sms", "a telephone number with at most 20 digits")
      guard CMGS.Send(to: digits) != nil else {
        throw .usage("option '--sms': '\(number)' is not a telephone number such as +31600000000")
      }
      driver.smsNumber = digits
    }
    guard ways == 1 else {
      throw .usage("expected one of --http, --legacy-http, --mqtt, --tcp and --sms")
    }
  }

  private mutating func setSecurity(_ arguments: Arguments) throws(CommandFailure) {
    let isHTTPS = String(
      decoding: (0..<driver.httpServer.bytes.count).map { driver.httpServer.bytes[$0] }, as: UTF8.self
    )
    .lowercased().hasPrefix("https:")
    if arguments[ModemSendCommand.tls] {
      guard transport == .mqtt else {
        throw .usage("option '--tls' is for --mqtt; an https address is enough for --http")
      }
      driver.mqttUsesTLS = true
      let place = arguments[ModemSendCommand.mqtt] ?? ""
      if !place.prefix(while: { $0 != "/" }).contains(":") { driver.mqttPort = 8883 }
    }
    guard let name = arguments[ModemSendCommand.certificate] else { return }
    guard isHTTPS || driver.mqttUsesTLS else {
      throw .usage("option '--certificate' needs an https address, or --mqtt with --tls")
    }
    driver.certificate = try text(name, "--certificate", "the name of a file in the modem, at most 20 bytes")
  }

  private mutating func setURL(_ url: String, _ option: String) throws(CommandFailure) {
    let expectation = "an address such as http://track.example:8080/pub with at most 64 bytes before the path"
    guard let slashes = url.range(of: "://") else { throw .usage("option '\(option)': '\(url)' is not \(expectation)") }
    let scheme = url[..<slashes.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" && option == "--http" else {
      let schemes = option == "--http" ? "http:// or https://" : "http://; https is for --http"
      throw .usage("option '\(option)': '\(url)' does not begin with \(schemes)")
    }
    let path = url[slashes.upperBound...].firstIndex(of: "/") ?? url.endIndex
    driver.httpServer = try text(url[..<path], option, expectation)
    guard SHCONF.SetAddress(driver.httpServer) != nil else {
      throw .usage("option '\(option)': '\(url)' is not \(expectation)")
    }
    if path < url.endIndex { driver.httpPath = try text(url[path...], option, "a path of at most 128 bytes") }
  }

  private mutating func setBroker(_ place: String) throws(CommandFailure) {
    let expectation = "HOST[:PORT]/TOPIC, such as broker.example/leash/bike"
    guard let slash = place.firstIndex(of: "/") else {
      throw .usage("option '--mqtt': '\(place)' is not \(expectation)")
    }
    let host = place[..<slash]
    driver.mqttTopic = try text(place[place.index(after: slash)...], "--mqtt", expectation)
    guard let colon = host.lastIndex(of: ":") else {
      driver.mqttHost = try text(host, "--mqtt", expectation)
      return
    }
    guard let port = UInt16(host[host.index(after: colon)...]), port > 0 else {
      throw .usage("option '--mqtt': '\(place)' is not \(expectation)")
    }
    driver.mqttHost = try text(host[..<colon], "--mqtt", expectation)
    driver.mqttPort = port
  }
}

extension String {
  /// Where another text is; nil when it is nowhere.
  fileprivate func range(of text: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
