public import Quantities

/// Which of the contradicting descriptions of the SIM7000 the simulator follows.
public enum ModemProfile: String, Equatable, Sendable, CaseIterable {
  /// Firmware 1351B03: no `SM*` and `SH*` commands; `ATD*99#` works on the UART.
  case b03
  /// Firmware 1351B05 and later of the A, C and E variants, with what logs of it show.
  case b05
  /// Firmware 1529B10 and later of the SIM7000G.
  case g10
}

/// Everything about a simulated modem that is not its state. The defaults are a SIM7000E on a European Cat-M1 network.
///
/// Where no source says how the module behaves, the choice is a setting here and its documentation says what is assumed.
public struct SimulatedModemConfiguration: Equatable, Sendable {
  /// Which description is followed where the sources disagree.
  public var profile: ModemProfile
  /// What `AT+CGMR` says behind `Revision:`.
  public var revision: String
  /// What `AT+CGMM` says.
  public var model: String
  /// What `ATI` says.
  public var identification: String
  /// 15 digits.
  public var imei = "865235030116418"
  /// Subscriber number of the SIM.
  public var imsi = "240075810123456"
  /// Number of the SIM card.
  public var iccid = "89460810906048812345"
  /// The SIM's own telephone number.
  public var phoneNumber = "+46700000001"
  /// PIN the SIM wants, nil when it wants none.
  public var pin: String?
  /// PUK that unlocks the SIM after three wrong PINs.
  public var puk = "12345678"
  /// False when the SIM holder is empty.
  public var hasSIM = true
  /// Time of network and satellites at the origin of the monotonic clock.
  public var startTime: UTCTime
  /// True when the modem waits for its power key; false when it has been running for long and is registered.
  public var startsPoweredOff = true
  /// Voltage of the supply at the start.
  public var supplyMillivolts = 3_800
  /// Voltage at the ADC pin.
  public var analogMillivolts = 0
  /// The serial line.
  public var link = LinkConfiguration()
  /// Switching on and off.
  public var power = PowerConfiguration()
  /// The mobile network.
  public var network = MobileNetwork()
  /// The satellite receiver.
  public var gnss = GNSSConfiguration()
  /// Short messages.
  public var messages = MessageConfiguration()
  /// What its firmware does otherwise than the profile's.
  public var dialect = FirmwareDialect()
  /// Bearers, sockets, HTTP, MQTT, files.
  public var data: DataConfiguration

  /// The usual modem of a profile.
  public init(profile: ModemProfile = .b05) {
    self.profile = profile
    data = DataConfiguration(profile: profile)
    switch profile {
    case .b03: (revision, model, identification) = ("1351B03SIM7000E", "SIMCOM_SIM7000E", "SIM7000E R1351")
    case .b05: (revision, model, identification) = ("1351B05SIM7000E", "SIMCOM_SIM7000E", "SIM7000E R1351")
    case .g10: (revision, model, identification) = ("1529B10SIM7000G", "SIMCOM_SIM7000G", "SIM7000G R1529")
    }
    let date = CivilDate(year: 2026, month: 6, day: 1) ?? CivilDate(daysSince1970: 0)
    startTime = UTCTime(date: date, microsecondsOfDay: 8 * 3_600_000_000)
  }
}

/// How the serial line behaves.
public struct LinkConfiguration: Equatable, Sendable {
  /// Stored speed of the line, or 0 for auto-baud (`AT+IPR`).
  public var rate = 115_200
  /// Speed the host's UART has at the start.
  public var hostRate = 115_200
  /// Lines with `AT` that auto-baud needs before it answers. Assumed: 1; the note says one or two.
  public var linesLostToAutoBaud = 1
  /// Time from the carriage return to the answer. Assumed: 10 ms; logs show 5 to 100 ms.
  public var answerDelay: Interval = .milliseconds(10)
  /// Time between the information and the final result, in which a URC may fall. Assumed: 1 ms.
  public var resultGap: Interval = .milliseconds(1)
  /// How long a half-typed line holds URCs back. Assumed: 1 s.
  public var typingHoldsURCs: Interval = .seconds(1)
  /// True when bytes that come while a command runs are kept, false when they are lost. Assumed: kept.
  public var keepsInputWhileBusy = true
  /// True when payloads are echoed like commands. Logs show it for `SMPUB`; assumed for all others.
  public var echoesPayloads = true
  /// True when output takes the time its bits need; false when it is there at once.
  public var pacesOutput = true
  /// Characters that are lost after waking up from sleep. Assumed: 3, one `AT`.
  public var charactersLostAfterWake = 3
  /// How long everything must be quiet before the module sleeps. Assumed: 5 s.
  public var sleepAfter: Interval = .seconds(5)

