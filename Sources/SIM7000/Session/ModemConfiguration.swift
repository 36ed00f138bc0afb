import InlineStorage
public import Quantities

/// How a packet gets to the server.
@frozen public enum ModemTransport: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// HTTP or HTTPS by the `SH` commands: delivered when the server answers 2xx.
  case http
  /// HTTP by the legacy `HTTPINIT` commands, for firmware without the others: delivered when the server answers 2xx.
  case legacyHTTP
  /// MQTT by the `SM` commands, quality of service 1: delivered when the modem says that the broker has it.
  case mqtt
  /// A TCP connection by the `CIP` commands: a line per packet; delivered when the server's line `ACK <number>` comes.
  case tcp
  /// The same by the `CA` commands, which share the bearer of HTTP and MQTT.
  case applicationTCP
  /// A text message: delivered when the network has taken it; with `smsStatusReports` when it reports that the telephone has
  /// it.
  case sms
}

/// Which radio the modem uses.
@frozen public enum RadioMode: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// As the modem was set before.
  case unchanged
  /// Whatever the network offers.
  case automatic
  /// LTE Cat-M1 only.
  case catM1
  /// NB-IoT only.
  case narrowband
  /// GSM only.
  case gsm
}

/// What the modem does when there is nothing to send.
@frozen public enum IdlePolicy: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// Stays awake and reachable.
  case awake
  /// Sleeps with its clock slowed (`CSCLK`); needs the DTR line. Still receives messages.
  case sleep
  /// Asks the network for power saving mode (`CPSMS`); unreachable until the next packet or the periodic update;
  /// needs the power key.
  case powerSaving
  /// Switched off; needs the power key.
  case off
}

/// How satellite reception and data share the modem.
@frozen public enum GNSSSharing: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// Both at the same time, which the SIM7000 can.
  case together
  /// One after the other, each with a guaranteed share, for boards whose antenna or supply can't do both.
  case alternating
}

/// How fixes are read from the modem's receiver.
@frozen public enum GNSSForm: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// The modem reports one each second (`CGNSURC`).
  case reports
  /// The driver asks for one each second (`CGNSINF`).
  case queries
  /// As NMEA sentences on the command line (`CGNSTST`), for an `NMEAReceiver`: see `Modem.drainNMEA`.
  case sentences
}

/// Output of the module that powers an active antenna.
///
/// - Source: [sim7000at] `AT+SGPIO`, `AT+CGPIO`; which one it is depends on the board.
@frozen public enum AntennaSwitch: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// None: the antenna is passive, or fed otherwise.
  case none
  /// Pin 4 of `SGPIO`.
  case pin4
  /// Pin 48 of `CGPIO`.
  case pin48
}

/// Lines of the board that are connected.
@frozen public struct ModemWiring: Equatable, BitwiseCopyable, Sendable {
  /// The STATUS output is read. Default true. Without it the driver has to probe whether the modem is on.
  public var hasStatus = true
  /// The power key can be pulled low. Default true.
  public var hasPowerKey = true
  /// The RESET input can be pulled low. Default true.
  public var hasReset = true
  /// The DTR input can be set. Default false.
  public var hasDTR = false
  /// The supply can be cut. Default false.
  public var hasSupplySwitch = false

  /// The defaults.
  @inlinable public init() {}
}

/// Everything that decides what the driver does, besides its seed and its inputs.
@frozen public struct ModemConfiguration: Equatable, BitwiseCopyable, Sendable {
  /// Name of the access point; empty for the network's own.
  public var accessPoint = AccessPointName()
  /// User of the access point.
  public var accessUser = Credential()
  /// Password of the access point.
  public var accessPassword = Credential()
  /// PIN of the SIM card; empty when it has none. It is tried once per start, and never again after it was refused.
  public var pin = ModemText<8>()
  /// Radio technology. Default: as it was set before.
  public var radio = RadioMode.unchanged
  /// Bands of Cat-M1 to which the modem is locked; it keeps them. Fewer bands shorten the first search from minutes. Default: none,
  /// as it was set before.
  public var catMBands = BandSet()
  /// The same for NB-IoT.
  public var narrowBands = BandSet()
  /// Rate of the serial line, bit/s. Default 115,200. The modem is told to keep to it.
  public var rate: Int32 = 115_200
  /// Whether the modem echoes what it is sent, and the driver checks it. Default: yes. A serial line has no checksum: without
  /// this a byte lost on the way to the modem can make the server take a damaged packet for a good one.
  public var verifiesEcho = true
  /// Lines of the board.
  public var wiring = ModemWiring()

