import ASCIIText
import InlineStorage
import Quantities
import Telemetry
import TrackerCore
import Rules

// A tracker that is told of fences, places and alarms, leaves its fence, and goes on after a restart.
extension CoreRun {
  @inline(never) mutating func ruleDoors(_ configuration: TrackerConfiguration, _ state: inout InlineBytes<5376>) {
    state.removeAll()
    lived(configuration, &state)
    var device = Tracker(configuration: configuration)
    expect(through(.trackerRestore) { device.restore(state.span, at: .seconds(900)) })
    expect(device.fenceState == .alerting && device.openFenceAlert != nil)
    expect(device.fenceStatus(row: 0)?.number == 1 && device.alarmStatus(row: 0)?.number == 3)
    var count = 0
    while let action = through(.trackerNextAction, { device.nextAction() }) {
      if case .transmit = action { count += 1 }
    }
    expect(count > 0)
    var text = TextSum()
    expect(device.encodeRule(.fence, row: 0, into: &text) && device.encodeRule(.alarm, row: 0, into: &text))
    expect(device.encodeRule(.place, row: 0, into: &text) && !device.encodeRule(.place, row: 1, into: &text))
  }

  @inline(never) private mutating func lived(_ configuration: TrackerConfiguration, _ state: inout InlineBytes<5376>) {
    var device = Tracker(configuration: configuration)
    var second = 1
    fix(0, second, &device)
    var words = InlineBytes<256>()
    words.append("fence 1 set \"g\" polygon 52.0004,4.0 52.0003,4.0004 52.0,4.0006 51.9997,4.0004 51.9996,4.0 ")
    words.append("51.9997,3.9996 52.0,3.9994 52.0003,3.9996")
    tell(words, &device, second)
    tell(InlineBytes("fence 1 on"), &device, second)
    tell(InlineBytes("place 2 set \"h\" 52.1,4.1 60"), &device, second)
    tell(InlineBytes("alarm 3 set \"up\" at 16:05 daily inside 1"), &device, second)
    tell(InlineBytes("zone CET-1CEST,M3.5.0,M10.5.0/3"), &device, second)
    while second < 400 {
      second += 1
      fix(second < 100 ? 0 : min(second - 100, 200), second, &device)
    }
    expect(device.fenceState == .alerting)
    through(.trackerEncodeState) { device.encodeState(.all, into: &state) }
    expect(!state.isTruncated)
  }

  private mutating func tell(_ text: InlineBytes<256>, _ device: inout Tracker, _ second: Int) {
    through(.trackerSubmit) { device.take(.command(.seconds(second)), payload: text.span) }
    drop(&device)
  }

  private mutating func fix(_ away: Int, _ second: Int, _ device: inout Tracker) {
    var fix = GNSSFix(time: .seconds(second))
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeE9: 52_000_000_000 - Int64(away) * 9_000, longitudeE9: 4_000_000_000)
    fix.speed = away > 0 && away < 200 ? 1 : 0
    fix.horizontalAccuracy = 5
    fix.utc = UTCTime(microseconds: (1_764_000_000 + Int64(second)) * 1_000_000)
    through(.trackerFix) { device.process(fix) }
    drop(&device)
  }

  private mutating func drop(_ device: inout Tracker) {
    while through(.trackerNextAction, { device.nextAction() }) != nil {}
  }
}
