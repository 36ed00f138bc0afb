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
    var scene = Scene()
    var longestGap = Interval.zero
    var hasParkableGap = false
    var previous: Instant?
    for fix in try recordedFixes(folder + "/" + file) {
      let start = previous ?? fix.time
      let gap = fix.time - start
      previous = fix.time
      longestGap = max(longestGap, gap)
      if gap >= .seconds(300) { hasParkableGap = true }
      let wasRiding = scene.monitor.phase == .riding
      let eventCount = scene.events.count
      scene.monitor.process(fix)
      scene.collect()
      let news = Array(scene.events[eventCount...])
      #expect(news.movements.isEmpty || hasParkableGap, "\(file): alert at \(fix.time.secondsDouble) s, never parked")
      guard gap >= .seconds(15), wasRiding else { continue }
      // The recorder pauses at a stop: nothing of the gap is riding.
      let standing = news.standings.first
      #expect(standing != nil, "\(file): the gap of \(gap.seconds) s until \(fix.time.secondsDouble) s is no stop")
      #expect((standing?.since ?? fix.time) <= start)
    }
    #expect("\(Int(longestGap.secondsDouble))" == row["longest_gap_s"], "\(file)")
    let end = try #require(previous)
    scene.wait(until: end + .seconds(400))
    let events = scene.news()
    #expect(!events.rideStarts.isEmpty, "\(file): no ride")
    #expect(events.parkings.contains { $0.start != nil }, "\(file): no ride was closed")
    for (onset, since) in events.resumptions { #expect(onset >= since) }
    for ride in events.parkings {
      if let first = ride.start, let last = ride.end { #expect(first <= last && last <= ride.lastMotion) }
    }
  }
}
