public import Quantities

/// Something that goes wrong with a modem in the field.
public enum ModemFault: Equatable, Sendable {
  /// F1: the module resets by itself when it has sent so many more bytes (0: at once).
  case spontaneousReset(afterBytes: Int)
  /// F2: the module goes to auto-baud and resets, so that no `RDY` reports it.
  case silentReset
  /// F3: the network takes the bearers away; `isSilent` without telling.
  case bearerLost(isSilent: Bool)
  /// F4: everything looks connected, but new and old sockets fail, for so long or until the bearer is made anew.
  case staleConnection(lasting: Interval)
  /// F5: bringing up what is already up fails for certain, as the strictest firmware does.
  case strictStates(lasting: Interval)
  /// F6: the HTTP session dies with the next request: `OK`, then `+SHSTATE: 0`.
  case httpSessionDead
  /// F7: so many connects fail without a reason.
  /// When the bearer is lost with it, `CIPSTART` ends in `STATE: PDP DEACT` (botletics/SIM7000-LTE-Shield#92).
  case connectFails(count: Int, losesBearer: Bool = false)
  /// F8: the MQTT connection drops with the next publication, in place of `OK`.
  case mqttDropped
  /// F9: so many final results are never sent.
  case lostResult(count: Int)
  /// F10: the next answer comes that much later, into whatever is going on then.
  case lateAnswer(by: Interval)
  /// F11: nothing works until power key, reset or loss of power.
  case freeze
  /// F12: the next receive command with a length freezes the module if it asks for more than there is.
  case overReadFreeze(lasting: Interval)
  /// F13: so many bytes of noise, now and before the next `RDY`.
  case garbage(count: Int)
  /// F14: a byte of each of the next lines is wrong and the rest of it is missing.
  case tornLines(count: Int)
  /// F15: the module speaks at another speed from now on, as if the setting had been changed.
  case wrongRate(Int)
  /// F16: the SIM loses contact for so long.
  case simOut(lasting: Interval)
  /// F17: the registration comes and goes for so long; `isDenied` says that the network refuses in between.
  case registrationFlaps(lasting: Interval, isDenied: Bool)
  /// F18: `CREG` reports 0 on LTE for so long.
  case circuitStatusLies(lasting: Interval)
  /// F19: the supply gives way at each of the next transmissions.
  case brownOutOnTransmit(count: Int)
  /// F20: the power key was pressed once too often.
  case powerKeyPressed
  /// F21: the module goes to sleep: slow clock if DTR is high, power saving mode otherwise.
  case deaf
  /// F22: contexts hold an access point name of another network, and Cat-M does not attach.
  case staleAccessPoint
  /// F23: the module resets and `SMS Ready` comes that much later; message commands fail before.
  case lateMessages(by: Interval)
  /// F24: commands are executed but nothing is sent until `ATE1`.
  case stuckOutput

  /// Every fault once, in the order of its number, with usual strengths.
  public static var all: [ModemFault] {
    [
      .spontaneousReset(afterBytes: 0), .silentReset, .bearerLost(isSilent: false),
      .staleConnection(lasting: .seconds(120)), .strictStates(lasting: .seconds(600)), .httpSessionDead,
      .connectFails(count: 2), .mqttDropped, .lostResult(count: 1), .lateAnswer(by: .seconds(75)), .freeze,
      .overReadFreeze(lasting: .seconds(600)), .garbage(count: 40), .tornLines(count: 3), .wrongRate(9_600),
      .simOut(lasting: .seconds(60)), .registrationFlaps(lasting: .seconds(120), isDenied: false),
      .circuitStatusLies(lasting: .seconds(600)), .brownOutOnTransmit(count: 2), .powerKeyPressed, .deaf,
      .staleAccessPoint, .lateMessages(by: .seconds(40)), .stuckOutput,
    ]
  }

  /// The words of `name`, in the order of `all`.
  private static let words = [
    "reset", "silent-reset", "bearer-lost", "stale-connection", "strict-states", "http-dead", "connect-fails",
    "mqtt-dropped", "lost-result", "late-answer", "freeze", "over-read", "garbage", "torn-lines", "wrong-rate",
    "sim-out", "flapping", "creg-lies", "brown-out", "power-key", "deaf", "stale-apn", "late-sms", "stuck-output",
  ]

