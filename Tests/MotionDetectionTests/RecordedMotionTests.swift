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
  var mostTilt: Float = 0
  while shift < .seconds(12 * 3600) {
    for var sample in samples {
      sample.time = sample.time + shift
      scene.monitor.process(sample)
      scene.collect()
      mostTilt = max(mostTilt, scene.monitor.tiltSinceParking ?? 0)
    }
    shift = shift + length
  }
  let events = scene.news()
  #expect(mostTilt * 180 / .pi < 1, "the tilt drifted to \(mostTilt * 180 / .pi)°")
  #expect(scene.monitor.phase == .parked && scene.monitor.isArmed)
  #expect(events.movements.isEmpty && events.suspicions.isEmpty)
  #expect(events.parkings.count == 1)
  for (degrees, alarms) in [(5.2 as Float, false), (6.6, true)] {
    var tilted = scene
    lean(&tilted, by: degrees, over: samples[..<1500], shift: shift)
    let movements = tilted.news().movements
    #expect(movements.contains { $0.detector == .tilt } == alarms, "\(degrees)° after twelve hours")
  }
}

/// Leans a parked vehicle over within twenty seconds, under the recorded noise of `samples`.
private func lean(_ scene: inout Scene, by degrees: Float, over samples: ArraySlice<InertialSample>, shift: Interval) {
  guard let first = samples.first?.time, let force = samples.first?.specificForce else { return }
  // About an axis that is level, whatever the mounting.
  let axis =
    force.cross(abs(force.x) > abs(force.z) ? Vector3(0, 0, 1) : Vector3(1, 0, 0)).normalized ?? Vector3(1, 0, 0)
  let rate = degrees * .pi / 180 / 20
  for var sample in samples {
    let since = (sample.time - first).seconds
    let turn = Quaternion(rotationVector: axis * (-rate * min(since, 20)))
    sample.time = sample.time + shift
    sample.specificForce = sample.specificForce.map { turn.rotate($0) }
    if since < 20 { sample.angularRate = sample.angularRate.map { $0 + axis * rate } }
    scene.monitor.process(sample)
    scene.collect()
  }
}

/// Follows the fixes of a recorded trip; what it must be: a ride that is closed, with a stop wherever the recorder paused.
private func follow(_ path: String) throws -> (longestGap: Interval, pauses: Int) {
  var scene = Scene()
  var longestGap = Interval.zero
  var hasParkableGap = false
  var pauses = 0
  var previous: Instant?
  for fix in try recordedFixes(path) {
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
    // The owner rides off from where it was parked, and says so.
    if !news.movements.isEmpty { scene.monitor.dismiss(at: fix.time) }
    #expect(news.movements.isEmpty || hasParkableGap, "\(path): alert at \(fix.time.secondsDouble) s, never parked")
    guard gap >= .seconds(15), wasRiding else { continue }
    // The recorder pauses at a stop: nothing of the gap is riding.
    pauses += 1
    let standing = news.standings.first
    #expect(standing != nil, "\(path): the gap of \(gap.seconds) s until \(fix.time.secondsDouble) s is no stop")
    #expect((standing?.since ?? fix.time) <= start)
  }
  let end = try #require(previous)
  scene.wait(until: end + .seconds(610))
  let events = scene.news()
  #expect(!events.rideStarts.isEmpty, "\(path): no ride")
  #expect(events.parkings.contains { $0.start != nil }, "\(path): no ride was closed")
  for (onset, since) in events.resumptions { #expect(onset >= since) }
  for ride in events.parkings {
    if let first = ride.start, let last = ride.end { #expect(first <= last && last <= ride.lastMotion) }
  }
  return (longestGap, pauses)
}

@Test func everyRecordedCityTripIsARideAndItsStopsAreStops() throws {
  guard let folder = recordedDataFolder("rides_dublin") else { return }
  let table = try #require(csvRows(folder + "/rides.csv"))
  #expect(table.count == 44)
  for row in table {
    let file = try #require(row["file"])
    let (longestGap, _) = try follow(folder + "/" + file)
    #expect("\(Int(longestGap.secondsDouble))" == row["longest_gap_s"], "\(file)")
  }
}

@Test func theRidesOfTheRepositoryAreRidesAndTheirPausesAreStops() throws {
  var folder = #filePath
  for _ in 0..<3 { folder = String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]) }
  let files = fileNames(in: folder + "/fixtures/rides", endingWith: "_gnss.csv.gz")
  #expect(files.count >= 2)
  var pauses = 0
  for file in files { pauses += try follow(folder + "/fixtures/rides/" + file).pauses }
  #expect(pauses >= 1)
}

@Test func aQuietNightDoesNotDriftTheTiltAndALeanOfSevenDegreesIsSeenAfterIt() {
  var scene = Scene(hertz: 20, seed: 11)
  scene.sensor.bias = Vector3(0.02, -0.03, 0.05)
  scene.parkByInertia()
  var mostTilt: Float = 0
  for _ in 0..<360 {
    scene.still(seconds: 30)
    mostTilt = max(mostTilt, scene.monitor.tiltSinceParking ?? 0)
  }
  #expect(mostTilt * 180 / .pi < 1 && scene.news().isEmpty)
  #expect(scene.monitor.phase == .parked && scene.monitor.isArmed)
  for (degrees, alarms) in [(5.2 as Float, false), (6.6, true)] {
    var leaning = scene
    leaning.move(seconds: 20, rate: Vector3(degrees * .pi / 180 / 20, 0, 0))
    leaning.still(seconds: 20)
    #expect(leaning.news().movements.contains { $0.detector == .tilt } == alarms, "\(degrees)° after three hours")
  }
}
