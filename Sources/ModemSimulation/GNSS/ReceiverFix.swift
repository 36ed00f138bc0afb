import Quantities

/// What the simulated receiver knows in a second.
struct ReceiverFix: Sendable {
  /// Where.
  var position: GeodeticPosition
  /// Height above the sea, m.
  var height: Double
  /// Speed over ground, m/s.
  var speed: Double
  /// Course over ground, degrees.
  var courseDegrees: Double
  /// Horizontal, position and vertical dilution of precision.
  var dilution = (horizontal: 0.9, position: 1.3, vertical: 0.9)
  /// Satellites in view and used.
  var satellites = (inView: 20, used: 8)
  /// Strongest signal, dB-Hz.
  var signal = 48
}

extension ReceiverFix {
  /// The place on a path at a time; nil where the receiver sees too little.
  init?(on path: [TrajectoryPoint], at time: Instant) {
    guard let first = path.first else { return nil }
    var low = 0
    var high = path.count
    // The last point not after the time.
    while high - low > 1 {
      let middle = (low + high) / 2
      if path[middle].time <= time { low = middle } else { high = middle }
    }
    let start = time < first.time ? first : path[low]
    guard start.hasFix else { return nil }
    guard time >= first.time, low + 1 < path.count, path[low + 1].time > start.time else {
      self.init(
        position: start.position, height: start.height, speed: start.speed ?? 0,
        courseDegrees: ReceiverFix.degrees(start.course ?? 0))
      return
    }
    let end = path[low + 1]
    let span = (end.time - start.time).microseconds
    let part = Double((time - start.time).microseconds) / Double(span)
    let latitude =
      start.position.latitudeE9
      + Elementary.roundedInteger(Double(end.position.latitudeE9 - start.position.latitudeE9) * part)
    let longitude =
      start.position.longitudeE9
      + Elementary.roundedInteger(Double(end.position.longitudeE9 - start.position.longitudeE9) * part)
    // The earth as a sphere is good enough for a speed and a course between two points.
    let metresPerDegree = 111_195.0
    let north = (end.position.latitudeDegrees - start.position.latitudeDegrees) * metresPerDegree
    let east =
      (end.position.longitudeDegrees - start.position.longitudeDegrees) * metresPerDegree
      * Elementary.cos(start.position.latitude)
    let way = (north * north + east * east).squareRoot()
    let course = Elementary.atan2(east, north)
    self.init(
      position: GeodeticPosition(latitudeE9: latitude, longitudeE9: longitude) ?? start.position,
      height: start.height + (end.height - start.height) * part,
      speed: start.speed ?? way / (Double(span) / 1_000_000),
      courseDegrees: ReceiverFix.degrees(start.course ?? (way > 0 ? course : 0)))
  }

  private static func degrees(_ angle: Double) -> Double { Elementary.positiveAngle(angle) * (180 / Double.pi) }

  /// What the sentences of one second say; nil when they have no valid position.
  init?(sentences: ArraySlice<String>) {
    var found: ReceiverFix?
    for sentence in sentences {
      let body = sentence.split(separator: "*", omittingEmptySubsequences: false).first ?? ""
      let fields = body.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard let kind = fields.first?.suffix(3) else { continue }
      if kind == "RMC", fields.count > 8, fields[2] == "A",
        let position = ReceiverFix.position(Array(fields[3...6]))
      {
        var fix = found ?? ReceiverFix(position: position, height: 0, speed: 0, courseDegrees: 0)
        fix.speed = (Double(fields[7]) ?? 0) * 1_852 / 3_600
        fix.courseDegrees = Double(fields[8]) ?? 0
        found = fix
      } else if kind == "GGA", fields.count > 9, fields[6] != "0",
        let position = ReceiverFix.position(Array(fields[2...5]))
      {
        var fix = found ?? ReceiverFix(position: position, height: 0, speed: 0, courseDegrees: 0)
        fix.height = Double(fields[9]) ?? 0
        fix.satellites.used = Int(fields[7]) ?? 0
        fix.dilution.horizontal = Double(fields[8]) ?? 99
        found = fix
      }
    }
    guard let found else { return nil }
    self = found
  }

  /// Degrees and minutes with their hemispheres.
  private static func position(_ fields: [String]) -> GeodeticPosition? {
    guard let latitude = Double(fields[0]), let longitude = Double(fields[2]) else { return nil }
    func degrees(_ value: Double) -> Double {
      let whole = Elementary.floor(value / 100)
      return whole + (value - whole * 100) / 60
    }
    return GeodeticPosition(
      latitudeDegrees: degrees(latitude) * (fields[1] == "S" ? -1 : 1),
      longitudeDegrees: degrees(longitude) * (fields[3] == "W" ? -1 : 1))
  }
}
