import FaultInjection
import ModemSimulation
import MotionEvaluation
import Quantities
import Telemetry
import TrackerRuntime
import VehicleSimulation

/// A life to look at: it goes on as far as is wished, begins anew where something is to be seen once more, and takes faults and thieves by
/// hand.
///
/// A life follows from its scenario, so going back is living it again from the beginning; what is dropped in changes the scenario from that
/// instant on, and is there when it is lived again.
package final class LifeStage {
  /// What is lived, with what was dropped in.
  package private(set) var scenario: LifeScenario
  /// Rises whenever the life begins anew: numbers of entries and places begin anew, too.
  package private(set) var generation = 0
  /// True when all of it was lived.
  package private(set) var isOver = false
  /// What has happened, in order, the latest ones.
  package private(set) var entries: [StageEntry] = []
  /// Where the vehicle was, and where the tracker believed it to be, the latest ones.
  package private(set) var places: [StagePlace] = []

  private let configuration: RunConfiguration
  private var run: LifeRun
  private var count = 0
  private var wasOn = true
  private var deed = -1
  private var brokenSeen = 0
  private var starts: [Double] = []
  private var lastTruth: StagePlace?
  private var lastBelief: StagePlace?

  /// Entries and places that are kept, each.
  package static var memory: Int { 6000 }
  /// A vehicle that has moved so far is shown anew, degrees (about 2 m).
  private static var step: Double { 0.00002 }

  /// A life from its beginning.
  package init(_ scenario: LifeScenario, _ configuration: RunConfiguration = RunConfiguration()) throws(RecordingError)
  {
    self.scenario = scenario
    self.configuration = configuration
    run = try LifeRun(scenario, configuration)
    begin()
  }

  /// The world's time.
  package var now: Instant { run.now }
  /// When it will be over.
  package var end: Instant { .zero + scenario.length }

  private func begin() {
    generation += 1
    isOver = false
    entries = []
    places = []
    count = 0
    (wasOn, deed, brokenSeen) = (true, -1, 0)
    (lastTruth, lastBelief) = (nil, nil)
    starts = scenario.scene.scene.starts
    run.observer = { [unowned self] time, output, bytes in
      if case .packet = output { note(.packet, bytes, at: time) } else { note(.event, bytes, at: time) }
    }
    run.faultObserver = { [unowned self] event in note(.fault, StageEntry.quoted(event.fault.name), at: event.time) }
    run.receivedObserver = { [unowned self] bytes, time in
      let sequence = PacketFields(bytes)?.sequence
      note(.received, Array((sequence.map { "\($0)" } ?? "null").utf8), at: time)
    }
  }

  private func note(_ kind: StageEntry.Kind, _ json: [UInt8], at time: Instant) {
    count += 1
    entries.append(StageEntry(number: count, time: time, kind: kind, json: json))
    if entries.count > 2 * LifeStage.memory { entries.removeFirst(LifeStage.memory) }
  }

  // MARK: Time

  /// Lives on to a time, or as many steps as are allowed.
  ///
  /// - Returns: True when the time has come, or all is over.
  package func live(to time: Instant, steps: Int = .max) throws(RecordingError) -> Bool {
    var left = steps
    while now < time, !isOver {
      guard left > 0 else { return false }
      left -= 1
      try step()
    }
    return true
  }

  /// Lives on until something happens that has an entry, or as many steps as are allowed.
  ///
  /// - Returns: True when it has, or all is over.
  package func liveToNext(steps: Int = .max) throws(RecordingError) -> Bool {
    let before = count
    var left = steps
    while count == before, !isOver {
      guard left > 0 else { return false }
      left -= 1
      try step()
    }
    return true
  }

  private func step() throws(RecordingError) {
    if try !run.step() {
      _ = try run.finish()
      isOver = true
    }
    watch()
  }

  /// The life begins anew; `live` brings it to where it should be seen.
  package func rewind() throws(RecordingError) {
    run = try LifeRun(scenario, configuration)
    begin()
  }

  private func watch() {
    let isOn = run.run != nil
    if isOn != wasOn {
      wasOn = isOn
      note(.power, Array("\(isOn)".utf8), at: now)
    }
    let seconds = (now - Instant.zero).secondsDouble
    while deed + 2 < starts.count, starts[deed + 1] <= seconds {
      deed += 1
      note(
        .deed, StageEntry.quoted(scenario.scene.scene.deeds[deed].kind.rawValue),
        at: .zero + .seconds(exactly: starts[deed]))
    }
    let broken = run.broken
    for promise in broken[min(brokenSeen, broken.count)...] {
      note(.broken, StageEntry.quoted("\(promise.promise.words): \(promise.what)"), at: promise.time)
    }
    brokenSeen = broken.count
    if let place = run.truePosition { add(place, phase: nil, last: &lastTruth) }
    if let fix = run.run?.lastFix, let place = fix.position {
      add(place, phase: run.run?.phase.name.description, last: &lastBelief)
    }
  }

  private func add(_ place: GeodeticPosition, phase: String?, last: inout StagePlace?) {
    let next = StagePlace(
      number: (places.last?.number ?? 0) + 1, time: now, latitude: Double(place.latitudeE9) / 1e9,
      longitude: Double(place.longitudeE9) / 1e9, phase: phase)
    if let last, last.phase == phase, (last.latitude - next.latitude).magnitude < LifeStage.step,
      (last.longitude - next.longitude).magnitude < LifeStage.step
    {
      return
    }
    last = next
    places.append(next)
    if places.count > 2 * LifeStage.memory { places.removeFirst(LifeStage.memory) }
  }

  // MARK: By hand

  /// A fault strikes now.
  ///
  /// - Returns: False, and nothing has changed, when all is over.
  package func drop(_ fault: LifeFault) -> Bool {
    guard !isOver else { return false }
    let event = LifeEvent(fault, at: now + Interval(microseconds: 1))
    scenario.plan.add(event)
    run.add(event)
    return true
  }

  /// A thief comes now, and the owner answers a minute after they are gone. The life begins anew; what was before now stays as it was.
  ///
  /// - Returns: False, and nothing has changed, unless the vehicle stands and does so for a second at least, or when it has a body.
  package func send(_ thief: StageThief) throws(RecordingError) -> Bool {
    guard let changed = scenario.visited(by: thief, at: now + Interval(microseconds: 1)) else { return false }
    scenario = changed
    try rewind()
    return true
  }

  // MARK: What is shown

  /// Where the vehicle truly is; nil when nobody knows.
  package var truePosition: GeodeticPosition? { run.truePosition }
  /// What happens to it.
  package var deedName: String {
    deed >= 0 && deed < scenario.scene.scene.deeds.count ? scenario.scene.scene.deeds[deed].kind.rawValue : ""
  }
  /// What was broken.
  package var broken: [BrokenPromise] { run.broken }
  /// The tracker; nil while it has no power.
  var tracker: TrackerRun? { run.run }
}

