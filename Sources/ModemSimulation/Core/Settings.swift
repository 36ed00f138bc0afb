import Quantities

/// Settings that a reset clears.
///
/// - Source: [sim7000-at], "parameter saving mode" NO_SAVE, and those for which it says nothing.
struct Session: Sendable {
  /// A packet call is up (`ATD*99#`).
  var isDialled = false
  /// `ATE`.
  var echo = true
  /// `ATV`.
  var verbose = true
  /// `ATQ`.
  var quiet = false
  /// `ATX`.
  var connectDetail = 4
  /// `AT+CMEE`.
  var errorDetail = 0
  /// S registers that were written.
  var registers: [Int: Int] = [:]
  /// `AT+IFC`.
  var flowControl = (byHost: 0, byModem: 0)
  /// `AT+ICF`.
  var framing = (format: 3, parity: 255)
  /// Registration URCs of `CREG`, `CGREG`, `CEREG`.
  var registrationReports: [RegistrationDomain: Int] = [:]
  /// `AT+CNSMOD`.
  var reportsSystemMode = false
  /// `AT+CSCS`.
  var characterSet = "IRA"
  /// `AT+COPS` format: 0 long, 1 short, 2 numeric.
  var operatorFormat = 0
  /// `AT+CLTS`.
  var reportsTime = false
  /// `AT+CPSMSTATUS`.
  var reportsPowerSaving = false
  /// `AT+CFGRI`.
  var ringMode = 0
  /// `AT+CMGF`: true for text.
  var textMode = false
  /// `AT+CSDH`.
  var showsTextHeaders = false
  /// `AT+CNMI`.
  var newMessageIndication = [2, 1, 0, 0, 0]
  /// `AT+CSMP`.
  var textParameters = [17, 167, 0, 0]
  /// How many settings have failed for no reason since the start.
  var failedSettings = 0
  /// Speed that holds when the result of the line has been sent.
  var rateToCome: Int?
  /// The module resets when the result has been sent.
  var restartsAfterLine = false
  /// Settings that are only remembered, by command.
  var generic: [String: String] = [:]
}

/// The three services a modem may be registered for.
enum RegistrationDomain: Equatable, Sendable, CaseIterable {
  /// `CREG`: circuits.
  case circuit
  /// `CGREG`: packets.
  case packet
  /// `CEREG`: LTE.
  case evolved
}

/// A context of `CGDCONT`.
struct PacketContext: Equatable, Sendable {
  /// `IP`, `IPV6` or `IPV4V6`.
  var type: String
  /// Access point name.
  var accessPointName: String
}

/// What survives a reset and the loss of power.
///
/// - Source: [sim7000-at], "parameter saving mode" AUTO_SAVE.
struct Flash: Sendable {
  /// `AT+IPR`; 0 is auto-baud.
  var rate: Int
  /// `AT+CFUN`, if not 0.
  var function = 1
  /// `AT+COPS` mode.
  var operatorMode = 0
  /// `AT+CNMP`.
  var networkMode = 2
  /// `AT+CMNB`.
  var narrowBandMode = 3
  /// `AT+CBANDCFG`.
  var catMBands = [1, 2, 3, 4, 5, 8, 12, 13, 18, 19, 20, 26, 28, 39]
  /// `AT+CBANDCFG`.
  var narrowBands = [1, 2, 3, 5, 8, 12, 13, 17, 18, 19, 20, 26, 28]
  /// `AT+CBAND`.
  var gsmBand = "ALL_MODE"
  /// `AT+CSCLK`.
  var slowClock = 0
  /// `AT+CPSMS`.
  var powerSaving = false
  /// T3412 extended, as the host gave it.
  var periodicTimer = "01011111"
  /// T3324, as the host gave it.
  var activeTimer = "00000001"
  /// `AT+CEDRXS` by access technology (4 or 5).
  var extendedDRX: [Int: String] = [:]
  /// `AT+CBATCHK`.
  var checksBattery = false
  /// `AT+CNETLIGHT`.
  var netLight = 1
  /// `AT+CGDCONT`.
  var contexts: [Int: PacketContext] = [1: PacketContext(type: "IP", accessPointName: "")]
  /// Quarter hours of the clock.
  var timeZoneQuarters = 0
  /// Messages on the SIM (kept by the card).
  var messages: [Int: StoredMessage] = [:]
  /// `AT+CSCA`.
  var messageCentre: String
  /// `AT+CGNSMOD` and other settings of the receiver that hold after a restart.
  var gnssMode = [1, 1, 0, 0]
  /// Files and certificates.
  var data = DataFlash()

  /// What a new module has.
  init(_ configuration: SimulatedModemConfiguration) {
    rate = configuration.link.rate
    messageCentre = configuration.messages.centre
  }
}
