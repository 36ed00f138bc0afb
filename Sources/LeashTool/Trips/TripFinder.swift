import Gear
import Quantities
import Recording
import TrackerCore
import TrackerRuntime

/// A ride of a recording: what the tracker told of it, and its fixes.
struct FoundTrip {
  /// A fix of the ride.
  struct Point {
    var time: Instant
    var utc: UTCTime?
    var position: GeodeticPosition
    /// m; nil when unknown.
    var height: Double?
    /// m/s; nil when unknown.
    var speed: Double?
  }

  var trip: Trip
  var startUTC: UTCTime?
  var endUTC: UTCTime?
  var points: [Point]
  /// Its number where there was gear; 0 where there was none.
  var number: UInt32 = 0
  /// The gear that it was on, as known at the end of the recording; nil for none.
  var gear: String?

  /// The smallest region that has all its fixes, degrees; nil without fixes. East is less than west across the date line.
  var region: (south: Int64, west: Int64, north: Int64, east: Int64)? {
    guard let first = points.first?.position else { return nil }
    var (south, north, west, east) = (first.latitudeE9, first.latitudeE9, Int64(0), Int64(0))
    for point in points {
      south = min(south, point.position.latitudeE9)
      north = max(north, point.position.latitudeE9)
      let way = TripFinder.wrapped(point.position.longitudeE9 - first.longitudeE9)
      (west, east) = (min(west, way), max(east, way))
    }
    return (
      south, TripFinder.wrapped(first.longitudeE9 + west), north, TripFinder.wrapped(first.longitudeE9 + east)
    )
  }

  /// Only what is within these times, in UTC; nil when nothing is, or the times of the ride are not known.
  func within(_ from: UTCTime?, _ to: UTCTime?) -> FoundTrip? {
    guard from != nil || to != nil else { return self }
    guard let start = startUTC, let end = endUTC, from.map({ end >= $0 }) ?? true, to.map({ start <= $0 }) ?? true
    else { return nil }
    var part = self
    part.points = points.filter { point in
      guard let utc = point.utc else { return false }
      return (from.map { utc >= $0 } ?? true) && (to.map { utc <= $0 } ?? true)
    }
    return part
  }

  /// True for a time of the ride.
  func spans(_ time: Instant) -> Bool { time >= trip.start && time <= trip.end ?? trip.start }

  /// Time from its beginning to its end.
  var duration: Interval { (trip.end ?? trip.start) - trip.start }
}

/// A place that was marked.
struct FoundCheckpoint {
  var time: Instant
  var utc: UTCTime?
  var position: GeodeticPosition
  /// m; nil when unknown.
  var height: Double?
  /// Nil when the owner's button marked it.
  var words: Checkpoint?

  /// Its title, its note and what names its picture; empty for what it has not.
  var title: String { words.map { TripFinder.text($0.title.span) } ?? "" }
  var note: String { words.map { TripFinder.text($0.note.span) } ?? "" }
  var picture: String { words.map { TripFinder.text($0.picture.span) } ?? "" }
}

/// Runs the tracker on a recording, and takes down the rides that it tells.
final class TripFinder {
  private(set) var trips: [FoundTrip] = []
  /// Places that were marked, on rides and besides.
  private(set) var checkpoints: [FoundCheckpoint] = []
  private var markCount = 0
  private var points: [FoundTrip.Point] = []
  private var hasEnded = false
  /// The names of all gear at the end of the recording.
  private(set) var gearNames: Set<String> = []

  /// So long before a ride is told it may have begun, s: what is older is no part of one.
  private static var longestOnset: Interval { .seconds(600) }

