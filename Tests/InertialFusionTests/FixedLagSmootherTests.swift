import Quantities
import TestSupport
import Testing

@testable import InertialFusion

private typealias Smoother = FixedLagSmoother<64>

/// True attitudes by time.
private struct Truth {
  var byTime: [Int64: Quaternion] = [:]

  subscript(time: Instant) -> Quaternion? { byTime[time.microseconds] }
}

/// A body's samples and truth.
private func recording(seed: UInt64, seconds: Double, hertz: Double) -> (samples: [InertialSample], truth: Truth) {
  var body = TumblingBody(seed: seed)
  body.shaking = 1.5
  body.rateNoise = 0.01
  var truth = Truth()
  var samples: [InertialSample] = []
  for _ in 0..<Int(seconds * hertz) {
    let sample = body.next(after: 1 / hertz)
    samples.append(sample)
    truth.byTime[sample.time.microseconds] = body.earthFromBody
  }
  return (samples, truth)
}

/// Attitudes that wait, so that what comes after them can correct them.
@Suite struct FixedLagSmootherTests {
  @Test(arguments: [0, 200, 1000, 2000])
  func everyCorrectionComesOutOnceInItsOrderAfterTheLag(milliseconds: Int) {
    let lag = Interval.milliseconds(milliseconds)
    let (samples, truth) = recording(seed: 131, seconds: 30, hertz: 100)
    var smoother = Smoother(lag: lag, parameters: .simulated)
    #expect(smoother.finish() == nil)
    var last = Instant(microseconds: -1)
    var count = 0
    for sample in samples {
      guard let smoothed = smoother.update(with: sample) else { continue }
      count += 1
      #expect(sample.time - smoothed.time >= lag, "at \(sample.time.secondsDouble) s")
      #expect(sample.time - smoothed.time <= lag + .milliseconds(120), "at \(sample.time.secondsDouble) s")
      #expect(smoothed.time > last && truth[smoothed.time] != nil)
      last = smoothed.time
    }
    var waited = 0
    while let smoothed = smoother.finish() {
      waited += 1
      #expect(smoothed.time > last && smoothed.levelFromBody.normError < 1e-3)
      last = smoothed.time
    }
    // A correction takes every fourth or fifth sample of 10 ms.
    #expect((590...760).contains(count + waited), "\(count) and \(waited)")
    #expect(waited <= 64 && last >= (samples.last?.time ?? .zero) - .milliseconds(60))
    #expect(smoother.finish() == nil)
  }

  @Test func waitingMakesTheVerticalBetter() {
    for seed in UInt64(132)...135 {
      let (samples, truth) = recording(seed: seed, seconds: 60, hertz: 100)
      var smoother = Smoother(lag: .seconds(2), parameters: .simulated)
      var present: [Int64: Quaternion] = [:]
      var sums = (filter: Float(0), smoother: Float(0))
      func take(_ smoothed: SmoothedAttitude?) {
        guard let smoothed, smoothed.time > .seconds(6), let true_ = truth[smoothed.time],
          let then = present[smoothed.time.microseconds]
        else { return }
        let (before, after) = (degreesOfTilt(then, true_), degreesOfTilt(smoothed.levelFromBody, true_))
        sums.filter += before * before
        sums.smoother += after * after
      }
      for sample in samples {
        let smoothed = smoother.update(with: sample)
        present[sample.time.microseconds] = smoother.filter.levelFromBody
        take(smoothed)
      }
      while let smoothed = smoother.finish() { take(smoothed) }
      #expect(sums.smoother < 0.95 * sums.filter, "\(sums)")
    }
  }

  @Test func theFilterInsideIsTheFilter() {
    let (samples, _) = recording(seed: 136, seconds: 20, hertz: 100)
    var smoother = Smoother(lag: .seconds(1))
    var filter = AttitudeFilter()
    for sample in samples {
      _ = smoother.update(with: sample)
      filter.update(with: sample)
      #expect(smoother.filter.state == filter.state)
    }
  }

  @Test func whatIsToldOfTheCorrectionAgrees() {
    let (samples, _) = recording(seed: 137, seconds: 20, hertz: 100)
    var smoother = Smoother(lag: .seconds(1), parameters: .simulated)
    var present: [Int64: Quaternion] = [:]
    for sample in samples {
      let smoothed = smoother.update(with: sample)
      present[sample.time.microseconds] = smoother.filter.levelFromBody
      guard let smoothed, let then = present[smoothed.time.microseconds] else { continue }
      #expect(degreesBetween(smoothed.correction * then, smoothed.levelFromBody) < 0.02)
      #expect(degreesBetween(smoothed.earthFromLevel * smoothed.levelFromBody, smoothed.earthFromBody) < 0.02)
    }
  }

