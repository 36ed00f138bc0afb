// modules: Quantities InlineStorage Positioning Rules
// length: 512
import InlineStorage
import Positioning
import Quantities
import Rules

/// Whatever an owner does to alarms and places, and whatever clocks and restarts do: what is refused changes nothing, a table holds what
/// was put into it and no more, what is due is never in the past, and a restart goes on with the same rows.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRules(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start, count > 0 else { return 0 }
  var story = RuleStory(Array(UnsafeBufferPointer(start: start, count: count)))
  while story.step() {}
  return 0
}

private struct RuleStory: ~Copyable {
  private let bytes: [UInt8]
  private var place = 0
  private var guardian = FenceGuard<2, 24>()
  private var alarms = AlarmClock<3>()
  private var places = PlaceTable<3>()
  private var now = Instant.seconds(1)
  private var utc: UTCTime?
  /// Numbers that are to be there.
  private var alarmNumbers: Set<UInt8> = []
  private var placeNumbers: Set<UInt8> = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private mutating func next() -> UInt8 {
    defer { place += 1 }
    return place < bytes.count ? bytes[place] : 0
  }

  private mutating func short() -> Int { Int(next()) << 8 | Int(next()) }

  private mutating func name() -> InlineBytes<32> {
    var name = InlineBytes<32>()
    for _ in 0..<(next() & 3) { name.append(next()) }
    return name
  }

  mutating func step() -> Bool {
    guard place < bytes.count else { return false }
    switch next() % 12 {
    case 0: pass()
    case 1: setClock()
    case 2: setAlarm()
    case 3: deleteAlarm()
    case 4: enableAlarm()
    case 5: snooze()
    case 6: alarms.endSnooze()
    case 7: setZone()
    case 8: cross()
    case 9: setPlace()
    case 10: deletePlace()
    default: restart()
    }
    check()
    return true
  }

  private var scene: AlarmScene { AlarmScene(now: now, utc: utc, hasFix: place % 2 == 0) }

  private mutating func pass() {
    let amount = Int64(next())
    let time = Interval(microseconds: amount << Int64(next() % 40))
    now = now + time
    utc = utc.map { $0 + time }
    guardian.advance(to: now)
    while guardian.nextEvent() != nil {}
    alarms.advance(scene, guardian.fences)
    if let due = alarms.nextDeadline { promise(due > now || now.microseconds == .max, "due in the past, for ever") }
    guard let utc, utc.microseconds.magnitude < 1 << 61 else { return }
    for row in 0..<3 where alarms[row].number != 0 && alarms[row].isEnabled {
      guard case .time = alarms[row].trigger else { continue }
      promise(alarms[row].next.map { $0 > utc } ?? false, "an alarm that is on and does not come")
    }
  }

  private mutating func setClock() {
    let kind = next()
    if kind % 4 == 0 {
      utc = nil
    } else if kind % 4 == 1 {
      utc = UTCTime(
        microseconds: Int64(bitPattern: UInt64(next()) << 56 | UInt64(short()) << 40 | UInt64(short()) << 8))
    } else {
      utc = UTCTime(microseconds: 1_700_000_000_000_000 + Int64(short()) * 1_800_000_000)
    }
  }

  private mutating func setAlarm() {
    var rule = AlarmRule()
    rule.number = next() % 6
    rule.label = name()
    let minute = short() % 1500
    let day = short()
    switch next() % 7 {
    case 0:
      guard let schedule = AlarmSchedule(.weekdays(WeekdaySet(rawValue: UInt8(day & 255))), minute: minute) else {
        return
      }
      rule.trigger = .time(schedule)
    case 1:
      guard let schedule = AlarmSchedule(.date(CivilDate(daysSince1970: day)), minute: minute) else { return }
      rule.trigger = .time(schedule)
    case 2: rule.trigger = .arrival
    case 3: rule.trigger = .departure
    case 4: rule.trigger = .dwell(minutes: UInt16(minute))
    case 5: rule.trigger = .quiet
    default: rule.trigger = .guarding
    }
    let flags = next()
    rule.fence = flags & 3
    rule.isOutside = flags & 4 != 0
    rule.isEnabled = flags & 8 == 0
    rule.policy = PlacePolicy(rawValue: flags >> 6) ?? .last
    if flags & 16 != 0 {
      rule.window = DailyWindow(WeekdaySet(rawValue: next()), start: short() % 1440, end: short() % 1440)
    }
    let before = rows()
    guard let problem = alarms.set(rule) else {
      alarmNumbers.insert(rule.number)
      return
    }
    promise(rows() == before, "an alarm that was refused has changed something")
    promise(problem != .tableFull || alarms.count == 3, "full, with room")
  }

