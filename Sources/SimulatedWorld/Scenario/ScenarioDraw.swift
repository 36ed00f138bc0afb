import FaultInjection
import ModemSimulation
import VehicleSimulation

extension ScenarioFile {
  /// The text of a scenario that is drawn from a seed: where, when, sensors, network, what happens, and what goes wrong.
  ///
  /// - Parameter choice: Families that are drawn from, too; nil for the sensors and motions without families.
  package static func drawn(seed: UInt64, from choice: FamilyChoice? = nil) -> String {
    var draft = ScenarioDraft(seed: seed, choice: choice)
    return draft.text()
  }
}

/// Draws a scenario, line by line.
private struct ScenarioDraft {
  private let seed: UInt64
  private var dice: Dice
  private var deeds: [String] = []
  private var faults: [String] = []
  private var requests: [String] = []
  /// Seconds of the deeds so far.
  private var clock = 0.0
  private let isCollar: Bool

  /// Families of each kind, drawn; none without a choice.
  private var families: [FamilyMember] = []
  private var hasBody: Bool { families.contains { $0.family.kind == .vehicle } }

  init(seed: UInt64, choice: FamilyChoice?) {
    self.seed = seed
    dice = Dice(seed: seed ^ 0x6472_6166_74)
    isCollar = dice.below(4) == 0
    families = choice?.drawn(seed: seed, isCollar: isCollar) ?? []
  }

  /// Times at which calendars and clocks do something.
  private static let moments = [
    "2026-06-01T00:00:00Z", "2026-12-31T23:30:00Z", "2027-02-28T23:40:00Z", "2028-02-28T23:20:00Z",
    "2028-02-29T23:40:00Z", "2026-03-29T00:45:00Z", "2026-10-25T00:45:00Z", "2038-01-19T02:50:00Z",
    "2038-11-20T23:30:00Z", "2029-01-06T23:30:00Z",
  ]
  /// Places where a degree is long or short, and where signs change.
  private static let places = [
    (52.37, 4.89), (0.0001, 0.0001), (-0.001, -179.999), (-54.8, -68.3), (69.65, 18.95), (78.22, 15.64),
    (35.68, 139.69), (-33.86, 151.21), (51.48, -0.0002), (64.15, -21.94),
  ]

  mutating func text() -> String {
    let place = dice.pick(ScenarioDraft.places)
    let moment = dice.pick(ScenarioDraft.moments)
    let hertz = dice.pick([12.5, 25, 50])
    let sigma = dice.pick([3.0, 4, 6])
    let height = dice.pick([-3, 12, 400, 2800])
    let make = dice.pick(["mpu", "mpu", "quiet"])
    let mounting = dice.pick(["upright", "seatTube", "side", "askew"])
    let transport = dice.pick(["http", "legacyHTTP", "mqtt", "tcp", "applicationTCP"])
    live()
    goWrong()
    func list(_ name: String, _ lines: [String]) -> String {
      lines.isEmpty ? "" : "  \(name): [\n" + lines.map { "    \($0),\n" }.joined() + "  ],\n"
    }
    return """
      // Drawn from seed \(seed).
      {
        about: "drawn from seed \(seed)",
        who: "\(isCollar ? "collar" : "bike")",
        where: { latitude: \(place.0), longitude: \(place.1), height: \(height) },
        when: "\(moment)",
        seed: \(seed % 1_000_000_000),
        sensor: { make: "\(make)", mounting: "\(mounting)", hertz: \(hertz) },
        receiver: { sigma: \(sigma), stated: \(sigma * 1.5), every: \(dice.pick([1, 1, 2])) },\(chosen)
        network: { transport: "\(transport)"\(weather()) },

      """ + list("timeline", deeds) + list("faults", faults) + list("requests", requests)
        + (isCollar
          ? "  // Known: the odometer states too little where a pet walks.\n  expect: { arguable: [\"odometerIsTrue\"] },\n"
          : "")
        + "}\n"
  }

  /// The line of the families.
  private var chosen: String {
    guard !families.isEmpty else { return "" }
    let names = families.map { "\($0.family.kind.rawValue): \"\($0.family.name)\"" }
    return "\n  families: { " + names.joined(separator: ", ") + " },"
  }

  private mutating func weather() -> String {
    var parts: [String] = []
    if dice.below(3) == 0 { parts.append("exchange: [\(dice.pick(["0.3", "1"])), \(dice.pick(["2", "6"]))]") }
    if dice.below(2) == 0 {
      let mishap = dice.pick(Mishap.allCases)
      parts.append("chances: { \(mishap.rawValue): [1, \(dice.pick([10, 20, 50]))] }")
    }
    return parts.map { ", \($0)" }.joined()
  }

  private mutating func stand(_ from: Int, _ to: Int) {
    let seconds = from + dice.below(to - from)
    deeds.append("{ stand: \(seconds) }")
    clock += Double(seconds)
  }

  private mutating func add(_ deed: String, _ seconds: Double) {
    deeds.append("{ \(deed) }")
    clock += seconds
  }

  private mutating func live() {
    stand(700, 1200)
    for _ in 0..<(2 + dice.below(4)) { if isCollar { walk() } else { happen() } }
    stand(4000, 6000)
  }

  private mutating func walk() {
    guard !hasBody else { return live(asPet: dice.below(5)) }
    let metres = 60 + dice.below(300)
    add("turn: { degrees: \(dice.below(300) - 150), seconds: 4 }, maybe: true", 4)
    add("carry: { metres: \(metres), speed: 1.2, hertz: 1.8 }, maybe: true", Double(metres) / 1.2 + 2.25)
    stand(300, 1500)
  }

