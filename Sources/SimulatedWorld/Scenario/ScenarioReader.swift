import JSON5
import ModemSimulation
import MotionEvaluation
import Quantities
import SIM7000
import Telemetry
import TrackerRuntime
import VehicleSimulation

/// Reads a scenario from JSON5 (docs/simulation.md).
package struct ScenarioReader {
  let json: SceneReader
  var result: ScenarioFile
  /// When the supply goes and comes back, and the line of the file that says so.
  var offTimes: [(from: Instant, until: Instant, line: Int)] = []

  /// When the charger comes and goes, and the line of the file that says so.
  var chargerTimes: [(time: Instant, isOn: Bool, line: Int)] = []

  private init(file: String) {
    json = SceneReader(file: file)
    let name = file.split(separator: "/").last.map { $0.hasSuffix(".json5") ? $0.dropLast(6) : $0 } ?? ""
    var scene = EvaluatedScene(name: String(name), about: "", half: .held)
    scene.scene.receiver = StreetReceiver()
    result = ScenarioFile(
      name: String(name), about: "", life: LifeScenario(scene, transport: .http, seed: 1))
  }

  static let keys = [
    "about", "covers", "who", "owner", "settings", "where", "when", "seed", "sensor", "receiver", "families", "wheel",
    "battery", "background", "timeline", "network", "faults", "requests", "expect",
  ]

  /// True when a text is an object with a key that only a scenario has, or when it can't be read at all.
  package static func isScenario(_ text: [UInt8]) -> Bool {
    guard let value = try? JSON5Value(reading: text), case .object(let members) = value.content else { return true }
    return members.contains { keys.contains($0.key) }
  }

  /// The scenario of a file.
  ///
  /// - Parameter configuration: The settings that the tracker of a subject has before those of the file.
  /// - Throws: At the first thing that is wrong or contradicts another, with its line and the nearest right name.
  package static func scenario(
    of text: [UInt8], file: String, configuration: (ScenarioSubject) -> RunConfiguration = { _ in RunConfiguration() }
  ) throws(SceneProblem) -> ScenarioFile {
    var reader = ScenarioReader(file: file)
    let value: JSON5Value
    do throws(JSON5Problem) {
      value = try JSON5Value(reading: text)
    } catch {
      throw reader.json.problem(at: error.position.line, error.message)
    }
    let members = try reader.json.members(value, "an object, which is a scenario")
    for member in members where !keys.contains(member.key) { throw reader.json.unknown(member, among: keys) }
    // What others refer to comes first, wherever it stands.
    if let who = members.first(where: { $0.key == "who" }) {
      reader.result.who = try reader.json.word(who.value, ScenarioSubject.self)
    }
    reader.result.configuration = configuration(reader.result.who)
    for member in members { try reader.takeWorld(member) }
    guard !reader.result.life.scene.scene.deeds.isEmpty else {
      throw reader.json.problem(value, "there is no timeline")
    }
    if let timeline = members.first(where: { $0.key == "timeline" }) {
      try reader.checkNeeds(timeline.value, members.first { $0.key == "background" }?.value)
    }
    for key in ["network", "faults", "requests", "expect"] {
      guard let member = members.first(where: { $0.key == key }) else { continue }
      switch key {
      case "network": try reader.takeNetwork(member.value)
      case "faults":
        for item in try reader.json.list(member.value) { try reader.takeFault(item) }
        try reader.checkPower(member.value)
        try reader.checkCharger()
      case "requests":
        for item in try reader.json.list(member.value) { try reader.takeRequest(item) }
      default: try reader.takeExpectation(member.value)
      }
    }
    reader.result.life.plan = LifePlan(reader.result.life.plan.events)
    return reader.result
  }

  // MARK: World

  /// How the owner is known.
  private enum Owner: String, CaseIterable {
    /// By the key of the configuration.
    case key
    /// Only by being at the tracker.
    case none
  }

  private mutating func takeWorld(_ member: JSON5Member) throws(SceneProblem) {
    let value = member.value
    switch member.key {
    case "about":
      result.about = try json.text(value)
      result.life.scene.about = result.about
    case "covers":
      for item in try json.list(value) { result.covers.append(try json.text(item)) }
    case "owner": result.life.hasKey = try json.word(value, Owner.self) == .key
    case "settings": try takeSettings(value)
    case "where": try takePlace(value)
    case "when": result.life.scene.scene.origin.utc = try time(value)
    case "seed":
      result.life.seed = UInt64(try json.whole(value, 0...1e15))
      result.life.scene.scene.seed = result.life.seed
    case "families": result.families = try families(value)
    case "wheel": result.life.wheel = LifeWheel(metresPerPulse: try json.number(value, 0.01...10))
    case "battery": result.life.battery = try battery(value)
    case "timeline":
      try json.takeWorld(member, &result.life.scene)
      try checkTimeline(value)
    case "sensor", "receiver", "background": try json.takeWorld(member, &result.life.scene)
    default: break
    }
    guard result.life.scene.noise == nil else { throw json.problem(value, "a scenario plays no recorded noise") }
  }

  private mutating func takeSettings(_ value: JSON5Value) throws(SceneProblem) {
    for member in try json.members(value, "an object of settings") {
      let text: String
      switch member.value.content {
      case .string(let word): text = word
      case .number(let number): text = number.text
      case .boolean(let flag): text = flag ? "true" : "false"
      default: throw json.problem(member.value, "found \(member.value.kind), expected a text, a number, true or false")
      }
      do throws(RunConfiguration.Refusal) {
        try result.configuration.set(member.key, to: text)
      } catch {
        guard let complaint = error.complaint else { throw json.unknown(member, among: Setting.all.map(\.name)) }
        throw json.problem(member.value, "\(member.key): \(complaint)")
      }
    }
  }

  /// `{ level: 25, capacity: 100, charger: 500, plugged: true }`.
  private func battery(_ value: JSON5Value) throws(SceneProblem) -> LifeBattery {
    var battery = LifeBattery()
    for member in try json.members(value, "an object, which is a battery") {
      switch member.key {
      case "level": battery.level = try json.number(member.value, 0.1...100)
      case "capacity": battery.capacity = try json.number(member.value, 1...1e6)
      case "charger": battery.charger = try json.number(member.value, 1...1e5)
      case "plugged": battery.isPlugged = try json.flag(member.value)
      default: throw json.unknown(member, among: ["level", "capacity", "charger", "plugged"])
      }
    }
    return battery
  }

  private mutating func takePlace(_ value: JSON5Value) throws(SceneProblem) {
    var place = (latitude: 52.37, longitude: 4.89)
    for member in try json.members(value, "an object with latitude and longitude") {
      switch member.key {
      case "latitude": place.latitude = try json.number(member.value, -85...85)
      case "longitude": place.longitude = try json.number(member.value, -180...180)
      case "height": result.life.scene.scene.origin.height = try json.number(member.value, -500...9000)
      default: throw json.unknown(member, among: ["latitude", "longitude", "height"])
      }
    }
    result.life.scene.scene.origin.place = GeodeticPosition(
      latitudeDegrees: place.latitude, longitudeDegrees: place.longitude)
  }

  /// `2026-12-31T23:40:00Z`.
  private func time(_ value: JSON5Value) throws(SceneProblem) -> UTCTime {
    let text = try json.text(value)
    let whole = text.hasSuffix("Z") ? text.dropLast() + ".000Z" : ""
    func part(_ from: Int) -> Int64 { Int64(text.dropFirst(from).prefix(2)) ?? -1 }
    guard let milliseconds = PacketFields.milliseconds(String(whole)) else { throw noTime(value, text) }
    let time = UTCTime(microseconds: milliseconds * 1000)
    // The thirtieth of February would be a day in March.
    guard Int64(time.date.day) == part(8), milliseconds / 3_600_000 % 24 == part(11),
      milliseconds / 60_000 % 60 == part(14), milliseconds / 1000 % 60 == part(17),
      milliseconds >= 946_684_800_000, milliseconds < 4_102_444_800_000
    else { throw noTime(value, text) }
    return time
  }

  private func noTime(_ value: JSON5Value, _ text: String) -> SceneProblem {
    json.problem(value, "'\(json5Shown(text))' is no time from 2000 to 2099, such as 2026-12-31T23:40:00Z")
  }

  /// What a collar does not tell can't be expected of it.
  private func checkTimeline(_ value: JSON5Value) throws(SceneProblem) {
    guard result.who == .collar else { return }
    let isTold = result.life.scene.tellings.contains { $0 != nil && $0 != .maybe }
    if isTold {
      throw json.problem(value, "a collar raises no alert about movement, but 'told' expects one; use 'maybe'")
    }
  }

  // MARK: Network

  /// Transports by name: those with a server that can be asked what it got.
  enum Transport: String, CaseIterable {
    case http
    case legacyHTTP
    case mqtt
    case tcp
    case applicationTCP

    var transport: ModemTransport {
      switch self {
      case .http: .http
      case .legacyHTTP: .legacyHTTP
      case .mqtt: .mqtt
      case .tcp: .tcp
      case .applicationTCP: .applicationTCP
      }
    }
  }

  private mutating func takeNetwork(_ value: JSON5Value) throws(SceneProblem) {
    for member in try json.members(value, "an object, which is a network") {
      switch member.key {
      case "transport": result.life.transport = try json.word(member.value, Transport.self).transport
      case "connect":
        var latency = result.life.latency ?? NetworkLatency()
        latency.connect = try delays(member.value)
        result.life.latency = latency
      case "exchange":
        var latency = result.life.latency ?? NetworkLatency()
        latency.exchange = try delays(member.value)
        result.life.latency = latency
      case "chances":
        for chance in try json.members(member.value, "an object of mishaps") {
          guard let mishap = Mishap(rawValue: chance.key) else {
            throw json.unknown(chance, among: Mishap.allCases.map(\.rawValue))
          }
          let (part, whole) = try ratio(chance.value, 0...1000)
          guard part <= whole else { throw json.problem(chance.value, "\(part) of \(whole) is more than all") }
          let perMille = 1000 * part / whole
          guard perMille * whole == 1000 * part else {
            throw json.problem(chance.value, "\(part) of \(whole) are no whole thousandths")
          }
          result.life.chances.append((mishap.mishap, perMille))
        }
      default: throw json.unknown(member, among: ["transport", "connect", "exchange", "chances"])
      }
    }
  }

  private func delays(_ value: JSON5Value) throws(SceneProblem) -> DelayRange {
    let range = try range(value, 0...600)
    return DelayRange(.seconds(exactly: range.lowerBound), .seconds(exactly: range.upperBound))
  }

  /// Two whole numbers: so many of so many.
  func ratio(_ value: JSON5Value, _ limits: ClosedRange<Double>) throws(SceneProblem) -> (Int, Int) {
    let parts = try json.list(value)
    guard parts.count == 2 else {
      throw json.problem(value, "found \(parts.count) numbers, expected two: so many of so many")
    }
    return (Int(try json.whole(parts[0], limits)), Int(try json.whole(parts[1], 1...max(1, limits.upperBound))))
  }

  /// A number, or a list of the least and the most.
  func range(_ value: JSON5Value, _ limits: ClosedRange<Double>) throws(SceneProblem) -> ClosedRange<Double> {
    guard case .array(let parts) = value.content else {
      let number = try json.number(value, limits)
      return number...number
    }
    guard parts.count == 2 else {
      throw json.problem(value, "found \(parts.count) numbers, expected the least and the most")
    }
    let (least, most) = (try json.number(parts[0], limits), try json.number(parts[1], limits))
    guard least <= most else { throw json.problem(value, "the least is more than the most") }
    return least...most
  }
}

extension Interval {
  /// So many seconds, to the microsecond.
  static func seconds(exactly seconds: Double) -> Interval {
    Interval(microseconds: Int64((seconds * 1e6).rounded()))
  }
}
