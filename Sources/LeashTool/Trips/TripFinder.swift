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
    /// The ride up to here; nil before it was known to be one.
    var sofar: Progress?
  }

  /// What of a ride grows from fix to fix.
  struct Progress {
    /// m.
    var distance: Double
    var moving: Interval
    /// m; nil when no height is known.
    var climb: Float?

    init(_ trip: Trip) { (distance, moving, climb) = (trip.distance, trip.moving, trip.climb) }
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

  /// Only what is within these times, in UTC; nil when nothing is, or the times of the ride are not known. The numbers of a ride that is
  /// cut are those from the last fix before it to the last in it; what was
  /// carried has no place on the way and is left out.
  func within(_ from: UTCTime?, _ to: UTCTime?) -> FoundTrip? {
    guard from != nil || to != nil else { return self }
    guard let start = startUTC, let end = endUTC, from.map({ end >= $0 }) ?? true, to.map({ start <= $0 }) ?? true
    else { return nil }
    var part = self
    part.points = points.filter { point in
      guard let utc = point.utc else { return false }
      return (from.map { utc >= $0 } ?? true) && (to.map { utc <= $0 } ?? true)
    }
    let (isLate, isEarly) = (from.map { $0 > start } ?? false, to.map { $0 < end } ?? false)
    guard isLate || isEarly else { return part }
    if isLate, let from { (part.trip.start, part.startUTC) = (trip.start + (from - start), from) }
    if isEarly, let to { (part.trip.end, part.endUTC) = (trip.start + (to - start), to) }
    let before = isLate ? progress { utc in from.map { utc < $0 } ?? true } : nil
    let after = isEarly ? progress { utc in to.map { utc <= $0 } ?? true } : Progress(trip)
    part.trip.distance = max(0, (after?.distance ?? 0) - (before?.distance ?? 0))
    part.trip.moving = max(.zero, (after?.moving ?? .zero) - (before?.moving ?? .zero))
    part.trip.climb = after?.climb.map { max(0, $0 - (before?.climb ?? 0)) }
    part.trip.topSpeed = zip(part.points, part.points.dropFirst())
      .compactMap { pair in pair.0.speed.flatMap { first in pair.1.speed.map { Float(min(first, $0)) } } }.max()
    part.trip.carried = 0
    return part
  }

  /// The ride up to the last of the fixes at whose times it is so.
  private func progress(_ isSo: (UTCTime) -> Bool) -> Progress? {
    points.last { $0.utc.map(isSo) ?? false }?.sofar
  }

  /// When it was under way, by the clock of each life of the tracker.
  var stretches: [(life: Int, begin: Instant, end: Instant)] = []

  /// True for a place that was marked on the ride.
  func has(_ mark: FoundCheckpoint) -> Bool {
    stretches.contains { $0.life == mark.life && mark.time >= $0.begin && mark.time <= $0.end }
  }

  /// Time from its beginning to its end.
  var duration: Interval { (trip.end ?? trip.start) - trip.start }
}

/// Runs the tracker on recordings, and takes down the rides that it tells.
///
/// Leash logs of one tracker that go on from each other, as parts of one run or as lives after a restart, are one way.
final class TripFinder {
  private(set) var trips: [FoundTrip] = []
  /// Places that were marked, on rides and besides.
  private(set) var checkpoints: [FoundCheckpoint] = []
  /// The names of all gear at the end of the recordings.
  private(set) var gearNames: Set<String> = []
  /// What of the recordings was passed over.
  private(set) var reports: [ImportReport] = []
  /// Recordings that could not be read, each with its reason.
  private(set) var failures: [CommandFailure] = []
  /// What is missing between recordings of one tracker.
  private(set) var gaps: [String] = []

  private let settings: [String]
  private var run: TrackerRun?
  private var configuration = RunConfiguration()
  /// The file that was read last.
  private var lastPath = ""
  /// Number of the tracker's life, from 1.
  private var life = 0
  /// The first ride of the tracker that is read.
  private var firstOfTracker = 0
  private var points: [FoundTrip.Point] = []
  /// What an earlier life has of the ride that is under way.
  private var earlierPoints: [FoundTrip.Point] = []
  private var earlierStretches: [(life: Int, begin: Instant, end: Instant)] = []
  private var marks: [MarkPacket] = []
  private var toldMarks: Set<UInt32> = []
  private var hasEnded = false

  /// So long before a ride is told it may have begun, s: what is older is no part of one.
  private static var longestOnset: Interval { .seconds(600) }