  /// Number in the list of faults, 1 to 24.
  public var number: Int {
    switch self {
    case .spontaneousReset: return 1
    case .silentReset: return 2
    case .bearerLost: return 3
    case .staleConnection: return 4
    case .strictStates: return 5
    case .httpSessionDead: return 6
    case .connectFails: return 7
    case .mqttDropped: return 8
    case .lostResult: return 9
    case .lateAnswer: return 10
    case .freeze: return 11
    case .overReadFreeze: return 12
    case .garbage: return 13
    case .tornLines: return 14
    case .wrongRate: return 15
    case .simOut: return 16
    case .registrationFlaps: return 17
    case .circuitStatusLies: return 18
    case .brownOutOnTransmit: return 19
    case .powerKeyPressed: return 20
    case .deaf: return 21
    case .staleAccessPoint: return 22
    case .lateMessages: return 23
    case .stuckOutput: return 24
    }
  }

  /// One word for the fault, such as `freeze`.
  public var name: String { ModemFault.words[number - 1] }

  /// The fault of a number (`F11`) or a word (`freeze`), with its usual strength; nil when there is none.
  public init?(name: String) {
    let word = name.lowercased()
    for fault in ModemFault.all where word == "f\(fault.number)" || word == fault.name {
      self = fault
      return
    }
    return nil
  }
}

/// Faults that end by themselves.
enum FaultEnd: Equatable, Sendable {
  /// F4.
  case staleConnection
  /// F5.
  case strictStates
  /// F12.
  case overRead
  /// F16.
  case simOut
  /// F17.
  case flapping
  /// F18.
  case circuitStatus
}

/// The faults that are on, as counters and flags for those who act on them.
struct ActiveFaults: Equatable, Sendable {
  // For the data commands.

  /// F4: sockets fail although the bearer looks active. Making the bearer anew ends it: set it to false then.
  var isConnectionStale = false
  /// F5: bringing up what is up is an error, whatever the profile says.
  var hasStrictStates = false
  /// F6: the next HTTP request is answered `OK`, `+SHSTATE: 0`; set it to false when done.
  var dropsNextHTTPRequest = false
  /// F7: so many connects (SHCONN, SMCONN, CIPSTART, CAOPEN, HTTPACTION with 601) fail; use `takeConnectFailure`.
  var connectFailures = 0
  /// F7: with each the toolkit's bearer is lost.
  var failuresLoseBearer = false
  /// F8: the next publication ends in `+SMSTATE: 0` in place of `OK`; set it to false when done.
  var dropsNextPublication = false
  /// F12: reading more than there is freezes the module: call `freeze()`.
  var overReadFreezes = false

  // For the core.

  /// F1: bytes to go until the reset.
  var bytesUntilReboot: Int?
  /// The reset is on its way; nothing is sent any more.
  var isCutOff = false
  /// F9.
  var swallowedResults = 0
  /// F10: the running command's answer is put aside.
  var holdsAnswer = false
  /// F10: how long.
  var answerDelay: Interval = .zero
  /// F10: what was put aside.
  var heldAnswer: [UInt8] = []
  /// F13: noise before the next `RDY`.
  var garbageAtBoot = 0
  /// F14: lines to be torn.
  var tornLines = 0
  /// F17: the network refuses.
  var deniesRegistration = false
  /// F19.
  var brownOutsOnTransmit = 0
  /// F23: what `SMS Ready` takes longer.
  var messagesDelay: Interval = .zero
  /// F24.
  var isMute = false

  /// F7: true when this connect shall fail.
  mutating func takeConnectFailure() -> Bool {
    guard connectFailures > 0 else { return false }
    connectFailures -= 1
    return true
  }

  /// What a reset of the module cures.
  mutating func restart() {
    isCutOff = false
    bytesUntilReboot = nil
    isConnectionStale = false
    dropsNextHTTPRequest = false
    dropsNextPublication = false
    holdsAnswer = false
    heldAnswer = []
    isMute = false
  }

  /// F14: a line comes out wrong.
  mutating func damage(_ bytes: [UInt8], _ random: inout ModemRandom) -> [UInt8] {
    guard tornLines > 0, bytes.count >= 6 else { return bytes }
    tornLines -= 1
    let place = 3 + random.integer(below: bytes.count - 4)
    var damaged = Array(bytes[...place])
    damaged[place] ^= 0x02
    return damaged
  }
}
