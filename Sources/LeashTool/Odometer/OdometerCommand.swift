import Glibc
import MotionEvaluation
import Recording
import TrackerRuntime

/// `leash odometer`: what the odometer makes of recorded rides, beside what their devices counted.
enum OdometerCommand {
  static let files = Positional("FILE", count: .any, "Recorded rides. Default: all in the folder of recordings.")
  static let settings = Option<String>(
    "set", "NAME=VALUE", "Change a setting of the tracker; may be given several times.")
  static let data = Option<String>(
    "data", "FOLDER", "Folder of recordings outside the repository. Default: LEASH_DATA, or ../shared/data.")
  static let draw = Option<String>(
    "draw", "FILE",
    "Draw each ride that does not hold as SVG: its map, and the odometer's difference from the track over time.")

  static let command = Command(
    "odometer", "Compare the odometer with the distance of recorded rides",
    discussion: """
      The fixes of each ride go through the tracker, first all of them, then one every 5 s. The table, in Markdown, shows \
      the length of the track, what the device that recorded it has counted (the column distance_m), by how much they \
      disagree, the odometer with its error, and whether it holds: within 1 % of the device where track and device \
      agree within 1 %, else within twice their disagreement; with one fix every 5 s within 2 % of the whole track; 0.3 % \
      for the sum. A second table has the rides whose device has counted turns of a wheel: the odometer with these as pulses \
      of a wheel sensor, of a circumference that nobody knows, and with one that was learnt on the rides of the other half. \
      Exits with 1 if something does not hold, and with 3 if there are no recordings.
      """,
    parameters: [.positional(files), .option(settings), .option(data), .option(draw)]
  ) { arguments, console throws(CommandFailure) in
    var configuration = RunConfiguration()
    for text in arguments.all(settings) { try ReplayOptions.set(text, &configuration) }
    let folder = arguments[data] ?? SceneFiles.recordings(beside: ".")
    let given = arguments[files]
    let paths = given.isEmpty ? OdometerCommand.rides(in: folder) : given
    guard !paths.isEmpty else { throw .environment("no recordings at LEASH_DATA or in \(folder): nothing is measured") }
    var rides: [RiddenDistance] = []
    var wheeled: [(path: String, name: String, half: SceneHalf)] = []
    for (place, path) in paths.enumerated() {
      let file = FusionRun.fileName(path).prefix { $0 != "." }
      let name = file.hasSuffix("_gnss") ? file.dropLast(5) : file
      let half = place.isMultiple(of: 2) ? SceneHalf.tuning : .held
      wheeled.append((path, String(name), half))
      let ride: RiddenDistance?
      do throws(RecordingError) {
        ride = try RiddenDistance.measure(
          path, name: String(name), half: half, configuration)
      } catch {
        throw .environment(error.description)
      }
      if let ride {
        for line in ReplaySummary.problems(ride.reports) { console.err.writeLine("leash odometer: " + line) }
        rides.append(ride)
      } else if !given.isEmpty {
        throw .environment("\(path): no ride; expected positions over a minute or more")
      }
    }
    if let path = arguments[draw] {
      let wrong = rides.filter { $0.holds == false || !$0.holdsThinned }
      try reading { () throws(RecordingError) in
        let target = try ByteTarget(path: path)
        try target.append(OdometerDrawing.svg(wrong))
        try target.close()
      }
    }
    let table = DistanceTable(rides)
    console.out.write(table.markdown)
    let wheels: WheelTable
    do throws(RecordingError) {
      wheels = WheelTable(try WheeledDistance.measure(wheeled, configuration))
    } catch {
      throw .environment(error.description)
    }
    console.out.write(wheels.markdown)
    return table.holds && wheels.holds ? .success : .checkFailed
  }

  /// The rides in the folders of recordings, sorted.
  private static func rides(in folder: String) -> [String] {
    ["rides", "rides_dublin", "rides_gnss", "nmea_long"].flatMap { name in
      let files = [".log.gz", "_gnss.csv.gz"].flatMap { end in
        (try? SceneFiles.names(in: folder + "/" + name, endingWith: end)) ?? []
      }
      return files.map { "\(folder)/\(name)/\($0)" }
    }
  }
}
