import FaultInjection
import JSON5
import ModemSimulation
import MotionEvaluation
import Quantities
import Telemetry
import VehicleSimulation

/// What may go wrong between modem and servers, by name.
enum Mishap: String, CaseIterable {
  case refused
  case timedOut
  case noSuchHost
  case loseRequest
  case loseAnswer
  case dropBeforeHandling
  case dropAfterHandling
  case delay

  var mishap: NetworkMishap {
    switch self {
    case .refused: .refuse(.refused)
    case .timedOut: .refuse(.timedOut)
    case .noSuchHost: .refuse(.noSuchHost)
    case .loseRequest: .loseRequest
    case .loseAnswer: .loseAnswer
    case .dropBeforeHandling: .dropBeforeHandling
    case .dropAfterHandling: .dropAfterHandling
    case .delay: .delay(.seconds(40))
    }
  }
}

// What goes wrong, what is asked and what is expected, held against the world that it happens in.
extension ScenarioReader {
  private static var faultKinds: [String] {
    ["modem", "line", "outage", "mishap", "power", "charger", "sensor", "server", "wheel", "text", "drawn"]
  }
  private static var faultKeys: [String] { faultKinds + ["at", "lasting", "by", "from", "until"] }

  private var end: Double { result.life.length.secondsDouble }

  private func time(_ value: JSON5Value) throws(SceneProblem) -> Instant {
    let seconds = try json.number(value, 0...1e9)
    guard seconds < end else {
      throw json.problem(value, "\(json.shown(value)) s is after the end: the timeline has \(Int(end)) s")
    }
    return .zero + .seconds(exactly: seconds)
  }

  mutating func takeFault(_ value: JSON5Value) throws(SceneProblem) {
    let members = try json.members(value, "an object with a fault")
    func member(_ key: String) -> JSON5Member? { members.first { $0.key == key } }
    for entry in members where !ScenarioReader.faultKeys.contains(entry.key) {
      throw json.unknown(entry, among: ScenarioReader.faultKeys)
    }
    let kinds = members.filter { ScenarioReader.faultKinds.contains($0.key) }
    guard let kind = kinds.first else { throw json.problem(value, "there is no fault, expected one such as outage") }
    if kinds.count > 1 {
      throw json.problem(
        kinds[1].value, "'\(kinds[1].key)' is a second fault beside '\(kind.key)'; each fault has an object of its own")
    }
    let needs = ScenarioReader.companions(of: kind.key)
    for entry in members where entry.key != kind.key && !needs.contains(entry.key) {
      throw json.problem(entry.value, "'\(entry.key)' does not go with '\(kind.key)'")
    }
    if kind.key == "drawn" { return try takeDraw(kind.value, from: member("from"), until: member("until")) }
    guard let at = member("at") else { throw json.problem(value, "there is no 'at', the time of '\(kind.key)'") }
    let time = try time(at.value)
    var lasting = Interval.zero
    if needs.contains("lasting") {
      guard let entry = member("lasting") else {
        throw json.problem(value, "there is no 'lasting', the seconds of '\(kind.key)'")
      }
      lasting = .seconds(exactly: try json.number(entry.value, 0.001...1e6))
    }
    let fault = try fault(kind, at: time, lasting: lasting, by: member("by"))
    result.life.plan.events.append(LifeEvent(fault, at: time))
  }

  private static func companions(of kind: String) -> [String] {
    switch kind {
    case "drawn": ["from", "until"]
    case "text": ["at", "by"]
    case "sensor", "server", "wheel": ["at", "lasting"]
    default: ["at"]
    }
  }

