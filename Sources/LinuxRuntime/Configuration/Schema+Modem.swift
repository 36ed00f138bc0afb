import Quantities
import SIM7000
import Uplinks

/// A line of a GPIO chip while it is read.
struct LineDraft: Equatable, Sendable {
  var chip = ""
  var line: UInt32?
  var isInverted = false
}

/// The modem while its section is read.
struct ModemDraft: Sendable {
  var settings = ModemSettings()
  var url = ""
  var powerKey = LineDraft()
  var reset = LineDraft()
  var status = LineDraft()
  var supply = LineDraft()
}

extension BandSet {
  /// The numbers, with commas.
  fileprivate var description: String {
    (UInt8(1)...127).filter(contains).map { "\($0)" }.joined(separator: ",")
  }
}

/// The keys of the modem.
extension ConfigurationSchema {
  /// The lines of the board, by the names of their objects.
  static let lines: [(name: String, path: WritableKeyPath<ModemDraft, LineDraft> & Sendable, help: String)] = [
    ("powerKey", \.powerKey, "the line that pulls the power key"), ("reset", \.reset, "the line that pulls RESET"),
    ("status", \.status, "the line that reads STATUS"), ("supply", \.supply, "the line that switches the supply"),
  ]

  static let modem = BoundSection(
    "modem", "A SIM7000 on a serial port.", fresh: ModemDraft(),
    line + network + way + behaviour + lines.flatMap { gpio($0.name, $0.path, $0.help) })

  private static let line: [BoundKey<ModemDraft>] = [
    .path("port", \.settings.port, "The serial port.", example: "/dev/ttyUSB2"),
    .whole(
      "rate", \.settings.driver.rate, "Speed of the port. A modem at another speed is found and changed.",
      300...4_000_000,
      unit: "bit/s", example: 115_200
    ) { rate in
      UInt32(exactly: rate).flatMap { IPR.Set(bitsPerSecond: $0) } == nil
        ? "a speed that a SIM7000 supports, such as 115200" : nil
    },
    .boolean("dtr", \.settings.hasDTR, "Whether the serial port's DTR is wired to the modem."),
    .boolean(
      "checkEcho", \.settings.driver.verifiesEcho,
      "Whether the modem echoes its input and the driver compares it, as a serial line has no checksum."),
  ]

  private static let network: [BoundKey<ModemDraft>] = [
    .modemText(
      "apn", \.settings.driver.accessPoint, "Access point; default: assigned by the network.", example: "internet"),
    .modemText("apnUser", \.settings.driver.accessUser, "User of the access point.", example: "user"),
    .modemSecret("apnPassword", \.settings.driver.accessPassword, "Password of the access point.", example: "secret"),
    .modemSecret(
      "pin", \.settings.driver.pin, "PIN of the SIM card, 4 to 8 digits; tried once per start.", example: "1234"
    ) {
      CPIN.Enter($0) == nil ? "a PIN of 4 to 8 digits" : nil
    },
    .choice(
      "radio", \.settings.driver.radio, "Radio technology.",
      [
        ("unchanged", .unchanged), ("automatic", .automatic), ("catM1", .catM1), ("narrowband", .narrowband),
        ("gsm", .gsm),
      ], example: "catM1"),
    bands("catMBands", \.settings.driver.catMBands, "Cat-M1", example: "3,8,20"),
    bands("narrowBands", \.settings.driver.narrowBands, "NB-IoT", example: "8,20"),
  ]

  private static func bands(
    _ name: String, _ path: WritableKeyPath<ModemDraft, BandSet> & Sendable, _ technology: String, example: String
  ) -> BoundKey<ModemDraft> {
    BoundKey(
      name, .text(1...64),
      "LTE bands to which \(technology) is restricted, so that a network is found faster; the modem keeps them. "
        + "Default: as the modem is set.",
      example: quoted(example),
      get: { $0[keyPath: path].isEmpty ? nil : .text($0[keyPath: path].description) },
      set: { draft, value in
        guard case .text(let text) = value else { return nil }
        let bytes = Array(text.utf8)
        guard let bands = BandSet(bytes.span) else { return "numbers of bands from 1 to 127, such as \(example)" }
        draft[keyPath: path] = bands
        return nil
      })
  }

