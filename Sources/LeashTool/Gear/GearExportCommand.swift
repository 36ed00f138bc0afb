import Quantities

/// `leash gear export`: the rides of one piece of gear in recordings.
enum GearExportCommand {
  /// Formats by name.
  enum Format: String, CaseIterable, ArgumentValue { case gpx, csv }

  static let format = Option<Format>("format", "FORMAT", default: .gpx, "gpx or csv.")
  static let gear = Positional("GEAR", "The name of the gear; 'none' for rides on none.")
  static let files = Positional("FILE", count: .oneOrMore, "Leash logs, as 'leash record' and 'leash run' write them.")

  static let command = Command(
    "export", "Export the rides of one piece of gear from Leash logs",
    discussion: """
      Runs the tracker on the logs, with the requests that are in them, and prints the fixes of the rides that were on \
      the gear at their end, as 'leash trips --export' does. Upload services read the GPX.
      """,
    parameters: [.option(format), .positional(gear), .positional(files)]
  ) { arguments, console throws(CommandFailure) in
    let name = arguments[gear].first ?? ""
    let finder = try TripFinder(arguments[files], set: [])
    finder.tellProblems(console)
    let trips = finder.trips.filter { ($0.gear ?? "none") == name }
    let checkpoints = finder.checkpoints.filter { mark in trips.contains { $0.has(mark) } }
    guard name == "none" || finder.gearNames.contains(name) else {
      throw .check("no log has gear of the name '\(name)'")
    }
    switch arguments[format] ?? .gpx {
    case .gpx: console.out.write(TripExport.gpx(trips, checkpoints))
    case .csv: console.out.write(TripExport.csv(trips))
    }
    return finder.failures.isEmpty ? .success : .environment
  }

  /// A time in seconds since 1970 as `2026-03-01 08:15`.
  static func moment(_ second: UInt32) -> String {
    let utc = UTCTime(microseconds: Int64(second) * 1_000_000)
    return "\(TripText.iso8601(utc).prefix(10)) \(TimeText.timeOfDay(utc).prefix(5))"
  }
}
