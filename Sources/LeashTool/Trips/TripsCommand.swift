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
  static let files = Positional("FILE", count: .any, "Recordings, as for 'leash replay', each with its rides.")

  static let command = Command(
    "trips", "List and export the rides of recordings",
    discussion: """
      Runs the tracker on each recording and prints its rides: start, end, distance, time without stops, mean and \
      highest speed, and climb. A ride ends where the vehicle last moved before it was parked. Alerts are off, except in a \
      Leash log, whose settings are used. Times are UTC, or since the beginning of the recording if it has none.
      """,
    parameters: [.positional(files), .flag(json), .option(export), .option(draw), .option(settings)]
  ) { arguments, console throws(CommandFailure) in
    guard !arguments[files].isEmpty else { throw .usage("FILE is missing: give at least one recording") }
    var trips: [FoundTrip] = []
    for path in arguments[files] { trips += try TripFinder(path, set: arguments.all(settings)).trips }
    if let path = arguments[draw] {
      try reading { () throws(RecordingError) in
        let target = try ByteTarget(path: path)
        try target.append(TripDrawing.svg(trips))
        try target.close()
      }
    }
    if let format = arguments[export] {
      switch format {
      case .gpx: console.out.write(TripExport.gpx(trips))
      case .geojson: console.out.write(TripExport.geoJSON(trips))
      case .csv: console.out.write(TripExport.csv(trips))
      }
    } else if arguments[json] {
      for trip in trips { console.out.writeLine(TripText.json(trip)) }
    } else {
      console.out.write(trips.isEmpty ? "no rides\n" : TripText.table(trips))
    }
    return .success
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
    return table.text()
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
    add("fixes", "\(found.points.count)")
    return "{" + members.joined(separator: ",") + "}"
  }

  static func iso8601(_ utc: UTCTime) -> String {
    var bytes = ByteBuffer()
    bytes.append(iso8601: utc)
    return String(decoding: bytes.bytes, as: UTF8.self)
  }

  private static func moment(_ instant: Instant, _ utc: UTCTime?) -> String {
    utc.map { String(iso8601($0).prefix(10)) + " " + TimeText.timeOfDay($0) } ?? TimeText.elapsed(instant)
  }

  private static func climb(_ climb: Float, _ uncertainty: Float) -> String {
    "\(TimeText.decimal(Double(climb), 0)) ± \(TimeText.decimal(Double(uncertainty), 0)) m"
  }

  private static func speed(_ speed: Double) -> String { "\(TimeText.decimal(speed * 3.6, 1)) km/h" }
}