  /// Finds the rides of recordings; one that is under way at the end of the last is over once it has stood for as long as all others.
  init(_ paths: [String], set settings: [String]) throws(CommandFailure) {
    self.settings = settings
    for path in paths {
      // One that a power cut has left empty hides none of the others.
      do throws(CommandFailure) { try read(path) } catch { failures.append(error) }
    }
    if failures.count == paths.count, let failure = failures.first { throw failure }
    try reading { () throws(RecordingError) in try endLife(isOver: true) }
  }

  /// Tells what was passed over, what is missing, and what could not be read.
  func tellProblems(_ console: Console) {
    for line in ReplaySummary.problems(reports) + gaps + failures.map(\.message) { console.err.writeLine(line) }
  }

  private func read(_ path: String) throws(CommandFailure) {
    let recording = try reading { () throws(RecordingError) in try openRecording(path, port: Port.gnss.rawValue) }
    let log = recording as? LeashLogImporter
    let configuration = try TripFinder.configuration(of: log, path, settings)
    let isSame = run != nil && configuration.tracker.trackerID == self.configuration.tracker.trackerID
    let (earlier, last) = (log?.earlierLog ?? "", lastPath)
    lastPath = path
    try reading { () throws(RecordingError) in
      let first = try recording.next()
      // Each tracker calls its first log the same.
      if isSame, !earlier.isEmpty, last == TripFinder.folder(of: path) + earlier, let run, let first,
        first.time >= run.now
      {
        return try feed(recording, first: first)
      }
      if !earlier.isEmpty { gaps.append("\(path): goes on from \(earlier), which is not the recording before it") }
      var isRestored = false
      if case .restoration? = first { isRestored = isSame }
      try begin(configuration, first, recording.payload, isRestored: isRestored, path)
      try feed(recording, first: try recording.next())
    }
  }

  /// The path of a file's folder, with its slash; empty for the folder at hand.
  private static func folder(of path: String) -> Substring {
    path.lastIndex(of: "/").map { path[...$0] } ?? ""
  }

  private static func configuration(
    of log: LeashLogImporter?, _ path: String, _ settings: [String]
  ) throws(CommandFailure) -> RunConfiguration {
    var configuration = RunConfiguration()
    // Nobody dismisses the alerts of a recording: what moves from where it was parked is its owner.
    configuration.tracker.alertsEnabled = false
    if let text = log?.configurationText {
      do throws(RunConfiguration.Refusal) {
        configuration = try RunConfiguration(text: text)
      } catch {
        throw .environment("\(path): setting '\(error.name)' in its configuration is unknown to this version")
      }
    }
    for text in settings { try ReplayOptions.set(text, &configuration) }
    return configuration
  }

  /// A life of a tracker begins: of the same as before, if its state `isRestored` from there.
  private func begin(
    _ configuration: RunConfiguration, _ first: TrackerInput?, _ payload: [UInt8], isRestored: Bool, _ path: String
  ) throws(RecordingError) {
    var isRestored = isRestored
    let next = try TrackerRun(configuration) { [unowned self] output, bytes in
      if case .packet(let sequence, .status) = output, let mark = MarkPacket(bytes, sequence: sequence),
        toldMarks.insert(sequence).inserted
      {
        marks.append(mark)
      }
      guard case .event(let event) = output, case .motion(.parked(_, .some, .some)) = event.kind else { return }
      hasEnded = true
    }
    if let first { try next.feed(first, payload: payload) }
    var isNext = true
    if isRestored, let run {
      let (before, now) = (run.look { $0.lifeNumber }, next.look { $0.lifeNumber })
      isNext = now == before &+ 1
      // Where lives count back it is another tracker that has the same name.
      isRestored = now > before
      if isRestored, !isNext {
        gaps.append("\(path): life \(now) of the tracker; the recording before it is of life \(before)")
      }
    }
    let goesOn = isRestored && isNext && next.look { $0.lastTrip.map { $0.end == nil } ?? false }
    if goesOn, let run, let trip = run.look({ $0.lastTrip }), trip.end == nil {
      earlierPoints += points.filter { $0.time >= trip.start }
      earlierStretches.append((life, trip.start, run.now))
    }
    try endLife(isOver: !goesOn)
    if !isRestored {
      firstOfTracker = trips.count
      toldMarks = Set(marks.map(\.sequence))
    }
    run = next
    self.configuration = configuration
    life += 1
    points = []
    look(at: next)
  }

