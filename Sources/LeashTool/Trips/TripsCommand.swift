import LinuxRuntime
import PacketDecoding
import Quantities
import Recording
import TrackerCore
import TrackerRuntime

/// `leash trips`: the rides of recordings.
enum TripsCommand {
  /// Formats by name.
  enum Format: String, CaseIterable, ArgumentValue { case gpx, geojson, csv }

  static let json = Flag("json", "Print one JSON object per ride.")
  static let export = Option<Format>(
    "export", "FORMAT", "Print the fixes of the rides in this format instead: gpx, geojson or csv.")
  static let draw = Option<String>(
    "draw", "FILE", "Draw each ride as SVG: its map, and height and speed along the way.")
  static let settings = Option<String>(
    "set", "NAME=VALUE", "Change a setting of the tracker; may be given several times.")
  static let from = Option<DayTime>(
    "from", "TIME", "Leave out what was before: a time in UTC as 2025-03-01T08:15:00Z, or its beginning as 2025-03-01.")
  static let to = Option<DayTime>("to", "TIME", "Leave out what was after: likewise.")
  static let files = Positional(
    "FILE", count: .any, "Recordings, as for 'leash replay', each with its rides; or state files of trackers.")

  static let command = Command(
    "trips", "List and export the rides of recordings, or of a tracker's state",
    discussion: """
      Runs the tracker on each recording and prints its rides: start, end, distance, time without stops, mean and \
      highest speed, and climb. Leash logs that go on from the one before, in the order given, are read as one. A ride ends where the vehicle last moved before it was parked. Alerts are off, except in a \
      Leash log, whose settings are used. Times are UTC, or since the beginning of the recording if it has none.

      Of a state file ('state' in the configuration) it prints the rides that the tracker remembers, 80 at most. There are \
      no fixes in it to export or draw. The tracker may be running.
      """,
    parameters: [
      .positional(files), .flag(json), .option(export), .option(draw), .option(from), .option(to), .option(settings),
    ]
  ) { arguments, console throws(CommandFailure) in
    let paths = arguments[files]
    guard !paths.isEmpty else { throw .usage("FILE is missing: give at least one recording, or a state file") }
    let (from, to) = (arguments[from]?.start, arguments[to]?.end)
    if let from, let to, to < from { throw .usage("'--to' is earlier than '--from'") }
    if let state = paths.first(where: StateRides.isState) {
      guard arguments[export] == nil, arguments[draw] == nil else {
        throw .usage("\(state) is a state file, which has no fixes: export and draw rides from recordings")
      }
      if let other = paths.first(where: { !StateRides.isState($0) }) {
        throw .usage("\(state) is a state file and \(other) is none: list them one after the other")
      }
      return try listStates(paths, from, to, isJSON: arguments[json], console)
    }
    let finder = try TripFinder(paths, set: arguments.all(settings))
    finder.tellProblems(console)
    let trips = finder.trips.compactMap { $0.within(from, to) }
    let checkpoints = finder.checkpoints.filter { $0.isWithin(from, to) }
    if let path = arguments[draw] {
      try reading { () throws(RecordingError) in
        let target = try ByteTarget(path: path)
        try target.append(TripDrawing.svg(trips, checkpoints))
        try target.close()
      }
    }
    if let format = arguments[export] {
      switch format {
      case .gpx: console.out.write(TripExport.gpx(trips, checkpoints))
      case .geojson: console.out.write(TripExport.geoJSON(trips, checkpoints))
      case .csv: console.out.write(TripExport.csv(trips))
      }
    } else if arguments[json] {
      for trip in trips { console.out.writeLine(TripText.json(trip)) }
    } else {
      console.out.write(trips.isEmpty ? "no rides\n" : TripText.table(trips))
    }
    return finder.failures.isEmpty ? .success : .environment
  }

  private static func listStates(
    _ paths: [String], _ from: UTCTime?, _ to: UTCTime?, isJSON: Bool, _ console: Console
  ) throws(CommandFailure) -> ExitCode {
    var rides: [StateRides.Row] = []
    for path in paths {
      guard let state = StateRides(stateFile: path) else {
        throw .environment("\(path): \(StateTrouble(stateFile: path)?.text ?? StateTrouble.damaged([]).text)")
      }
      rides += state.rides.filter { $0.isWithin(from, to) }
    }
    if isJSON {
      for ride in rides { console.out.writeLine(StateTripText.json(ride)) }
    } else {
      console.out.write(rides.isEmpty ? "no rides\n" : StateTripText.table(rides))
    }
    return .success
  }
}

