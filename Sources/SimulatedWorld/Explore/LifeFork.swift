import FaultInjection
import Quantities
import VehicleSimulation

/// A point at which a life goes on otherwise: from there on other faults happen.
///
/// A life is determined by its scenario, so a fork needs no copy of the world: it is lived again to the point, with the faults until then.
package struct LifeFork: Equatable, Sendable {
  /// The last instant of which the faults are those of before, on the world's clock.
  package var time: Instant
  /// Of the faults that come instead.
  package var seed: UInt64

  /// A point and a seed.
  package init(at time: Instant, seed: UInt64) {
    self.time = time
    self.seed = seed
  }

  /// `901.25:7`, the time in seconds.
  package var text: String {
    let microseconds = time.microseconds
    let fraction = String(1_000_000 + microseconds % 1_000_000).dropFirst()
    return "\(microseconds / 1_000_000).\(fraction):\(seed)"
  }

  /// Reads what `text` writes, and fewer decimals; nil for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let seed = UInt64(parts[1]) else { return nil }
    let number = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    guard number.count <= 2, let seconds = Int64(number[0]), 0...400 * 86_400 ~= seconds, number[0].first != "+" else {
      return nil
    }
    var microseconds: Int64 = 0
    if number.count == 2 {
      guard 1...6 ~= number[1].count, number[1].allSatisfy(\.isWholeNumber),
        let fraction = Int64(number[1] + String(repeating: "0", count: 6 - number[1].count))
      else { return nil }
      microseconds = fraction
    }
    self.init(at: Instant(microseconds: seconds * 1_000_000 + microseconds), seed: seed)
  }
}

extension LifeScenario {
  /// How long after the point of a fork its first faults come, at most, s.
  package static var forkReach: [Int] { [1, 10, 120] }

  /// The same life to a point, and other faults from there on: one to three soon after it, and those of a day.
  ///
  /// - Parameter classes: What may go wrong.
  package func forked(_ fork: LifeFork, classes: Set<FaultClass>) -> LifeScenario {
    var result = self
    var dice = Dice(seed: fork.seed ^ 0x666F_726B)
    let last = Instant.zero + length - Interval.seconds(3600)
    var events = plan.events.filter { $0.time <= fork.time }
    let usual = LifePlan.drawn(seed: fork.seed, length: length, classes: classes).events
    events += usual.filter { $0.time > fork.time }
    let kinds = FaultClass.allCases.filter { classes.contains($0) && ($0 != .wheel || wheel != nil) }
    if !kinds.isEmpty {
      for _ in 0..<(1 + dice.below(3)) {
        let reach = dice.pick(LifeScenario.forkReach)
        let time = fork.time + Interval(microseconds: 1 + Int64(dice.next() % UInt64(reach * 1_000_000)))
        let kind = dice.pick(kinds)
        let fault: LifeFault? =
          switch kind {
          case .servers: LifePlan.serverFault(&dice)
          case .wheel: LifePlan.wheelFault(&dice)
          default: LifePlan.fault(kind, &dice)
          }
        guard let fault, time < last else { continue }
        // No server is away when nothing may go wrong any more.
        if case .server(let what, let lasting) = fault {
          events.append(LifeEvent(.server(what, lasting: min(lasting, last - time)), at: time))
        } else {
          events.append(LifeEvent(fault, at: time))
        }
      }
    }
    result.plan = LifePlan(events)
    return result
  }

  /// The same life in which the vehicle stands in place of some deeds, as long as each would take.
  ///
  /// - Parameter places: Of the deeds, from 0; what is not there is left out.
  package func standing(at places: Set<Int>) -> LifeScenario {
    var result = self
    for place in places where scene.scene.deeds.indices.contains(place) {
      let deed = scene.scene.deeds[place]
      var stand = StreetDeed(.stand)
      guard stand.set("seconds", deed.duration) else { continue }
      result.scene.scene.deeds[place] = stand
      result.scene.tellings[place] = nil
    }
    return result
  }

  /// Places of the deeds that are more than standing.
  package var movingPlaces: [Int] { scene.scene.deeds.indices.filter { scene.scene.deeds[$0].kind != .stand } }
}