  /// The usual line.
  public init() {}
}

/// Times and voltages of switching on and off.
///
/// - Source: [sim7000-hd] section 3.3 (power key, reset, status), section 3.1 (voltages).
public struct PowerConfiguration: Equatable, Sendable {
  /// How long the power key must be low to switch on. Boards are known that do with 100 ms.
  public var keyOnTime: Interval = .seconds(1)
  /// How long the power key must be low to switch off.
  public var keyOffTime: Interval = .milliseconds(1_200)
  /// How long the power key may be held before the module reboots, again and again. Assumed: 12 s.
  public var keyHeldTime: Interval = .seconds(12)
  /// How long the module must have been off before the key works again.
  public var restTime: Interval = .seconds(2)
  /// From switching on to STATUS high and the UART being ready.
  public var uartReady: Interval = .milliseconds(4_500)
  /// From switching on to `RDY`. Assumed.
  public var ready: Interval = .milliseconds(4_600)
  /// From switching on to `+CFUN: 1`. Assumed.
  public var function: Interval = .milliseconds(4_700)
  /// From switching on to `+CPIN: READY`. Assumed.
  public var simReady: Interval = .milliseconds(5_500)
  /// From switching on to `SMS Ready`. Assumed; a note speaks of up to a minute.
  public var messagesReady: Interval = .seconds(8)
  /// What a reset takes longer than switching on. Assumed: 1.4 s, for a log shows `RDY` 6 s after `CFUN=1,1`.
  public var resetExtra: Interval = .milliseconds(1_400)
  /// What the reset pin takes longer than switching on; the module needs about 10 s after it.
  public var resetPinExtra: Interval = .milliseconds(5_400)
  /// How long the reset pin must be low.
  public var resetPinTime: Interval = .milliseconds(252)
  /// How many settings of reports and messages (`CREG`, `CMGF`, `CNMI`, `CEDRXS` …) fail after each start without reason,
  /// as drivers have seen. Assumed: none.
  public var settingsFailingAfterStart = 0
  /// From `NORMAL POWER DOWN` to STATUS low: 1.8 to 6.9 s.
  public var offTime: Interval = .milliseconds(1_800)
  /// Below this voltage the module is dead.
  public var minimumMillivolts = 3_000
  /// Above this voltage it starts again by itself after a brown-out.
  public var recoveryMillivolts = 3_200
  /// True when the module starts by itself after a brown-out that was no total loss of power. Assumed: true.
  public var restartsAfterBrownOut = true
  /// Below this voltage a GSM burst brings the supply down. Assumed: 3.4 V.
  public var burstMillivolts = 3_400

  /// The times of the hardware manual.
  public init() {}
}

/// Radio access technologies of the module.
public enum RadioAccess: Equatable, Sendable, CaseIterable {
  /// LTE Cat-M1.
  case catM
  /// LTE Cat-NB1.
  case nbIoT
  /// GSM with GPRS and EDGE.
  case gsm
}

/// The mobile network at the place where the modem is.
public struct MobileNetwork: Equatable, Sendable {
  /// Technologies the network offers here, the preferred one first.
  public var access: [RadioAccess] = [.catM, .gsm]
  /// Mobile country code.
  public var countryCode = "240"
  /// Mobile network code.
  public var networkCode = "07"
  /// Long name.
  public var longName = "Leash Mobile"
  /// Short name.
  public var shortName = "Leash"
  /// True when the SIM is a guest here.
  public var isRoaming = false
  /// True when the network does not want the SIM.
  public var deniesRegistration = false
  /// From the SIM being ready (or `CFUN=1`) to being registered. Assumed: 12 s.
  public var registrationDelay: Interval = .seconds(12)
  /// From the SIM being ready to being registered again after power saving mode, in which the network keeps the registration.
  /// Assumed: 1 s.
  public var returnDelay: Interval = .seconds(1)
  /// How long a search without success goes on before it is given up (status 2, then 0) until `CFUN` or `COPS`; nil for
  /// ever. Assumed: for ever.
  public var searchGivesUpAfter: Interval?
  /// From losing the network to being registered again. Assumed: 5 s.
  public var reselectionDelay: Interval = .seconds(5)
  /// How long `COPS=?` takes. The manual says 45 s at most; minutes are known. Assumed: 25 s.
  public var operatorSearchDelay: Interval = .seconds(25)
  /// From asking for a bearer to having it. A log shows 490 ms.
  public var bearerDelay: Interval = .milliseconds(490)
  /// The modem's address while it has a bearer.
  public var address = "10.78.245.128"
  /// Access point names the network accepts; nil accepts all.
  public var accessPointNames: [String]?
  /// The name it gives when the modem has none.
  public var defaultAccessPointName = "iot.example"
  /// Area code of the cell (TAC or LAC).
  public var areaCode: UInt16 = 0x2AFE
  /// Number of the cell.
  public var cell: UInt32 = 34_564_631
  /// Received signal strength, dBm: what `CSQ` is made of. -999 for unknown.
  public var signalDBm = -66
  /// What `CPSI` reports behind the physical cell number on LTE: band, EARFCN, bandwidths, RSRQ, RSRP, RSSI, SNR.
  public var lteCellText = "149,EUTRAN-BAND20,6400,3,3,-12,-81,-52,10"
  /// What `CPSI` reports behind the cell number on GSM: ARFCN with band, level, track, C1-C2.
  public var gsmCellText = "97 EGSM 900,-52,0,39-65"
  /// Number for `CREG?` on LTE, where some networks do not serve circuits; nil for the true one.
  public var circuitStatusOnLTE: Int?
  /// True when `CEREG` has the routing area between area and cell, as the manual's grammar says and no log shows.
  public var registrationHasRoutingArea = false
  /// Zone of the network's time, quarter hours east of Greenwich.
  public var timeZoneQuarters = 8
  /// Daylight saving of the network's time, hours.
  public var daylightSaving = 0
  /// True when the network sends its time after registration.
  public var sendsTime = true
  /// Whether power saving mode is granted.
  public var grantsPowerSaving = true
  /// Whether extended DRX is granted.
  public var grantsExtendedDRX = true

