import Quantities

/// The fixes of rides in the formats of other programs.
enum TripExport {
  static func degrees(_ degreesE9: Int64) -> String {
    let digits = String(degreesE9.magnitude / 100)
    let padded = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    return (degreesE9 < 0 ? "-" : "") + padded.dropLast(7) + "." + padded.suffix(7)
  }

  private static func name(_ trip: FoundTrip, _ place: Int) -> String {
    trip.startUTC.map { TripText.iso8601($0) } ?? "ride \(place + 1)"
  }

  /// GPX 1.1: a way point for each checkpoint, and a track for each ride.
  static func gpx(_ trips: [FoundTrip], _ checkpoints: [FoundCheckpoint] = []) -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="leash" xmlns="http://www.topografix.com/GPX/1/1">

      """
    for checkpoint in checkpoints {
      text += "<wpt \(place(checkpoint.position))>"
      text += end(checkpoint.height, checkpoint.utc)
      if !checkpoint.title.isEmpty { text += "<name>\(PlotDrawing.escaped(checkpoint.title))</name>" }
      if !checkpoint.note.isEmpty { text += "<desc>\(PlotDrawing.escaped(checkpoint.note))</desc>" }
      if !checkpoint.picture.isEmpty { text += "<link href=\"\(PlotDrawing.escaped(checkpoint.picture))\"/>" }
      text += "</wpt>\n"
    }
    for (place, trip) in trips.enumerated() {
      text += "<trk><name>\(name(trip, place))</name><trkseg>\n"
      for point in trip.points {
        text += "<trkpt \(self.place(point.position))>\(end(point.height, point.utc))</trkpt>\n"
      }
      text += "</trkseg></trk>\n"
    }
    return text + "</gpx>\n"
  }

  private static func place(_ position: GeodeticPosition) -> String {
    "lat=\"\(degrees(position.latitudeE9))\" lon=\"\(degrees(position.longitudeE9))\""
  }

  private static func end(_ height: Double?, _ utc: UTCTime?) -> String {
    (height.map { "<ele>\(TimeText.decimal($0, 1))</ele>" } ?? "")
      + (utc.map { "<time>\(TripText.iso8601($0))</time>" } ?? "")
  }

  /// GeoJSON (RFC 7946): a line for each ride, with its numbers as properties and its region, and a point for each checkpoint.
  static func geoJSON(_ trips: [FoundTrip], _ checkpoints: [FoundCheckpoint] = []) -> String {
    let lines = trips.filter { $0.points.count > 1 }.map { trip in
      let parts = parts(of: trip).map {
        "[" + $0.map { coordinates($0.position, $0.height) }.joined(separator: ",") + "]"
      }
      let geometry =
        parts.count == 1
        ? "\"LineString\",\"coordinates\":\(parts[0])"
        : "\"MultiLineString\",\"coordinates\":[\(parts.joined(separator: ","))]"
      let region = trip.region.map { region in
        "\"bbox\":[\(degrees(region.west)),\(degrees(region.south)),\(degrees(region.east)),\(degrees(region.north))],"
      }
      return """
        {"type":"Feature",\(region ?? "")"properties":\(TripText.json(trip)),"geometry":{"type":\(geometry)}}
        """
    }
    let marks = checkpoints.map { checkpoint in
      let members = [
        ("title", checkpoint.title), ("note", checkpoint.note), ("picture", checkpoint.picture),
        ("utc", checkpoint.utc.map { TripText.iso8601($0) } ?? ""),
      ].filter { !$0.1.isEmpty }.map { "\"\($0.0)\":\(jsonString($0.1))" }
      return """
        {"type":"Feature","properties":{\(members.joined(separator: ","))},"geometry":{"type":"Point","coordinates":\
        \(coordinates(checkpoint.position, checkpoint.height))}}
        """
    }
    return "{\"type\":\"FeatureCollection\",\"features\":[\n" + (lines + marks).joined(separator: ",\n") + "\n]}\n"
  }

  /// The fixes up to the date line, and those behind it, each with the place where the way crosses it (RFC 7946, section 3.1.9).
  private static func parts(of trip: FoundTrip) -> [[FoundTrip.Point]] {
    var parts: [[FoundTrip.Point]] = [[]]
    for point in trip.points {
      if let before = parts[parts.count - 1].last {
        let (from, to) = (before.position.longitudeE9, point.position.longitudeE9)
        if abs(to - from) > 180_000_000_000 {
          let edge: Int64 = from > 0 ? 180_000_000_000 : -180_000_000_000
          let share = Double(edge - from) / Double(TripFinder.wrapped(to - from))
          let latitude =
            before.position.latitudeE9 + Int64(share * Double(point.position.latitudeE9 - before.position.latitudeE9))
          if let here = GeodeticPosition(latitudeE9: latitude, longitudeE9: edge),
            let there = GeodeticPosition(latitudeE9: latitude, longitudeE9: -edge)
          {
            var crossing = before
            crossing.position = here
            parts[parts.count - 1].append(crossing)
            crossing.position = there
            parts.append([crossing])
          } else {
            parts.append([])
          }
        }
      }
      parts[parts.count - 1].append(point)
    }
    return parts
  }

  private static func coordinates(_ position: GeodeticPosition, _ height: Double?) -> String {
    let third = height.map { ",\(TimeText.decimal($0, 1))" } ?? ""
    return "[\(degrees(position.longitudeE9)),\(degrees(position.latitudeE9))\(third)]"
  }

  /// A table that `leash replay` reads again, with the number of the ride.
  static func csv(_ trips: [FoundTrip]) -> String {
    var text = "ride,t_s,utc,lat_deg,lon_deg,alt_m,speed_mps\n"
    for (place, trip) in trips.enumerated() {
      for point in trip.points {
        let cells = [
          "\(trip.number > 0 ? Int(trip.number) : place + 1)", TimeText.decimal(point.time.secondsDouble, 3),
          point.utc.map { TripText.iso8601($0) } ?? "",
          degrees(point.position.latitudeE9), degrees(point.position.longitudeE9),
          point.height.map { TimeText.decimal($0, 1) } ?? "", point.speed.map { TimeText.decimal($0, 2) } ?? "",
        ]
        text += cells.joined(separator: ",") + "\n"
      }
    }
    return text
  }
}
