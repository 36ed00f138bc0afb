import Quantities
import TrackerCore
import TrackerRuntime

// What keeps every part of a tracker at work, to count what each costs.

/// A run where all that is off by default is on.
func allOn() -> RunConfiguration {
  var run = RunConfiguration()
  run.tracker.wheelCircumference = 2.1
  run.tracker.reports.pathError = 5
  run.tracker.reports.buttonCheckpoint = true
  run.tracker.driving.speedLimit = 14
  run.tracker.driving.accelerationLimit = 3
  run.tracker.driving.brakingLimit = 3
  run.tracker.driving.corneringLimit = 4
  return run
}

/// A ride with a reading of the wheel behind each fix, and a press of the button a minute.
func withSensors(_ ride: [TrackerInput]) -> [TrackerInput] {
  var (inputs, turns, count, last) = ([TrackerInput](), 0.0, 0, Instant?.none)
  for input in ride {
    inputs.append(input)
    guard case .fix(let fix) = input else { continue }
    turns += (fix.speed ?? 0) * min((fix.time - (last ?? fix.time)).secondsDouble, 5) / 2.1
    last = fix.time
    count += 1
    inputs.append(.reading(.wheel(WheelReading(time: fix.time, pulses: UInt32(turns)))))
    inputs.append(.reading(.contacts(ContactReading(time: fix.time, button(count % 60 == 0)))))
  }
  return inputs
}

/// A vehicle that stands, with a fix a second that scatters by some metres, a reading of a wheel that stands, and of its switches.
func withFixes(_ standing: [TrackerInput]) -> [TrackerInput] {
  var random = SplitMix64(seed: 2)
  func scatter() -> Int64 { (0..<4).reduce(0) { sum, _ in sum + Int64(random.next() >> 49) } - 65_536 }
  var (inputs, second) = ([TrackerInput](), Int64(0))
  for input in standing {
    inputs.append(input)
    guard input.time.microseconds >= second * 1_000_000 else { continue }
    second += 1
    var fix = GNSSFix(time: input.time)
    fix.utc = UTCTime(microseconds: 1_764_000_000_000_000 + input.time.microseconds)
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeE9: 50_300_000_000 + scatter(), longitudeE9: 5_600_000_000 + scatter())
    fix.speed = 0.1
    fix.horizontalAccuracy = 4
    inputs.append(.fix(fix))
    inputs.append(.reading(.wheel(WheelReading(time: input.time, pulses: 0))))
    inputs.append(.reading(.contacts(ContactReading(time: input.time, button(false)))))
  }
  return inputs
}

private func button(_ isPressed: Bool) -> Contacts {
  var contacts = Contacts()
  contacts[.button] = isPressed
  return contacts
}

/// Of so many inputs, how many are fixes.
func fixCount(_ inputs: [TrackerInput]) -> Int {
  inputs.reduce(0) { sum, input in if case .fix = input { sum + 1 } else { sum } }
}
