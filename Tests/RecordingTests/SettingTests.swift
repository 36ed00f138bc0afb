import InertialFusion
import InlineStorage
import Quantities
import Recording
import Testing
import TrackerCore

/// Number of values a configuration consists of, found by reflection.
private func leafCount(_ value: Any) -> Int {
  switch value {
  case is Interval, is Vector3, is InlineBytes<32>, is Mounting, is Float, is Bool, is Int, is Int32: return 1
  default:
    let children = Mirror(reflecting: value).children
    return children.isEmpty ? 1 : children.reduce(0) { $0 + leafCount($1.value) }
  }
}

@Test func everyValueOfTheConfigurationIsASetting() {
  #expect(Setting.all.count == leafCount(TrackerConfiguration()))
  #expect(Set(Setting.all.map(\.name)).count == Setting.all.count)
}

@Test func everySettingReadsBackWhatItWrites() throws {
  var changed = RunConfiguration()
  for setting in Setting.all {
    let before = setting.text(changed.tracker)
    let other =
      switch before {
      case "true": "false"
      case "json": "minimal"
      case "leash": "Zoë's \"bike\""
      case "0.0 0.0 0.0", "1.0 1.0 1.0": "0.125 -0.01 1.1"
      case "+x +y +z": "+y -x +z"
      default: "\((Double(before) ?? 0) * (setting.name.contains("Limit") ? 1.1 : 1.5))".replacing(/\.0$/, with: "")
      }
    do {
      try changed.set(setting.name, to: other)
    } catch {
      // Whole numbers do not take a half.
      try changed.set(setting.name, to: "\((Int(before) ?? 0) + 1)")
    }
    #expect(setting.text(changed.tracker) != before, "\(setting.name)")
  }
  changed.seed = .max
  #expect(try RunConfiguration(text: changed.text) == changed)
}

@Test func aSettingThatDoesNotFitIsRefusedAndChangesNothing() {
  var configuration = RunConfiguration()
  for (name, value) in [
    ("motion.armAfter", "0.5"), ("motion.armAfter", "soon"), ("motion.armAfter", "nan"), ("motion.tiltLimit", "-1"),
    ("trackerId", ""), ("trackerId", String(repeating: "x", count: 33)), ("trackerId", "a\nb"), ("packetFormat", "xml"),
    ("calibration.mounting", "+x +x +z"), ("calibration.mounting", "+y +x +z"), ("rest.minimumSamples", "1"),
    ("seed", "-1"), ("outbox.window", "33"),
  ] {
    #expect(throws: RunConfiguration.Refusal.self) { try configuration.set(name, to: value) }
  }
  do {
    try configuration.set("motion.armAftr", to: "1")
    Issue.record("an unknown setting was taken")
  } catch {
    #expect(error.expectation == nil)
  }
  #expect(configuration == RunConfiguration())
}
