import Quantities
import Testing

/// What may happen to frames on their way.
enum Delivery: CaseIterable {
  /// Each is delayed by up to half a second.
  case randomDelays
  /// The reader stands still now and then, for up to half a second, and then gets all at once.
  case stalls
  /// An adapter hands over what it has every 16 ms, and one frame in fifty is lost.
  case adapter
  /// A storage that blocks for 105 ms every two seconds.
  case storage
  /// Up to forty frames in a row are lost.
  case losses
}

@Suite struct FrameClockTests {
  /// Five seconds after the trouble has ended the rate is right, and all the while no time goes back.
  @Test(arguments: Delivery.allCases)
  func troubleIsForgottenFiveSecondsAfterItEnds(delivery: Delivery) {
    for seed in UInt64(0)..<60 {
      var random = SplitMix64(seed: seed)
      func share() -> Double { Double(random.next() >> 11) * 0x1p-53 }
      let spacing = 1e6 / [10, 25, 50, 99.3, 100, 200, 286][Int(share() * 7)] * (1 + 0.02 * (share() - 0.5))
      var clock = FrameClock()
      var last = Instant(microseconds: .min)
      var (arrival, stalledUntil, number) = (0.0, 0.0, 0.0)
      var error = Double.infinity
      while number * spacing < 26e6 {
        let time = 1e6 + number * spacing
        number += 1
        var delay = share() * 1000
        if time < 21e6 {
          switch delivery {
          case .randomDelays: delay += share() * 500_000
          case .stalls:
            if share() < 0.1 { stalledUntil = time + share() * 500_000 }
            delay += max(0, stalledUntil - time)
          case .adapter:
            delay += 16_000 - time.truncatingRemainder(dividingBy: 16_000)
            if share() < 0.02 { continue }
          case .storage:
            if share() < 5e-7 * spacing { stalledUntil = time + 105_000 }
            delay += max(0, stalledUntil - time)
          case .losses:
            if share() < 0.003 { number += (share() * 40).rounded(.down) }
            delay += share() * 20_000
          }
        }
        arrival = max(arrival, time + delay)
        guard let found = clock.time(ofFrameAt: Instant(microseconds: Int64(arrival))) else { continue }
        #expect(found > last, "\(delivery) \(seed): a time went back")
        last = found
        error = Double(found.microseconds) - time
      }
      let off = (clock.spacing ?? 0) / spacing - 1
      #expect(abs(off) < 0.01, "\(delivery) \(seed): rate off by \(off)")
      #expect(abs(error) < 0.02e6, "\(delivery) \(seed): time off by \(error) µs")
    }
  }

  @Test func burstsOfAUSBAdapterAreSpreadOverTheirTrueTimes() throws {
    var clock = FrameClock()
    var worst = 0.0
    var last = Instant.zero
    var spacings: [Int64] = []
    for number in 0..<6000 {
      // 100 samples a second, one percent slow; the adapter hands over what it has every 16 ms.
      let truth = 1_000_000 + 10_100 * Int64(number)
      let arrival = (truth / 16_000 + 1) * 16_000 + Int64(number * 37 % 900)
      guard let time = clock.time(ofFrameAt: Instant(microseconds: arrival)) else {
        #expect(number < 120, "learning takes a second")
        continue
      }
      // Later than the frame before it, which a burst may have put near its arrival.
      #expect(time > last && time.microseconds <= arrival + 2000, "a frame is never early")
      if number > 1000 {
        spacings.append((time - last).microseconds)
        worst = max(worst, abs(Double(time.microseconds - truth)))
      }
      last = time
    }
    #expect(worst < 3_000, "\(worst) µs")
    #expect(spacings.allSatisfy { abs($0 - 10_100) < 500 }, "\(spacings.min() ?? 0) to \(spacings.max() ?? 0) µs")
    #expect(abs(try #require(clock.hertz) - 99.01) < 0.2 && clock.lossCount == 0 && clock.restartCount == 0)
  }

  @Test func lostFramesAndAPauseMoveTheTimesOn() throws {
    var clock = FrameClock()
    var time: Instant?
    func frame(at milliseconds: Int) { time = clock.time(ofFrameAt: .milliseconds(milliseconds)) }
    for number in 0...100 { frame(at: 1000 + 20 * number) }
    #expect(time == .milliseconds(3000) && clock.spacing == 20_000)
    // One frame is lost: four stretches later the times are right again.
    for number in 102...260 { frame(at: 1000 + 20 * number) }
    #expect(abs((try #require(time) - Instant.milliseconds(6200)).microseconds) < 1000)
    #expect(clock.lossCount == 1)
    // The line was silent for a minute.
    frame(at: 65_000)
    #expect(time == .milliseconds(65_000) && clock.spacing.map { abs($0 - 20_000) < 100 } == true)
  }

  /// A rate that was learnt from a burst is not kept; and a sensor that changes its rate is followed.
  @Test func aRateThatIsFarOffIsLearntAnew() throws {
    var clock = FrameClock()
    var arrival = 1_000_000
    for number in 0..<300 {
      // The first second: frames of two seconds at once.
      arrival = number < 200 ? 1_000_000 + 5_000 * number : arrival + 10_000
      _ = clock.time(ofFrameAt: Instant(microseconds: Int64(arrival)))
    }
    for _ in 0..<600 {
      arrival += 10_000
      _ = clock.time(ofFrameAt: Instant(microseconds: Int64(arrival)))
    }
    #expect(abs(try #require(clock.hertz) - 100) < 0.5 && clock.restartCount >= 1)
    // What comes before the last one is no earlier than that, and a time is later than the one before all the same.
    let before = clock.time(ofFrameAt: Instant(microseconds: Int64(arrival)))
    let after = clock.time(ofFrameAt: .zero)
    #expect(try #require(after) > #require(before))
    // Nonsense is no harm.
    for arrival in [Int64.min, .max, 0, -1, .min + 1, .max - 1, 5] {
      for _ in 0..<20 { _ = clock.time(ofFrameAt: Instant(microseconds: arrival)) }
    }
    #expect(clock.hertz?.isFinite == true)
  }
}
