import Quantities
import TrackerCore
import TrackerRuntime

/// A tracker that walks about a garden at 52° N, 4° E, with fixes alone.
extension RequestBench {
  static let middle = (latitude: 52.0, longitude: 4.0)

  /// Degrees of a place so many metres from the middle, as a request has them.
  static func place(_ north: Double, _ east: Double) -> String {
    "\(degrees(middle.latitude + north / 111_267)),\(degrees(middle.longitude + east / 68_677))"
  }

  private static func degrees(_ value: Double) -> String {
    let scaled = Int64((value * 1e7).rounded())
    var decimals = String(String(10_000_000 + scaled % 10_000_000).dropFirst())
    while decimals.count > 1, decimals.hasSuffix("0") { decimals.removeLast() }
    return "\(scaled / 10_000_000).\(decimals)"
  }

  /// A fix there, a second later.
  func fix(north: Double, east: Double = 0, speed: Double = 0, accuracy: Double = 3) throws {
    advanceSecond()
    var fix = GNSSFix(time: .seconds(second))
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(
      latitudeDegrees: Self.middle.latitude + north / 111_267, longitudeDegrees: Self.middle.longitude + east / 68_677)
    fix.horizontalAccuracy = accuracy
    fix.speed = speed
    fix.utc = utc
    try run.feed(.fix(fix))
  }

  /// What the receiver says the time is.
  var utc: UTCTime { UTCTime(microseconds: (1_764_000_000 + Int64(second + clockIsAhead)) * 1_000_000) }

  /// Stays for some seconds, a fix each.
  func stay(_ seconds: Int, north: Double = 0, east: Double = 0) throws {
    for _ in 0..<seconds { try fix(north: north, east: east) }
  }

  /// Walks north at a metre a second.
  func walk(from start: Int, to end: Int) throws {
    for north in stride(from: start, through: end, by: end > start ? 1 : -1) { try fix(north: Double(north), speed: 1) }
  }

  /// A circle of 50 m about the middle that must not be left, and five minutes in it.
  static func inGarden() throws -> RequestBench {
    let bench = try RequestBench { $0.alertsEnabled = false }
    try bench.fix(north: 0)
    _ = try bench.ask("fence 1 set \"garden\" circle \(place(0, 0)) 50")
    _ = try bench.ask("fence 1 on")
    try bench.stay(300)
    _ = bench.news()
    return bench
  }
}

/// Packets of a kind.
func packets(_ all: [String], of kind: String) -> [String] { all.filter { $0.contains("\"type\":\"\(kind)\"") } }

/// A number of a member of a packet's text; nil when it has none.
func number(_ name: String, in packet: String) -> Double? {
  guard let found = packet.range(of: "\"\(name)\":") else { return nil }
  return Double(packet[found.upperBound...].prefix { "0123456789.-".contains($0) })
}
