// modules: Quantities InlineStorage Positioning Rules
// length: 64
import Quantities
import Rules

/// Whatever stands in the place of a time zone traps nothing; what is one has a clock that goes on, and alarms that come.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTimeZone(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start, count > 0 else { return 0 }
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let zone = PosixTimeZone(bytes.span) else { return 0 }
  promise(
    zone.standardOffset.magnitude <= 25 * 3600 && zone.daylightOffset.magnitude <= 26 * 3600, "an offset beyond a day")
  for second in [Int64.min / 1_000_000, -1, 0, 1_774_746_000, 1_792_893_600, 253_402_300_800, Int64.max / 1_000_000] {
    let time = UTCTime(microseconds: second &* 1_000_000)
    let offset = zone.offset(at: time)
    promise(offset == zone.standardOffset || offset == zone.daylightOffset, "an offset of nobody")
    let (date, secondOfDay) = zone.local(time)
    promise(secondOfDay >= 0 && secondOfDay < 86_400, "a second of no day")
    guard second > 0, second < 200_000_000_000 else { continue }
    let shown = zone.instant(day: date.daysSince1970, secondOfDay: secondOfDay)
    promise(shown <= time, "a time that comes twice is the second one")
    let minute = Int(bytes[0]) * 5 % 1440
    guard let schedule = AlarmSchedule(.weekdays(.all), minute: minute),
      let window = DailyWindow(start: minute, end: 60)
    else { continue }
    guard let next = schedule.next(after: time, in: zone), let change = window.nextChange(after: time, in: zone) else {
      promise(false, "an alarm of every day that does not come")
      continue
    }
    promise(next > time && change > time, "an alarm of the past")
  }
  return 0
}
