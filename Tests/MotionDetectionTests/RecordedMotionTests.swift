import MotionDetection
import Quantities
import TestSupport
import Testing

@Test func tiltingARecordedBikeByHandAlarmsWithinTwoSeconds() throws {
  guard let folder = recordedDataFolder("rides") else { return }
  for name in ["bike_tilt_by_hand_imu.csv.gz", "bike_tilt_by_hand_imu2.csv.gz"] {
    var scene = Scene { $0.armAfter = .seconds(7) }
    var alarm: StampedMotionEvent?
    var armed: Instant?
    // Where the hand first moves the bike after it was armed, told by the raw gyroscope alone.
    var moved: Instant?
    var quietMean = Vector3.zero
    for sample in try recordedSamples(folder + "/" + name) {
      scene.monitor.process(sample)
      for event in scene.news() {
        if event.event == .armed, armed == nil { armed = event.time }
        if case .movement = event.event, alarm == nil { alarm = event }
      }
      guard let rate = sample.angularRate else { continue }
      if armed == nil { quietMean += (rate - quietMean) * 0.02 }
      if armed != nil, moved == nil, (rate - quietMean).length > 0.1 { moved = sample.time }
    }
    let start = try #require(moved)
    let raised = try #require(alarm)
    #expect(
      raised.time - start < .seconds(2), "\(name): moved at \(start.secondsDouble), alarm \(raised.time.secondsDouble)")
  }
}

@Test func recordedStillnessLoopedForTwelveHoursRaisesNothing() throws {
  guard let folder = recordedDataFolder("rides") else { return }
  let samples = try recordedSamples(folder + "/bike_still_15min_imu.csv.gz")
  let first = try #require(samples.first?.time)
  let last = try #require(samples.last?.time)
  let length = last - first + .milliseconds(40)
  var scene = Scene()
  var shift = Interval.zero
  while shift < .seconds(12 * 3600) {
    for var sample in samples {
      sample.time = sample.time + shift
      scene.monitor.process(sample)
      scene.collect()
    }
    shift = shift + length
  }
  let events = scene.news()
  #expect(scene.monitor.phase == .parked && scene.monitor.isArmed)
  #expect(events.movements.isEmpty && events.suspicions.isEmpty)
  #expect(events.parkings.count == 1)
}

@Test func everyRecordedCityTripIsARideAndItsStopsAreStops() throws {
  guard let folder = recordedDataFolder("rides_dublin") else { return }
  let table = try #require(csvRows(folder + "/rides.csv"))
  #expect(table.count == 44)
  for row in table {
    let file = try #require(row["file"])
    let fixes = try recordedFixes(folder + "/" + file)
    var scene = Scene()
    var longestStandstill = Interval.zero
    var longestGap = Interval.zero
    var previous = try #require(fixes.first?.time)
    var gapEnd: Instant?
    for fix in fixes {
      if fix.time - previous >= .seconds(300) { gapEnd = fix.time }
      longestGap = max(longestGap, fix.time - previous)
      previous = fix.time
      scene.monitor.process(fix)
      for event in scene.monitor.drainEvents() {
        switch event.event {
        case .movement:
          #expect(gapEnd != nil, "\(file): alert at \(event.time.secondsDouble) s though it never parked")
        case .travelledUnseen(let since, _):
          longestStandstill = max(longestStandstill, event.time - since)
        case .resumed(let onset, let since):
          #expect(onset >= since)
          longestStandstill = max(longestStandstill, onset - since)
        default: break
        }
        scene.keep(event)
      }
    }
    scene.wait(until: previous + .seconds(400))
    let events = scene.news()
    #expect(events.rideStarts.count >= 1, "\(file): no ride")
    #expect(events.parkings.contains { $0.start != nil }, "\(file): no ride was closed")
    // A stop of the recorder shows up as a stop of about the length of the gap.
    if longestGap >= .seconds(30), longestGap < .seconds(290), gapEnd == nil {
      #expect(
        longestStandstill + .seconds(15) >= longestGap,
        "\(file): gap \(longestGap.seconds) s, longest stop \(longestStandstill.seconds) s")
    }
  }
}

extension MotionMonitor {
  mutating func drainEvents() -> [StampedMotionEvent] {
    var events: [StampedMotionEvent] = []
    while let event = nextEvent() { events.append(event) }
    return events
  }
}
