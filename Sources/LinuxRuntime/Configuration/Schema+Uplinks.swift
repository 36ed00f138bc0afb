import Quantities
import Recording
import SIM7000
import Telemetry
import Uplinks

/// An uplink while its section is read.
struct UplinkDraft: Sendable {
  var mqtt = MQTTSettings()
  var http = HTTPSettings()
  var usesTLS = false
  var tls = TLSSettings()
  var willTopic: String?
  var willPayload: String?
  var receiver = "server"
  var kinds: String?
  var format: PacketFormat?
  var transport: ModemTransport?
  var trusted: [String] = []
  var encryptionKey: Secret?
  var hosts: [String] = []
  var homeAssistant = HomeAssistantDraft()
  /// True for one by the modem, whose topics are those of its section.
  var usesModem = false

  init() {
    mqtt.host = ""
    http.url = ""
    // It follows from the tracker's name.
    mqtt.clientID = ""
    // And this from the format.
    http.contentType = ""
  }
}

/// The keys of the ways to the server.
extension ConfigurationSchema {
  static let mqtt = BoundSection(
    "uplinks", kind: ("by", "mqtt"), "MQTT over the board's network, quality of service 1.", fresh: UplinkDraft(),
    [
      .text(
        "host", \.mqtt.host, "Name or address of the broker.", bytes: 1...253, example: "broker.example",
        isRequired: true,
        expectation: WebAddress.hostExpectation),
      .port("port", \.mqtt.port, "Port of the broker; default with 'tls': 8883.", example: 8883), brokers,
      .boolean("tls", \.usesTLS, "TLS: true, or an object with the keys below."),
      authority, certificate, certificateKey, verify,
      .optionalText("user", \.mqtt.user, "User at the broker.", example: "bike42"),
      .secret("password", \.mqtt.password, "Password at the broker.", example: "correct horse"),
      .text(
        "clientId", \.mqtt.clientID,
        "Client name of the session at the broker; default: 'leash-' and the tracker's id.",
        bytes: 1...64, example: "leash-bike42"),
      .text("topic", \.mqtt.topic, "Topic of the packets.", example: "leash/packet", expectation: topicExpectation),
      .optionalText(
        "commandTopic", \.mqtt.commandTopic, "Topic of requests.", example: "leash/bike42/command",
        expectation: topicExpectation),
      .boolean("retain", \.mqtt.isRetained, "Whether the broker keeps the last packet for new subscribers."),
      .optionalText(
        "will.topic", \.willTopic, "Topic of the last will, sent by the broker if the connection is lost.",
        example: "leash/bike42/gone", expectation: topicExpectation),
      .optionalText("will.payload", \.willPayload, "Payload of the last will.", bytes: 1...1024, example: "gone"),
      .seconds("keepAlive", \.mqtt.keepAlive, "Keep-alive interval.", 5...65_535, example: 60),
    ] + homeAssistant + route + [format])

  static let http = BoundSection(
    "uplinks", kind: ("by", "http"), "HTTP or HTTPS over the board's network.", fresh: UplinkDraft(),
    [
      .text(
        "url", \.http.url, "Address for POST.", bytes: 1...2048, example: "https://track.example/pub",
        isRequired: true, expectation: WebAddress.urlExpectation), servers,
      .optionalText(
        "user", \.http.user, "User of basic authentication.", example: "bike42",
        expectation: { $0.contains(":") ? "a name without ':'" : nil }),
      .secret("password", \.http.password, "Password of basic authentication.", example: "correct horse"),
      BoundKey(
        "headers", .secrets, "Additional headers; their values are hidden.", example: "{ \"X-Limit-U\": \"me\" }",
        get: { draft in
          let headers = draft.http.headers
          return headers.isEmpty
            ? nil : .secrets(headers.map(\.name), headers.map(\.value), headers.map { _ in .literal })
        },
        set: { draft, value in
          guard case .secrets(let names, let secrets, _) = value else { return nil }
          guard names.allSatisfy(isHeaderName) else {
            return "names of letters, digits and hyphens"
          }
          // They follow from the body, and a server that finds two of them waits or refuses.
          guard !names.contains(where: { ["content-length", "transfer-encoding"].contains($0.lowercased()) }) else {
            return "headers other than Content-Length and Transfer-Encoding"
          }
          draft.http.headers = zip(names, secrets).map { (name: $0, value: $1) }
          return nil
        }),
      BoundKey(
        "body", .text(1...4096),
        "Template of the body: {packet} is replaced by the packet, {latitude}, {alert.detector} and so on by its members in the "
          + "format json, {utcMilliseconds} by its utc in ms since 1970; a missing member is empty. In JSON a placeholder without "
          + "quotes is a JSON value, or null. Values of 'headers' may then contain placeholders, too.",
        example: quoted("{ \"text\": \"{packet}\" }"),
        get: { draft in draft.http.template.map { .text($0.text) } },
        set: { draft, value in
          guard case .text(let text) = value else { return nil }
          guard !HTTPTemplate(text).names.isEmpty else { return "text with a placeholder such as {packet}" }
          draft.http.template = HTTPTemplate(text)
          return nil
        }),
      .boolean(
        "inAddress", \.http.usesAddress,
        "Whether the fields go into the address instead of the body, as Home Assistant's webhook needs for the format osmAnd."
      ),
      .secret(
        "sign.key", \.http.signingKey,
        "Key for an HMAC-SHA-256 signature of the body, sent in a header as sha256= and 64 hexadecimal digits.",
        example: "correct horse"),
      .text(
        "sign.header", \.http.signatureHeader, "Header of the signature.", bytes: 1...64,
        example: "X-Leash-Signature",
        expectation: { isHeaderName($0) ? nil : "a name of letters, digits and hyphens" }),
      .text(
        "contentType", \.http.contentType, "Content type; default: that of the packet format.",
        bytes: 1...128, example: "application/json"),
      .seconds("timeout", \.http.timeout, "Timeout of a request.", 1...600, example: 30),
      authority, certificate, certificateKey, verify,
    ] + route + [format])