/// Something that has happened in a life to look at.
package struct StageEntry: Equatable, Sendable {
  /// What kind of it.
  package enum Kind: String, Sendable {
    /// Something happens to the vehicle.
    case deed
    /// A fault strikes, or the owner asks.
    case fault
    /// The tracker tells an event.
    case event
    /// It makes a packet.
    case packet
    /// The first server gets a packet.
    case received
    /// The tracker has power, or has none.
    case power
    /// A promise is broken.
    case broken
  }

  /// From 1 on.
  package let number: Int
  /// When, on the world's clock.
  package let time: Instant
  /// What kind of it.
  package let kind: Kind
  /// What it was, as JSON: a string, a number, or what the tracker told.
  package let json: [UInt8]

  static func quoted(_ text: String) -> [UInt8] {
    var buffer = ByteBuffer()
    buffer.append(jsonString: Array(text.utf8).span)
    return buffer.bytes
  }
}

/// A place on the way of a vehicle.
package struct StagePlace: Equatable, Sendable {
  /// From 1 on.
  package let number: Int
  /// When, on the world's clock.
  package let time: Instant
  /// Degrees.
  package let latitude: Double
  /// Degrees.
  package let longitude: Double
  /// What the tracker believed then; nil for the truth.
  package let phase: String?
}

/// Somebody who takes a vehicle.
package enum StageThief: String, CaseIterable, Sendable {
  /// Lifts it and carries it off.
  case carries
  /// Knocks it over and goes.
  case knocks
  /// Rides off.
  case rides
  /// Slides it away, upright.
  case slides

  fileprivate var deeds: [(StreetDeed.Kind, [String: Double], Telling?)] {
    switch self {
    case .carries: [(.lift, ["degrees": 35], .within(5)), (.carry, ["metres": 80], nil)]
    case .knocks: [(.fall, ["degrees": 70], .within(5))]
    case .rides: [(.ride, ["seconds": 180, "speed": 5], .within(10))]
    case .slides: [(.slide, ["metres": 6], .maybe)]
    }
  }
}

extension LifeScenario {
  /// Until a tracker whose alarm was answered is armed again, and as long as it may be put off, s.
  private static var arming: Double { 700 }

  /// The same life to an instant, at which a thief comes.
  ///
  /// - Returns: Nil unless the vehicle stands then, and for a second more, or when it has a body.
  func visited(by thief: StageThief, at time: Instant) -> LifeScenario? {
    let starts = scene.scene.starts
    let seconds = (time - Instant.zero).secondsDouble
    guard scene.scene.vehicle == nil,
      let place = scene.scene.deeds.indices.last(where: {
        starts[$0] <= seconds && scene.scene.deeds[$0].kind != .dismiss
      }),
      scene.scene.deeds[place].kind == .stand, starts[place + 1] - seconds >= 1, seconds > starts[place]
    else { return nil }
    var result = self
    var deeds: [StreetDeed] = []
    var tellings: [Telling?] = []
    func add(_ kind: StreetDeed.Kind, _ numbers: [String: Double], _ telling: Telling?) {
      var deed = StreetDeed(kind)
      for (name, value) in numbers { deed.set(name, value) }
      deeds.append(deed)
      tellings.append(telling)
    }
    add(.stand, ["seconds": seconds - starts[place]], nil)
    for (kind, numbers, telling) in thief.deeds { add(kind, numbers, telling) }
    add(.stand, ["seconds": 60], nil)
    add(.dismiss, [:], nil)
    // What comes later comes when it would have come, or as soon as it can.
    let taken = deeds.reduce(0) { $0 + $1.duration }
    add(.stand, ["seconds": max(60, starts[place + 1] - starts[place] - taken)], nil)
    result.scene.scene.deeds.replaceSubrange(place...place, with: deeds)
    result.scene.tellings.replaceSubrange(place...place, with: tellings)
    // Until it is armed again a theft need not be told.
    let later = result.scene.scene.starts
    let answered = place + deeds.count - 1
    for place in (answered + 1)..<result.scene.tellings.count
    where result.scene.tellings[place] != nil && later[place] < later[answered] + LifeScenario.arming {
      result.scene.tellings[place] = .maybe
    }
    return result
  }
}

extension LifePlan {
  /// One more event, behind those of the same instant.
  mutating func add(_ event: LifeEvent) {
    let place = events.firstIndex { $0.time > event.time } ?? events.count
    events.insert(event, at: place)
  }
}
