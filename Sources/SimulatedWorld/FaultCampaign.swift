import FaultInjection
import ModemSimulation
import Quantities
import SIM7000

/// Stories made from a seed: any transport, any board, faults of every kind at any moment.
package enum FaultCampaign {
  /// How much goes wrong.
  package enum Strength: String, Sendable, CaseIterable {
    /// Faults of the module only.
    case module
    /// Faults of the module, of the network, and of the line from the modem.
    case mixed
  }

  /// The story of a seed.
  package static func story(seed: UInt64, strength: Strength = .mixed) -> FaultStory {
    var dice = Dice(seed: seed)
    let transport = dice.pick(ModemTransport.allCases)
    var story = FaultStory(seed: seed, transport: transport)
    story.packets = packets(&dice)
    setBoard(&story, &dice)
    let window = (story.packets.last ?? .zero) + .seconds(60)
    for _ in 0..<(1 + dice.below(4)) { story.faults.append(fault(window: window, transport, &dice)) }
    if strength == .mixed { addWeather(&story, window: window, &dice) }
    addRequests(&story, window: window, seed: seed)
    addDialect(&story, seed: seed)
    if transport == .sms { addReports(&story, seed: seed) }
    addEncounters(&story, strength, seed: seed)
    addLateness(&story, seed: seed)
    // Long enough for the longest wait between power cycles, several times over.
    story.limit = window + .seconds(8 * 3600)
    return story
  }

  private static func packets(_ dice: inout Dice) -> [Instant] {
    var time = Instant.zero
    return (0..<(1 + dice.below(4))).map { _ in
      defer { time = time + .seconds(dice.below(90)) }
      return time
    }
  }

  /// Somebody sends the modem text messages in every third story. Their dice are their own: the rest of a story stays as it is.
  private static func addRequests(_ story: inout FaultStory, window: Instant, seed: UInt64) {
    var dice = Dice(seed: seed ^ 0x736D_7320_696E)
    guard dice.below(3) == 0 else { return }
    let times = (0..<(1 + dice.below(3))).map { _ in
      Instant(microseconds: Int64(dice.next() % UInt64(window.microseconds)))
    }
    story.requests = times.sorted()
  }

  /// Firmware differs, and so does what somebody else has left behind: each trait in every twelfth story, each limit and each kind of
  /// start in its share. Dice of their own, again.
  private static func addDialect(_ story: inout FaultStory, seed: UInt64) {
    var dice = Dice(seed: seed ^ 0x6469_616C_6563)
    story.traits = FirmwareTrait.allCases.filter { _ in dice.below(12) == 0 }
    story.module.dialect = FirmwareDialect(story.traits)
    story.module.data.maximumBodyLength = dice.pick([1024, 1024, 1024, 1024, 1024, 512, 350, 64])
    story.module.data.keepsDroppedSessionHalfOpen = dice.below(8) == 0
    story.module.data.refusesRepeatedDeactivation = dice.below(8) == 0
    story.module.data.requestTimeoutAnswer = dice.pick([.sessionLost, .sessionLost, .status(408), .status(601)])
    story.module.power.settingsFailingAfterStart = dice.pick([0, 0, 0, 0, 0, 1, 2, 4])
    story.module.link.linesLostToAutoBaud = 1 + dice.below(2)
    guard !story.module.startsPoweredOff else { return }
    if dice.below(4) == 0 { story.typedBefore = dice.pick(leftBehind) }
    if dice.below(4) == 0 { story.requests.insert(.zero, at: 0) }
  }

  /// What another program has set before. Not `CNMI=1,2`: a message that is told at once and stored nowhere comes only once, and what
  /// the line does to it can't be made good.
  static let leftBehind = [
    "ATE0", "ATE0V1Q0;+CMEE=2", "AT+CSCLK=1", "AT+CMGF=1;+CNMI=0,0", "AT+CREG=2;+CGREG=2;+CEREG=2",
    "AT+CSTT=\"other\"", "AT+CNACT=1,\"other\"", "AT+CGNSPWR=1;+CGNSURC=1", "AT+CMGL=4", "AT+CIPMUX=0", "AT+CGNSTST=1",
  ]

  /// In every third story by text message the network has to report, by a notice or by the store. Dice of their own, again.
  private static func addReports(_ story: inout FaultStory, seed: UInt64) {
    var dice = Dice(seed: seed ^ 0x7265_706F_7274)
    guard dice.below(3) == 0 else { return }
    story.driver.smsStatusReports = true
    story.module.messages.reports = dice.pick(ReportRouting.allCases)
  }

  /// What was met in the field besides: one in six of the stories by `CIPSTART` loses its bearer there, one in six of the modems that are
  /// already running was just asked for its cell, and has a cut answer to that, or
  /// was left with other characters. One in six of the stories with other trouble than the
  /// modem's, and with an echo to show it, has bytes of payloads changed; a quarter of their modems echoes no payload. Dice of their own,
  /// again.
  private static func addEncounters(_ story: inout FaultStory, _ strength: Strength, seed: UInt64) {
    var dice = Dice(seed: seed ^ 0x6D65_6574)
    let (connects, asks, changes, isUnechoed) = (
      dice.below(6) == 0, dice.below(6) == 0, dice.below(6) == 0, dice.below(4) == 0
    )
    if connects, story.transport == .tcp {
      let fault = ModemFault.connectFails(count: 1 + dice.below(3), losesBearer: true)
      story.faults.append(PlannedFault(fault, at: .step(.tcpOpen)))
      story.encounters.append(.deactivatedAtConnect)
    }
    if asks, !story.module.startsPoweredOff, story.typedBefore.isEmpty {
      story.typedBefore = "AT+CPSI?"
      story.module.dialect.cut = [dice.pick(["+CPSI: LTE CAT-M1,Online", "+CPSI: LTE C", "+CPSI"])]
      story.encounters.append(.systemInformationCut)
    }
    if dice.below(6) == 0, !story.module.startsPoweredOff, story.typedBefore.isEmpty {
      story.typedBefore = dice.pick(["AT+CSCS=\"UCS2\"", "AT+CSCS=\"GSM\""])
      story.encounters.append(.foreignCharacters)
    }
    if changes, strength == .mixed, story.driver.verifiesEcho {
      story.payloadChangesPerMillion = 3000
      story.module.link.echoesPayloads = !isUnechoed
      story.encounters.append(isUnechoed ? .payloadChangedUnechoed : .payloadChanged)
    }
  }

  /// One modem in twelve says everything late, and one in twelve the answers to one command. Dice of their own, again.
  private static func addLateness(_ story: inout FaultStory, seed: UInt64) {
    var dice = Dice(seed: seed ^ 0x6C61_7465)
    let (isSlow, hasSlowCommand) = (dice.below(12) == 0, dice.below(12) == 0)
    if isSlow {
      story.module.link.answerDelay = .milliseconds(dice.pick([200, 400, 600, 1000, 1500, 2000, 3000]))
      story.encounters.append(.slowModem)
    }
    if hasSlowCommand {
      story.module.dialect.late = [dice.pick(slowCommands)]
      // Each probe sets the echo, too: six seconds are the most that it may be late by.
      story.module.dialect.lateBy = .milliseconds(2000 + 500 * dice.below(story.module.dialect.late == ["E1"] ? 9 : 13))
      story.encounters.append(.slowCommand)
    }
  }

  /// Of each kind some: what sets, what asks, what opens, what sends.
  static let slowCommands = [
    "E1", "+CMEE", "+IPR", "+CGMR", "+CSCLK", "+CPSMS", "+CBATCHK", "+CREG", "+CEREG", "+CLTS", "+CGDCONT", "+CPIN",
    "+CNACT",
    "+SMCONF", "+SMSTATE", "+SMCONN", "+SMPUB", "+SHCONF", "+SHBOD", "+SHREQ", "+SAPBR", "+HTTPPARA", "+HTTPDATA",
    "+HTTPACTION",
    "+CIPSTART", "+CIPSEND", "+CIPRXGET", "+CAOPEN", "+CASEND", "+CARECV", "+CMGF", "+CMGS", "+CMGL", "+CNMI", "+CSQ",
    "+CGNSINF",
  ]

  /// Boards differ in what is wired, modems in how they were left.
  private static func setBoard(_ story: inout FaultStory, _ dice: inout Dice) {
    story.driver.wiring.hasStatus = dice.below(4) != 0
    story.driver.wiring.hasReset = dice.below(3) != 0
    story.driver.wiring.hasDTR = dice.below(2) == 0
    story.driver.wiring.hasSupplySwitch = dice.below(4) == 0
    story.driver.gnss = dice.below(4) == 0
    story.driver.sharing = dice.below(2) == 0 ? .together : .alternating
    story.driver.gnssForm = dice.pick(GNSSForm.allCases)
    story.driver.idle = dice.pick([.awake, .awake, .sleep, .powerSaving, .off])
    story.driver.verifiesEcho = dice.below(5) != 0
    story.module.startsPoweredOff = dice.below(3) != 0
    story.module.link.rate = dice.pick([115_200, 115_200, 0, 9600, 57_600])
    story.module.profile = dice.below(4) == 0 ? .g10 : .b05
    story.module.network.registrationDelay = .seconds(1 + dice.below(40))
    story.module.network.isRoaming = dice.below(4) == 0
  }

  /// Exchanges that the stories come to: none of them sets bands. A step that is added changes every story; those for characters are
  /// left out, as tests name stories by their seeds.
  private static let steps = ModemStep.allCases.filter {
    ![.bandsQuery, .catMBandsSet, .narrowBandsSet, .charactersQuery, .charactersSet].contains($0)
  }

  /// A fault of the module with its numbers.
  static func drawnFault(_ dice: inout Dice) -> ModemFault {
    switch dice.pick(ModemFault.all) {
    case .spontaneousReset: return .spontaneousReset(afterBytes: dice.below(600))
    case .bearerLost: return .bearerLost(isSilent: dice.below(2) == 0)
    case .connectFails: return .connectFails(count: 1 + dice.below(5))
    case .lostResult: return .lostResult(count: 1 + dice.below(3))
    case .lateAnswer: return .lateAnswer(by: .seconds(1 + dice.below(100)))
    case .garbage: return .garbage(count: 1 + dice.below(200))
    case .tornLines: return .tornLines(count: 1 + dice.below(6))
    case .wrongRate: return .wrongRate(dice.pick([9600, 19_200, 38_400, 57_600]))
    case .simOut: return .simOut(lasting: .seconds(1 + dice.below(200)))
    case .registrationFlaps:
      return .registrationFlaps(lasting: .seconds(1 + dice.below(300)), isDenied: dice.below(2) == 0)
    case .brownOutOnTransmit: return .brownOutOnTransmit(count: 1 + dice.below(4))
    case let fault: return fault
    }
  }

  private static func fault(window: Instant, _ transport: ModemTransport, _ dice: inout Dice) -> PlannedFault {
    let fault = drawnFault(&dice)
    if dice.below(2) == 0 {
      return PlannedFault(fault, at: .time(Instant(microseconds: Int64(dice.next() % UInt64(window.microseconds)))))
    }
    return PlannedFault(
      fault, at: dice.below(5) == 0 ? .phase(dice.pick(ModemPhase.allCases)) : .step(dice.pick(steps)))
  }

  /// The line from the modem, and the servers.
  ///
  /// The line to the modem loses bytes here; for changed ones see `addEncounters`.
  private static func addWeather(_ story: inout FaultStory, window: Instant, _ dice: inout Dice) {
    story.lineFaultsEnd = window
    switch dice.below(4) {
    case 0: story.line = .rough
    case 1:
      story.line = LineFaultRates(lossPerMillion: 2000, stallPerMillion: 300, fragmentationPerMillion: 100_000)
      // Without the echo nobody would know.
      if story.driver.verifiesEcho { story.lineToModule = LineFaultRates(lossPerMillion: 1000) }
    default: break
    }
    let mishaps: [NetworkMishap] = [
      .refuse(.refused), .refuse(.timedOut), .refuse(.noSuchHost), .loseRequest, .loseAnswer, .dropBeforeHandling,
      .dropAfterHandling, .delay(.seconds(40)),
    ]
    for _ in 0..<dice.below(3) { story.mishaps.append((dice.pick(mishaps), dice.below(3))) }
    if dice.below(5) == 0 {
      let from = Instant.seconds(dice.below(60))
      story.outages.append((from, from + .seconds(1 + dice.below(900))))
    }
  }
}

/// Chance from a seed, in whole numbers.
struct Dice {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func next() -> UInt64 { random.next() }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }
}
