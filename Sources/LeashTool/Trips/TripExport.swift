import Quantities

/// The fixes of rides in the formats of other programs.
enum TripExport {
  private static func degrees(_ degreesE9: Int64) -> String {
    let digits = String(degreesE9.magnitude / 100)
    let padded = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    return (degreesE9 < 0 ? "-" : "") + padded.dropLast(7) + "." + padded.suffix(7)
  }

  private static func name(_ trip: FoundTrip, _ place: Int) -> String {
    trip.startUTC.map { TripText.iso8601($0) } ?? "ride \(place + 1)"
  }

  /// GPX 1.1, a track for each ride.
  static func gpx(_ trips: [FoundTrip]) -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="leash" xmlns="http://www.topografix.com/GPX/1/1">

      """
    for (place, trip) in trips.enumerated() {
      text += "<trk><name>\(name(trip, place))</name><trkseg>\n"
      for point in trip.points {
        text += "<trkpt lat=\"\(degrees(point.position.latitudeE9))\" lon=\"\(degrees(point.position.longitudeE9))\">"
        if let height = point.height { text += "<ele>\(TimeText.decimal(height, 1))</ele>" }
        if let utc = point.utc { text += "<time>\(TripText.iso8601(utc))</time>" }
        text += "</trkpt>\n"
      }
      text += "</trkseg></trk>\n"
    }
    return text + "</gpx>\n"
  }

  /// GeoJSON (RFC 7946), a line for each ride, with its numbers as properties.
  static func geoJSON(_ trips: [FoundTrip]) -> String {
    let features = trips.filter { $0.points.count > 1 }.map { trip in
      let points = trip.points.map { point in
        let height = point.height.map { ",\(TimeText.decimal($0, 1))" } ?? ""
        return "[\(degrees(point.position.longitudeE9)),\(degrees(point.position.latitudeE9))\(height)]"
      }
      return """
        {"type":"Feature","properties":\(TripText.json(trip)),"geometry":{"type":"LineString","coordinates":[\
        \(points.joined(separator: ","))]}}
        """
    }
    return "{\"type\":\"FeatureCollection\",\"features\":[\n" + features.joined(separator: ",\n") + "\n]}\n"
  }

  /// A table that `leash replay` reads again, with the number of the ride.
  static func csv(_ trips: [FoundTrip]) -> String {
    var text = "ride,t_s,utc,lat_deg,lon_deg,alt_m,speed_mps\n"
    for (place, trip) in trips.enumerated() {
      for point in trip.points {
        let cells = [
          "\(place + 1)", TimeText.decimal(point.time.secondsDouble, 3), point.utc.map { TripText.iso8601($0) } ?? "",
          degrees(point.position.latitudeE9), degrees(point.position.longitudeE9),
          point.height.map { TimeText.decimal($0, 1) } ?? "", point.speed.map { TimeText.decimal($0, 2) } ?? "",
        ]
        text += cells.joined(separator: ",") + "\n"
      }
    }
    return text
  }
}
