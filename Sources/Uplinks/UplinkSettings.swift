import Quantities
import SIM7000
import Telemetry

/// Transport security of a connection over the board's network.
package struct TLSSettings: Equatable, Sendable {
  /// File of trusted certificates (PEM); nil for those of the system.
  package var authorityFile: String?
  /// Client certificate (PEM) and its key, for servers that ask for one.
  package var certificateFile: String?
  /// Key of the client certificate (PEM).
  package var keyFile: String?
  /// Whether the server's certificate and name are checked. Default: yes.
  package var verifiesServer = true

  /// The system's certificates, checked.
  package init() {}
}

/// MQTT over the board's network.
package struct MQTTSettings: Equatable, Sendable {
  /// Name or address of the broker.
  package var host = "localhost"
  /// Its port. Default 1883.
  package var port: UInt16 = 1883
  /// Brokers that stand in for it, in turn, when it can't be reached; they must know the same sessions, as nodes of a cluster do.
  package var others: [MQTTHost] = []
  /// Transport security; nil for none.
  package var tls: TLSSettings?
  /// User; nil for none.
  package var user: String?
  /// Password; nil for none.
  package var password: Secret?
  /// Name of this client at the broker; fixed, as the broker keeps the session under it. Default `leash-` and the tracker's id.
  package var clientID = "leash"
  /// Topic of the packets.
  package var topic = "leash/packet"
  /// Whether the broker keeps the last packet for new subscribers. Default: no.
  package var isRetained = false
  /// Topic on which requests come; nil for none.
  package var commandTopic: String?
  /// Topic and text that the broker publishes when the tracker is gone without goodbye; nil for none.
  package var will: (topic: String, payload: String)?
  /// Where the broker keeps whether the tracker is there, and what it is told of it; nil for nothing. Then there is no `will`.
  package var announcement: MQTTAnnouncement?
  /// What that is made from, when it is Home Assistant that is told.
  package var homeAssistant: HomeAssistantSettings?
  /// Time between signs of life, s. Default 60 s.
  package var keepAlive: Interval = .seconds(60)
  /// Whether the broker keeps the session between connections; only a trial of the connection wants none. Default: yes.
  package var keepsSession = true

  /// A broker on this machine.
  package init() {}

  /// True when all settings are the same.
  package static func == (a: MQTTSettings, b: MQTTSettings) -> Bool {
    a.host == b.host && a.port == b.port && a.tls == b.tls && a.user == b.user && a.password == b.password
      && a.clientID == b.clientID && a.topic == b.topic && a.isRetained == b.isRetained
      && a.commandTopic == b.commandTopic && a.will?.topic == b.will?.topic && a.will?.payload == b.will?.payload
      && a.keepAlive == b.keepAlive && a.keepsSession == b.keepsSession && a.others == b.others
      && a.announcement == b.announcement && a.homeAssistant == b.homeAssistant
  }

  /// All brokers, the preferred first.
  package var hosts: [MQTTHost] { [MQTTHost(name: host, port: port)] + others }
}

/// HTTP over the board's network.
package struct HTTPSettings: Equatable, Sendable {
  /// Address that packets are POSTed to, `http` or `https`.
  package var url = "http://localhost:8080/"
  /// Addresses that stand in for it, in turn, when it does not work.
  package var otherURLs: [String] = []
  /// User of basic authentication; nil for none.
  package var user: String?
  /// Password of basic authentication; nil for none.
  package var password: Secret?
  /// Further headers, such as `X-Limit-U`.
  package var headers: [(name: String, value: Secret)] = []
  /// Content type. Default `application/json`.
  package var contentType = "application/json"
  /// What is sent in place of a packet, with places for what that says; nil for the packet itself.
  package var template: HTTPTemplate?
  /// Whether a form goes in the address, behind a question mark, and nothing in the body. Default: no.
  package var usesAddress = false
  /// Signs what is sent, HMAC-SHA-256; nil for no signature.
  package var signingKey: Secret?
  /// Header of the signature.
  package var signatureHeader = "X-Leash-Signature"
  /// Transport security beyond the scheme of the address.
  package var tls = TLSSettings()
  /// Timeout of a request. Default 30 s.
  package var timeout: Interval = .seconds(30)
  /// True for a webhook of Home Assistant, by its path.
  package var isHomeAssistantWebhook: Bool { url.contains("/api/webhook/") }
  /// All addresses, the preferred first.
  package var urls: [String] { [url] + otherURLs }

  /// A server on this machine.
  package init() {}

  /// True when all settings are the same.
  package static func == (a: HTTPSettings, b: HTTPSettings) -> Bool {
    a.url == b.url && a.otherURLs == b.otherURLs && a.user == b.user && a.password == b.password
      && a.contentType == b.contentType && a.tls == b.tls
      && a.timeout == b.timeout && a.template == b.template && a.signingKey == b.signingKey
      && a.signatureHeader == b.signatureHeader && a.usesAddress == b.usesAddress
      && a.headers.elementsEqual(b.headers) { $0.name == $1.name && $0.value == $1.value }
  }
}