  private func feed(_ recording: any RecordingImporter, first: TrackerInput?) throws(RecordingError) {
    guard let run else { return }
    var input = first
    // Of a log that begins with a state, what that has told.
    takeMarks(nil, run)
    while let now = input {
      if run.phase == .settling {
        // What ends a ride may be due when what begins the next one comes.
        try run.advance(to: now.time)
        look(at: run)
      }
      try run.feed(now, payload: recording.payload)
      look(at: run)
      if case .command = now { correctLast(run) }
      if trips.last.map({ $0.endUTC == nil }) ?? false, run.look({ $0.utc(of: $0.now) }) != nil { correctLast(run) }
      if !marks.isEmpty { takeMarks(FoundCheckpoint.words(now, recording.payload), run) }
      input = try recording.next()
    }
    reports += recording.reports
  }

  /// The owner may say of the last ride that it was carried, and its times may be known only after it.
  private func correctLast(_ run: TrackerRun) {
    guard let last = trips.last, last.stretches.last?.life == life, let trip = run.look({ $0.lastTrip }),
      let end = trip.end, end == last.trip.end
    else { return }
    trips[trips.count - 1].trip = trip
    trips[trips.count - 1].startUTC = run.look { $0.utc(of: trip.start) }
    trips[trips.count - 1].endUTC = run.look { $0.utc(of: end) }
  }

  private func takeMarks(_ words: Checkpoint?, _ run: TrackerRun) {
    for mark in marks {
      checkpoints.append(
        FoundCheckpoint(mark, at: run.now, life: life, height: run.look { $0.lastFix?.height }, words: words))
    }
    marks = []
  }

  /// - Parameter isOver: False when the ride that is under way goes on in another life.
  private func endLife(isOver: Bool) throws(RecordingError) {
    guard let run else { return }
    defer {
      run.lookAtGear { noteGear($0) }
      self.run = nil
    }
    guard isOver else { return }
    defer { (earlierPoints, earlierStretches) = ([], []) }
    guard run.phase == .riding || run.phase == .settling else { return }
    try run.advance(to: run.now + configuration.tracker.motion.silenceAfter + .seconds(1))
    try run.advance(to: run.now + configuration.tracker.motion.armBy + configuration.tracker.motion.armAfter)
    look(at: run)
  }

  /// Between -180 and 180 degrees.
  static func wrapped(_ longitudeE9: Int64) -> Int64 {
    longitudeE9 > 180_000_000_000
      ? longitudeE9 - 360_000_000_000 : longitudeE9 < -180_000_000_000 ? longitudeE9 + 360_000_000_000 : longitudeE9
  }

  private func look(at run: TrackerRun) {
    if let fix = run.look({ $0.lastFix }), fix.time != points.last?.time, let position = fix.position {
      let trip = run.look { $0.lastTrip }
      points.append(
        FoundTrip.Point(
          time: fix.time, utc: fix.utc, position: position, height: fix.height, speed: fix.speed,
          sofar: trip.flatMap { $0.end == nil ? FoundTrip.Progress($0) : nil }))
      // A fix may show how long a ride was that is over.
      if trip?.end != nil { correctLast(run) }
    }
    let isMoving = run.phase == .riding || run.phase == .settling || run.phase == .alarmed || run.phase == .stolen
    if !isMoving, !hasEnded, points.count > 4096 {
      points.removeAll { run.now - $0.time > TripFinder.longestOnset }
    }
    guard hasEnded else { return }
    hasEnded = false
    guard let trip = run.look({ $0.lastTrip }), let end = trip.end else { return }
    let own = earlierPoints + points.filter { $0.time >= trip.start && $0.time <= end }
    points.removeAll { $0.time <= end }
    trips.append(
      FoundTrip(
        trip: trip, startUTC: run.look { $0.utc(of: trip.start) }, endUTC: run.look { $0.utc(of: end) }, points: own,
        number: run.lookAtGear { $0.lastRide }, stretches: earlierStretches + [(life, trip.start, end)]))
    (earlierPoints, earlierStretches) = ([], [])
  }

  private func noteGear(_ ledger: borrowing GearLedger) {
    var names: [UInt16: String] = [:]
    for row in 0..<GearLedger.capacity {
      guard let gear = ledger.gear(in: row) else { continue }
      names[gear.number] = FoundCheckpoint.text(gear.name.span)
    }
    gearNames.formUnion(names.values)
    for place in firstOfTracker..<trips.count {
      // What is older than the tracker remembers is left as it was.
      guard let ride = ledger.ride(trips[place].number) else { continue }
      trips[place].gear = names[ride.gear]
    }
  }
}
