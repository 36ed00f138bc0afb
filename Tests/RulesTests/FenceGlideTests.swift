import Foundation
import Quantities
import Rules
import Testing

/// A boat, a train, a trolley on a smooth floor: its inertial sensor feels nothing while it goes.
///
/// `make glides` prints the table of docs/rules.md (`LEASH_GLIDE_SEEDS`).
@Suite struct FenceGlideTests {
  private static let seeds = Int(ProcessInfo.processInfo.environment["LEASH_GLIDE_SEEDS"] ?? "") ?? 0

  /// How a receiver errs: for minutes, with or without corners, and in each fix by itself.
  enum Errors: String, CaseIterable {
    case lasting = "15 m"
    case smooth = "15 m, without corners"
    case both = "15 m, and 2 m in each fix"
    case strong = "15 m, and 5 m in each fix"
    case white = "2 m in each fix"

    var sigma: Double { self == .white ? 0.5 : 15 }
    var white: Double {
      switch self {
      case .both, .white: return 2
      case .strong: return 5
      case .lasting, .smooth: return 0
      }
    }
    var deviation: Double { (sigma * sigma + white * white).squareRoot() }
  }

  private func world(_ errors: Errors, seed: UInt64, doppler: Double = 0.2) -> FenceWorld {
    var receiver = campaignReceiver(.right, isSmooth: errors == .smooth)
    receiver.sigma = errors.sigma
    receiver.stated = 15
    receiver.doppler = doppler
    receiver.outliersPerWeek = 0
    let world = FenceWorld(receiver, seed: seed)
    world.white = errors.white
    world.stillSince = .seconds(10)
    return world
  }

  /// Seconds from 2.5 deviations beyond the edge to the alert; nil without one.
  private func delay(_ errors: Errors, speed: Double, seed: UInt64, until distance: Double = 4000) -> Double? {
    let world = self.world(errors, seed: seed)
    world.rest(for: .seconds(7200))
    if world.alert != nil { return -.infinity }
    let begin = world.now
    while world.alert == nil, (world.now - begin).secondsDouble < 4000 / speed {
      world.velocity = world.east < distance ? speed : 0
      world.step()
    }
    return world.alert.map { ($0 - begin).secondsDouble - (50 + 2.5 * errors.deviation) / speed }
  }

  @Test(arguments: [Errors.lasting, .smooth, .both, .white]) func oneThatGlidesOffIsToldWithinTwoMinutes(
    _ errors: Errors
  ) throws {
    for speed in [1.0, 1.5, 3, 5, 10] {
      for seed in 0..<UInt64(3) {
        let delay = try #require(self.delay(errors, speed: speed, seed: seed), "\(speed) m/s, seed \(seed)")
        #expect(delay > -60 && delay <= 120, "\(errors.rawValue), \(speed) m/s, seed \(seed): \(delay) s")
      }
    }
  }

  /// What has carried it was quicker than the confirmation, and stands again.
  @Test(arguments: [4.0, 10]) func oneThatGlidesOffAndStandsIsToldWithinTwoMinutes(_ speed: Double) throws {
    for seed in 0..<UInt64(4) {
      let delay = try #require(self.delay(.lasting, speed: speed, seed: seed, until: 200), "\(speed) m/s, seed \(seed)")
      #expect(delay <= 120, "\(speed) m/s, seed \(seed): \(delay) s")
    }
  }

  /// It rests 5 m within the edge: its receiver errs to far outside for hours, and tells up to 2 m/s of its own.
  @Test(arguments: Errors.allCases) func aSensorAtRestBeatsAReceiverThatErrs(_ errors: Errors) {
    for (doppler, seed) in [(0.2, UInt64(0)), (0.5, 1)] {
      let world = self.world(errors, seed: seed, doppler: doppler)
      world.east = 45
      world.rest(for: .seconds(172_800))
      #expect(world.alert == nil, "\(errors.rawValue), \(doppler) m/s, after \(world.now.secondsDouble) s")
    }
  }

  /// Positions that creep, jump or stay away, while speeds do not tell of it.
  @Test func aSensorAtRestBeatsPositionsThatGoWithoutSpeed() {
    for (speed, distance, seconds) in [(0.3, 300.0, 3600), (4, 300, 600), (250, 250, 600)] {
      for seed in 0..<UInt64(4) {
        let world = self.world(.lasting, seed: seed)
        world.rest(for: .seconds(7200))
        for second in 0..<seconds {
          world.lie.east = min(distance, speed * Double(second))
          world.step()
        }
        #expect(world.alert == nil, "\(speed) m/s, seed \(seed)")
      }
    }
  }

  /// The table of docs/rules.md; only for the campaign.
  @Test func delaysOfGlides() {
    guard FenceGlideTests.seeds > 0 else { return }
    let speeds = [0.7, 1, 1.5, 2, 3, 5, 10]
    print("| errors of the receiver | " + speeds.map { "\($0.formatted()) m/s" }.joined(separator: " | ") + " |")
    print("|---" + String(repeating: "|---", count: speeds.count) + "|")
    for errors in Errors.allCases {
      let cells = speeds.map { speed in
        let delays = (0..<UInt64(FenceGlideTests.seeds)).map { seed in
          delay(errors, speed: speed, seed: seed) ?? .infinity
        }
        return [delays.prefix(20), delays.dropFirst(20)].map { half in
          let late = half.count { $0 > 120 }
          let sorted = half.sorted()
          guard let middle = sorted.dropFirst(sorted.count / 2).first, let last = sorted.last else { return "—" }
          if last == .infinity { return "\(Int(min(middle, 9999))), — (\(late) of \(half.count) late)" }
          return "\(Int(middle)), \(Int(last))" + (late > 0 ? " (\(late) of \(half.count) late)" : "")
        }
        .joined(separator: "; ")
      }
      print("| \(errors.rawValue) | " + cells.joined(separator: " | ") + " |")
    }
  }
}