  /// A queue too short for the lag shortens the lag; nothing is lost.
  @Test func aFullQueueShortensTheLag() {
    let (samples, _) = recording(seed: 138, seconds: 20, hertz: 100)
    var short = FixedLagSmoother<8>(lag: .seconds(2), parameters: .simulated)
    var long = Smoother(lag: .seconds(2), parameters: .simulated)
    var times: [Instant] = []
    var allTimes: [Instant] = []
    for sample in samples {
      if let smoothed = long.update(with: sample) { allTimes.append(smoothed.time) }
      guard let smoothed = short.update(with: sample) else { continue }
      times.append(smoothed.time)
      #expect(sample.time - smoothed.time <= .milliseconds(8 * 60))
    }
    while let smoothed = short.finish() { times.append(smoothed.time) }
    while let smoothed = long.finish() { allTimes.append(smoothed.time) }
    #expect(times == allTimes && times.count > 380)
  }

  @Test func whatWaitsAtASilenceLeavesAsItIs() {
    func run(isCarriedAway: Bool) -> (waiting: [SmoothedAttitude], later: [SmoothedAttitude]) {
      var body = TumblingBody(seed: 139)
      var smoother = Smoother(lag: .seconds(1), parameters: .simulated)
      var unheard = Smoother(lag: .seconds(1), parameters: .simulated)
      for sample in body.samples(seconds: 10, hertz: 100) {
        _ = smoother.update(with: sample)
        _ = unheard.update(with: sample)
      }
      var expected: [SmoothedAttitude] = []
      while let smoothed = unheard.finish() { expected.append(smoothed) }
      if isCarriedAway { body.earthFromBody = Quaternion(rotationVector: Vector3(1, 2, 0)) * body.earthFromBody }
      let silence = body.time
      var past: [SmoothedAttitude] = []
      var later: [SmoothedAttitude] = []
      for step in 0..<1000 {
        guard let smoothed = smoother.update(with: body.next(after: step == 0 ? 60 : 0.01)) else { continue }
        if smoothed.time.secondsDouble <= silence { past.append(smoothed) } else { later.append(smoothed) }
      }
      #expect(past == expected && past.count > 18)
      #expect(smoother.filter.state.gapCount == 1 && later.count > 180)
      #expect(zip(later, later.dropFirst()).allSatisfy { $0.time < $1.time })
      return (past, later)
    }
    let (one, other) = (run(isCarriedAway: false), run(isCarriedAway: true))
    #expect(one.waiting == other.waiting && one.later != other.later)
    for smoothed in other.later { #expect(smoothed.correction.angle < 0.7) }
  }

  /// What waited at the silence before is too old to keep; what came between the two leaves with the heading it had.
  @Test func betweenTwoSilencesOnlyWhatIsBetweenThemIsKept() {
    var body = TumblingBody(seed: 142)
    var smoother = Smoother(lag: .seconds(1), parameters: .simulated)
    for sample in body.samples(seconds: 10, hertz: 100) { _ = smoother.update(with: sample) }
    let first = body.next(after: 60)
    _ = smoother.update(with: first)
    for sample in body.samples(seconds: 0.16, hertz: 50) { _ = smoother.update(with: sample) }
    let between = smoother.filter.state.heading
    let second = body.next(after: 60)
    var left: [SmoothedAttitude] = []
    if let smoothed = smoother.update(with: second) { left.append(smoothed) }
    for sample in body.samples(seconds: 3, hertz: 50) {
      if let smoothed = smoother.update(with: sample) { left.append(smoothed) }
    }
    #expect(left.allSatisfy { $0.time > first.time }, "\(left.first?.time.secondsDouble ?? 0)")
    let kept = left.filter { $0.time < second.time }
    #expect((2...4).contains(kept.count) && left.count > 40)
    for smoothed in kept {
      #expect(smoothed.earthFromLevel.z == between.sine && smoothed.earthFromLevel.w == between.cosine)
    }
  }

  @Test func silenceAfterSilenceIsBorne() {
    var body = TumblingBody(seed: 141)
    var smoother = FixedLagSmoother<16>(lag: .seconds(2), parameters: .simulated)
    var last = Instant(microseconds: -1)
    for step in 0..<2000 {
      guard let smoothed = smoother.update(with: body.next(after: step % 9 == 0 && step > 1000 ? 5 : 0.02)) else {
        continue
      }
      #expect(smoothed.time > last)
      last = smoothed.time
    }
    while let smoothed = smoother.finish() {
      #expect(smoothed.time > last)
      last = smoothed.time
    }
    #expect(body.time - last.secondsDouble < 5.1)
  }

  @Test func nonsenseIsBorne() {
    var random = SeededRandom(seed: 140)
    var smoother = FixedLagSmoother<16>(lag: .milliseconds(500))
    var time = Instant.zero
    for _ in 0..<20_000 {
      time =
        time + Interval(microseconds: random.oneIn(300) ? 3_000_000 : Int64.random(in: -10...60_000, using: &random))
      let smoothed = smoother.update(
        with: InertialSample(
          time: time, angularRate: random.oneIn(30) ? Vector3(.nan, 0, 0) : random.vector(deviation: 20),
          specificForce: random.oneIn(9) ? .zero : random.vector(deviation: 100),
          magneticFluxDensity: random.vector(deviation: 40)))
      guard let smoothed else { continue }
      #expect(smoothed.levelFromBody.normError < 1e-3 && smoothed.earthFromBody.normError < 1e-3)
      #expect(smoothed.correction.normError < 1e-3 && smoothed.earthFromLevel.normError < 1e-3)
    }
  }
}