  private mutating func fault(
    _ kind: JSON5Member, at time: Instant, lasting: Interval, by sender: JSON5Member?
  ) throws(SceneProblem) -> LifeFault {
    let value = kind.value
    switch kind.key {
    case "modem":
      let name = try json.text(value)
      guard let fault = ModemFault(name: name) else {
        let names = ModemFault.all.map(\.name)
        throw json.problem(
          value,
          "'\(json5Shown(name))' is not one of \(names.joined(separator: ", "))"
            + didYouMean(nearest(to: name, among: names)))
      }
      return .modem(fault)
    case "line": return .line(to: .none, from: .rough, lasting: .seconds(exactly: try json.number(value, 1...86_400)))
    case "outage": return .outage(.seconds(exactly: try json.number(value, 1...86_400)))
    case "mishap": return .mishap(try json.word(value, Mishap.self).mishap)
    case "power": return .power(try power(value, at: time))
    case "charger":
      guard result.life.battery != nil else {
        throw json.problem(value, "the scenario has no battery that could be charged")
      }
      let isOn = try json.word(value, Charger.self) == .on
      chargerTimes.append((time, isOn, value.position.line))
      return .charger(isOn: isOn)
    case "sensor":
      let fault = try json.word(value, SensorFault.self)
      if fault == .noFixes, result.life.scene.scene.receiver == nil {
        throw json.problem(value, "the scenario has no receiver that could fail")
      }
      if fault != .noFixes, result.life.scene.scene.sensor.make == .none {
        throw json.problem(value, "the scenario has no inertial sensor that could fail")
      }
      return .sensor(fault, lasting: lasting)
    case "server": return .server(try json.word(value, ServerFault.self), lasting: lasting)
    case "wheel":
      guard result.life.wheel != nil else {
        throw json.problem(value, "the scenario has no sensor of a wheel that could fail")
      }
      return .wheel(try json.word(value, WheelFault.self), lasting: lasting)
    default:
      let by =
        try sender.map { member throws(SceneProblem) in try json.word(member.value, TextSender.self) } ?? .stranger
      guard by != .owner else { throw json.problem(value, "what the owner asks is one of 'requests'") }
      return .text(try json.text(value), by)
    }
  }

  private enum Charger: String, CaseIterable {
    case on
    case off
  }

  /// No charger comes that is there.
  func checkCharger() throws(SceneProblem) {
    var state = (isOn: result.life.battery?.isPlugged ?? false, words: "from the beginning on")
    for (time, isOn, line) in chargerTimes.sorted(by: { ($0.time, $0.line) < ($1.time, $1.line) }) {
      guard isOn != state.isOn else {
        throw json.problem(
          at: line, "at \(time.secondsDouble) s the charger is \(isOn ? "on" : "off") already, \(state.words)")
      }
      state = (isOn, "since \(time.secondsDouble) s")
    }
  }

  private mutating func power(_ value: JSON5Value, at time: Instant) throws(SceneProblem) -> PowerCut {
    var cut = PowerCut(off: .seconds(10), loss: .nothing, changesBefore: nil, takesModem: false)
    var seconds = 10.0
    if case .object(let members) = value.content {
      for entry in members {
        switch entry.key {
        case "off": seconds = try json.number(entry.value, 0.001...1e6)
        case "loss": cut.loss = try json.word(entry.value, StoreLoss.self)
        case "changesBefore": cut.changesBefore = Int(try json.whole(entry.value, 0...1000))
        case "modem": cut.takesModem = try json.flag(entry.value)
        default: throw json.unknown(entry, among: ["off", "loss", "changesBefore", "modem"])
        }
      }
    } else {
      seconds = try json.number(value, 0.001...1e6)
    }
    cut.off = .seconds(exactly: seconds)
    offTimes.append((time, time + cut.off, value.position.line))
    guard (time + cut.off).secondsDouble < end else {
      throw json.problem(value, "the supply comes back after the end: the timeline has \(Int(end)) s")
    }
    return cut
  }

  /// No supply goes that is gone.
  func checkPower(_ value: JSON5Value) throws(SceneProblem) {
    let times = offTimes.sorted { $0.from < $1.from }
    for (first, second) in zip(times, times.dropFirst()) where second.from < first.until {
      throw json.problem(
        at: second.line,
        "the supply goes at \(second.from.secondsDouble) s, but is gone from "
          + "\(first.from.secondsDouble) s to \(first.until.secondsDouble) s")
    }
  }

  private mutating func takeDraw(
    _ value: JSON5Value, from: JSON5Member?, until: JSON5Member?
  ) throws(SceneProblem) {
    var draw = ScenarioFile.Draw(from: 0, until: Int(end))
    if let from { draw.from = Int(try time(from.value).microseconds / 1_000_000) }
    if let until { draw.until = Int(try time(until.value).microseconds / 1_000_000) }
    guard draw.from < draw.until else {
      throw json.problem(value, "it is over at \(draw.until) s and begins at \(draw.from) s")
    }
    for entry in try json.members(value, "an object of classes") {
      guard let kind = FaultClass(rawValue: entry.key) else {
        throw json.unknown(entry, among: FaultClass.allCases.map(\.rawValue))
      }
      if kind == .wheel, result.life.wheel == nil {
        throw json.problem(entry.value, "the scenario has no sensor of a wheel that could fail")
      }
      if kind == .sensors, result.life.scene.scene.sensor.make == .none || result.life.scene.scene.receiver == nil {
        throw json.problem(entry.value, "the scenario has not both sensors that could fail")
      }
      draw.rates[kind] = try ratio(entry.value, 0...1000)
    }
    result.draws.append(draw)
  }

