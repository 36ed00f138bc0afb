import Quantities
import Testing

@testable import Positioning

@Suite struct PlaceMeanTests {
  private func place(_ north: Double, _ east: Double = 0, longitude: Double = 11) -> GeodeticPosition {
    var degrees = longitude + east / 111_320
    if degrees > 180 { degrees -= 360 }
    return position(Int64((north / 110_574 * 1e9).rounded()), Int64((degrees * 1e9).rounded()))
  }

  private func metres(_ position: GeodeticPosition) -> Double { Double(position.latitudeE9) / 1e9 * 110_574 }

  @Test func eachFixCountsByItsTimeAndItsAccuracy() {
    var mean = PlaceMean(place(0), accuracy: 5, at: .zero)
    #expect(mean.position == place(0) && mean.accuracy == 5 && mean.seconds == 1)
    mean.record(place(10), accuracy: 5, at: .seconds(1))
    #expect(abs(metres(mean.position) - 5) < 1e-3 && mean.seconds == 2)
    // Four seconds of half the accuracy count as much as one of the whole.
    mean.record(place(20), accuracy: 10, at: .seconds(9))
    #expect(abs(metres(mean.position) - (5 * 2 + 20 * 2) / 4) < 1e-3, "\(metres(mean.position))")
    #expect(abs(mean.accuracy - (2 / 5 + 8 / 10) / (2 / 25 + 8 / 100)) < 1e-4, "\(mean.accuracy)")
  }

  /// Ten fixes a second are no better than one: their errors are the same.
  @Test func manyFixesOfASecondAreOne() {
    var (slow, fast) = (PlaceMean(place(0), accuracy: 4, at: .zero), PlaceMean(place(0), accuracy: 4, at: .zero))
    for second in 1...20 {
      slow.record(place(Double(second)), accuracy: 4, at: .seconds(second))
      for tenth in 1...10 {
        fast.record(
          place(Double(second)), accuracy: 4, at: .seconds(second - 1) + .milliseconds(100 * tenth))
      }
    }
    #expect(abs(metres(slow.position) - metres(fast.position)) < 1e-3)
    #expect(abs(fast.accuracy - 4) < 1e-4 && abs(fast.seconds - 21) < 1e-3)
  }

  @Test func afterASilenceAFixCountsForAMinute() {
    for silence in [59, 60, 61, 40_000] {
      var mean = PlaceMean(place(0), accuracy: 5, at: .zero, seconds: 60)
      mean.record(place(10), accuracy: 5, at: .seconds(silence))
      let step = Double(min(60, silence))
      #expect(abs(metres(mean.position) - 10 * step / (60 + step)) < 1e-3, "\(silence)")
    }
  }

  /// It has stood for days, and is put a few metres on: after an hour the mean is there, whatever was before.
  @Test func whatWasAnHourAgoIsForgotten() {
    var mean = PlaceMean(place(0), accuracy: 5, at: .zero)
    for second in 1...100_000 { mean.record(place(0), accuracy: 5, at: .seconds(second)) }
    #expect(mean.seconds == 3600)
    for second in 100_001...103_600 { mean.record(place(10), accuracy: 5, at: .seconds(second)) }
    #expect(metres(mean.position) > 6 && metres(mean.position) < 6.6, "\(metres(mean.position))")
    for second in 103_601...118_000 { mean.record(place(10), accuracy: 5, at: .seconds(second)) }
    // Steps of less than half a nanodegree are none.
    #expect(metres(mean.position) > 9.7 && metres(mean.position) < 10.001)
  }

  /// 50 m, and three deviations of the mean and of the fix.
  @Test func whatIsFartherAwayThanBothMayErrIsAnotherPlace() {
    let mean = PlaceMean(place(0), accuracy: 5, at: .zero)
    for (metres, accuracy, isNear) in [(94.9, 10.0, true), (95.1, 10, false), (67, 0.5, false), (66, 0.5, true)] {
      #expect(mean.isNear(place(metres), accuracy: accuracy) == isNear, "\(metres)")
    }
    #expect(mean.isNear(place(5000), accuracy: .nan), "who knows nothing contradicts nothing")
  }