/// A time in UTC, or a day, on the command line.
struct DayTime: ArgumentValue {
  /// The first and the last microsecond of it.
  let start: UTCTime
  let end: UTCTime

  static var expectation: String { "a time as 2025-03-01T08:15:00Z, or a day as 2025-03-01" }

  init?(argument: String) {
    if let time = UTCTime(iso8601: argument) {
      (start, end) = (time, time)
      return
    }
    guard argument.utf8.count == 10, let day = UTCTime(iso8601: argument + "T00:00:00Z") else { return nil }
    start = day
    end = UTCTime(microseconds: day.microseconds + 86_400_000_000 - 1)
  }
}

extension FoundCheckpoint {
  /// True between these times, in UTC; where its own is not known, if there are none.
  func isWithin(_ from: UTCTime?, _ to: UTCTime?) -> Bool {
    guard let utc else { return from == nil && to == nil }
    return (from.map { utc >= $0 } ?? true) && (to.map { utc <= $0 } ?? true)
  }
}

/// Rides as people and programs read them.
enum TripText {
  static func table(_ trips: [FoundTrip]) -> String {
    var table = TextTable(
      ("ride", .right), ("start", .left), ("end", .left), ("distance", .right), ("time", .right), ("moving", .right),
      ("mean", .right), ("top", .right), ("climb", .right))
    for (place, found) in trips.enumerated() {
      let trip = found.trip
      table.add(
        "\(place + 1)", moment(trip.start, found.startUTC), moment(trip.end ?? trip.start, found.endUTC),
        TimeText.distance(trip.distance), TimeText.length(found.duration), TimeText.length(trip.moving),
        trip.meanSpeed.map { speed($0) } ?? "", trip.topSpeed.map { speed(Double($0)) } ?? "",
        trip.climb.map { climb($0, trip.climbUncertainty) } ?? "")
    }
    return table.text() + carried(trips)
  }

  /// A line for each ride of which a part was carried.
  private static func carried(_ trips: [FoundTrip]) -> String {
    trips.enumerated().filter { $0.element.trip.carried > 0 }
      .map { "ride \($0.offset + 1): \(TimeText.distance(Double($0.element.trip.carried))) more were carried\n" }
      .joined()
  }

  static func json(_ found: FoundTrip) -> String {
    let trip = found.trip
    var members: [String] = []
    func add(_ name: String, _ value: String?) { if let value { members.append("\"\(name)\":\(value)") } }
    add("start", TimeText.decimal(trip.start.secondsDouble, 3))
    add("end", TimeText.decimal((trip.end ?? trip.start).secondsDouble, 3))
    add("startUTC", found.startUTC.map { "\"\(iso8601($0))\"" })
    add("endUTC", found.endUTC.map { "\"\(iso8601($0))\"" })
    add("distance", TimeText.decimal(trip.distance, 1))
    add("duration", TimeText.decimal(found.duration.secondsDouble, 3))
    add("movingTime", TimeText.decimal(trip.moving.secondsDouble, 3))
    add("meanSpeed", trip.meanSpeed.map { TimeText.decimal($0, 2) })
    add("topSpeed", trip.topSpeed.map { TimeText.decimal(Double($0), 2) })
    add("climb", trip.climb.map { TimeText.decimal(Double($0), 1) })
    add("climbUncertainty", trip.climb.map { _ in TimeText.decimal(Double(trip.climbUncertainty), 1) })
    add("carried", trip.carried > 0 ? TimeText.decimal(Double(trip.carried), 1) : nil)
    add("fixes", "\(found.points.count)")
    add(
      "region",
      found.region.map {
        "[\(TripExport.degrees($0.west)),\(TripExport.degrees($0.south)),\(TripExport.degrees($0.east)),\(TripExport.degrees($0.north))]"
      })
    return "{" + members.joined(separator: ",") + "}"
  }

  static func iso8601(_ utc: UTCTime) -> String {
    var bytes = ByteBuffer()
    bytes.append(iso8601: utc)
    return String(decoding: bytes.bytes, as: UTF8.self)
  }

  static func moment(_ instant: Instant, _ utc: UTCTime?) -> String {
    utc.map { String(iso8601($0).prefix(10)) + " " + TimeText.timeOfDay($0) } ?? TimeText.elapsed(instant)
  }

  static func climb(_ climb: Float, _ uncertainty: Float) -> String {
    "\(TimeText.decimal(Double(climb), 0)) ± \(TimeText.decimal(Double(uncertainty), 0)) m"
  }

  static func speed(_ speed: Double) -> String { "\(TimeText.decimal(speed * 3.6, 1)) km/h" }
}
