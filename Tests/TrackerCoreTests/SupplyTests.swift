import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

private let full = Supply(charge: 85, millivolts: 4105, isCharging: false, isExternal: true)

private func reading(_ supply: Supply, at time: Instant) -> Reading { .supply(SupplyReading(time: time, supply)) }

/// What the answer to a question says of the supply, on a tracker that stands.
private func told(_ owner: inout Owner, at time: Instant) -> Supply? {
  _ = owner.news()
  owner.submit(.locate, at: time)
  return owner.news(.location).last?.packet.supply
}

@Test func whatTheTrackerLivesOnIsInItsPackets() {
  var owner = Owner()
  owner.ride(seconds: 30, speed: 5, course: 1)
  #expect(told(&owner, at: owner.clock) == nil)
  owner.process(reading(full, at: owner.clock))
  #expect(told(&owner, at: owner.clock) == full)
  // The next reading is what holds, also where it knows less.
  let less = Supply(charge: 84)
  owner.process(reading(less, at: owner.clock))
  #expect(told(&owner, at: owner.clock) == less)
  owner.process(reading(Supply(), at: owner.clock))
  #expect(told(&owner, at: owner.clock) == nil)
}

@Test func aReadingIsToldForAnHourAndNotLonger() {
  var owner = Owner(isWatched: false)
  let start = Instant.seconds(100)
  owner.process(reading(full, at: start))
  #expect(told(&owner, at: start + .seconds(3600)) == full)
  #expect(told(&owner, at: start + .seconds(3600) + Interval(microseconds: 1)) == nil)
  var short = Owner(isWatched: false) { $0.readings.lifetime = .seconds(60) }
  short.process(reading(full, at: start))
  #expect(told(&short, at: start + .seconds(60)) == full)
  #expect(told(&short, at: start + .seconds(60) + Interval(microseconds: 1)) == nil)
}

@Test func aLateReadingDoesNotReplaceANewerOne() {
  var owner = Owner(isWatched: false)
  let newer = Supply(charge: 10)
  owner.process(reading(newer, at: .seconds(200)))
  owner.process(reading(full, at: .seconds(199)))
  #expect(told(&owner, at: .seconds(201)) == newer)
  owner.process(reading(full, at: .seconds(200)))
  #expect(told(&owner, at: .seconds(201)) == full, "of two of the same instant the later one holds")
}

@Test func aReadingLetsTimePassAsAnyInputDoes() {
  var owner = Owner(isWatched: false)
  owner.process(reading(full, at: .seconds(1)))
  owner.process(reading(full, at: .seconds(3601)))
  #expect(owner.news(.location).last?.packet.supply == full, "the life sign is of before the second reading")
  owner.process(reading(full, at: Instant(microseconds: .max)))
  #expect(owner.tracker.diagnostics.timesImpossible == 1)
}

@Test func whatAnEarlierLifeReadIsNotToldAsPresent() {
  var owner = Owner()
  owner.ride(seconds: 30, speed: 5, course: 1)
  owner.process(reading(full, at: owner.clock))
  #expect(told(&owner, at: owner.clock) == full)
  owner.restart()
  owner.ride(seconds: 2, speed: 5, course: 1)
  #expect(told(&owner, at: owner.clock) == nil)
}

/// What the events say of power from outside.
private func powerEvents(_ owner: borrowing Owner) -> [TrackerEvent.Kind] {
  owner.allEvents.map { $0.kind }.filter { $0 == .powerLost || $0 == .powerRestored }
}

@Test func powerThatGoesAndComesBackIsToldOnce() {
  var owner = Owner(isWatched: false)
  // What it was before the first reading is not known.
  owner.process(reading(Supply(isExternal: true), at: .seconds(100)))
  #expect(powerEvents(owner).isEmpty)
  owner.process(reading(Supply(isExternal: false), at: .seconds(200)))
  #expect(powerEvents(owner) == [.powerLost])
  owner.process(reading(Supply(charge: 80), at: .seconds(250)))
  owner.process(reading(Supply(isExternal: false), at: .seconds(300)))
  owner.process(reading(Supply(isExternal: true), at: .seconds(299)))
  #expect(powerEvents(owner) == [.powerLost], "a reading that does not say, one that says the same, and a late one")
  // It has parked by then.
  owner.advance(to: .seconds(405))
  owner.process(reading(Supply(isExternal: true), at: .seconds(410)))
  #expect(powerEvents(owner) == [.powerLost, .powerRestored])
}

@Test func powerThatComesAndGoesIsToldOnceItStays() {
  var owner = Owner(isWatched: false) { $0.readings.powerDelay = .seconds(120) }
  owner.process(reading(Supply(isExternal: true), at: .seconds(100)))
  for second in [160, 280, 340] {
    // Back in between: the time begins anew.
    owner.process(reading(Supply(isExternal: false), at: .seconds(second)))
    owner.process(reading(Supply(isExternal: true), at: .seconds(second + 10)))
  }
  // It has parked by then.
  owner.advance(to: .seconds(405))
  owner.process(reading(Supply(isExternal: false), at: .seconds(410)))
  owner.process(reading(Supply(isExternal: false), at: .seconds(530) - Interval(microseconds: 1)))
  #expect(powerEvents(owner).isEmpty)
  owner.process(reading(Supply(isExternal: false), at: .seconds(530)))
  #expect(powerEvents(owner) == [.powerLost])
}

/// What packets say of power from outside.
private func powerNotices(_ owner: inout Owner) -> [StatusReason] {
  owner.news(.status).compactMap { $0.packet.status?.reason }.filter { $0 == .powerLost || $0 == .powerRestored }
}

