import InlineStorage
import Quantities

/// Something about the modem that may have to be asked.
enum Known: UInt8, BitwiseCopyable {
  case unknown, no, yes
}

/// What the driver knows about the modem. A start of the modem makes all of it unknown.
///
/// The plan is a function of these facts: the first that is missing for the work at hand is seen to. Whatever goes wrong
/// only has to make facts unknown again.
struct ModemFacts: BitwiseCopyable {
  /// When the connection is looked at though nothing says that the server's line is there.
  var connectionLookAt = Instant.zero
  /// How many of the steps after a start are done.
  var setupPlace = 0
  /// How many of the settings of the sockets and of each session are.
  var socketsPlace = 0
  var httpPlace = 0
  var legacyPlace = 0
  var mqttPlace = 0
  /// Since when neither is searched for, whether the last query said so, and whether there was a search before.
  var idleSince: Instant?
  var wasIdle = false
  var wasSearching = false
  /// The modem has answered, and not stopped answering since.
  var isAlive = false
  /// Tries of the present step of the setup, of the SIM card, of the settings for messages, of a way's first command.
  var setupTries: UInt8 = 0
  var cardTries: UInt8 = 0
  var messageSetTries: UInt8 = 0
  var refusals: UInt8 = 0
  /// When the bearer was asked for, while it is not known what became of it.
  var bearerSince: Instant?
  var bearerHasAccess = false
  /// Since when the network denies registration.
  var deniedSince: Instant?
  /// `CMEE?` showed what was set: after a start it will not.
  var marksStart = false
  /// The last `CMEE?` had an answer.
  var hasStartMark = false
  /// Its start was heard, so that nothing is open that was not opened since; settings of a session may go ahead of the network. Whether
  /// the exchange under way does, and whether one was not taken: then they wait.
  var isFresh = false
  var isAhead = false
  var settingsWait = false
  /// A line looked like a start, or like the end: the modem is asked before it is believed.
  var startIsSuspected = false
  var endIsSuspected = false
  /// Times in a row that its answer was not certain.
  var startDoubts: UInt8 = 0
  /// The last query of the registration had no answer.
  var registrationIsSilent = false
  /// Times that a command had no answer which a session can be had without.
  var silences: UInt8 = 0
  /// A query of the registration was answered with its line.
  var hasRegistrationLine = false
  /// `CEREG?` was refused: it may be a firmware without it.
  var lacksEvolvedQuery = false
  /// Which of the two kinds of registration is asked next.
  var asksPacket = false
  /// Steps that are done once per start.
  var radioIsSet = false
  var narrowIsSet = false
  var bandsAreSet = false
  /// The modem has the bands that are wanted.
  var hasCatMBands = false
  var hasNarrowBands = false
  var accessPointIsSet = false
  var contexts = AttachContexts()
  var restIsSet = false
  /// It was told to go into power saving mode by itself.
  var goesToRest = false
  var listeningIsSet = false
  /// Texts have come in the midst of everything, by which ends are in doubt, and the modem was told since its start not to.
  var hearsBroadcasts = false
  var broadcastsAreOff = false
  /// The way on which what was to open a connection had no answer: whether it is open is asked before it is torn down.
  var silentOpening: ModemTransport?
  var sim = Known.unknown
  var simWantsPIN = false
  /// It was asked about though nothing needs it yet.
  var simWasAsked = false
  var messagesAreReady = false
  /// The modem said since its start that it has none: only a packet that goes as one asks again.
  var lacksMessages = false
  var heardMessagesReady = false
  var messagesAreSet = false
  var messageForm = MessageForm.unknown
  /// Texts of messages are in the characters of ASCII; an earlier program may have left others.
  var hasPlainCharacters = Known.unknown
  /// Messages are sent as text, and so that the network reports what became of them where that is wanted.
  var hasMessageParameters = false
  /// Reports are stored: a notice said so.
  var hasStoredReports = false
  /// Messages in a row that were answered with `OK` alone, two at most.
  var bareMessageEnds: UInt8 = 0
  /// Times in a row that a good end was in doubt.
  var endDoubts: UInt8 = 0
  /// Reference of the message that was sent last; nil when its line could not be read.
  var messageReference: UInt8?
  /// The last report that came while a message was being sent: it may be that of the message, ahead of the end of the exchange.
  var earlyReport: StatusReportNotice?
  /// A message may have come without a notice, and when the last look at the store ended; nil when there was none since the start.
  var storeIsDoubtful = true
  var storeLookedAt: Instant?
  /// A look is under way, and the lists that were made in it.
  var looksAtStore = false
  var storeLooks: UInt8 = 0
  /// Times in a row that the card was busy.
  var busyTries: UInt8 = 0
  /// Whether the store can be listed; where not, the place to be looked at next, 0 when all were.
  var storeIsListed = true
  var storePlace: UInt8 = 1
  var storeLimit = Modem.storeLimit
  var registration = Known.unknown {
    didSet { if registration == .unknown { registeredKinds = 0 } }
  }
  /// Kinds of network that the modem has named by itself, a bit each by raw value: none where it was asked.
  var registeredKinds: UInt8 = 0
  /// The network takes messages and no data.
  var takesOnlyMessages = false
  /// Bearer of the applications (HTTP, MQTT), of the sockets, of the profile (legacy HTTP).
  var bearer = Known.unknown
  var sockets = Known.unknown
  var profile = Known.unknown
  var profileIsSet = false
  /// Sessions.
  var http = Known.no
  var hasHeaders = false
  var legacy = Known.no
  /// Its start was refused, and it was ended for that.
  var legacyIsEnded = false
  var mqtt = Known.unknown
  var mqttIsSubscribed = false
  /// The server's topic is subscribed to, or can't be.
  var mqttHearsServer = false
  var tcp = Known.no
  var socket = Known.no
  var socketIsSelected = false
  /// Bytes that wait on the connection.
  var tcpHasData = false
  /// More came while some were read.
  var tcpHasMore = false
  /// The connection is looked at.
  var looksAtConnection = false
  /// The packet has gone to the modem, and what became of it there is not known.
  var sendingIsOpen = false
  /// Bytes of the socket that may be asked for: to ask for more can hang the modem.
  var socketCount = 0
  /// Satellite reception.
  var gnss = Known.no
  var antennaIsOn = false
  var gnssReports = false
  /// What the last answer said: a status or result, and how many bytes go with it.
  var answerStatus = 0
  var answerCount = 0
  /// Bytes of the server's answer that wait in the modem, and whether they came by the legacy commands.
  var bodyCount = 0
  var bodyIsLegacy = false
  /// How far the packet at hand is.
  var delivery = DeliveryProgress.waiting
  /// What the modem said by itself to be gone, and how far all had come before; nil once it is seen to.
  var loss: ModemTrouble?
  var lossReach = ModemReach.nothing
  /// Portions read of the connection since it was opened, or since the packet was sent on it.
  var reads: UInt8 = 0
  /// The last step of the setup that had no certain end; `restart` while there is none.
  var uncertainSetup = ModemStep.restart

