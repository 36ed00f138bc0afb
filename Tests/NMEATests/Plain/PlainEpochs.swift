import NMEA
import Quantities

/// How sentences become fixes, written down from `docs/nmea.md` and the doc comments as plainly as it goes: the reference for
/// `EpochAssembler`.
struct PlainEpochs: SentenceVisitor {
  struct Draft {
    var arrival = Instant.zero
    var utc: UTCTime?
    var mode = 0
    var quality: FixQuality?
    var position: GeodeticPosition?
    var seaLevel: Double?
    var ellipsoid: Double?
    var geoid: Double?
    var speed: Double?
    var degrees: Double?
    var east: Double?
    var north: Double?
    var horizontal: Double?
    var vertical: Double?
    var hasHeight: Bool { seaLevel != nil || ellipsoid != nil }
  }

  /// What one sentence says; nil is silence about it.
  struct Part {
    var stamp: Int64?
    var time: UTCTime??
    var mode: Int?
    var quality: FixQuality?
    var position: GeodeticPosition?
    var seaLevel: Double?
    var ellipsoid: Double?
    var geoid: Double?
    var speed: Double?
    var degrees: Double?
    var east: Double?
    var north: Double?
    var horizontal: Double?
    var vertical: Double?
    var begins = false
    var ends = false
  }

  let silence: Interval
  let holds: Bool
  let rollover: CivilDate?
  /// Whether GGA goes by its number of satellites alone.
  let counts: Bool
  var now = Instant.zero
  var found: [GNSSFix] = []
  var lost = 0

  // Date.
  var day: Int64?
  var timeOfDay: Int64 = 0
  // What lasts longer than an epoch.
  var dilution = DilutionOfPrecision()
  var satellites = PlainSatellites()
  // The epoch at hand, the last ones that had a time, and the one that waits.
  var draft = Draft()
  var last = Draft()
  var older = Draft()
  var waiting: Draft?
  var due = Instant.zero
  // The cycle.
  var enders: Set<String> = []
  var lastTimed: String?
  var stamp: Int64 = 0
  var goesOn = false
  var knowsEnd = false
  var reports: [String] = []
  var closing: (count: Int, kind: String?) = (0, nil)
  var hasStamp = false
  // GGA.
  var formerGGA: (time: Int64?, talker: Talker)?
  var isStuck = false
  /// Mode of a GSA that came after the last GGA, where it tells a fix.
  var lateWitness: Int?
  var lastReport: String?
  var firstReport: String?

  init(
    rollover: CivilDate? = nil, silence: Interval = .milliseconds(300), holds: Bool = true, counts: Bool = false
  ) {
    self.counts = counts
    self.rollover = rollover
    self.silence = silence
    self.holds = holds
  }

  var deadline: Instant? { waiting == nil ? nil : due }

  mutating func advance(to time: Instant) { if waiting != nil, time >= due { deliver() } }
  mutating func flush() { if waiting != nil { deliver() } }

  // MARK: The cycle

  mutating func add(_ given: Part, _ kind: String?) {
    var part = given
    var starts = false
    var ends = false
    if let time = part.stamp {
      let change = time - stamp
      stamp = time
      if change.magnitude > 10_000 {
        starts = true
        if let lastTimed, !enders.contains(lastTimed), !goesOn {
          enders.insert(lastTimed)
          knowsEnd = true
        }
      }
    } else if goesOn, let kind {
      if let lastTimed { enders.remove(lastTimed) }
      enders.insert(kind)
      knowsEnd = true
    }
    if let kind, part.stamp != nil || goesOn { ends = enders.contains(kind) }
    if part.stamp != nil { lastTimed = kind }
    if holds, let mode = part.mode, mode != 1, draft.mode == 3, last.hasHeight || older.hasHeight { part.mode = 3 }
    if starts || part.begins {
      if waiting != nil { deliver() }
      closing = (reports.count, lastReport)
      reports = []
      hasStamp = false
      draft = Draft()
      draft.arrival = now
    }
    if part.stamp != nil { hasStamp = true }
    merge(part)
    if let utc = draft.utc {
      if last.utc.map({ (utc - $0).microseconds.magnitude > 9_900 }) ?? true { older = last }
      last = draft
    }
    let saysFix = part.position != nil || part.mode != nil
    if ends || part.ends || (!knowsEnd && saysFix) { report(kind ?? "") }
    if waiting != nil { due = now + silence }
  }

  private mutating func merge(_ part: Part) {
    if let time = part.time { draft.utc = time }
    draft.mode = part.mode ?? draft.mode
    draft.quality = part.quality ?? draft.quality
    draft.position = part.position ?? draft.position
    draft.seaLevel = part.seaLevel ?? draft.seaLevel
    draft.ellipsoid = part.ellipsoid ?? draft.ellipsoid
    draft.geoid = part.geoid ?? draft.geoid
    draft.speed = part.speed ?? draft.speed
    draft.degrees = part.degrees ?? draft.degrees
    draft.east = part.east ?? draft.east
    draft.north = part.north ?? draft.north
    draft.horizontal = part.horizontal ?? draft.horizontal
    draft.vertical = part.vertical ?? draft.vertical
    guard let geoid = draft.geoid else { return }
    if draft.seaLevel == nil { draft.seaLevel = draft.ellipsoid.map { $0 - geoid } }
    if draft.ellipsoid == nil { draft.ellipsoid = draft.seaLevel.map { $0 + geoid } }
  }