  // MARK: Requests

  private enum Way: String, CaseIterable {
    case sms
    case console
  }

  mutating func takeRequest(_ value: JSON5Value) throws(SceneProblem) {
    var found: (at: Instant?, text: String?, by: Way, answer: String?) = (nil, nil, .sms, nil)
    for entry in try json.members(value, "an object with 'at' and 'ask'") {
      switch entry.key {
      case "at": found.at = try time(entry.value)
      case "ask": found.text = try json.text(entry.value)
      case "by": found.by = try json.word(entry.value, Way.self)
      case "answer": found.answer = try word(entry.value, among: ScenarioReader.reasons + ["refused"])
      default: throw json.unknown(entry, among: ["at", "ask", "by", "answer"])
      }
    }
    guard let at = found.at, let text = found.text else {
      throw json.problem(value, "a request has 'at', its time, and 'ask', its text")
    }
    if found.by == .console, let off = offTimes.first(where: { $0.from <= at && at < $0.until }) {
      throw json.problem(
        value, "nobody can ask at the tracker at \(at.secondsDouble) s: by line \(off.line) it has no supply")
    }
    if found.by == .sms, !result.life.hasKey {
      throw json.problem(value, "an owner without a key can't sign a text message; use 'by: \"console\"'")
    }
    if found.by == .sms, found.answer == "refused" {
      throw json.problem(value, "a text message that is refused has no answer of its own; expect it of the console")
    }
    result.life.plan.events.append(LifeEvent(found.by == .sms ? .text(text, .owner) : .request(text), at: at))
    result.answers.append((at, text, found.answer))
  }

  private static var reasons: [String] { StatusReason.allCases.map { "\($0.name)" } }
  private static var kinds: [String] {
    [PacketKind.location, .parking, .movement, .ride, .status, .fence, .transition].map { "\($0.name)" }
  }

  private func word(_ value: JSON5Value, among names: [String]) throws(SceneProblem) -> String {
    let name = try json.text(value)
    guard names.contains(name) else {
      throw json.problem(
        value, "there is no '\(json5Shown(name))' that could be told" + didYouMean(nearest(to: name, among: names)))
    }
    return name
  }

  // MARK: Expectation

  private static var expectations: [String] {
    [
      "alerts", "fences", "rides", "packets", "metres", "delay", "journey", "phase", "armed", "told", "times", "never",
      "arguable",
    ]
  }

  private func count(_ value: JSON5Value) throws(SceneProblem) -> ClosedRange<Int> {
    let range = try range(value, 0...1e6)
    guard range.lowerBound == range.lowerBound.rounded(), range.upperBound == range.upperBound.rounded() else {
      throw json.problem(value, "expected whole numbers")
    }
    return Int(range.lowerBound)...Int(range.upperBound)
  }

  mutating func takeExpectation(_ value: JSON5Value) throws(SceneProblem) {
    for entry in try json.members(value, "an object, which is what must come of it") {
      let value = entry.value
      switch entry.key {
      case "alerts": result.expectation.alerts = try count(value)
      case "fences": result.expectation.fences = try count(value)
      case "rides": result.expectation.rides = try count(value)
      case "packets": result.expectation.packets = try count(value)
      case "metres": result.expectation.metres = try range(value, 0...1e9)
      case "delay": result.expectation.delay = try json.number(value, 0...1e6)
      case "journey": result.expectation.journey = try json.number(value, 0...1e6)
      case "phase": result.expectation.phase = try json.phase(value)
      case "armed": result.expectation.isArmed = try json.flag(value)
      case "told":
        for item in try json.list(value) {
          result.expectation.told.append(try word(item, among: ScenarioReader.kinds + ScenarioReader.reasons))
        }
      case "times":
        for member in try json.members(value, "an object of numbers by what is told") {
          let names = ScenarioReader.kinds + ScenarioReader.reasons
          guard names.contains(member.key) else { throw json.unknown(member, among: names) }
          result.expectation.times.append((member.key, try count(member.value)))
        }
      case "never":
        for item in try json.list(value) {
          let name = try word(item, among: ScenarioReader.kinds + ScenarioReader.reasons)
          guard !result.expectation.told.contains(name) else {
            throw json.problem(item, "'\(name)' can't be both told and never told")
          }
          result.expectation.never.append(name)
        }
      case "arguable":
        for item in try json.list(value) { result.expectation.arguable.insert(try json.word(item, LifePromise.self)) }
      default: throw json.unknown(entry, among: ScenarioReader.expectations)
      }
    }
  }
}
