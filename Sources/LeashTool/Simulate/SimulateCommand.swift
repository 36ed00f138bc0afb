import JSON5
import MotionEvaluation
import Quantities
import Recording
import SIM7000
import SimulatedWorld
import TrackerCore
import TrackerRuntime
import VehicleSimulation

/// `leash simulate`: whole lives of a tracker, with faults and power cuts, on virtual time.
enum SimulateCommand {
  static let scenario = Positional(
    "SCENARIO", count: .any,
    "A scene of fixtures/scenes, or day: a day drawn from the seed; or files of scenarios, folders of them, and drawn:N, the scenario that seed N draws. Default: day."
  )
  static let seed = Option<UInt64>(
    "seed", "N", default: 1, "The first seed, of a scenario in place of its own; each run adds one.")
  static let drawn = Option<UInt64>("scenario-from", "N", "Write a scenario that is drawn from a seed, and do no more.")
  static let days = Option<Int>("days", "D", "One life of D days, 1 to 4000, in place of a day: drawn from the seed.")
  static let calm = Flag(
    "calm",
    "With --days: about one short ride a day, and in three lives of four 'sensing.sleep', so that a year is quickly lived."
  )
  static let stream = Flag(
    "stream", "Stream also the time in which sensors sleep and nothing happens, which is passed over otherwise.")
  static let runs = Option<Int>("runs", "K", default: 1, "Number of runs, one for each seed.")
  static let minutes = Option<Double>("minutes", "M", "With --explore: stop after M minutes.")
  static let explore = Flag(
    "explore",
    "Run until the time is over or a promise is broken: new seeds, in turn with lives that go on otherwise from rare states, and drawn scenarios; each twice."
  )
  static let ledger = Option<String>(
    "ledger", "FILE", "Note each seed in FILE with what came of it, and leave out those that are there.")
  static let table = Flag("table", "With --ledger: print the figures of FILE as a table, and simulate nothing.")
  static let faults = Option<String>(
    "faults", "PLAN",
    "What may go wrong: all, none, or classes separated by commas: "
      + FaultClass.allCases.map(\.rawValue).joined(separator: ", ") + ". Default: all.")
  static let transport = Option<TransportName>(
    "transport", "NAME", "Transport of the packets, any but sms. Default: drawn from the seed.")
  static let idle = Option<IdleName>(
    "idle", "STATE",
    "State of the modem while there is nothing to send: awake, sleep, powerSaving or off. Default: awake."
  )
  static let record = Option<String>(
    "record", "FILE", "Write a log of the run, for 'leash replay'; FILE-2 and so on after each power cut.")
  static let only = Option<String>(
    "only", "LIST", "Use only the drawn faults with these numbers, separated by commas.")
  static let withoutDeeds = Option<String>(
    "without-deeds", "LIST", "Let the vehicle stand in place of the deeds with these numbers, such as 1-4,7.")
  static let fork = Option<String>(
    "fork", "TIME:SEED",
    "From TIME, seconds, on other faults happen, drawn from SEED; may be given several times, in the order of time.")
  static let brokenLog = Option<String>(
    "broken-log", "FILE",
    "Where the log of a broken promise is written, or none. Default: broken-SEED.leash.")
  static let json = Flag("json", "Print one JSON object per run.")
  static let verbose = Flag("verbose", "Print events, packets and faults of a single run.")
  static let folder = Option<String>("folder", "FOLDER", default: "fixtures/scenes", "Folder of the scenes.")
  static let jobs = Option<Int>("jobs", "J", "Number of parallel jobs. Default: the number of processors.")
  static let settings = Option<String>(
    "set", "NAME=VALUE", "Change a setting of the tracker; may be given several times.")
  static let families = Flag(
    "families", "Draw sensor, mounting, receiver, road and vehicle from the named families, too. Alone: list them.")
  static let without = Option<String>(
    "without", "FAMILY",
    "As --families, but without FAMILY: a kind, such as receiver, or one of a kind, such as receiver.urban; may be given several times."
  )
  static let energy = Flag(
    "energy", "Print the charge by cause, and how long a battery lasts; 'sensing.sleep' lets sensors sleep.")
  static let current = Option<String>(
    "current", "NAME=VALUE",
    "With --energy: another current (µA), time of the processor (s), capacity (mAh) or share; may be given several times: "
      + PartCurrents.names.map(\.name).joined(separator: ", ") + ".")
  static let compare = Flag("compare", "Compare the simulated motions with recordings of real ones, and do no more.")
  static let delays = Flag(
    "delays",
    "Print how long it takes from a theft to the server, by the modem's idle state and the network, of 40 runs each.")
  static let page = Option<String>(
    "page", "ADDRESS", "Play one run on a local page, such as 127.0.0.1:8600, and take faults and thieves from there.")
  static let draw = Option<String>("draw", "FILE", "With --compare: draw spectra and windows as SVG.")
  static let data = Option<String>(
    "data", "FOLDER", "Folder of recordings outside the repository. Default: LEASH_DATA, or ../shared/data.")