  /// What an animal with joints does.
  private mutating func live(asPet what: Int) {
    switch what {
    case 0, 1:
      let seconds = 60 + dice.below(240)
      add("petWalk: { speed: 1.\(dice.below(5)), seconds: \(seconds) }, maybe: true", Double(seconds))
    case 2:
      let seconds = 20 + dice.below(40)
      add("petRun: { speed: \(3 + dice.below(3)), seconds: \(seconds) }, maybe: true", Double(seconds))
    case 3: add("petDig: { seconds: 20 }, maybe: true", 20)
    default: add("petShake: { seconds: 2 }, maybe: true", 2)
    }
    let seconds = 300 + dice.below(1200)
    add("petLie: { seconds: \(seconds) }", Double(seconds))
  }

  /// What is done to a bicycle with a body.
  private mutating func act() {
    switch dice.below(8) {
    case 0, 1:
      let seconds = 240 + dice.below(600)
      add("ride: { speed: \(3 + dice.below(5)), seconds: \(seconds) }, maybe: true", Double(seconds))
      answer()
    case 2:
      let metres = 20 + dice.below(60)
      add("hoist: { metres: 0.\(5 + dice.below(4)) }, told: 8", 2.5)
      add("haul: { metres: \(metres) }", Double(metres) / 1.2 + 2.25)
      stand(30, 60)
      add("dismiss: true", 0)
      add("setDown: { seconds: 3 }, maybe: true", 3)
      stand(30, 60)
      answer()
    case 3:
      // A wall or a rack may hold it.
      let stands = families.contains { $0.family.name.hasSuffix("OnSideStand") }
      let told = stands ? "told: 8" : "maybe: true"
      add("press: { newtons: \(dice.below(2) == 0 ? 160 : -160), seconds: 3 }, \(told)", 3)
      stand(30, 60)
      add("dismiss: true", 0)
      add("setDown: { seconds: 4 }, maybe: true", 4)
      answer()
    case 4:
      let seconds = 200 + dice.below(600)
      add("wind: { speed: \(2 + dice.below(6)), seconds: \(seconds) }", Double(seconds))
      stand(60, 600)
    case 5:
      let tool = dice.pick(["saw: { seconds: 60 }", "grinder: { seconds: 45 }", "boltCutter: true"])
      add("\(tool), maybe: true", tool.hasPrefix("s") ? 60 : tool.hasPrefix("g") ? 45 : 8)
      answer()
    case 6:
      add("lorry: { gravities: 0.0\(1 + dice.below(3)) }", 6)
      stand(60, 300)
    default:
      add("knock: { newtonSeconds: 0.\(5 + dice.below(5)) }", 1)
      stand(60, 300)
    }
  }

  private mutating func happen() {
    guard !hasBody else { return act() }
    switch dice.below(7) {
    case 0, 1:
      let seconds = 240 + dice.below(600)
      add("ride: { speed: \(3 + dice.below(5)), seconds: \(seconds) }, maybe: true", Double(seconds))
      answer()
    case 2:
      let metres = 20 + dice.below(60)
      add("lift: { degrees: \(25 + dice.below(30)) }, told: 5", 2.4)
      add("carry: { metres: \(metres) }", Double(metres) / 1.3 + 2.4375)
      answer()
    case 3:
      add("fall: { degrees: \(40 + dice.below(40)) }, told: 5", 2)
      answer()
    case 4:
      add("gust: { degrees: 0.\(2 + dice.below(7)), hertz: 1, seconds: 8 }", 8)
      stand(60, 600)
    case 5:
      add("rain: { seconds: 300 }", 300)
      stand(60, 600)
    default:
      add("bump: true", 1)
      stand(60, 300)
      add("neighbour: true", 6)
      stand(300, 1500)
    }
  }

  private mutating func answer() {
    stand(30, 60)
    add("dismiss: true", 0)
    stand(900, 2500)
  }

  private mutating func goWrong() {
    let last = Int(clock) - 3700
    guard last > 100 else { return }
    func moment() -> Int { 60 + dice.below(last) }
    for _ in 0..<dice.below(6) {
      switch dice.below(7) {
      case 0: faults.append("{ at: \(moment()), modem: \"\(dice.pick(ModemFault.all).name)\" }")
      case 1: faults.append("{ at: \(moment()), line: \(30 + dice.below(600)) }")
      case 2: faults.append("{ at: \(moment()), outage: \(30 + dice.below(1500)) }")
      case 3: faults.append("{ at: \(moment()), mishap: \"\(dice.pick(Mishap.allCases).rawValue)\" }")
      case 4:
        let fault = dice.pick(SensorFault.allCases).rawValue
        faults.append("{ at: \(moment()), sensor: \"\(fault)\", lasting: \(5 + dice.below(60)) }")
      case 5:
        let fault = dice.pick(ServerFault.allCases).rawValue
        faults.append("{ at: \(moment()), server: \"\(fault)\", lasting: \(30 + dice.below(1500)) }")
      default:
        faults.append("{ at: \(moment()), text: \"disarm\", by: \"\(dice.pick(["echo", "forger", "stranger"]))\" }")
      }
    }
    // One cut, so that none falls into another.
    if dice.below(2) == 0 {
      let loss = dice.pick(StoreLoss.allCases).rawValue
      let changes = dice.below(2) == 0 ? ", changesBefore: \(dice.below(4))" : ""
      faults.append(
        "{ at: \(moment()), power: { off: \(2 + dice.below(90)), loss: \"\(loss)\"\(changes), modem: \(dice.below(2) == 0) } }"
      )
    }
    for _ in 0..<dice.below(3) {
      requests.append("{ at: \(moment()), ask: \"\(dice.pick(["ping", "locate", "info", "get motion.armAfter"]))\" }")
    }
  }
}
