import ASCIIText
import Activity
import InlineStorage
import Quantities
import Telemetry

extension CoreRun {
  /// Half a minute of steps, counted for a day that ends, told and kept.
  mutating func activity() {
    sizes[.activity] = UInt32(MemoryLayout<ActivityMeter>.size + MemoryLayout<ActivityLedger>.size)
    var meter = ActivityMeter()
    var ledger = ActivityLedger()
    var travel = TravelWatch()
    travel.note(speed: Double(opaque(1)), at: .seconds(1))
    var place = 0
    while place < 25 * 30 {
      let time = Instant.zero + .milliseconds(40 * place)
      let swing = 2 * Elementary.sin(Float(place) * opaque(0.5))
      let window = through(.activitySample) { meter.take(Vector3(0, 0, 9.8 + swing), at: time) }
      if let window { ledger.note(window, isCarried: travel.isCarried(at: time)) }
      place += 1
    }
    expect(ledger.today.wholeSteps > 40)
    note(UInt32(truncatingIfNeeded: ledger.today.steps))
    let zone = InlineBytes<48>("CET-1CEST,M3.5.0,M10.5.0/3")
    var day = 0
    while day < 2 {
      let utc = UTCTime(microseconds: 1_763_942_400_000_000 + Int64(day) * 86_400_000_000)
      through(.activityLook) { ledger.look(at: .seconds(60 + day * 86_400), utc: utc, zone: zone.span) }
      while let notice = ledger.nextNotice() { for byte in 0..<notice.value.count { note(UInt32(notice.value[byte])) } }
      day += 1
    }
    var state = InlineBytes<128>()
    ledger.encode(into: &state)
    for byte in 0..<state.count { note(UInt32(state[byte])) }
    var next = ActivityLedger()
    next.restore(state.span)
    expect(next.today == ledger.today && next.habitMinutes == nil)
  }
}