  private mutating func deleteAlarm() {
    let number = next() % 6
    promise((alarms.delete(number) == nil) == (alarmNumbers.remove(number) != nil), "another alarm is there")
  }

  private mutating func enableAlarm() {
    let number = next() % 6
    promise(
      (alarms.enable(number, next() & 1 == 1) == nil) == alarmNumbers.contains(number), "an alarm that is not there")
  }

  private mutating func snooze() {
    let before = rows()
    if alarms.snooze(next(), at: utc) != nil { promise(rows() == before, "a snooze that was refused") }
  }

  private mutating func setZone() {
    let texts = [
      "", "UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", "IST-1GMT0,M10.5.0,M3.5.0/1", "<-03>3<-02>,M3.5.0/-2,M10.5.0/-1",
    ]
    let kind = Int(next())
    var text = Array(texts[kind % texts.count].utf8)
    if kind > 200, !text.isEmpty { text[Int(next()) % text.count] = next() }
    _ = alarms.setZone(text.span)
  }

  private mutating func cross() {
    let number = next() & 3
    switch next() % 5 {
    case 0:
      let name = Array("f".utf8)
      guardian.begin(Int(number), name: name.span, .circle, width: 50)
      guardian.append(latitudeE9: 52_000_000_000, longitudeE9: 4_000_000_000)
      _ = guardian.finish(at: now)
    case 1: _ = guardian.delete(number, at: now)
    case 2: alarms.enter(number, scene, guardian.fences)
    case 3: alarms.leave(number, scene, guardian.fences)
    default:
      var fix = GNSSFix(time: now)
      fix.mode = .threeDimensional
      fix.position = GeodeticPosition(latitudeE9: 52_000_000_000, longitudeE9: 4_000_000_000 + Int64(short()) * 100_000)
      fix.horizontalAccuracy = 5
      for _ in 0..<90 {
        now = now + .seconds(1)
        utc = utc.map { $0 + .seconds(1) }
        fix.time = now
        guardian.process(fix)
        while guardian.nextEvent() != nil {}
      }
    }
  }

  private mutating func setPlace() {
    let number = Int(next() % 6)
    let name = name()
    let latitude = Int64(short() - 32_768) * 3_000_000
    let radius = Float(short()) / 8
    let before = rows()
    let problem = places.set(
      number, name: name.span, latitudeE9: latitude, longitudeE9: latitude * 2, radius: radius)
    if problem == nil {
      placeNumbers.insert(UInt8(number))
      guard let here = GeodeticPosition(latitudeE9: latitude, longitudeE9: latitude * 2) else {
        return promise(false, "a place that is nowhere")
      }
      promise(places.number(at: here) != 0, "nobody is at a place who stands in its middle")
    } else {
      promise(rows() == before, "a place that was refused has changed something")
    }
  }

  private mutating func deletePlace() {
    let number = next() % 6
    promise((places.delete(number) == nil) == (placeNumbers.remove(number) != nil), "another place is there")
  }

  private mutating func restart() {
    let before = rows()
    let zone = alarms.zoneText
    alarms = AlarmClock()
    places = PlaceTable()
    for row in 0..<3 {
      let first = before[row]
      if !first.isEmpty { promise(alarms.restore(first.span, row: row), "an alarm that can't be read") }
      let second = before[3 + row]
      if !second.isEmpty { promise(places.restore(second.span, row: row), "a place that can't be read") }
    }
    promise(alarms.setZone(zone.span, keepsPlan: true), "a zone that was one")
    promise(rows() == before, "other rows after a restart")
    if next() & 1 == 0 { utc = nil }
  }

  /// The rows of both tables as they are kept.
  private func rows() -> [[UInt8]] {
    var rows: [[UInt8]] = []
    for row in 0..<6 {
      var bytes = InlineBytes<128>()
      if row < 3 { alarms.encode(row, into: &bytes) } else { places.encode(row - 3, into: &bytes) }
      promise(!bytes.isTruncated, "a row longer than it can be")
      rows.append((0..<bytes.count).map { bytes[$0] })
    }
    return rows
  }

  private mutating func check() {
    var count = 0
    while let event = alarms.nextEvent() {
      promise(alarmNumbers.contains(event.number), "an alarm that nobody set")
      count += 1
    }
    promise(count <= 8, "more events than there is room for")
    promise(alarms.count == alarmNumbers.count && places.count == placeNumbers.count, "another number of rows")
    for number in alarmNumbers { promise(alarms.row(of: number) != nil, "an alarm that was set is not there") }
    for number in placeNumbers { promise(places.row(of: number) != nil, "a place that was set is not there") }
    _ = alarms.takeChanges()
  }
}
