import InlineStorage
import Quantities
import Telemetry

// The choice of a way: the first that is open, else the first that has not failed, else the first.
extension Dispatcher {
  /// Ways that could get the parcel.
  func candidates(for place: Int) -> WaySet {
    let parcel = parcels[place]
    var result = WaySet()
    for way in 0..<ways.count where ways[way].receiver == parcel.receiver { result.insert(WaySet(way)) }
    return result.subtracting(parcel.holders).subtracting(parcel.refusers).subtracting(parcel.incapable)
  }

  func hasWay(_ receiver: UInt8) -> Bool {
    for way in 0..<ways.count where ways[way].receiver == receiver { return true }
    return false
  }

  func best(for place: Int, mustHaveRoom: Bool) -> Int? {
    let free = candidates(for: place)
    var best: Int?
    var bestRank = 3
    for way in 0..<ways.count where free.contains(way) {
      let rank = states[way] == .open ? 0 : states[way] == .failed ? 2 : 1
      if rank < bestRank, !mustHaveRoom || hasRoom(way, for: place) { (best, bestRank) = (way, rank) }
    }
    return best
  }

  func haveFailed(_ set: WaySet) -> Bool {
    for way in 0..<ways.count where set.contains(way) && states[way] != .failed { return false }
    return true
  }

  /// True when the port of a way can take one more.
  func hasRoom(_ way: Int, for place: Int) -> Bool {
    if parcels[place].priority == .alert, ways[way].takesEveryAlert { return true }
    let isTrial = parcels[place].priority == .report && unproven.contains(way)
    return inHand(way) < (isTrial ? 1 : Int(ways[way].capacity))
  }

  /// Packets that the port of a way has in hand.
  func inHand(_ way: Int) -> Int {
    var count = 0
    for place in 0..<parcels.count where !parcels[place].holders.isEmpty {
      for other in 0..<ways.count where ways[other].port == ways[way].port && parcels[place].holders.contains(other) {
        count += 1
      }
    }
    return count
  }

  func isHeldByAlerts(_ way: Int) -> Bool {
    for place in 0..<parcels.count where parcels[place].priority != .alert {
      for other in 0..<ways.count where ways[other].port == ways[way].port && parcels[place].holders.contains(other) {
        return false
      }
    }
    return true
  }
}
