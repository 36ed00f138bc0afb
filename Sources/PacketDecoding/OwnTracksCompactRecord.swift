import ASCIIText
import Quantities
import Telemetry

/// The ten fields of OwnTracks' compact form.
public struct OwnTracksCompactRecord: Equatable, Sendable {
  /// Short name of the tracker.
  public var name: String
  /// Seconds since 1970.
  public var seconds: UInt64
  /// What made it, one character.
  public var trigger: UInt8
  /// Latitude in 1e-6 degree.
  public var latitudeE6: Int64
  /// Longitude in 1e-6 degree.
  public var longitudeE6: Int64
  /// Course in tens of degrees.
  public var course: Int64
  /// km/h.
  public var speed: Int64
  /// Height in tens of metres.
  public var altitude: Int64
  /// m since the last.
  public var distance: Int64
  /// km.
  public var trip: Int64

  /// Reads ten fields with commas between; nil when it is anything else.
  public init?(_ text: [UInt8]) {
    let parts = text.split(separator: 0x2C, maxSplits: 10, omittingEmptySubsequences: false).map { Array($0) }
    guard parts.count == 10, parts[2].count == 1, (0x21...0x7E).contains(parts[2][0]), (1...12).contains(parts[1].count)
    else { return nil }
    var seconds: UInt64 = 0
    for byte in parts[1] {
      guard let digit = hexadecimalValue(byte) else { return nil }
      seconds = seconds << 4 | UInt64(digit)
    }
    var numbers: [Int64] = []
    for part in parts[3...] {
      guard !part.contains(0x2E), let number = scanFixed(part.span, decimals: 0), number.magnitude < 1 << 40 else {
        return nil
      }
      numbers.append(number)
    }
    name = String(decoding: parts[0], as: UTF8.self)
    self.seconds = seconds
    trigger = parts[2][0]
    (latitudeE6, longitudeE6, course) = (numbers[0], numbers[1], numbers[2])
    (speed, altitude, distance, trip) = (numbers[3], numbers[4], numbers[5], numbers[6])
  }

  /// What such a record must have that this has not; nil for what does not look like one.
  static func fault(in text: [UInt8]) -> String? {
    let parts = text.split(separator: 0x2C, omittingEmptySubsequences: false)
    // A name of two places, a time in hexadecimal digits, one character.
    guard parts.count > 3, !text.contains(0x0A), (1...12).contains(parts[1].count),
      parts[1].allSatisfy({ hexadecimalValue($0) != nil }), parts[2].count == 1
    else { return nil }
    guard parts.count == 10 else { return "compact fields of OwnTracks are 10, and these are \(parts.count)" }
    return "compact fields of OwnTracks are whole numbers from the fourth on"
  }

  private var values: [(name: String, value: String)] {
    [
      ("tid", name), ("tst", String(seconds, radix: 16, uppercase: true)),
      ("t", String(decoding: [trigger], as: UTF8.self)),
      ("lat", "\(latitudeE6)"), ("lon", "\(longitudeE6)"), ("cog", "\(course)"), ("vel", "\(speed)"),
      ("alt", "\(altitude)"), ("dist", "\(distance)"), ("trip", "\(trip)"),
    ]
  }

  /// The record as text.
  public var text: String { values.map(\.value).joined(separator: ",") }

  func message(_ now: UTCTime?) -> DecodedMessage {
    let fields = values.map { name, value in
      let row = FieldTables.row(name, of: .ownTracksCompact, type: "")
      return DecodedField(
        name, value, unit: row?.unit ?? "", meaning: name == "t" ? FieldTables.trigger(value) : row?.meaning ?? "",
        trap: row?.trap ?? nil,
        problem: FieldLimits.problem(name, value, of: .ownTracksCompact, type: "", now: now))
    }
    var facts = DecodedFacts()
    facts.tracker = name
    let (microseconds, isBeyond) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000)
    facts.time = isBeyond ? nil : UTCTime(microseconds: microseconds)
    if let place = JSONReading.place(Double(latitudeE6) / 1e6, Double(longitudeE6) / 1e6) {
      (facts.latitude, facts.longitude) = place
    }
    facts.course = Double(course) * 10
    facts.speed = Double(speed) / 3.6
    facts.altitude = Double(altitude) * 10
    facts.odometer = Double(trip) * 1000
    facts.meaning = OwnTracksMeaning.meaning(trigger: trigger)
    return DecodedMessage(form: .ownTracksCompact, type: "location", fields: fields, facts: facts)
  }
}