  static let command = Command(
    "simulate", "Simulate whole lives of a tracker with faults",
    discussion: """
      Tracker, delivery, modem driver, simulated modem, network and server run in one process on virtual time; \
      everything follows from the seed. Checkers compare what the tracker reports with what happened. A broken promise \
      ends with exit code 1, the fewest faults that still break it, and the command that repeats it. Files of scenarios \
      say besides what must come of them; several are told in a table, with the share of those that ran (RunRate) and \
      passed (PassRate).
      """,
    parameters: [
      .positional(scenario), .option(seed), .option(days), .flag(calm), .flag(stream), .option(runs), .flag(explore),
      .option(minutes),
      .option(faults),
      .option(transport), .option(idle), .option(only), .option(withoutDeeds), .option(fork), .option(brokenLog),
      .option(record),
      .option(settings), .flag(json), .flag(verbose),
      .option(folder), .option(jobs), .option(drawn), .option(ledger), .flag(table), .flag(compare), .option(draw),
      .option(data), .flag(families), .option(without), .flag(delays), .option(page), .flag(energy), .option(current),
    ]
  ) { arguments, console throws(CommandFailure) in
    let choice = try familyChoice(arguments)
    if let seed = arguments[drawn] {
      console.out.write(ScenarioFile.drawn(seed: seed, from: choice))
      return .success
    }
    if arguments[families], !arguments.isGiven("seed"), arguments[scenario].isEmpty, !arguments.isGiven("days") {
      console.out.write(FamilyTable.markdown)
      return .success
    }
    if arguments[compare] { return try RealityReport.run(arguments, console) }
    if arguments[delays] { return try DelayTable.run(arguments, console) }
    if arguments[table] {
      guard let path = arguments[ledger] else { throw .usage("'--table' needs '--ledger', the file with its figures") }
      console.out.write(try SeedLedger(path).table)
      return .success
    }
    let isSingle =
      arguments[verbose] || arguments[record] != nil || arguments[only] != nil || arguments[withoutDeeds] != nil
    let words = arguments[scenario]
    if try ScenarioLives.areWanted(words) {
      let scenarios = try ScenarioLives(arguments)
      if let page = arguments[page] { return try scenarios.play(at: page, arguments, console) }
      return isSingle ? try scenarios.show(arguments, console) : try scenarios.campaign(arguments, console)
    }
    guard words.count < 2 else { throw .usage("only files of scenarios can be simulated together, not '\(words[0])'") }
    let lives = try SimulatedLives(arguments)
    if let page = arguments[page] { return try lives.play(at: page, arguments, console) }
    if isSingle {
      return try lives.show(arguments, console)
    }
    return try lives.campaign(arguments, console)
  }
}

extension SimulateCommand {
  /// Families that may be drawn; nil when none are asked for.
  static func familyChoice(_ arguments: Arguments) throws(CommandFailure) -> FamilyChoice? {
    let words = arguments.all(without)
    guard arguments[families] || !words.isEmpty else { return nil }
    var choice = FamilyChoice()
    for word in words {
      guard FamilyChoice.words.contains(word) else {
        throw .usage(
          "option '--without': there is no family '\(word)'" + didYouMean(nearest(to: word, among: FamilyChoice.words)))
      }
      choice.without.insert(word)
    }
    return choice
  }
}

