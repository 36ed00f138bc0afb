import JSON5
import MotionEvaluation
import TrackerRuntime

/// `leash scenes`: made worlds in which something happens to a parked vehicle, and what its owner hears.
enum ScenesCommand {
  static let names = Positional("NAME", count: .any, "Scenes, variants (NAME/b) or scene files. Default: all.")
  static let half = Option<SceneHalf>(
    "half", "HALF", "Only the scenes used for tuning, or only those held back: tuning or held.")
  static let json = Flag("json", "Print one JSON object per line for each scene.")
  static let markdown = Flag("markdown", "Print the table of docs/evaluation.md.")
  static let quick = Flag("quick", "Only the scenes that run with every test.")
  static let list = Flag("list", "List the scenes and exit.")
  static let seed = Option<UInt64>("seed", "N", default: 0, "Number added to the seed of each scene.")
  static let perturb = Option<String>(
    "perturb", "NAME=±P%",
    "Repeat with a setting changed by P % up and down and report which scenes change; NAME may be all. May be given several times."
  )
  static let settings = Option<String>(
    "set", "NAME=VALUE", "Change a setting of the tracker; may be given several times.")
  static let before = Option<String>("before", "FILE", "Compare with the output of an earlier --json.")
  static let folder = Option<String>("folder", "FOLDER", default: "fixtures/scenes", "Folder of the scenes.")
  static let data = Option<String>(
    "data", "FOLDER",
    "Folder of recordings outside the repository. Default: LEASH_DATA, or ../shared/data.")
  static let jobs = Option<Int>("jobs", "J", "Number of parallel jobs. Default: the number of processors.")

  static let command = Command(
    "scenes", "Test the motion detectors on simulated scenes",
    discussion: """
      A scene defines a vehicle, what happens to it, and what its owner should be told. The tracker runs through it \
      on virtual time. The table shows what was reported and when, false alerts, and the share of the parked time in \
      which the tracker was armed. Exits with 1 if a scene does not meet its requirements. Scenes whose recording is \
      missing are skipped; those of a file that is named are an error.
      """,
    parameters: [
      .positional(names), .option(half), .flag(json), .flag(markdown), .flag(quick), .flag(list), .option(seed),
      .option(perturb), .option(settings), .option(before), .option(folder), .option(data), .option(jobs),
    ]
  ) { arguments, console throws(CommandFailure) in
    guard !arguments[json] || !arguments[markdown] else {
      throw .usage("'--json' and '--markdown' exclude each other")
    }
    let folder = arguments[folder] ?? "fixtures/scenes"
    let library = SceneLibrary(
      repository: folder + "/../..", data: arguments[data] ?? SceneFiles.recordings(beside: folder + "/../.."))
    var scenes = try SceneFiles.chosen(arguments[names], in: folder, library)
    if let half = arguments[half] { scenes.removeAll { $0.half != half } }
    if arguments[quick] { scenes.removeAll { !$0.isQuick } }
    for place in scenes.indices { scenes[place].scene.seed &+= arguments[seed] ?? 0 }
    if arguments[list] {
      for scene in scenes { console.out.writeLine("\(scene.name)  \(scene.half.rawValue)  \(scene.about)") }
      return .success
    }
    let threads = arguments[jobs] ?? processorCount()
    guard 1...1024 ~= threads else { throw .usage("option '--jobs': \(threads) is not from 1 to 1024") }
    var configuration = RunConfiguration()
    for text in arguments.all(settings) { try ReplayOptions.set(text, &configuration) }
    // What is wrong in them is said before all scenes have run.
    var changes: [ScenePerturbation] = []
    for text in arguments.all(perturb) { changes += try ScenePerturbation.changes(text, of: configuration) }
    let trial = SceneTrial(scenes: scenes, library: library, threads: threads, console: console)
    let outcomes = try trial.run(configuration)
    if arguments[json] {
      for outcome in outcomes { console.out.writeLine(outcome.json) }
    } else if arguments[markdown] {
      let about = Dictionary(scenes.map { ($0.family, $0.about) }) { first, _ in first }
      let earlier = try arguments[before].map { path throws(CommandFailure) in try SceneFiles.outcomes(path) } ?? []
      console.out.write(SceneFigures.markdown(outcomes, about: about, earlier: earlier))
    } else {
      write(outcomes, console)
    }
    var isSame = true
    for change in changes {
      let changed = try trial.run(change.configuration)
      isSame = tell(change, outcomes, changed, console) && isSame
    }
    if let unreadable = outcomes.first(where: \.isUnreadable) {
      throw .environment("scene '\(unreadable.name)': \(unreadable.skipped ?? "")")
    }
    return outcomes.allSatisfy { $0.isRight || $0.skipped != nil } && isSame ? .success : .checkFailed
  }

  private static func write(_ outcomes: [SceneOutcome], _ console: Console) {
    var table = TextTable(
      ("scene", .left), ("half", .left), ("reported", .right), ("median", .right), ("worst", .right),
      ("false alerts", .right), ("armed after", .right), ("armed", .right), ("rides", .right), ("m", .right),
      ("packets", .right), ("", .left))
    for outcome in outcomes {
      if let skipped = outcome.skipped {
        table.add(outcome.name, outcome.half.rawValue, "", "", "", "", "", "", "", "", "", "skipped: \(skipped)")
        continue
      }
      table.add(
        outcome.name, outcome.half.rawValue,
        outcome.delays.isEmpty ? "" : "\(outcome.toldCount)/\(outcome.delays.count)",
        outcome.median.map { TimeText.decimal($0, 1) } ?? "", outcome.worst.map { TimeText.decimal($0, 1) } ?? "",
        "\(outcome.falseAlerts)", outcome.armedAfter.map { "\(Int($0.rounded())) s" } ?? "",
        outcome.armedShare.map { TimeText.decimal($0 * 100, 1) + " %" } ?? "", "\(outcome.rides)",
        "\(Int(outcome.metres.rounded()))", "\(outcome.packets)",
        outcome.isRight ? "ok" : outcome.problems.joined(separator: ", "))
    }
    console.out.write(table.text())
    let played = outcomes.filter { $0.skipped == nil }
    let right = played.count { $0.isRight }
    let line = "\(right) of \(played.count) scenes passed"
    let skipped = outcomes.count - played.count
    console.out.writeLine(
      console.styled(line, right == played.count ? .green : .red) + (skipped > 0 ? ", \(skipped) skipped" : ""))
  }

  /// Tells which scenes a change of a setting turns.
  private static func tell(
    _ change: ScenePerturbation, _ before: [SceneOutcome], _ after: [SceneOutcome], _ console: Console
  ) -> Bool {
    let turned = zip(before, after).filter { $0.isRight != $1.isRight }
    let words = turned.map { "\($1.name) \($1.isRight ? "right" : "wrong: " + $1.problems.joined(separator: ", "))" }
    console.out.writeLine("\(change.text): " + (words.isEmpty ? "the same" : words.joined(separator: "; ")))
    return turned.allSatisfy { $1.isRight }
  }
}

extension SceneHalf: ArgumentValue {}