  @Test func aMeanLiesOnTheDateLine() {
    // From 11 m on either side to 11 and 22 m on the other.
    let cases: [(from: Int64, to: Int64, right: Double)] = [
      (1799, -1799, 0), (-1799, 1799, 0), (1799, -1798, 5.55), (-1799, 1798, -5.55),
    ]
    for (from, to, right) in cases {
      var mean = PlaceMean(degreesE9(from), accuracy: 5, at: .zero)
      mean.record(degreesE9(to), accuracy: 5, at: .seconds(1))
      let edge = position(0, from > 0 ? 180_000_000_000 : -180_000_000_000)
      let distance = Geodesic.fastDistance(from: mean.position, to: edge)
      #expect(abs(distance - right.magnitude) < 0.02, "\(mean.position)")
      #expect(mean.position.longitudeE9.magnitude <= 180_000_000_000)
    }
  }

  /// Of 1799 and 1798 the places are 0.0001 and 0.0002 degrees from the date line.
  private func degreesE9(_ tenthsOfDegree: Int64) -> GeodeticPosition {
    let distance = 1800 - tenthsOfDegree.magnitude
    let longitude = 180_000_000_000 - Int64(distance) * 100_000
    return position(0, tenthsOfDegree < 0 ? -longitude : longitude)
  }

  @Test func whatIsNoNumberHardlyCounts() {
    for accuracy in [Double.nan, .infinity, 1e9] {
      var mean = PlaceMean(place(0), accuracy: 5, at: .zero)
      mean.record(place(1000), accuracy: accuracy, at: .seconds(60))
      #expect(metres(mean.position) < 0.01 && mean.accuracy < 6, "\(accuracy)")
      mean = PlaceMean(place(0), accuracy: accuracy, at: .zero)
      mean.record(place(1000), accuracy: 5, at: .seconds(60))
      #expect(metres(mean.position) > 999.9)
    }
    for accuracy in [0, -3, -Double.infinity] {
      var mean = PlaceMean(place(0), accuracy: accuracy, at: .zero)
      #expect(mean.accuracy == 0.1)
      mean.record(place(1), accuracy: 5, at: .zero - .seconds(5))
      #expect(metres(mean.position) < 1e-3 && mean.time == .zero, "of no time")
    }
    // As restored from nonsense.
    for seconds in [Float.nan, -1, 0, .infinity] {
      let mean = PlaceMean(place(3), accuracy: 5, at: .zero, seconds: seconds)
      #expect(mean.seconds >= 1 && mean.seconds <= 3600 && mean.accuracy == 5, "\(seconds)")
    }
  }

  /// The mean of an hour is nearer to the truth than the fix with the best accuracy, where errors last for minutes.
  @Test func theMeanOfAnHourIsBetterThanAnyFix() {
    var (means, fixes) = (0.0, 0.0)
    for seed in 1...20 {
      var random = Normal(bits: SplitMix64(seed: UInt64(seed)))
      var (north, east) = (5 * random.next(), 5 * random.next())
      var mean: PlaceMean?
      var last = (0.0, 0.0)
      for second in stride(from: 0, to: 3600, by: 10) {
        let keep = Elementary.exp(-10.0 / 300)
        let fresh = 5 * Elementary.squareRoot(1 - keep * keep)
        north = keep * north + fresh * random.next()
        east = keep * east + fresh * random.next()
        if mean == nil { mean = PlaceMean(place(north, east), accuracy: 5, at: .seconds(second)) }
        mean?.record(place(north, east), accuracy: 5, at: .seconds(second))
        last = (north, east)
      }
      let found = mean.map { Geodesic.fastDistance(from: $0.position, to: place(0)) } ?? .nan
      means += found * found
      fixes += last.0 * last.0 + last.1 * last.1
    }
    // By theory √(2·300/3600) of it.
    #expect(means < 0.3 * fixes, "\((means / fixes).squareRoot())")
  }
}

private func position(_ latitudeE9: Int64, _ longitudeE9: Int64) -> GeodeticPosition {
  guard let position = GeodeticPosition(latitudeE9: latitudeE9, longitudeE9: longitudeE9) else {
    preconditionFailure("no place")
  }
  return position
}

/// Numbers of the normal distribution (Box and Muller's method), one of each pair.
private struct Normal {
  var bits: SplitMix64

  mutating func next() -> Double {
    let (first, second) = (Double(bits.next() >> 11) * 0x1p-53, Double(bits.next() >> 11) * 0x1p-53)
    return Elementary.squareRoot(-2 * Elementary.log(1 - first)) * Elementary.cos(2 * .pi * second)
  }
}
