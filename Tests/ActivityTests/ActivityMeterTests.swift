import Activity
import Glibc
import Quantities
import Testing
import TestSupport

/// What a meter counted.
struct Counted: Equatable {
  var steps = 0.0
  var active = 0
  var resting = 0
  var windows = 0

  mutating func note(_ window: ActivityWindow) {
    steps += Double(window.steps) / 256
    windows += 1
    if window.level == .active { active += 1 }
    if window.level == .rest { resting += 1 }
  }
}

func counted(_ samples: [(time: Double, force: Vector3)]) -> Counted {
  var meter = ActivityMeter()
  var result = Counted()
  for sample in samples {
    if let window = meter.take(sample.force, at: Instant(microseconds: Int64(sample.time * 1e6))) {
      result.note(window)
    }
  }
  return result
}

/// A signal of one frequency about gravity, in m/s².
private func wave(
  hertz: Double, amplitude: Double, rate: Double = 50, seconds: Double = 60, from start: Double = 0
) -> [(time: Double, force: Vector3)] {
  (0..<Int(seconds * rate)).map { place in
    let time = start + Double(place) / rate
    return (time, Vector3(0, 0, 9.80665 + Float(amplitude * sin(2 * .pi * hertz * time))))
  }
}

/// Steps, activity and rest by the accelerometer.
@Suite struct ActivityMeterTests {
  @Test(arguments: GaitModel.Family.allCases) func stepsOfAModelOfGaitAreCounted(_ family: GaitModel.Family) {
    // Seeds that no constant was chosen with.
    let ratios = stride(from: 1, to: 20, by: 2).map { seed in
      let gait = GaitModel(family, seed: seed, seconds: 60)
      return counted(gait.samples).steps / Double(gait.steps)
    }.sorted()
    #expect(ratios[5] > (family == .irregular ? 0.8 : 0.9) && ratios[9] < 1.1, "\(family.rawValue): \(ratios)")
  }

  @Test func anyMountingAndRateCountsAlike() {
    for rate in [12.5, 25, 26, 50, 100, 200, 400] {
      let upright = counted(wave(hertz: 2.2, amplitude: 2, rate: rate))
      // The first two windows only fill the third, and the last is not whole.
      #expect(upright.steps > 132 - 2.2 * 4 && upright.steps < 132, "\(rate) Hz: \(upright)")
      let turned = wave(hertz: 2.2, amplitude: 2, rate: rate).map { sample in
        let part = sample.force.z / Float(3).squareRoot()
        return (time: sample.time, force: Vector3(part, -part, part))
      }
      #expect(abs(counted(turned).steps - upright.steps) < 3, "\(rate) Hz")
    }
  }

  @Test func stepsAreCountedFromTheSlowestToTheFastestAndNothingBeyond() {
    for hertz in [0.9, 1.5, 3, 5, 6.5] {
      let steps = counted(wave(hertz: hertz, amplitude: 2)).steps
      #expect(abs(steps - 60 * hertz) < 0.1 * 60 * hertz, "\(hertz) Hz: \(steps)")
    }
    for hertz in [0.3, 9, 11, 20] {
      #expect(counted(wave(hertz: hertz, amplitude: 3)).steps == 0, "\(hertz) Hz")
    }
  }

  @Test func aFewStepsAreNoneAndMoreAreAllCounted() {
    // Three windows of 1.28 s must agree, each over 3.84 s.
    let few =
      wave(hertz: 2, amplitude: 0, seconds: 10) + wave(hertz: 2, amplitude: 2, seconds: 2, from: 10)
      + wave(hertz: 2, amplitude: 0, seconds: 10, from: 12)
    #expect(counted(few).steps == 0)
    let more =
      wave(hertz: 2, amplitude: 0, seconds: 10) + wave(hertz: 2, amplitude: 2, seconds: 12, from: 10)
      + wave(hertz: 2, amplitude: 0, seconds: 10, from: 22)
    #expect(abs(counted(more).steps - 24) < 4)
  }

  @Test func activeRestAndWhatIsBetweenBeginAtTheirLimits() {
    // The deviation of a wave is its amplitude by the root of two.
    func level(_ deviation: Double) -> Counted { counted(wave(hertz: 2, amplitude: deviation * 2.0.squareRoot())) }
    let (rest, light, lively) = (level(0.05), level(0.2), level(0.5))
    #expect(rest.resting > rest.windows - 3 && rest.active == 0)
    #expect(light.resting == 0 && light.active == 0 && light.windows > 40)
    #expect(lively.active == lively.windows)
    #expect(level(0.37).active == 0)
    #expect(level(0.44).active == level(0.44).windows)
  }

  @Test func aPoorSensorRestsToo() {
    var random = GaitRandom(7)
    let noise = (0..<(600 * 50)).map { place in
      (time: Double(place) / 50, force: Vector3(0, 0, 9.81 + Float(0.15 * random.normal())))
    }
    let quiet = counted(noise)
    #expect(quiet.active == 0 && quiet.steps == 0)
    #expect(Double(quiet.resting) > 0.8 * Double(quiet.windows), "\(quiet)")
  }

