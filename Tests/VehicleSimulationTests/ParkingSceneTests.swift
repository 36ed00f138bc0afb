import Quantities
import Testing

@testable import VehicleSimulation

private let track = RideTracks.standing(seconds: 60)

/// True when no channel of the half second moves more than 0.01 rad/s or 0.1 m/s².
private func isRest(_ values: [Double]) -> Bool {
  (values[0...2].max() ?? 1) < 0.01 && (values[3...5].max() ?? 1) < 0.1
}

private func samples(of scene: ParkingScene, seed: UInt64 = 1) -> [InertialSample] {
  RideTracks.outputs(of: track, seed: seed, scene: scene).all.samples.filter { $0.time > .seconds(60) }
}

@Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
func tenMinutesAreQuietButForTheKnock(seed: UInt64) {
  let quiet = samples(of: .tenMinutesThenThief, seed: seed).filter { $0.time < .seconds(659) }
  let moving = RideTracks.deviations(quiet).filter { !isRest($0.values) }
  #expect(!moving.isEmpty && moving.count <= 2)
  for window in moving { #expect(window.time > .seconds(479) && window.time < .milliseconds(481_000)) }
  // Weak: it is not to be an alarm by itself.
  for window in moving { #expect((window.values[3...5].max() ?? 0) < 0.6) }
}

@Test func theKnockRingsOutWithinFourTenthsOfASecond() {
  let knock = samples(of: ParkingScene(phases: [.standing(seconds: 5), .nudged, .standing(seconds: 5)]))
  let after = knock.filter { $0.time >= .milliseconds(65_430) }
  for window in RideTracks.deviations(after) { #expect(isRest(window.values)) }
}

@Test func everyPhaseOfTheTheftMovesAsDocumented() {
  let outputs = RideTracks.outputs(of: track, scene: .tenMinutesThenThief)
  let remarks = outputs.extension.remarks
  #expect(remarks.count == 7)
  #expect(remarks[3].text == "script: a thief rolls the bike 8 m")
  let all = outputs.all.samples
  func part(_ index: Int) -> [InertialSample] {
    let end = index + 1 < remarks.count ? remarks[index + 1].time : Instant.seconds(1_000_000)
    return all.filter { $0.time >= remarks[index].time && $0.time < end }
  }
  #expect(remarks[0].time == .milliseconds(60_010))
  #expect(remarks[1].time == .milliseconds(480_010))
  #expect(remarks[3].time == .milliseconds(660_010))
  // Rolled: the texture of the ground on every axis.
  let rolled = RideTracks.deviations(part(3)).dropFirst(2).dropLast(3)
  for window in rolled { #expect((window.values[3...5].min() ?? 0) > 0.4) }
  // Lifted: gravity turns by 30° to 60°.
  func direction(_ samples: ArraySlice<InertialSample>) -> Vector3? {
    samples.reduce(Vector3.zero) { $0 + ($1.specificForce ?? .zero) }.normalized
  }
  let before = direction(part(2).suffix(500)) ?? .zero
  let carried = direction(part(5).dropFirst(1000).prefix(2000)) ?? .zero
  let angle = Elementary.acos(Double(before.dot(carried))) * 180 / Double.pi
  #expect(angle > 28 && angle < 62, "tilted by \(angle)°")
  // Carried: the strongest period of the vertical is a step of 1.5 to 2.5 Hz.
  let gait = Array(part(5).dropFirst(200).prefix(4000)).map { Double((($0.specificForce ?? .zero).length)) }
  let mean = gait.reduce(0, +) / Double(gait.count)
  func power(_ hertz: Double) -> Double {
    var c = 0.0
    var s = 0.0
    for (index, value) in gait.enumerated() {
      let turn = Elementary.sincos(2 * Double.pi * hertz * Double(index) / 100)
      c += (value - mean) * turn.cos
      s += (value - mean) * turn.sin
    }
    return c * c + s * s
  }
  let strongest = stride(from: 0.3, to: 10, by: 0.02).max { power($0) < power($1) } ?? 0
  #expect(strongest > 1.5 && strongest < 2.5, "\(strongest) Hz")
  // Afterwards it lies still again.
  for window in RideTracks.deviations(Array(part(6).dropFirst(150))) { #expect(isRest(window.values)) }
}

@Test func fixesGoOnOncePerSecondAndEndWhereItWasCarried() {
  var timed = track
  for index in timed.indices {
    timed[index].utc = UTCTime(microseconds: 1_600_000_000_000_000) + .seconds(index)
  }
  let outputs = RideTracks.outputs(of: timed, scene: .tenMinutesThenThief)
  let fixes = outputs.all.fixes
  for (a, b) in zip(fixes, fixes.dropFirst()) {
    #expect(b.time - a.time == .seconds(1))
    if let before = a.utc, let after = b.utc { #expect(after - before == .seconds(1)) } else { #expect(Bool(false)) }
  }
  guard let home = timed.last?.position, let end = fixes.last?.position else {
    Issue.record("no positions")
    return
  }
  let frame = LocalFrame(at: home)
  func distance(_ place: GeodeticPosition?) -> Double {
    guard let place else { return .infinity }
    let way = frame.displacement(from: home, to: place)
    return (way.east * way.east + way.north * way.north).squareRoot()
  }
  #expect(abs(distance(end) - 125) < 15)
  let parked = fixes[61...659].map { distance($0.position) }
  #expect((parked.max() ?? 99) < 12)
  #expect((parked.reduce(0) { $0 + $1 * $1 } / Double(parked.count) / 2).squareRoot() < 3.5)
  #expect(distance(fixes[61].position) < 2.5)
  for fix in fixes[61...] { #expect(fix.horizontalAccuracy == 4 && fix.hasPosition) }
  let speeds = fixes[61...659].compactMap(\.speed)
  #expect((speeds.max() ?? 9) < 0.5)
}

@Test func aRideThatEndsOnTheWayBrakesFirst() {
  let moving = RideTracks.circle(radius: 30, speed: 6, seconds: 30)
  let outputs = RideTracks.outputs(of: moving, scene: ParkingScene(phases: [.standing(seconds: 20)]))
  let first = outputs.extension.remarks.first?.time ?? .zero
  #expect(abs((first - Instant.seconds(30)).secondsDouble - 3) < 0.1)
  let still = outputs.all.samples.filter { $0.time >= first + .milliseconds(20) }
  for window in RideTracks.deviations(still) { #expect(isRest(window.values)) }
}

@Test func nonsenseInAScriptIsHarmless() {
  let scene = ParkingScene(phases: [
    .standing(seconds: .nan), .rolled(metres: -3), .carriedOff(metres: 0), .standing(seconds: -1), .nudged,
    .rolled(metres: 0.05), .lifted, .standing(seconds: 2),
  ])
  let outputs = RideTracks.outputs(of: track, scene: scene)
  #expect(outputs.extension.isFinished)
  #expect(outputs.extension.remarks.count == 8)
  #expect(outputs.all.samples.allSatisfy { ($0.specificForce ?? .zero).isFinite && ($0.angularRate ?? .zero).isFinite })
}