@Test func whoeverHasPacketsHasPowerThatGoesAndComesBackAtOnce() {
  var owner = Owner(isWatched: false)
  owner.process(reading(Supply(isExternal: true), at: .seconds(100)))
  owner.process(reading(Supply(charge: 80, isExternal: false), at: .seconds(200)))
  #expect(powerNotices(&owner) == [.powerLost])
  owner.advance(to: .seconds(539))
  owner.process(reading(Supply(isExternal: true), at: .seconds(539)))
  #expect(powerNotices(&owner).isEmpty, "not yet: it is told with the reading after the pause")
  owner.advance(to: .seconds(540))
  owner.process(reading(Supply(isExternal: true), at: .seconds(540)))
  #expect(powerNotices(&owner) == [.powerRestored])
}

/// A loose plug for an hour: a packet each five minutes at most, and at the end the owner knows how it is.
@Test func powerThatFlickersDoesNotFlood() {
  var owner = Owner(isWatched: false)
  var told: [StatusReason] = []
  for second in 100..<3700 {
    owner.advance(to: .seconds(second))
    owner.process(reading(Supply(isExternal: second % 7 < 3), at: .seconds(second)))
    told += powerNotices(&owner)
  }
  #expect((2...11).contains(told.count), "\(told.count)")
  for second in 3700..<4100 {
    owner.advance(to: .seconds(second))
    owner.process(reading(Supply(isExternal: false), at: .seconds(second)))
    told += powerNotices(&owner)
  }
  #expect(told.last == .powerLost)
}

/// A charge that hovers at a level is told once.
@Test func aChargeThatHoversIsToldOnce() {
  var owner = Owner(isWatched: false)
  var told = 0
  for step in 0..<200 {
    feed(&owner, [step % 2 == 0 ? 20 : 21])
    told += owner.news(.status).count { $0.packet.status?.reason == .batteryLow }
  }
  #expect(told == 1)
}

/// The charges at which the battery was told to be low.
private func lowCharges(_ owner: borrowing Owner) -> [UInt8] {
  owner.allEvents.compactMap { if case .batteryLow(let charge) = $0.kind { charge } else { nil } }
}

/// One reading a minute.
private func feed(_ owner: inout Owner, _ charges: [UInt8], isCharging: Bool? = nil) {
  for charge in charges {
    owner.clock = owner.clock + .seconds(60)
    owner.advance(to: owner.clock)
    owner.process(reading(Supply(charge: charge, isCharging: isCharging), at: owner.clock))
  }
}

@Test func aBatteryThatRunsLowIsToldAtEachLevelOnce() {
  var owner = Owner(isWatched: false)
  feed(&owner, [30, 21])
  #expect(lowCharges(owner).isEmpty)
  _ = owner.news()
  feed(&owner, [20])
  #expect(lowCharges(owner) == [20])
  let news = owner.news(.status).map(\.packet)
  #expect(
    news.map(\.supply?.charge) == [20] && news.map(\.status?.reason) == [.batteryLow],
    "and whoever has packets has it at once")
  feed(&owner, [19, 22, 20, 15, 11])
  #expect(lowCharges(owner) == [20], "what comes back by itself, and goes again")
  feed(&owner, [9, 8, 3])
  #expect(lowCharges(owner) == [20, 9])
  feed(&owner, [15, 10])
  #expect(lowCharges(owner) == [20, 9, 10], "charged by five above the level, and as low again")
  feed(&owner, [25, 20])
  #expect(lowCharges(owner) == [20, 9, 10, 20])
}

@Test func aBatteryThatIsLowFromTheStartIsToldOnceAndNotWhileItCharges() {
  var owner = Owner(isWatched: false)
  feed(&owner, [7])
  #expect(lowCharges(owner) == [7], "both levels at once")
  var plugged = Owner(isWatched: false)
  feed(&plugged, [7, 8], isCharging: true)
  #expect(lowCharges(plugged).isEmpty)
  feed(&plugged, [9])
  #expect(lowCharges(plugged) == [9])
}

/// The same of a tracker by itself, which is given a reading every minute.
private func lowCharges(_ tracker: inout Tracker, _ charges: [UInt8]) -> [UInt8] {
  var low: [UInt8] = []
  for charge in charges {
    let time = tracker.now + .seconds(60)
    tracker.advance(to: time)
    while tracker.nextAction() != nil {}
    tracker.process(reading(Supply(charge: charge), at: time))
    while let action = tracker.nextAction() {
      if case .event(let event) = action, case .batteryLow(let charge) = event.kind { low.append(charge) }
    }
  }
  return low
}

@Test func theOwnerChoosesAtWhichChargesABatteryIsLow() throws {
  var configuration = TrackerConfiguration()
  configuration.readings.batteryLevels = NumberList(5, 50)
  var tracker = Tracker(configuration: configuration)
  #expect(lowCharges(&tracker, [60, 51, 50, 20, 10, 6, 5]) == [50, 5])
  // From now on at other ones.
  tracker.submit(try #require(Request(text: "set readings.batteryLevels 40+30")), at: tracker.now)
  while tracker.nextAction() != nil {}
  #expect(lowCharges(&tracker, [80, 41, 40, 31, 30, 5]) == [40, 30])
  tracker.submit(try #require(Request(text: "set readings.batteryLevels none")), at: tracker.now)
  while tracker.nextAction() != nil {}
  #expect(lowCharges(&tracker, [80, 1]) == [])
  for text in ["0", "100", "20+20", "20+", "1+2+3+4+5", "low", "20.5"] {
    #expect(Request(text: "set readings.batteryLevels \(text)") == nil, "\(text)")
  }
}
