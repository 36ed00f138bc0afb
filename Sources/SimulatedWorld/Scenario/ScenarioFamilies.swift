import JSON5
import MotionEvaluation
import VehicleSimulation

/// A family that a scenario asks for, with the numbers that it fixes.
package struct ScenarioFamily: Sendable {
  var family: ParameterFamily
  var numbers: [(name: String, value: Double)] = []

  /// The member of a seed.
  func member(seed: UInt64) -> FamilyMember {
    var member = family.drawn(seed: seed)
    for number in numbers { member.set(number.name, number.value) }
    return member
  }
}

extension ScenarioReader {
  /// `families: { sensor: "bmi270", vehicle: { name: "bikeInRack", mass: 14 } }`.
  func families(_ value: JSON5Value) throws(SceneProblem) -> [ScenarioFamily] {
    var result: [ScenarioFamily] = []
    for member in try json.members(value, "an object of families") {
      guard let kind = FamilyKind(rawValue: member.key) else {
        throw json.unknown(member, among: FamilyKind.allCases.map(\.rawValue))
      }
      if case .string = member.value.content {
        result.append(ScenarioFamily(family: try family(member.value, kind)))
        continue
      }
      let entries = try json.members(member.value, "the name of a family, or an object with its name and numbers")
      guard let name = entries.first(where: { $0.key == "name" }) else {
        throw json.problem(member.value, "there is no name, expected that of a family")
      }
      var wanted = ScenarioFamily(family: try family(name.value, kind))
      for entry in entries where entry.key != "name" {
        guard let known = wanted.family.parameters.first(where: { $0.name == entry.key }) else {
          throw json.unknown(entry, among: ["name"] + wanted.family.parameters.map(\.name))
        }
        wanted.numbers.append((entry.key, try json.number(entry.value, known.range)))
      }
      result.append(wanted)
    }
    return result
  }

  private func family(_ value: JSON5Value, _ kind: FamilyKind) throws(SceneProblem) -> ParameterFamily {
    let name = try json.text(value)
    guard let family = ParameterFamily.named(name, kind) else {
      let names = ParameterFamily.all(kind).map(\.name)
      throw json.problem(
        value,
        "'\(json5Shown(name))' is not one of \(names.joined(separator: ", "))"
          + didYouMean(nearest(to: name, among: names)))
    }
    let isWearer = kind == .vehicle || kind == .mounting
    if isWearer, family.isForCollar != (result.who == .collar) {
      throw json.problem(value, "'\(name)' does not go with who: \"\(result.who.rawValue)\"")
    }
    return family
  }

  /// What happens must go with what it happens to.
  func checkNeeds(_ timeline: JSON5Value, _ background: JSON5Value?) throws(SceneProblem) {
    let hasBody = result.families.contains { $0.family.kind == .vehicle }
    let scene = result.life.scene.scene
    for (place, deed) in scene.deeds.enumerated() {
      try check(deed.kind, hasBody, at: try place < json.list(timeline).count ? json.list(timeline)[place] : timeline)
    }
    for item in scene.backgrounds { try check(item.deed.kind, hasBody, at: background ?? timeline) }
  }

  private func check(_ kind: StreetDeed.Kind, _ hasBody: Bool, at value: JSON5Value) throws(SceneProblem) {
    switch kind.need {
    case .nothing: return
    case .drawing:
      guard hasBody else { return }
      throw json.problem(
        value,
        "'\(kind.rawValue)' draws a motion, but a family of vehicles has a body; use forces such as press or wind")
    case .bike, .collar:
      let isCollar = kind.need == .collar
      guard hasBody else {
        throw json.problem(value, "'\(kind.rawValue)' needs a body: a family of vehicles in 'families'")
      }
      guard isCollar == (result.who == .collar) else {
        throw json.problem(
          value, "'\(kind.rawValue)' is done to a \(kind.need.rawValue), but who is \"\(result.who.rawValue)\"")
      }
    }
  }
}