  private static let way: [BoundKey<ModemDraft>] = [
    .choice(
      "transport", \.settings.transport, "Transport of packets to the server.",
      [
        ("http", .http), ("legacyHTTP", .legacyHTTP), ("mqtt", .mqtt), ("tcp", .tcp),
        ("applicationTCP", .applicationTCP), ("sms", .sms),
      ]),
    .text(
      "url", \.url,
      "Address for POST with 'http' and 'legacyHTTP'; 64 bytes at most before the path.",
      bytes: 1...192, example: "http://track.example:8080/pub", expectation: modemURLExpectation),
    .modemText(
      "contentType", \.settings.driver.httpContentType,
      "Content type of the requests; default: that of the packet format.", example: "application/json"),
    .modemText(
      "certificate", \.settings.driver.certificate,
      "Certificate in the modem to check the server with, stored there by 'leash modem certificate'; without it the server "
        + "is not checked.", example: "ca.crt"
    ),
    .modemText(
      "mqtt.host", \.settings.driver.mqttHost, "Name or address of the broker.", example: "broker.example"
    ) { WebAddress.hostExpectation($0.string) },
    .port("mqtt.port", \.settings.driver.mqttPort, "Port of the broker.", example: 1883),
    .boolean("mqtt.tls", \.settings.driver.mqttUsesTLS, "TLS to the broker."),
    .modemText("mqtt.user", \.settings.driver.mqttUser, "User at the broker.", example: "bike42"),
    .modemSecret("mqtt.password", \.settings.driver.mqttPassword, "Password at the broker.", example: "secret"),
    .modemText(
      "mqtt.clientId", \.settings.driver.mqttClient, "Client name at the broker.", example: "leash-bike42"),
    .modemText(
      "mqtt.topic", \.settings.driver.mqttTopic, "Topic of the packets.", example: "leash/packet"
    ) { topicExpectation($0.string) },
    .modemText(
      "mqtt.commandTopic", \.settings.driver.mqttCommandTopic, "Topic of requests.",
      example: "leash/bike42/command"
    ) { topicExpectation($0.string) },
    .boolean(
      "mqtt.retain", \.settings.isRetained, "Whether the broker keeps the last packet for new subscribers."),
    .seconds(
      "mqtt.keepAlive", \.settings.driver.mqttKeepAlive, "Keep-alive interval.", 5...65_535, example: 60),
    .modemText("tcp.host", \.settings.driver.tcpHost, "Server of 'tcp' and 'applicationTCP'.", example: "track.example")
    {
      WebAddress.hostExpectation($0.string)
    },
    .port("tcp.port", \.settings.driver.tcpPort, "Its port.", example: 5000),
    .modemText(
      "sms", \.settings.driver.smsNumber, "Number that text messages go to, with + and country.",
      example: "+31600000000"
    ) { CMGS.Send(to: $0) == nil ? "a telephone number such as +31600000000" : nil },
    .boolean(
      "smsStatusReports", \.settings.driver.smsStatusReports,
      "Whether a text message counts as delivered only after the network's delivery report."),
  ]