  private mutating func report(_ kind: String) {
    if let before = waiting {
      let comesAgain = !hasStamp && kind == (firstReport ?? "")
      let losesTime = before.utc != nil && before.utc != draft.utc
      if comesAgain || losesTime {
        deliver()
        reports = []
        draft.arrival = now
      }
    }
    if reports.isEmpty { firstReport = kind }
    reports.append(kind)
    lastReport = kind
    waiting = draft
    if knowsEnd, !goesOn, kind == (closing.kind ?? ""), reports.count == closing.count { deliver() }
  }

  private mutating func deliver() {
    guard let ready = waiting else { return }
    waiting = nil
    // Eight wait at most.
    if found.count < 8 { found.append(finished(ready)) } else { lost += 1 }
  }

  private func finished(_ draft: Draft) -> GNSSFix {
    var fix = GNSSFix(time: draft.arrival)
    fix.utc = draft.utc
    fix.mode = [.unknown, .none, .twoDimensional, .threeDimensional][draft.mode]
    fix.quality = draft.quality
    fix.dilution = dilution
    fix.satellitesUsed = satellites.used
    fix.satellitesInView = satellites.inView
    guard draft.mode >= 2 else { return fix }
    fix.position = draft.position
    fix.heightAboveSeaLevel = draft.seaLevel
    fix.heightAboveEllipsoid = draft.ellipsoid
    if let speed = draft.speed, speed >= 0 { fix.speed = speed }
    if fix.speed == nil, let e = draft.east, let n = draft.north { fix.speed = (e * e + n * n).squareRoot() }
    if let degrees = draft.degrees {
      fix.course = degrees * (Double.pi / 180)
    } else if let e = draft.east, let n = draft.north, !(e == 0 && n == 0) {
      let angle = Elementary.atan2(e, n)
      fix.course = angle < 0 ? angle + 2 * Double.pi : angle
    }
    // Metres of one range: 4, with corrections 1.5, in real-time kinematics 0.3 and 0.02.
    var range = 4.0
    if draft.quality == .differential || draft.quality == .precise { range = 1.5 }
    if draft.quality == .realTimeKinematicFloat { range = 0.3 }
    if draft.quality == .realTimeKinematicFixed { range = 0.02 }
    if let told = draft.horizontal, told >= 0 {
      fix.horizontalAccuracy = told
    } else {
      fix.horizontalAccuracy = dilution.horizontal.map { Double($0) * range * 1.0674 }
    }
    if let told = draft.vertical, told >= 0 {
      fix.verticalAccuracy = told
    } else {
      fix.verticalAccuracy = dilution.vertical.map { Double($0) * range }
    }
    return fix
  }

  // MARK: Time

  mutating func dated(_ date: CivilDate, _ time: Int64) -> UTCTime {
    var number = Int64(date.daysSince1970)
    if let rollover { while number < Int64(rollover.daysSince1970) { number += 7168 } }
    day = number
    timeOfDay = time
    return UTCTime(microseconds: number * 86_400_000_000 + time)
  }

  /// A time of day: half a day or more off the last one it is of the neighbouring day.
  mutating func timed(_ time: Int64?, _ part: inout Part) {
    guard let time else { return }
    part.stamp = time
    guard var number = day else { return }
    let change = time - timeOfDay
    if change < -43_200_000_000 { number += 1 }
    if change > 43_200_000_000 { number -= 1 }
    day = number
    timeOfDay = time
    part.time = UTCTime(microseconds: number * 86_400_000_000 + time)
  }

  // MARK: Units

  func place(_ latitude: Int64?, _ longitude: Int64?) -> GeodeticPosition? {
    guard let latitude, let longitude else { return nil }
    return GeodeticPosition(latitudeE9: latitude, longitudeE9: longitude)
  }

  func e4(_ value: Int32?) -> Double? { value.map { Double($0) / 10_000 } }
  func knots(_ value: Int32?) -> Double? { value.map { Double($0) / 1_000_000 * (1.852 / 3.6) } }
  func kilometres(_ value: Int32?) -> Double? { value.map { Double($0) / 10_000 / 3.6 } }
  func e2(_ value: Int32?) -> Float? {
    guard let value, value >= 0 else { return nil }
    return Float(value) / 100
  }

  func course(_ value: Int32?) -> Double? {
    guard let value else { return nil }
    return Double(((value % 3_600_000) + 3_600_000) % 3_600_000) / 10_000
  }

  func radius(_ a: Int32?, _ b: Int32?) -> Double? {
    guard let a = e4(a), let b = e4(b) else { return nil }
    return (a * a + b * b).squareRoot() * 1.0674
  }
}