/// The lives that a command line asks for.
struct SimulatedLives: Sendable {
  let scene: EvaluatedScene?
  let classes: Set<FaultClass>
  let transport: ModemTransport?
  /// State of the modem while there is nothing to send; nil: drawn from the seed.
  let idle: IdlePolicy?
  private let configuration: RunConfiguration
  private let settingTexts: [String]
  let first: UInt64
  let count: Int
  /// What parts draw.
  let currents: PartCurrents
  /// How many days a life has; nil for a single one, or for a scene.
  let days: Int?
  /// How much happens on these.
  let pace: LifePace
  /// Whether what could be passed over is streamed.
  let isStreamed: Bool
  /// True when the command line says whether sensors sleep.
  private let saysSleep: Bool
  /// Points at which the life goes on otherwise.
  let forks: [LifeFork]
  private let name: String
  private let rest: String
  private let choice: FamilyChoice?

  init(_ arguments: Arguments) throws(CommandFailure) {
    choice = try SimulateCommand.familyChoice(arguments)
    let name = arguments[SimulateCommand.scenario].first ?? "day"
    let folder = arguments[SimulateCommand.folder] ?? "fixtures/scenes"
    var words = ""
    if name == "day" {
      scene = nil
    } else {
      guard let found = try SceneFiles.chosen([name], in: folder).first else {
        throw .usage("there is no scene '\(name)'")
      }
      guard found.recordings.isEmpty else {
        throw .usage("scene '\(name)' plays a recording; expected one with a timeline")
      }
      scene = found
    }
    if let choice {
      guard name == "day" else { throw .usage("option '--families': scene '\(name)' has its own sensors") }
      words += choice.without.isEmpty ? " --families" : choice.without.sorted().map { " --without \($0)" }.joined()
    }
    classes = try SimulatedLives.classes(arguments[SimulateCommand.faults] ?? "all")
    if let text = arguments[SimulateCommand.faults] { words += " --faults \(text)" }
    transport = arguments[SimulateCommand.transport]?.transport
    if let name = arguments[SimulateCommand.transport] {
      guard name != .sms else { throw .usage("option '--transport': text messages have no server here") }
      words += " --transport \(name.rawValue)"
    }
    idle = arguments[SimulateCommand.idle]?.policy
    if let name = arguments[SimulateCommand.idle] { words += " --idle \(name.rawValue)" }
    pace = arguments[SimulateCommand.calm] ? .calm : .busy
    if arguments[SimulateCommand.calm] {
      guard arguments.isGiven("days") else { throw .usage("'--calm' needs '--days'") }
      words += " --calm"
    }
    isStreamed = arguments[SimulateCommand.stream]
    if isStreamed { words += " --stream" }
    var configuration = RunConfiguration()
    let settings = arguments.all(SimulateCommand.settings)
    for text in settings {
      try ReplayOptions.set(text, &configuration)
      words += " --set \(text)"
    }
    self.configuration = configuration
    settingTexts = settings
    saysSleep = settings.contains { $0.hasPrefix("sensing.sleep=") }
    first = arguments[SimulateCommand.seed] ?? 1
    count = arguments[SimulateCommand.runs] ?? 1
    guard 1...10_000_000 ~= count else { throw .usage("option '--runs': \(count) is not from 1 to 10000000") }
    guard first <= .max - 20_000_000 else { throw .usage("option '--seed': \(first) is too large") }
    if let days = arguments[SimulateCommand.days] {
      guard LifeScenario.days.contains(days) else {
        throw .usage(
          "option '--days': \(days) is not from \(LifeScenario.days.lowerBound) to \(LifeScenario.days.upperBound)")
      }
      guard name == "day" else { throw .usage("option '--days': scene '\(name)' has its own length") }
      self.days = days
    } else {
      days = nil
    }
    currents = try EnergyTable.currents(arguments.all(SimulateCommand.current))
    self.name = name
    rest = words
    var forks: [LifeFork] = []
    for text in arguments.all(SimulateCommand.fork) {
      guard let fork = LifeFork(text) else {
        throw .usage("option '--fork': '\(text)' is not a time in seconds and a seed, such as 901.25:7")
      }
      guard forks.last.map({ $0.time <= fork.time }) ?? true else {
        throw .usage("option '--fork': '\(text)' is before the one before it")
      }
      forks.append(fork)
    }
    self.forks = forks
  }

  /// The command that repeats a life.
  func words(_ choice: LifeChoice, days: Int?) -> String {
    choice.isScenario
      ? "leash simulate \(choice.words)\(rest)"
      : "leash simulate \(name)" + (days.map { " --days \($0)" } ?? "") + rest + " " + choice.words
  }