/// A line of a GPIO chip.
package struct GPIOLine: Equatable, Sendable {
  /// The chip, as `gpiochip0` or `/dev/gpiochip0`.
  package var chip: String
  /// Number of the line on it.
  package var line: UInt32
  /// True when an inverting transistor lies between the line and the modem's pin: a high line pulls the pin low.
  package var isInverted: Bool

  /// A line.
  package init(chip: String, line: UInt32, isInverted: Bool = false) {
    self.chip = chip
    self.line = line
    self.isInverted = isInverted
  }
}

/// A SIM7000 on a serial port.
package struct ModemSettings: Equatable, Sendable {
  /// The serial port, `/dev/ttyUSB2` or a link in `/dev/serial/by-id`.
  package var port = "/dev/ttyS0"
  /// What the driver is told. Its wiring follows from the lines below.
  package var driver = ModemConfiguration()
  /// The way packets go. Default HTTP.
  package var transport = SIM7000.ModemTransport.http
  /// Line that pulls the power key; nil when it is not connected.
  package var powerKey: GPIOLine?
  /// Line that pulls RESET.
  package var reset: GPIOLine?
  /// Line that reads STATUS.
  package var status: GPIOLine?
  /// Line that switches the supply.
  package var supply: GPIOLine?
  /// Whether the serial port's DTR is wired to the modem. Default: no.
  package var hasDTR = false
  /// Whether a modem that rests is started or woken when the tracker suspects something, so that an alert finds it ready. Default: yes.
  package var expectsAlerts = true
  /// Whether the broker keeps the last packet for new subscribers. Default: no.
  package var isRetained = false
  /// What Home Assistant is told at the broker; nil for nothing.
  package var homeAssistant: HomeAssistantSettings?
  /// Telephone numbers whose text messages are the owner's, as `+31600000000`.
  package var senders: [String] = []

  /// A modem with two wires.
  package init() {}
}

/// One way to a receiver.
package struct UplinkSettings: Equatable, Sendable {
  /// What it goes by.
  package enum Kind: Equatable, Sendable {
    /// MQTT over the board's network.
    case mqtt(MQTTSettings)
    /// HTTP over the board's network.
    case http(HTTPSettings)
    /// The modem, as set in `BoardConfiguration.modem`, by a transport of its own where one is named.
    case modem(ModemTransport?)
  }

  /// What it goes by.
  package var kind: Kind
  /// Whom it leads to; ways to the same receiver stand in for each other, the first is preferred.
  package var receiver = "server"
  /// The kinds of packets that the receiver wants; nil when another of its ways says so, or for all.
  package var kinds: PacketKindSet?
  /// How packets are written; nil for the tracker's `packetFormat`, and for text in text messages.
  package var format: PacketFormat?
  /// Passphrase that seals messages in a form of OwnTracks; nil for messages that anybody may read.
  package var encryptionKey: Secret?
  /// Words of the requests that may be asked on this way unsigned.
  package var trusted: [String] = []

  /// A way to the receiver `server`, which wants every packet.
  package init(_ kind: Kind) { self.kind = kind }

  /// MQTT over the board's network.
  package static func mqtt(_ settings: MQTTSettings) -> UplinkSettings { UplinkSettings(.mqtt(settings)) }
  /// HTTP over the board's network.
  package static func http(_ settings: HTTPSettings) -> UplinkSettings { UplinkSettings(.http(settings)) }
  /// The modem with its own transport.
  package static var modem: UplinkSettings { UplinkSettings(.modem(nil)) }

  /// True for a way through the modem.
  package var isModem: Bool {
    if case .modem = kind { true } else { false }
  }
}
