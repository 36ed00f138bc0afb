import Glibc
import JSON5
import MotionEvaluation
import Quantities
import TrackerRuntime

/// Files of scenes and of figures.
enum SceneFiles {
  /// The folder of recordings that are not part of the repository.
  static func recordings(beside repository: String) -> String {
    getenv("LEASH_DATA").map { String(cString: $0) } ?? repository + "/../shared/data"
  }

  static func bytes(_ path: String) throws(CommandFailure) -> [UInt8] {
    guard let file = fopen(path, "r") else {
      throw .environment("\(path): \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// The files of a folder that end so, sorted.
  static func names(in folder: String, endingWith end: String = ".json5") throws(CommandFailure) -> [String] {
    guard let directory = opendir(folder) else {
      throw .environment("\(folder): \(String(cString: strerror(errno)))")
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(end) { names.append(name) }
    }
    return names.sorted()
  }

  /// The scenes of a folder that are named, and those of files that are; all of the folder when nothing is.
  ///
  /// - Throws: Also when a file that is named asks for a recording that `library` does not have.
  static func chosen(
    _ wanted: [String], in folder: String, _ library: SceneLibrary? = nil
  ) throws(CommandFailure) -> [EvaluatedScene] {
    let files = wanted.filter { $0.hasSuffix(".json5") }
    var chosen: [EvaluatedScene] = []
    for path in files {
      let own = try scenes(of: path)
      for scene in own {
        guard let missing = library?.missingRecording(of: scene) else { continue }
        throw .environment("\(path): scene '\(scene.name)': no recording \(missing)")
      }
      chosen += own
    }
    let words = wanted.filter { !$0.hasSuffix(".json5") }
    guard files.isEmpty || !words.isEmpty else { return chosen }
    var all: [(group: String, scene: EvaluatedScene)] = []
    for name in try names(in: folder) {
      all += try scenes(of: folder + "/" + name).map { (String(name.dropLast(6)), $0) }
    }
    guard !all.isEmpty else { throw .environment("\(folder): no file of scenes, NAME.json5, in this folder") }
    guard !words.isEmpty else { return all.map(\.scene) }
    for word in words where !all.contains(where: { matches(word, $0) }) {
      let known = all.map(\.group) + all.map(\.scene.name)
      throw .usage("there is no scene '\(word)'" + didYouMean(nearest(to: word, among: known)))
    }
    return chosen + all.filter { entry in words.contains { matches($0, entry) } }.map(\.scene)
  }

  private static func scenes(of path: String) throws(CommandFailure) -> [EvaluatedScene] {
    let bytes = try bytes(path)
    do throws(SceneProblem) {
      return try SceneReader.scenes(of: bytes, file: path)
    } catch {
      throw .environment(error.description)
    }
  }

  private static func matches(_ word: String, _ entry: (group: String, scene: EvaluatedScene)) -> Bool {
    entry.group == word || entry.scene.name == word || entry.scene.family == word
  }

  /// Figures that `--json` wrote.
  static func outcomes(_ path: String) throws(CommandFailure) -> [SceneOutcome] {
    var result: [SceneOutcome] = []
    for (place, line) in try bytes(path).split(separator: 0x0A).enumerated() {
      guard let value = try? JSON5Value(reading: Array(line)), let outcome = SceneOutcome(json: value) else {
        throw .environment("\(path):\(place + 1): not a line of 'leash scenes --json'")
      }
      result.append(outcome)
    }
    return result
  }
}

/// A configuration with one setting a little off.
struct ScenePerturbation {
  /// The setting and its value.
  var text: String
  /// With that.
  var configuration: RunConfiguration

  /// The changes that `NAME=±P%` asks for.
  static func changes(_ text: String, of configuration: RunConfiguration) throws(CommandFailure) -> [ScenePerturbation]
  {
    let parts = text.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, parts[1].hasSuffix("%"),
      let share = Double(parts[1].dropLast().drop { $0 == "±" || $0 == "+" || $0 == "-" }), share > 0, share < 100
    else { throw .usage("option '--perturb': '\(text)' is not NAME=±P%, such as motion.tiltLimit=±20%") }
    let name = String(parts[0])
    let settings = Setting.all.filter { setting in
      guard setting.name.hasPrefix("motion.") || setting.name.hasPrefix("rest.") else { return false }
      if case .vector = setting.form { return false }
      return name == "all" || setting.name == name
    }
    guard !settings.isEmpty else {
      let known = Setting.all.map(\.name).filter { $0.hasPrefix("motion.") || $0.hasPrefix("rest.") }
      throw .usage(
        "option '--perturb': '\(name)' is not a setting of the detectors" + didYouMean(nearest(to: name, among: known)))
    }
    var result: [ScenePerturbation] = []
    for setting in settings {
      guard let value = Double(setting.text(configuration.tracker)) else { continue }
      for factor in [1 - share / 100, 1 + share / 100] {
        var changed = configuration
        let isWhole: Bool
        if case .whole = setting.form { isWhole = true } else { isWhole = false }
        let shown = isWhole ? "\(Int((value * factor).rounded()))" : "\(Float(value * factor))"
        // A value beyond its range can't be tried.
        guard (try? changed.set(setting.name, to: shown)) != nil else { continue }
        result.append(ScenePerturbation(text: "\(setting.name)=\(shown)", configuration: changed))
      }
    }
    return result
  }
}

/// Scenes that are played, several at once.
struct SceneTrial {
  let scenes: [EvaluatedScene]
  let library: SceneLibrary
  let threads: Int
  let console: Console

  /// The outcomes, in the order of the scenes.
  func run(_ configuration: RunConfiguration) throws(CommandFailure) -> [SceneOutcome] {
    // The long ones first, so that none is left alone at the end.
    let costs = scenes.map(\.cost)
    let order = costs.indices.sorted { costs[$0] > costs[$1] }
    let (scenes, library) = (self.scenes, self.library)
    let pool = WorkerPool(count: scenes.count) { job in
      SceneRun(scenes[order[job]], configuration, library: library).run()
    }
    var line = ProgressLine(console, delay: 500_000)
    let outcomes = try pool.run(threads: threads) { done in
      line.update("\(TimeText.count(done)) of \(TimeText.count(scenes.count)) scenes")
    }
    line.clear()
    var sorted: [(Int, SceneOutcome)] = []
    for (job, outcome) in outcomes.enumerated() {
      if let outcome { sorted.append((order[job], outcome)) }
    }
    return sorted.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