  static let modemUplink = BoundSection(
    "uplinks", kind: ("by", "modem"), "The modem configured in the section 'modem'.", fresh: UplinkDraft(),
    [
      .choice(
        "transport", \.transport, "Transport of this uplink; 'default' is 'modem.transport'.",
        [
          ("default", nil), ("http", .http), ("legacyHTTP", .legacyHTTP), ("mqtt", .mqtt), ("tcp", .tcp),
          ("applicationTCP", .applicationTCP), ("sms", .sms),
        ], example: "default")
    ] + homeAssistant.filter { $0.key.name != "homeAssistant.form" } + route + [format])

  /// Whom a way leads to, and what goes there.
  private static let route: [BoundKey<UplinkDraft>] = [
    .text(
      "receiver", \.receiver,
      "Receiver of this uplink. Uplinks to the same receiver are alternatives; every receiver gets all packets of its kinds.",
      bytes: 1...32, example: "home"),
    BoundKey(
      "kinds", .words(["all"] + PacketKind.allCases.map { "\($0.name)" }),
      "Kinds of packets for the receiver, the same on all of its uplinks; default: all.",
      example: "[\"movement\", \"parking\"]",
      get: { draft in draft.kinds.map { .words($0.split(separator: "+").map(String.init)) } },
      set: { draft, value in
        guard case .words(let words) = value else { return nil }
        let text = words.joined(separator: "+")
        guard PacketKindSet(text) != nil else { return "\"all\" alone, or one or more other kinds" }
        draft.kinds = text
        return nil
      }),
    .words(
      "trusted", \.trusted, requestWords,
      "Requests accepted on this uplink without a signature; default: those that only read. Anybody who can send on it can use "
        + "them, so it needs TLS, or a server on this machine.", example: ["dismiss", "locate", "track"]),
    .secret(
      "encryptionKey", \.encryptionKey,
      "Passphrase of 1 to 32 bytes for encrypted messages in the format 'ownTracks'; incoming messages are then accepted only if "
        + "encrypted with it, too.", example: "correct horse"),
  ]
  private static let format = BoundKey<UplinkDraft>.choice(
    "format", \.format, "Packet format; 'default' is 'packetFormat', and text in text messages.",
    [("default", nil)] + PacketFormat.allCases.map { ("\($0.name)", $0) }, example: "json")

  private static let authority = BoundKey<UplinkDraft>.optionalPath(
    "tls.authority", \.tls.authorityFile, "File of trusted certificates (PEM); default: those of the system.",
    example: "/etc/ssl/certs/ca-certificates.crt")
  private static let certificate = BoundKey<UplinkDraft>.optionalPath(
    "tls.certificate", \.tls.certificateFile, "Client certificate (PEM), for servers that ask for one.",
    example: "/etc/leash/client.pem")
  private static let certificateKey = BoundKey<UplinkDraft>.optionalPath(
    "tls.key", \.tls.keyFile, "Key of the client certificate (PEM).", example: "/etc/leash/client.key")
  private static let verify = BoundKey<UplinkDraft>.boolean(
    "tls.verify", \.tls.verifiesServer, "Whether the server's certificate and name are checked.")

  /// What a topic to publish on must be; nil when this is one.
  ///
  /// - Source: [mqtt311] section 4.7.1.
  static func topicExpectation(_ text: String) -> String? {
    text.contains("#") || text.contains("+") ? "a topic without '#' and '+'" : nil
  }

  private static func isHeaderName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
          || byte == 0x5F
      }
  }
}