  /// A Cat-M1 network with GSM behind it.
  public init() {}
}

/// What the satellite receiver has to see.
public struct GNSSConfiguration: Equatable, Sendable {
  /// What the receiver is fed with.
  public var source: GNSSSource = .none
  /// From a cold start to the first fix. [HD] says below 35 s; assumed: 30 s.
  public var coldStart: Interval = .seconds(30)
  /// From a hot start to the first fix.
  public var hotStart: Interval = .seconds(1)
  /// For how long fixes get worse after the modem transmitted; zero for never. Unverified, so the default is zero.
  public var degradesAfterTransmitting: Interval = .zero

  /// True when `+UGNSINF` has 22 fields as in a sample of the GNSS note, false for the manual's 21.
  public var reportHasExtraField = false

  /// A receiver that sees nothing.
  public init() {}
}

/// Where a simulated receiver's fixes come from.
public enum GNSSSource: Equatable, Sendable {
  /// No satellites.
  case none
  /// Fixes by time; between two the position is interpolated, before the first and after the last the end holds.
  case trajectory([TrajectoryPoint])
  /// Lines of a recorded NMEA log, one second of sentences after the other, repeated at the end.
  case sentences([String])
}

/// A point of the path a simulated receiver travels.
public struct TrajectoryPoint: Equatable, Sendable {
  /// When it is there.
  public var time: Instant
  /// Where.
  public var position: GeodeticPosition
  /// Height above the sea, m.
  public var height: Double
  /// Speed over ground, m/s; nil makes it from the way to the next point.
  public var speed: Double?
  /// Course over ground, rad clockwise from north; nil makes it from the way to the next point.
  public var course: Double?
  /// False where the receiver sees too little (a tunnel); holds until the next point.
  public var hasFix: Bool

  /// A point of the path.
  public init(
    time: Instant, position: GeodeticPosition, height: Double = 0, speed: Double? = nil, course: Double? = nil,
    hasFix: Bool = true
  ) {
    self.time = time
    self.position = position
    self.height = height
    self.speed = speed
    self.course = course
    self.hasFix = hasFix
  }
}

/// What `CNMI` can do with the reports of the network, in its fourth number.
///
/// - Source: [ts27005] section 3.4.1.
public enum ReportRouting: Equatable, Sendable, CaseIterable {
  /// 1: `+CDS`, the report itself.
  case direct
  /// 2: the report is stored like a message, and `+CDSI` says where.
  case stored
  /// Both.
  case either
}

/// How short messages behave.
public struct MessageConfiguration: Equatable, Sendable {
  /// Places for messages on the SIM.
  public var slots = 30
  /// Number of the message centre.
  public var centre = "+46705008999"
  /// True when Escape at a message prompt is answered by `OK`; false by nothing. Assumed: `OK`.
  public var answersOKToEscape = true
  /// True when `CNMI` refuses direct messages (mt 2 and 3) outside mode 1, as the manual says.
  public var directNeedsModeOne = true
  /// What can be done with reports. The manual has 0 and 1 alone.
  public var reports = ReportRouting.direct
  /// How long the module waits for the network to take a message.
  public var sendTimeout: Interval = .seconds(60)

  /// A SIM with 30 places.
  public init() {}
}
