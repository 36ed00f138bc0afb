import Glibc
import JSON5
import LinuxDevices
import Quantities
import Recording
import TrackerRuntime

/// The options of `leash fuse`, checked.
struct FusionOptions {
  /// What to score against.
  enum Reference: Equatable {
    /// The columns of the input.
    case columns
    /// Another file.
    case file(String)
  }

  /// The recording.
  var input: String
  /// Where the rows go; `-` is standard output.
  var output: String?
  /// Where the picture goes.
  var plot: String?
  /// What to score against.
  var reference: Reference?
  /// The mode asked for; nil to take what the recording allows.
  var mode: FusionMode?
  /// JSON Lines in place of CSV.
  var isJSON: Bool
  /// Each state from the whole recording.
  var isOffline: Bool
  /// Stamps are arrivals, behind which a clock finds the times.
  var hasSampleClock: Bool
  /// What the data sheet of the part tells about the sensor; nil when no part is given.
  var part: SensorDescription?
  /// Settings of the sensor, as NAME=VALUE.
  var settings: [String]

  init(_ arguments: Arguments) throws(CommandFailure) {
    input = arguments[FuseCommand.input][0]
    output = arguments[FuseCommand.output]
    plot = arguments[FuseCommand.plot]
    mode = arguments[FuseCommand.mode]
    isJSON = arguments[FuseCommand.json]
    isOffline = arguments[FuseCommand.offline]
    hasSampleClock = arguments[FuseCommand.sampleClock]
    part = try FusionOptions.part(arguments)
    settings = arguments.all(FuseCommand.settings)
    for text in settings {
      let name = String(text.prefix { $0 != "=" })
      guard !name.hasPrefix("sensor."), Setting.all.contains(where: { $0.name == name }) else { continue }
      throw .usage("option '--set': '\(name)' tells nothing about the sensor; expected a setting 'sensor.…'")
    }
    // What is wrong in them is told before the work.
    _ = try sensor(of: nil)
    if let text = arguments[FuseCommand.reference] {
      reference = text == FuseCommand.ownColumns ? .columns : .file(text)
    }
    guard output != nil || plot != nil || reference != nil else {
      throw .usage("option '--output' is missing: give a file, or '-' for standard output")
    }
    guard plot != "-" else { throw .usage("option '--plot': a picture is written to a file, not to standard output") }
    if input == "-", reference == .file("-") {
      throw .usage("option '--reference': standard input is the recording already")
    }
    var reads = [input]
    if case .file(let path) = reference { reads.append(path) }
    for (name, path) in [("--output", output), ("--plot", plot)] {
      guard let path, path != "-" else { continue }
      for read in reads where FusionOptions.writes(path, into: read) {
        throw .usage("option '\(name)': '\(path)' is the recording '\(read)' itself, which would be lost")
      }
    }
    if let output, let plot, FusionOptions.isSame(output, plot) {
      throw .usage("option '--plot': '\(plot)' is the file of '--output'")
    }
  }

  /// What is known about the sensor: from a log, from the part's data sheet and from settings, the later the stronger.
  ///
  /// - Parameter log: The settings in a log.
  func sensor(of log: SensorDescription?) throws(CommandFailure) -> SensorDescription {
    var configuration = RunConfiguration()
    if let log { configuration.tracker.sensor = log }
    if let part {
      configuration.tracker.sensor.angularRateRange = part.angularRateRange
      configuration.tracker.sensor.specificForceRange = part.specificForceRange
      configuration.tracker.sensor.latency = part.latency
    }
    for text in settings { try ReplayOptions.set(text, such: "sensor.latency=0.002", &configuration) }
    return configuration.tracker.sensor
  }

  private static func part(_ arguments: Arguments) throws(CommandFailure) -> SensorDescription? {
    let hertz = arguments[FuseCommand.rate]
    if let hertz, !(1...10_000).contains(hertz) {
      throw .usage("option '--rate': \(hertz) is not a rate from 1 to 10000 Hz")
    }
    guard let name = arguments[FuseCommand.part] else {
      if hertz != nil { throw .usage("option '--rate' needs '--part'") }
      return nil
    }
    guard let part = InertialPart.named(name) else {
      let names = InertialPart.names
      throw .usage(
        "option '--part': there is no part '\(name)', expected one of \(names.joined(separator: ", "))"
          + didYouMean(nearest(to: name.lowercased(), among: names)))
    }
    // Whatever it was set to, no reading is beyond its largest range.
    return part.description(
      for: InertialSettings(hertz: hertz ?? 100, specificForceRange: .g16, angularRateRange: .degrees2000))
  }

  /// True when writing `path` would change what is read from `source`: the file itself, or one in the folder.
  private static func writes(_ path: String, into source: String) -> Bool {
    guard source != "-", let target = fileIdentity(path) else { return false }
    if target == fileIdentity(source) { return true }
    var status = stat()
    guard stat(source, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, let directory = opendir(source) else {
      return false
    }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { bytes in
        bytes.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if fileIdentity(source + "/" + name) == target { return true }
    }
    return false
  }

  private static func isSame(_ a: String, _ b: String) -> Bool {
    if a == b || fileIdentity(a).map({ $0 == fileIdentity(b) }) ?? false { return true }
    // Neither may exist yet: the same name in the same folder.
    return place(a).map { $0 == place(b) } ?? false
  }

  /// The path with its folder resolved; nil when there is no such folder.
  private static func place(_ path: String) -> String? {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let folder = path.contains("/") ? String(path.dropLast(name.count)) : "."
    guard let resolved = realpath(folder, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved) + "/" + name
  }
}