  static func classes(_ text: String) throws(CommandFailure) -> Set<FaultClass> {
    if text == "all" { return Set(FaultClass.allCases) }
    if text == "none" { return [] }
    let names = FaultClass.allCases.map(\.rawValue)
    var result: Set<FaultClass> = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let kind = FaultClass(rawValue: String(word)) else {
        throw .usage(
          "option '--faults': '\(word)' is not one of \((["all", "none"] + names).joined(separator: ", "))"
            + didYouMean(nearest(to: String(word), among: names)))
      }
      guard result.insert(kind).inserted else { throw .usage("option '--faults': '\(word)' is given twice") }
    }
    return result
  }

  /// A life.
  func scenario(_ choice: LifeChoice, days: Int?) -> LifeScenario {
    var result = choice.forks.reduce(life(choice.seed, days: days)) { $0.forked($1, classes: classes) }
    result.currents = currents
    result.idle = idle
    result.passesNights = !isStreamed
    return result
  }

  /// The settings of its tracker.
  func configuration(_ seed: UInt64) -> RunConfiguration {
    var result = configuration
    // Within its range.
    if pace == .calm, !saysSleep { try? result.set("sensing.sleep", to: "\(LifeScenario.sleeps(seed: seed))") }
    return result
  }

  /// The scenario that a seed draws, with the settings of the command line.
  func drawnScenario(_ seed: UInt64) throws(CommandFailure) -> ScenarioFile {
    var file = try ScenarioLives.file("drawn:\(seed)", from: choice)
    for text in settingTexts { try ReplayOptions.set(text, &file.configuration) }
    return file
  }

  /// True where scenarios are explored, too: where no scene, no days and no part of the faults are asked for.
  var drawsScenarios: Bool {
    scene == nil && days == nil && transport == nil && classes.count == FaultClass.allCases.count
  }

  /// The settings of all as a text, but for what their seeds draw.
  var settings: String { configuration.text }

  private func life(_ seed: UInt64, days: Int?) -> LifeScenario {
    guard let scene else {
      var day =
        days.map { LifeScenario.life(days: $0, seed: seed, pace: pace, classes: classes) }
        ?? LifeScenario.day(seed: seed, classes: classes)
      if let transport { day.transport = transport }
      if let choice {
        // The deeds of a day are drawn motions, which have no body to be done to.
        let kinds: Set<FamilyKind> = [.sensor, .mounting, .receiver]
        day.scene.scene.take(choice.drawn(seed: seed, isCollar: false).filter { kinds.contains($0.family.kind) })
      }
      return day
    }
    return .drawn(scene, seed: seed, classes: classes, transport: transport)
  }

  /// Lives it.
  ///
  /// - Parameters:
  ///   - isOver: Asked now and then; true ends it.
  ///   - progress: Hears how much of it is over.
  /// - Returns: Nil when it was ended.
  func live(
    _ choice: LifeChoice, until isOver: () -> Bool = { false }, progress: (Instant) -> Void = { _ in }
  ) -> LifeResult? {
    if choice.isScenario {
      do throws(CommandFailure) {
        return ScenarioLives.live(try drawnScenario(choice.seed), seed: choice.seed, progress: progress)
      } catch {
        return LifeResult(seed: choice.seed, isScenario: true, report: LifeReport(), failure: error.message)
      }
    }
    do throws(RecordingError) {
      let report = try LifeRun(scenario(choice, days: days), configuration(choice.seed)).live(
        progress: progress, until: isOver)
      return isOver() ? nil : LifeResult(seed: choice.seed, forks: choice.forks, report: report, failure: nil)
    } catch {
      return LifeResult(seed: choice.seed, forks: choice.forks, report: LifeReport(), failure: error.description)
    }
  }
}

/// What came of a life.
struct LifeResult: Sendable {
  let seed: UInt64
  var forks: [LifeFork] = []
  /// True for the scenario of the seed.
  var isScenario = false
  let report: LifeReport
  var failure: String?

  /// What was to be lived.
  var choice: LifeChoice { LifeChoice(seed: seed, forks: forks, isScenario: isScenario) }

  var isGood: Bool { report.broken.isEmpty && failure == nil }

  /// It, and what is wrong when the same life once more was another one.
  func beside(_ again: LifeResult) -> LifeResult {
    guard failure == nil, again.failure != nil || again.report != report else { return self }
    var result = self
    result.failure =
      "lived twice, it was not the same: hash \(String(report.hash, radix: 16)) and \(String(again.report.hash, radix: 16))"
    return result
  }
}