  @Test func withoutASignalNothingIsMeasured() {
    let before = wave(hertz: 2, amplitude: 2, seconds: 20)
    let after = wave(hertz: 2, amplitude: 2, seconds: 20, from: 3620)
    let (one, both) = (counted(before), counted(before + after))
    #expect(both.windows == 2 * one.windows, "an hour without samples is no minute of the day")
    // Half a second is bridged, more is a gap.
    #expect(counted((0..<50).map { (Double($0) * 0.5, Vector3(0, 0, 9.8)) }).windows == 19)
    #expect(counted((0..<50).map { (Double($0) * 0.51, Vector3(0, 0, 9.8)) }).windows == 0)
  }

  @Test func whatIsNoNumberAndWhatIsLateChangesNothing() {
    let clean = wave(hertz: 2, amplitude: 2, seconds: 30)
    var dirty: [(time: Double, force: Vector3)] = []
    for (place, sample) in clean.enumerated() {
      dirty.append(sample)
      if place % 7 == 0 { dirty.append((sample.time, sample.force)) }
      if place % 11 == 0 { dirty.append((sample.time - 0.1, Vector3(50, 50, 50))) }
      if place % 13 == 0 { dirty.append((sample.time + 0.001, Vector3(.nan, 0, 9))) }
      if place % 17 == 0 { dirty.append((sample.time + 0.001, Vector3(9000, 0, 9))) }
    }
    #expect(counted(dirty) == counted(clean))
  }

  @Test func aCopyGoesOnAsTheMeterDoes() {
    let samples = GaitModel(.dogTrot, seed: 3, seconds: 30).samples
    var meter = ActivityMeter()
    for sample in samples.prefix(samples.count / 2) {
      _ = meter.take(sample.force, at: Instant(microseconds: Int64(sample.time * 1e6)))
    }
    var copy = meter
    for sample in samples.dropFirst(samples.count / 2) {
      let time = Instant(microseconds: Int64(sample.time * 1e6))
      let (one, other) = (meter.take(sample.force, at: time), copy.take(sample.force, at: time))
      #expect(one == other)
    }
  }

  /// A body on springs, resonant within the band of steps, on a road that is noise.
  @Test(arguments: [1.2, 1.8, 3, 5]) func aBodyOnSpringsMakesFewStepsOnARoad(_ hertz: Double) {
    var random = GaitRandom(Int(hertz * 10))
    var (place, speed) = (0.0, 0.0)
    let stiffness = 4 * Double.pi * Double.pi * hertz * hertz
    let damping = 2 * 0.3 * (2 * .pi * hertz)
    let ride = (0..<(900 * 50)).map { sample in
      let acceleration = 8 * random.normal() - stiffness * place - damping * speed
      speed += acceleration / 50
      place += speed / 50
      return (time: Double(sample) / 50, force: Vector3(0, 0, 9.81 + Float(-stiffness * place - damping * speed)))
    }
    let result = counted(ride)
    #expect(result.active > result.windows * 9 / 10, "\(result)")
    // Of all the shakes in a quarter of an hour.
    #expect(result.steps < 0.05 * 900 * hertz, "\(hertz) Hz: \(result)")
  }

  @Test func recordedVehiclesMakeNoSteps() throws {
    guard let folder = recordedDataFolder("rides") else { return }
    let names = fileNames(in: folder, endingWith: "_imu.csv.gz") + fileNames(in: folder, endingWith: "_imu2.csv.gz")
    for name in names where !name.hasPrefix("leaning") {
      let result = try countedRecording("\(folder)/\(name)").all
      #expect(result.steps == 0, "\(name): \(result)")
      if name.hasPrefix("bike_still") || name.hasPrefix("still") {
        #expect(result.active == 0 && result.resting > result.windows * 99 / 100, "\(name): \(result)")
      }
    }
  }
}

/// A recording as a collar counts it: by its sensor alone, and with the fixes.
func countedRecording(_ path: String) throws -> (all: Counted, notCarried: Counted, carried: Int) {
  var meter = ActivityMeter()
  var travel = TravelWatch()
  var (all, notCarried, carried) = (Counted(), Counted(), 0)
  let fixes =
    path.hasSuffix("_imu.csv.gz") ? (try? recordedFixes(String(path.dropLast(11)) + "_gnss.csv.gz")) ?? [] : []
  var place = 0
  for sample in try recordedSamples(path) {
    while place < fixes.count, fixes[place].time <= sample.time {
      travel.note(speed: fixes[place].speed, at: fixes[place].time)
      place += 1
    }
    guard let force = sample.specificForce, let window = meter.take(force, at: sample.time) else { continue }
    all.note(window)
    if travel.isCarried(at: sample.time) { carried += 1 } else { notCarried.note(window) }
  }
  return (all, notCarried, carried)
}