  /// Sessions do not outlive the bearer.
  mutating func loseSessions() {
    http = .no
    httpPlace = 0
    hasHeaders = false
    mqtt = .unknown
    mqttIsSubscribed = false
    mqttHearsServer = false
    mqttPlace = 0
    tcp = .no
    socket = .no
    socketIsSelected = false
    tcpHasData = false
    looksAtConnection = false
    socketCount = 0
    legacy = .no
    legacyPlace = 0
    bodyCount = 0
    delivery = .waiting
  }

  /// The bearers may be gone.
  mutating func doubtBearers() {
    bearer = .unknown
    bearerSince = nil
    sockets = .unknown
    socketsPlace = 0
    profile = .unknown
    profileIsSet = false
    loseSessions()
  }
}

/// How messages come and go.
enum MessageForm: UInt8, BitwiseCopyable {
  case unknown, text, digits
}

/// How far a packet is.
enum DeliveryProgress: UInt8, BitwiseCopyable {
  /// Not given to the modem yet.
  case waiting
  /// The modem has the bytes, the request is not made yet.
  case loaded
  /// Sent; the server's line is awaited.
  case sent
}

/// A packet that is being delivered.
struct Delivery: BitwiseCopyable {
  var ticket: UInt32
  var transport: ModemTransport
  var deadline: Instant
}
