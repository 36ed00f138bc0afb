import ModemSimulation
import Quantities
import TrackerRuntime

/// What wears the tracker.
package enum ScenarioSubject: String, CaseIterable, Sendable {
  /// A vehicle that stands still until its owner rides it.
  case bike
  /// An animal.
  case collar
}

/// A scenario of a file: who, where, when, what happens, what goes wrong, and what is expected.
package struct ScenarioFile: Sendable {
  /// Faults that are drawn from a seed: of each class so many in so many hours.
  struct Draw: Sendable {
    var rates: [FaultClass: (count: Int, hours: Int)] = [:]
    var from: Int
    var until: Int
  }

  /// The file's name without its folders and its ending.
  package var name: String
  /// What it is, a line.
  package var about: String
  /// Risks and test cases of the requirements that it covers.
  package var covers: [String] = []
  /// What wears the tracker.
  package var who = ScenarioSubject.bike
  /// Settings of the tracker.
  package var configuration = RunConfiguration()
  /// The life with what is scripted of its faults.
  package var life: LifeScenario
  var draws: [Draw] = []
  /// Families of sensors, receivers, vehicles and so on; another member for each seed.
  package var families: [ScenarioFamily] = []
  /// Answers that requests must have, in the order of their times; nil where any will do.
  var answers: [(time: Instant, text: String, answer: String?)] = []
  /// What must come of it.
  package var expectation = ScenarioExpectation()

  /// The life of a seed; that of the file's own seed is the one as written.
  package func life(seed: UInt64) -> LifeScenario {
    var result = life
    result.seed = seed
    result.scene.scene.seed = seed
    result.scene.scene.take(families.map { $0.member(seed: seed) })
    var events = life.plan.events
    var dice = Dice(seed: seed ^ 0x7363_656E)
    for draw in draws { events += ScenarioFile.events(of: draw, until: result.length, &dice) }
    // Where two are at one time the file's order is kept.
    result.plan = LifePlan(events)
    return result
  }

  private static func events(of draw: Draw, until end: Interval, _ dice: inout Dice) -> [LifeEvent] {
    let length = draw.until - draw.from
    var events: [LifeEvent] = []
    for kind in FaultClass.allCases {
      guard let (count, hours) = draw.rates[kind] else { continue }
      let unit = 3600 * hours
      let number = length * count / unit + (dice.below(unit) < length * count % unit ? 1 : 0)
      for _ in 0..<number {
        let time = Instant.seconds(draw.from + dice.below(max(1, length)))
        let fault =
          kind == .servers
          ? LifePlan.serverFault(&dice) : kind == .wheel ? LifePlan.wheelFault(&dice) : LifePlan.fault(kind, &dice)
        guard let fault else { continue }
        // No server is away when nothing may go wrong any more.
        if case .server(let what, let lasting) = fault {
          events.append(LifeEvent(.server(what, lasting: min(lasting, end - (time - .zero))), at: time))
        } else {
          events.append(LifeEvent(fault, at: time))
        }
      }
    }
    return events
  }
}

/// What must come of a scenario, besides the promises.
package struct ScenarioExpectation: Sendable {
  /// Numbers of what is told, first times and repetitions alike; nil when nobody asks.
  package var alerts: ClosedRange<Int>?
  /// Alerts of fences.
  package var fences: ClosedRange<Int>?
  /// Packets of rides.
  package var rides: ClosedRange<Int>?
  /// All packets.
  package var packets: ClosedRange<Int>?
  /// The odometer at the end, m.
  package var metres: ClosedRange<Double>?
  /// The longest from a theft to its alert, s.
  package var delay: Double?
  /// The longest from an alert to the server, s.
  package var journey: Double?
  /// Name of the phase at the end.
  package var phase: String?
  /// Whether it is armed at the end.
  package var isArmed: Bool?
  /// Kinds of packets and reasons of status packets that come, in this order.
  package var told: [String] = []
  /// How often some of these come.
  package var times: [(word: String, range: ClosedRange<Int>)] = []
  /// Those that do not come.
  package var never: [String] = []
  /// Promises that may be broken.
  package var arguable: Set<LifePromise> = []

  /// Nothing but the promises.
  package init() {}
}