  private static let behaviour: [BoundKey<ModemDraft>] = [
    .choice(
      "idle", \.settings.driver.idle,
      "State of the modem while there is nothing to send. 'sleep' needs 'dtr', 'powerSaving' and 'off' need 'powerKey'.",
      [("awake", .awake), ("sleep", .sleep), ("powerSaving", .powerSaving), ("off", .off)]),
    .boolean(
      "wakeOnSuspicion", \.settings.expectsAlerts,
      "Whether the modem is started or woken when an armed tracker is touched, before there is an alert: it costs a start, and a minute awake."
    ),
    .seconds(
      "idleAfter", \.settings.driver.idleAfter, "Time after the last packet before the modem goes idle.", 0...86_400,
      example: 20),
    .seconds(
      "periodicUpdate", \.settings.driver.periodicUpdate,
      "With 'powerSaving': time between periodic updates to the network.", 60...34_560_000, example: 43_200),
    .seconds(
      "activeTime", \.settings.driver.activeTime,
      "With 'powerSaving': how long the modem stays reachable after each update.",
      2...11_160, example: 20),
    BoundKey(
      "listeningCycle", .number(5.12...10_485.76), unit: "s",
      "With 'sleep': how often the modem listens to the network; default: set by the network.",
      example: "20.48",
      get: { $0.settings.driver.listeningCycle.map { .number(plain(Double($0.microseconds) / 1_000_000)) } },
      set: { draft, value in
        if let number = value.double { draft.settings.driver.listeningCycle = Interval(decimalSeconds: number) }
        return nil
      }),
    .seconds(
      "surveyInterval", \.settings.driver.surveyInterval, "Time between checks of signal, battery and clock.",
      10...86_400,
      example: 300),
    .seconds(
      "deliveryTimeout", \.settings.driver.deliveryTimeout, "How long a packet is tried before it is returned.",
      30...86_400, example: 1800),
    .seconds(
      "registrationTimeout", \.settings.driver.registrationTimeout,
      "How long registration may take before recovery begins.", 30...3600, example: 180),
    .choice(
      "gnssForm", \.settings.driver.gnssForm, "How fixes are read from the modem's receiver.",
      [("reports", .reports), ("queries", .queries), ("sentences", .sentences)]),
    .choice(
      "antenna", \.settings.driver.antenna, "Output of the module that powers an active antenna.",
      [("none", .none), ("pin4", .pin4), ("pin48", .pin48)]),
    .choice(
      "sharing", \.settings.driver.sharing, "How satellite reception and data share the modem.",
      [("together", .together), ("alternating", .alternating)]),
  ]

  private static func gpio(
    _ name: String, _ path: WritableKeyPath<ModemDraft, LineDraft> & Sendable, _ help: String
  ) -> [BoundKey<ModemDraft>] {
    [
      BoundKey(
        "\(name).chip", .text(1...64), "GPIO chip of \(help).", example: "\"gpiochip0\"",
        get: { $0[keyPath: path].chip.isEmpty ? nil : .text($0[keyPath: path].chip) },
        set: { draft, value in
          guard case .text(let chip) = value, !chip.contains(" ") else { return "a chip such as gpiochip0" }
          draft[keyPath: path].chip = chip
          return nil
        }),
      BoundKey(
        "\(name).line", .whole(0...1023), "Number of \(help) on its chip.", example: "4",
        get: { $0[keyPath: path].line.map { .number("\($0)") } },
        set: { draft, value in
          if case .number(let digits) = value { draft[keyPath: path].line = UInt32(digits) }
          return nil
        }),
      BoundKey(
        "\(name).inverted", .boolean, "Whether there is an inverting transistor between \(help) and the modem.",
        example: "true",
        // A line that is not there is not inverted either.
        get: { $0[keyPath: path] == LineDraft() ? nil : .boolean($0[keyPath: path].isInverted) },
        set: { draft, value in
          if case .boolean(let value) = value { draft[keyPath: path].isInverted = value }
          return nil
        }),
    ]
  }

  private static func modemURLExpectation(_ text: String) -> String? {
    do throws(WebAddress.Refusal) {
      let address = try WebAddress(text)
      guard ServerAddress(string: address.server) != nil else { return "at most 64 bytes before the path" }
      guard ModemText<128>(string: address.path) != nil else { return "a path of at most 128 bytes" }
      return nil
    } catch {
      return error.expectation
    }
  }
}