  /// Finds the rides of a recording; one that is under way at its end is over once it has stood for as long as all others.
  init(_ path: String, set settings: [String]) throws(CommandFailure) {
    let recording = try reading { () throws(RecordingError) in try openRecording(path, port: Port.gnss.rawValue) }
    var configuration = RunConfiguration()
    // Nobody dismisses the alerts of a recording: what moves from where it was parked is its owner.
    configuration.tracker.alertsEnabled = false
    if let log = recording as? LeashLogImporter, let text = log.configurationText {
      do throws(RunConfiguration.Refusal) {
        configuration = try RunConfiguration(text: text)
      } catch {
        throw .environment("\(path): setting '\(error.name)' in its configuration is unknown to this version")
      }
    }
    for text in settings { try ReplayOptions.set(text, &configuration) }
    try reading { () throws(RecordingError) in
      let run = try TrackerRun(configuration) { [unowned self] output, bytes in
        if case .packet(_, .status) = output { noteMark(bytes) }
        guard case .event(let event) = output, case .motion(.parked(_, .some, .some)) = event.kind else { return }
        hasEnded = true
      }
      while let input = try recording.next() {
        try run.feed(input, payload: recording.payload)
        look(at: run)
        while markCount > 0 {
          markCount -= 1
          addMark(TripFinder.checkpoint(input, recording.payload), run)
        }
      }
      defer { run.lookAtGear { noteGear($0) } }
      guard run.phase == .riding || run.phase == .settling else { return }
      try run.advance(to: run.now + configuration.tracker.motion.silenceAfter + .seconds(1))
      try run.advance(to: run.now + configuration.tracker.motion.armBy + configuration.tracker.motion.armAfter)
      look(at: run)
    }
  }

  private func noteMark(_ packet: Span<UInt8>) {
    let text = packet.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    if text.contains("\"reason\":\"checkpoint\"") { markCount += 1 }
  }

  private func addMark(_ words: Checkpoint?, _ run: TrackerRun) {
    // Nobody knows where it was without a position.
    guard let fix = run.look({ $0.lastFix }), let position = fix.position else { return }
    checkpoints.append(
      FoundCheckpoint(time: run.now, utc: run.utc(of: run.now), position: position, height: fix.height, words: words))
  }

  /// What a request to mark a place says; nil for another input.
  private static func checkpoint(_ input: TrackerInput, _ payload: [UInt8]) -> Checkpoint? {
    guard case .command = input else { return nil }
    let request: Request?
    if case .admitted(let admitted, _, _, _)? = RequestVerdict(payload.span) {
      request = admitted
    } else {
      request = Request(logged: payload.span)
    }
    if case .checkpoint(let words)? = request { return words }
    return nil
  }

  /// Between -180 and 180 degrees.
  static func wrapped(_ longitudeE9: Int64) -> Int64 {
    longitudeE9 > 180_000_000_000
      ? longitudeE9 - 360_000_000_000 : longitudeE9 < -180_000_000_000 ? longitudeE9 + 360_000_000_000 : longitudeE9
  }

  static func text(_ bytes: Span<UInt8>) -> String {
    bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  private func look(at run: TrackerRun) {
    if let fix = run.look({ $0.lastFix }), fix.time != points.last?.time, let position = fix.position {
      points.append(
        FoundTrip.Point(time: fix.time, utc: fix.utc, position: position, height: fix.height, speed: fix.speed))
    }
    let isMoving = run.phase == .riding || run.phase == .settling || run.phase == .alarmed || run.phase == .stolen
    if !isMoving, !hasEnded, points.count > 4096 {
      points.removeAll { run.now - $0.time > TripFinder.longestOnset }
    }
    guard hasEnded else { return }
    hasEnded = false
    guard let trip = run.look({ $0.lastTrip }), let end = trip.end else { return }
    let own = points.filter { $0.time >= trip.start && $0.time <= end }
    points.removeAll { $0.time <= end }
    trips.append(
      FoundTrip(
        trip: trip, startUTC: run.look { $0.utc(of: trip.start) }, endUTC: run.look { $0.utc(of: end) }, points: own,
        number: run.lookAtGear { $0.lastRide }))
  }

  private func noteGear(_ ledger: borrowing GearLedger) {
    var names: [UInt16: String] = [:]
    for row in 0..<GearLedger.capacity {
      guard let gear = ledger.gear(in: row) else { continue }
      names[gear.number] = gear.name.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
    gearNames = Set(names.values)
    for place in trips.indices {
      guard let ride = ledger.ride(trips[place].number) else { continue }
      trips[place].gear = names[ride.gear]
    }
  }
}
