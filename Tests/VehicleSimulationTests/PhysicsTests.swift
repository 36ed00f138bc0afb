import Quantities
import Testing

@testable import VehicleSimulation

/// The truth along a track with ideal sensors: motion at each sample, and the sample.
private func truth(
  of track: [GNSSFix], hertz: Int = 100
) -> [(motion: BodyMotion, sample: InertialSample)] {
  var ride = RideSynthesizer(seed: 3, hertz: hertz, sensor: .ideal)
  var all: [(motion: BodyMotion, sample: InertialSample)] = []
  for fix in track { ride.receive(fix) }
  ride.finish()
  while let sample = ride.next() { all.append((ride.motion, sample)) }
  return all
}

@Test func integratedRatesFollowTheAttitude() {
  // A ride of curves, a hill and a stop.
  let track = (0...90).map { second in
    let s = Double(second)
    let speed = second > 60 && second < 75 ? 0 : 6.0
    let way = 6 * min(s, 61) + 6 * max(s - 74, 0)
    return RideTracks.fix(
      at: s, east: way, north: 40 * Elementary.sin(way / 40), height: 100 + 4 * Elementary.sin(way / 60), speed: speed)
  }
  let all = truth(of: track)
  #expect(all.count == 9001)
  // Sums of small turns in Double would need a Double quaternion; a Float one of 9000 steps is good to 2e-4.
  var attitude = all[0].motion.earthFromBody
  var worst: Float = 0
  for index in 1..<all.count {
    // The motion is semi-implicit: the rates of a sample are those of the step that led to it.
    attitude = (attitude * Quaternion(rotationVector: all[index].motion.sensed.angularRate * 0.01)).normalized
    worst = max(worst, (attitude.conjugate * all[index].motion.earthFromBody).angle)
  }
  #expect(worst < 0.02, "the sum of the rates is off by \(worst) rad after 90 s")
}

@Test func atRestTheSpecificForceIsGravityAndNothingTurns() {
  for (motion, sample) in truth(of: RideTracks.standing(seconds: 60)).suffix(1000) {
    #expect(motion.speed == 0)
    #expect(abs((sample.specificForce ?? .zero).length - 9.80665) < 1e-3)
    #expect((sample.angularRate ?? .zero).length < 1e-3)
  }
}

@Test func onACircleLeanTurnAndAccelerationBelongTogether() {
  let radius = 25.0
  let speed = 6.0
  let all = truth(of: RideTracks.circle(radius: radius, speed: speed, seconds: 120))[3000..<9000]
  let count = Double(all.count)
  let yawRate = all.reduce(0) { $0 + $1.motion.yawRate } / count
  let lean = all.reduce(0) { $0 + $1.motion.lean } / count
  let left = all.reduce(0) { $0 + $1.motion.leftAcceleration } / count
  let mean = all.reduce(0) { $0 + $1.motion.speed } / count
  #expect(abs(mean - speed) < 0.03)
  #expect(abs(yawRate - speed / radius) < 0.003)
  #expect(abs(left - speed * speed / radius) < 0.03)
  #expect(abs(lean + Elementary.atan2(speed * speed / radius, 9.80665)) < 0.005)
  // The rider is balanced: across the bicycle nothing is felt, along its height more than gravity.
  let across = all.reduce(0) { $0 + Double($1.motion.sensed.specificForce.y) } / count
  let upward = all.reduce(0) { $0 + Double($1.motion.sensed.specificForce.z) } / count
  #expect(abs(across) < 0.05)
  #expect(abs(upward - (9.80665 * 9.80665 + left * left).squareRoot()) < 0.05)
  // And the gyroscope turns by one circle in the time of one circle.
  let turn = all.reduce(0) { $0 + Double($1.motion.sensed.angularRate.length) } / count
  #expect(abs(turn - speed / radius) < 0.05)
}

@Test func uphillTheNosePointsUp() {
  let track = (0...60).map {
    RideTracks.fix(at: Double($0), east: 5 * Double($0), north: 0, height: 100 + 0.4 * Double($0), speed: 5)
  }
  let all = truth(of: track)[3000..<5000]
  let slope = all.reduce(0) { $0 + $1.motion.slope } / Double(all.count)
  #expect(abs(slope - Elementary.atan2(0.4, 5.0)) < 0.002)
  let forward = all.reduce(0) { $0 + Double($1.motion.sensed.specificForce.x) } / Double(all.count)
  #expect(abs(forward - 9.80665 * Elementary.sin(slope)) < 0.02)
}

@Test func theMountingTurnsTheReadings() {
  let track = RideTracks.circle(radius: 25, speed: 6, seconds: 20)
  var turned = SensorModel.ideal
  turned.bodyFromSensor = Quaternion(rotationVector: Vector3(0.3, -1.1, 0.7))
  var plain = RideSynthesizer(seed: 5, sensor: .ideal)
  var mounted = RideSynthesizer(seed: 5, sensor: turned)
  for fix in track {
    plain.receive(fix)
    mounted.receive(fix)
  }
  plain.finish()
  mounted.finish()
  var count = 0
  while let a = plain.next(), let b = mounted.next() {
    count += 1
    let force = turned.bodyFromSensor.rotate(b.specificForce ?? .zero) - (a.specificForce ?? .zero)
    let rate = turned.bodyFromSensor.rotate(b.angularRate ?? .zero) - (a.angularRate ?? .zero)
    #expect(force.length < 2e-4)
    #expect(rate.length < 2e-4)
  }
  #expect(count == 2001)
}

@Test func theSeatTubeMountingIsTheRecordedOne() {
  let level = SensorModel.seatTubeMPU6050.bodyFromSensor.conjugate.rotate(Vector3(0, 0, 9.80665))
  // bike_still_15min: 0 lateral, 9.4 along the tube, 2.7 forward and up.
  #expect(abs(level.x) < 1e-4)
  #expect(abs(level.y - 9.40) < 0.02)
  #expect(abs(level.z - 2.785) < 0.02)
  #expect((SensorModel.seatTubeMPU6050.bodyFromSensor.rotate(Vector3(1, 0, 0)) - Vector3(0, 1, 0)).length < 1e-5)
}

@Test func thePathGoesThroughTheFixesWithContinuousVelocity() {
  var curve = TrackCurve()
  let track = RideTracks.circle(radius: 40, speed: 7, seconds: 30)
  for fix in track { curve.append(fix) }
  curve.finish()
  var segments: [TrackSegment] = []
  while let segment = curve.nextSegment() { segments.append(segment) }
  #expect(segments.count == 30)
  for (a, b) in zip(segments, segments.dropFirst()) {
    #expect(a.end == b.start)
    #expect(abs(a.east.value(1) - b.east.c0) < 1e-9)
    #expect(abs(a.north.value(1) - b.north.c0) < 1e-9)
    #expect(abs(a.up.value(1) - b.up.c0) < 1e-9)
    #expect(abs(a.east.velocity(1) - b.east.velocity(0)) < 1e-9)
    #expect(abs(a.north.velocity(1) - b.north.velocity(0)) < 1e-9)
  }
  let angle = Elementary.sincos(7.0 / 40 * 20)
  #expect(abs(segments[20].east.c0 - (40 * angle.cos - 40)) < 0.01)
  #expect(abs(segments[20].north.c0 - 40 * angle.sin) < 0.01)
}
