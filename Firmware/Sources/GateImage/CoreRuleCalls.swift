import InlineStorage
import Positioning
import Quantities
import Rules

/// A pet that leaves its fence and comes back, and a restart in between.
private struct FenceStory: ~Copyable {
  var guardian = FenceGuard<4, 8>()
  var next = FenceGuard<4, 8>()
}

extension CoreRun {
  mutating func fences() {
    var story = FenceStory()
    let name = InlineBytes<32>("garden")
    for number in 1..<6 {
      story.guardian.begin(number, name: name.span, .circle, width: Double(opaque(50)))
      story.guardian.append(latitudeE9: 52_000_000_000 + Int64(number - 1) * 5_000_000, longitudeE9: 13_000_000_000)
      expect((story.guardian.finish(at: .zero) == nil) == (number < 5))
    }
    var active = InlineBytes<2>()
    active.append(opaque(1))
    expect(story.guardian.activate(active.span, at: .zero) == nil)
    for second in 0..<400 {
      let away = second < 100 ? 0 : min(second - 100, 200)
      story.guardian.advance(to: .seconds(second))
      story.guardian.process(
        fix(away, second), scatter: LearntScatter(deviation: opaque(3), usualAccuracy: 4.5, isLearnt: true))
      fetch(&story.guardian)
    }
    expect(story.guardian.alarm.state == .alerting)
    for row in 0..<4 {
      var bytes = InlineBytes<272>()
      story.guardian.fences.encode(row, into: &bytes)
      expect(story.next.restoreFence(bytes.span, row: row) == nil)
    }
    story.next.restore(story.guardian.kept, at: .seconds(400))
    story.next.advance(to: .seconds(401))
    expect(story.next.nextEvent()?.kind == .alert(repetition: story.guardian.alarm.repetition + 1))
    expect(story.next.found(at: .seconds(402)) && story.next.delete(1, at: .seconds(403)) == nil)
    fetch(&story.next)
    story.next.setEnabled(false, at: .seconds(404))
    story.next.removeAll(at: .seconds(405))
    expect(story.next.fences.count == 0)
  }

  mutating func alarms() {
    let text = InlineBytes<40>("CET-1CEST,M3.5.0,M10.5.0/3")
    guard let zone = PosixTimeZone(text.span),
      let schedule = AlarmSchedule(.weekdays(WeekdaySet(rawValue: opaque(0x55))), minute: 150),
      let window = DailyWindow(start: 1320, end: Int(opaque(UInt8(90))))
    else { return expect(false) }
    var time = UTCTime(microseconds: 1_805_500_000_000_000)
    for _ in 0..<12 {
      guard let next = schedule.next(after: time, in: zone), let change = window.nextChange(after: time, in: zone)
      else { return expect(false) }
      note(Double(next.microseconds))
      note(Double(change.microseconds))
      note(UInt32(window.contains(next, in: zone) ? 1 : 0))
      note(UInt32(truncatingIfNeeded: zone.local(next).secondOfDay))
      time = next
    }
    let wrong = InlineBytes<8>("CET-25")
    expect(PosixTimeZone(wrong.span) == nil)
  }

  private func fix(_ away: Int, _ second: Int) -> GNSSFix {
    var fix = GNSSFix(time: .seconds(second))
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeE9: 52_000_000_000 - Int64(away) * 9_000, longitudeE9: 13_000_000_000)
    fix.speed = away > 0 && away < 200 ? 1 : 0
    fix.horizontalAccuracy = 5
    return fix
  }

  private mutating func fetch(_ guardian: inout FenceGuard<4, 8>) {
    while let event = guardian.nextEvent() {
      note(Float(event.time.secondsDouble))
      if case .departed(let fence, let since, _) = event.kind {
        note(UInt32(fence))
        note(Elementary.roundedInteger(since.secondsDouble * 1000))
      }
    }
  }
}
