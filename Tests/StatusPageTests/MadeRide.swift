import Foundation
import LinuxRuntime
import Quantities
import TestSupport

/// The history of a recorded ride that ends with the bike being taken, made by the code that makes it on the board.
struct MadeRide {
  /// The body of `/history.json`.
  private struct Answer: Encodable {
    let newest: Int
    let now: Double
    let track: [LiveHistory.TrackPoint]
    let curve: [LiveHistory.CurvePoint]
    let happenings: [LiveHistory.Happening]
  }

  private(set) var history = LiveHistory()
  private(set) var last = GeodeticPosition(latitudeE9: 0, longitudeE9: 0)
  private let now: Instant = .zero + .seconds(8711)

  /// The Ardennes ride of `fixtures/rides`: ridden, left standing, and carried off for the last two and a half minutes.
  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "fixtures/rides/ardennes_edge1000_gnss.csv.gz")
    let fixes = try recordedFixes(file.path)
    let start = fixes.first?.time ?? .zero
    for fix in fixes {
      guard let position = fix.position else { continue }
      let time = Instant.zero + (fix.time - start)
      history.add(position, phase: time.secondsDouble < 8100 ? "riding" : "settling", at: time)
      last = position
    }
    carryOff()
    measure()
    tell()
  }

  /// Places of the theft: a curve to the east.
  private mutating func carryOff() {
    for second in 0..<150 {
      guard let before = last else { return }
      let north = Int64(110_000 * cos(Double(second) / 40))
      last = GeodeticPosition(latitudeE9: before.latitudeE9 + north, longitudeE9: before.longitudeE9 + 190_000)
      if let last { history.add(last, phase: "alarmed", at: now - .seconds(150 - second)) }
    }
  }

  /// Ten minutes of an inertial sensor, quiet but for the last hundred seconds.
  private mutating func measure() {
    for step in 0..<6000 {
      let back = Double(6000 - step) / 10
      let strength = Float(back < 105 ? max(0, 1 - abs(60 - back) / 45) : 0)
      // A disturbance without a period that the eye would see.
      let noise = Float((step &* 7919) % 97) / 97
      let sample = InertialSample(
        time: now - .milliseconds((6000 - step) * 100), angularRate: Vector3(0.004 + strength * noise * 0.5, 0, 0),
        specificForce: Vector3(0, 0, 9.83 + strength * noise * 2))
      history.add(sample, evidence: 0.1 + 0.05 * noise + strength * 3.3 * (0.7 + 0.3 * noise))
    }
  }

  private mutating func tell() {
    let events: [(Int, String, String)] = [
      (8699, "event", #"{"type":"event","event":"fixAcquired","after":11.800}"#),
      (8697, "event", #"{"type":"event","event":"rideStarted","onset":10.000}"#),
      (611, "event", #"{"type":"event","event":"standing","since":8095.000,"cause":"observed"}"#),
      (311, "event", #"{"type":"event","event":"parked","lastMotion":8100.000}"#),
      (311, "packet", #"{"type":"ride","sequence":409}"#), (311, "packet", #"{"type":"parking","sequence":410}"#),
      (310, "event", #"{"type":"event","event":"armed"}"#),
      (100, "event", #"{"type":"event","event":"suspicious","detector":"touch","ratio":1.20,"onset":8611.000}"#),
      (95, "event", #"{"type":"event","event":"movement","detector":"tilt","ratio":3.86,"tilt":11.6}"#),
      (95, "packet", #"{"type":"movement","sequence":411}"#),
      (31, "event", #"{"type":"event","event":"movement","detector":"displacement","ratio":1.62,"displacement":63.2}"#),
      (31, "packet", #"{"type":"movement","sequence":412}"#),
      (2, "event", #"{"type":"event","event":"<b>new</b>"}"#),
    ]
    for (back, what, json) in events { history.add(what, json: json, at: now - .seconds(back)) }
  }

  /// What the page is given; status and dialogue are fixed, the history is asked for as the board answers it.
  var content: PageContentParts {
    let status = alarmedStatus.replacing("POSITION_LAT", with: "\(last?.latitudeDegrees ?? 0)")
      .replacing("POSITION_LON", with: "\(last?.longitudeDegrees ?? 0)")
    return PageContentParts(
      status: status, history: { body(after: $0) }, dialogue: madeDialogue, fences: madeFences)
  }

  /// The entries above a number.
  func body(after: Int) -> [UInt8] {
    let answer = Answer(
      newest: history.newest, now: now.secondsDouble, track: history.track.filter { $0.n > after },
      curve: history.curve.filter { $0.n > after }, happenings: history.happenings.filter { $0.n > after })
    return (try? Array(JSONEncoder().encode(answer))) ?? []
  }
}

/// Content that can go to the thread of a page.
struct PageContentParts: Sendable {
  var status: String
  var history: @Sendable (Int) -> [UInt8] = { _ in
    Array(#"{"newest":0,"now":3.1,"track":[],"curve":[],"happenings":[]}"#.utf8)
  }
  var dialogue = #"{"newest":0,"lines":[]}"#
  var fences = #"{"type":"FeatureCollection","features":[]}"#
}

/// A circle around the start, and a field beside it.
let madeFences = #"""
  {"type":"FeatureCollection","features":[
  {"type":"Feature","properties":{"name":"Home","radiusMetres":1500},
  "geometry":{"type":"Point","coordinates":[5.9003,50.3926]}},
  {"type":"Feature","properties":{"name":"Club"},"geometry":{"type":"Polygon",
  "coordinates":[[[5.93,50.43],[5.96,50.43],[5.96,50.45],[5.93,50.45],[5.93,50.43]]]}}]}
  """#