  /// Scheme, host and port of the HTTP server, such as `https://track.example:8443`.
  public var httpServer = ServerAddress()
  /// Path of the HTTP requests. Default `/`.
  public var httpPath = ModemText<128>("/") ?? ModemText()
  /// Content type of the HTTP requests. Default `application/json`.
  public var httpContentType = HeaderText("application/json") ?? HeaderText()
  /// Certificate file on the modem for TLS; empty to talk to a server without checking it.
  public var certificate = ModemText<20>()
  /// True for TLS with MQTT. For HTTP the scheme says it.
  public var mqttUsesTLS = false
  /// Host of the MQTT broker.
  public var mqttHost = ServerAddress()
  /// Port of the MQTT broker. Default 1883.
  public var mqttPort: UInt16 = 1883
  /// Client name at the broker. Default `leash`.
  public var mqttClient = ModemText<64>("leash") ?? ModemText()
  /// User at the broker.
  public var mqttUser = Credential()
  /// Password at the broker.
  public var mqttPassword = Credential()
  /// Topic of the packets. Default `leash/packet`.
  public var mqttTopic = TopicName("leash/packet") ?? TopicName()
  /// Topic on which commands come; empty for none.
  public var mqttCommandTopic = TopicName()
  /// Topic on which the broker says `offline`, retained, when the modem is gone without goodbye; empty for none. It is
  /// its last will; whoever reads it is told `online` there by packets of the owner.
  public var mqttAvailabilityTopic = TopicName()
  /// Topic on which a server says what is for everybody (`ReplySource.server`); empty for none. It is subscribed to when no packet
  /// waits, and done without where the broker refuses it.
  public var mqttServerTopic = TopicName()
  /// Time between signs of life to the broker. Default 60 s.
  public var mqttKeepAlive: Interval = .seconds(60)
  /// Host of the TCP server.
  public var tcpHost = ServerAddress()
  /// Port of the TCP server.
  public var tcpPort: UInt16 = 5000
  /// Number that text messages go to, with `+` and country.
  public var smsNumber = TelephoneNumber()
  /// Whether a text message counts as delivered only after the network's delivery report. Default: no.
  public var smsStatusReports = false

  /// Whether satellite reception is wanted at first. Default: no.
  public var gnss = false
  /// How its fixes come. Default: reports.
  public var gnssForm = GNSSForm.reports
  /// What feeds its antenna. Default: nothing that has to be switched.
  public var antenna = AntennaSwitch.none
  /// How reception and data share the modem. Default: together.
  public var sharing = GNSSSharing.together
  /// What happens when there is nothing to send. Default: stay awake.
  public var idle = IdlePolicy.awake
  /// How long after the last packet the modem stays awake. Default 20 s.
  public var idleAfter: Interval = .seconds(20)
  /// With power saving mode: how long the network may go without a sign of life. Default 12 h.
  public var periodicUpdate: Interval = .seconds(43_200)
  /// With power saving mode: how long the modem stays reachable after each. Default 20 s.
  public var activeTime: Interval = .seconds(20)
  /// With sleep: how often the modem listens for the network (eDRX); nil for the network's own way. Default nil.
  public var listeningCycle: Interval?
  /// Time between checks of signal, battery and clock. Default 300 s.
  public var surveyInterval: Interval = .seconds(300)
  /// How long a packet is tried before it is returned. Default 1800 s.
  public var deliveryTimeout: Interval = .seconds(1800)
  /// How long registration may take before recovery begins. Default 180 s.
  public var registrationTimeout: Interval = .seconds(180)

  /// The defaults.
  @inlinable public init() {}
}
