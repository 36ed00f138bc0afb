import InlineStorage
import Quantities
import Telemetry

// What a parcel needs next: a way, room on it, another one beside it, or a wait.
extension Dispatcher {
  /// What a parcel needs now.
  mutating func seeTo(_ place: Int) -> DeliveryStep? {
    for way in 0..<ways.count where parcels[place].due.contains(way) {
      parcels[place].due.remove(WaySet(way))
      return give(place, way)
    }
    let isLate = parcels[place].deadline.map { $0 <= now } ?? false
    let held = parcels[place].holders
    if !held.isEmpty, !isLate {
      // All of its ways have failed, and there is another.
      guard haveFailed(held), let way = best(for: place, mustHaveRoom: true), states[way] != .failed else { return nil }
      return assign(place, way)
    }
    // It waits before it goes to those again that handed it back.
    if held.isEmpty, parcels[place].deadline != nil, !isLate, candidates(for: place).isEmpty { return nil }
    if let way = best(for: place, mustHaveRoom: false) {
      if hasRoom(way, for: place) { return assign(place, way) }
      if isLate, let other = best(for: place, mustHaveRoom: true) { return assign(place, other) }
      return waitForRoom(place, way, isLate)
    }
    return nobodyLeft(place, isLate)
  }

  mutating func waitForRoom(_ place: Int, _ way: Int, _ isLate: Bool) -> DeliveryStep? {
    // What has a way already is in no hurry for another.
    if !parcels[place].holders.isEmpty {
      parcels[place].deadline = now + limit(parcels[place])
      return nil
    }
    if parcels[place].deadline == nil || isLate { parcels[place].deadline = now + limit(parcels[place]) }
    guard parcels[place].priority == .alert, !askedForRoom.contains(way), !isHeldByAlerts(way) else { return nil }
    askedForRoom.insert(WaySet(way))
    return .makeRoom(way: UInt8(way))
  }

  /// Every way has it, has handed it back, or can't carry it.
  mutating func nobodyLeft(_ place: Int, _ isLate: Bool) -> DeliveryStep? {
    guard !parcels[place].refusers.isEmpty else {
      parcels[place].deadline = nil
      if parcels[place].holders.isEmpty, hasWay(parcels[place].receiver) {
        parcels[place].outcome = .told
        return .gaveUp(sequence: parcels[place].sequence, receiver: parcels[place].receiver)
      }
      return nil
    }
    if isLate {
      parcels[place].refusers = []
      parcels[place].round = parcels[place].round == .max ? .max : parcels[place].round + 1
      counts.retries &+= 1
      if let way = best(for: place, mustHaveRoom: true) { return assign(place, way) }
      parcels[place].deadline = now + limit(parcels[place])
      return nil
    }
    if parcels[place].deadline == nil { parcels[place].deadline = now + wait(afterRounds: parcels[place].round) }
    return nil
  }

  mutating func assign(_ place: Int, _ way: Int) -> DeliveryStep {
    if !parcels[place].holders.isEmpty || !parcels[place].refusers.isEmpty { counts.fallbacks &+= 1 }
    parcels[place].holders.insert(WaySet(way))
    parcels[place].setPart(way, 0)
    let isLast = candidates(for: place).isEmpty && parcels[place].refusers.isEmpty
    parcels[place].deadline = isLast ? nil : now + limit(parcels[place])
    return give(place, way)
  }

  mutating func give(_ place: Int, _ way: Int) -> DeliveryStep {
    parcels[place].attempts = parcels[place].attempts == .max ? .max : parcels[place].attempts + 1
    return .give(sequence: parcels[place].sequence, way: UInt8(way), part: parcels[place].part(way))
  }

  func limit(_ parcel: Parcel) -> Interval {
    parcel.priority == .alert ? Interval(microseconds: fallbackAfter.microseconds / 4) : fallbackAfter
  }

  /// No try follows another at once, whatever the parameters say.
  private var minimumWait: Int64 { 100_000 }

  /// The wait before a round: the time-out doubled per round up to the maximum, plus up to a quarter of jitter.
  mutating func wait(afterRounds rounds: UInt8) -> Interval {
    let longest = max(minimumWait, min(parameters.maximumTimeout.microseconds, 1 << 50))
    var wait = min(max(minimumWait, parameters.acknowledgementTimeout.microseconds), longest)
    var step: UInt8 = 0
    while step < rounds, wait < longest {
      wait = min(longest, wait * 2)
      step += 1
    }
    return Interval(microseconds: wait) + Interval(microseconds: Int64(jitter.next() % UInt64(max(1, wait / 4))))
  }
}
