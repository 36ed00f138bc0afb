import JSON5
import Quantities
import VehicleSimulation

/// Why a file of scenes could not be read.
package struct SceneProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// File as it was given.
  package var file: String
  /// Line, from 1.
  package var line: Int
  /// What is wrong.
  package var message: String

  /// `wind.json5:7: unknown key 'sed'; did you mean 'seed'?`
  package var description: String { "\(file):\(line): \(message)" }
}

/// Reads scenes from JSON5: an object whose keys are names and whose values are scenes (docs/evaluation.md).
package struct SceneReader {
  private let file: String

  /// Reads what belongs to a file of this name.
  package init(file: String) { self.file = file }

  /// The scenes of a file with their variants, in its order.
  ///
  /// - Throws: At the first thing that is wrong, with its line and the nearest right name.
  package static func scenes(of text: [UInt8], file: String) throws(SceneProblem) -> [EvaluatedScene] {
    let reader = SceneReader(file: file)
    let value: JSON5Value
    do throws(JSON5Problem) {
      value = try JSON5Value(reading: text)
    } catch {
      throw SceneProblem(file: file, line: error.position.line, message: error.message)
    }
    guard case .object(let members) = value.content else {
      throw reader.problem(value, "found \(value.kind), expected an object of scenes")
    }
    var result: [EvaluatedScene] = []
    for member in members { result += try reader.family(member) }
    return result
  }

  /// What is wrong in a line.
  package func problem(at line: Int, _ message: String) -> SceneProblem {
    SceneProblem(file: file, line: line, message: message)
  }

  /// What is wrong with a value.
  package func problem(_ value: JSON5Value, _ message: String) -> SceneProblem {
    SceneProblem(file: file, line: value.position.line, message: message)
  }

  /// The members of an object.
  package func members(_ value: JSON5Value, _ what: String) throws(SceneProblem) -> [JSON5Member] {
    guard case .object(let members) = value.content else {
      throw problem(value, "found \(value.kind), expected \(what)")
    }
    return members
  }

  /// A key that nobody knows, with the nearest right one.
  package func unknown(_ member: JSON5Member, among names: [String]) -> SceneProblem {
    SceneProblem(
      file: file, line: member.position.line,
      message: "unknown key '\(json5Shown(member.key))'" + didYouMean(nearest(to: member.key, among: names)))
  }

  /// A number within a range.
  package func number(
    _ value: JSON5Value, _ range: ClosedRange<Double> = -1e12...1e12
  ) throws(SceneProblem) -> Double {
    guard case .number(let number) = value.content, range.contains(number.value) else {
      throw problem(
        value, "found \(shown(value)), expected a number from \(short(range.lowerBound)) to \(short(range.upperBound))")
    }
    return number.value
  }

  /// A whole number within a range.
  package func whole(_ value: JSON5Value, _ range: ClosedRange<Double>) throws(SceneProblem) -> Double {
    let number = try number(value, range)
    guard number == number.rounded() else { throw problem(value, "found \(shown(value)), expected a whole number") }
    return number
  }

  /// A value as a message shows it.
  package func shown(_ value: JSON5Value) -> String {
    switch value.content {
    case .number(let number): return number.text
    case .string(let text): return "'\(json5Shown(text))'"
    default: return value.kind
    }
  }

  private func short(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? "\(Int(value))" : "\(value)"
  }

  /// A text.
  package func text(_ value: JSON5Value) throws(SceneProblem) -> String {
    guard case .string(let text) = value.content else { throw problem(value, "found \(value.kind), expected a text") }
    return text
  }

  /// A list.
  package func list(_ value: JSON5Value) throws(SceneProblem) -> [JSON5Value] {
    guard case .array(let values) = value.content else { throw problem(value, "found \(value.kind), expected a list") }
    return values
  }

  /// True or false.
  package func flag(_ value: JSON5Value) throws(SceneProblem) -> Bool {
    guard case .boolean(let flag) = value.content else {
      throw problem(value, "found \(shown(value)), expected true or false")
    }
    return flag
  }

  /// One of some words.
  package func word<Word: RawRepresentable & CaseIterable>(
    _ value: JSON5Value, _: Word.Type
  ) throws(SceneProblem) -> Word where Word.RawValue == String {
    let name = try text(value)
    guard let word = Word(rawValue: name) else {
      let names = Word.allCases.map(\.rawValue)
      throw problem(
        value, "'\(name)' is not one of \(names.joined(separator: ", "))" + didYouMean(nearest(to: name, among: names)))
    }
    return word
  }

  // MARK: Scenes

  private static let sceneKeys = [
    "about", "half", "seed", "quick", "sensor", "receiver", "background", "timeline", "recordings", "expect",
    "variants",
    "amplitude", "frequency",
  ]

  private func family(_ member: JSON5Member) throws(SceneProblem) -> [EvaluatedScene] {
    var base = EvaluatedScene(name: member.key, about: "", half: .tuning)
    var variants: [JSON5Value] = []
    var factors = Factors()
    for entry in try members(member.value, "an object, which is a scene") {
      if entry.key == "variants" { variants = try list(entry.value) } else { try take(entry, &base, &factors) }
    }
    guard !base.scene.deeds.isEmpty || !base.recordings.isEmpty else {
      throw SceneProblem(
        file: file, line: member.position.line,
        message: "scene '\(json5Shown(member.key))' has neither a timeline nor recordings")
    }
    var result = [vary(base, factors)]
    for (place, variant) in variants.enumerated() {
      var scene = base
      var factors = Factors()
      scene.name = base.name + "/" + String(UnicodeScalar(UInt8(0x62 + min(place, 24))))
      scene.half = .held
      scene.isQuick = false
      scene.scene.seed = base.scene.seed &+ 1000 &* UInt64(place + 1)
      for entry in try members(variant, "an object, which is a variant") { try take(entry, &scene, &factors) }
      result.append(vary(scene, factors))
    }
    return result
  }

  /// What a variant multiplies.
  private struct Factors {
    var amplitude = 1.0
    var frequency = 1.0
  }

  private func vary(_ scene: EvaluatedScene, _ factors: Factors) -> EvaluatedScene {
    var result = scene
    result.scene.deeds = scene.scene.deeds.map { $0.varied(amplitude: factors.amplitude, frequency: factors.frequency) }
    for place in scene.scene.backgrounds.indices {
      result.scene.backgrounds[place].deed = scene.scene.backgrounds[place].deed.varied(
        amplitude: factors.amplitude, frequency: factors.frequency)
    }
    return result
  }

  /// Keys of a scene that something else may have, too: what senses, and what happens.
  package static let worldKeys = ["sensor", "receiver", "background", "timeline"]

  /// Takes one of those keys.
  package func takeWorld(_ entry: JSON5Member, _ scene: inout EvaluatedScene) throws(SceneProblem) {
    var factors = Factors()
    try take(entry, &scene, &factors)
  }

  private func take(_ entry: JSON5Member, _ scene: inout EvaluatedScene, _ factors: inout Factors) throws(SceneProblem)
  {
    let value = entry.value
    switch entry.key {
    case "about": scene.about = try text(value)
    case "half": scene.half = try word(value, SceneHalf.self)
    case "seed": scene.scene.seed = UInt64(try whole(value, 0...1e15))
    case "quick": scene.isQuick = try flag(value)
    case "amplitude": factors.amplitude = try number(value, 0.01...100)
    case "frequency": factors.frequency = try number(value, 0.01...100)
    case "sensor": try takeSensor(value, &scene)
    case "receiver": try takeReceiver(value, &scene)
    case "background":
      scene.scene.backgrounds = []
      for item in try list(value) { scene.scene.backgrounds.append(try background(item)) }
    case "timeline":
      scene.scene.deeds = []
      scene.tellings = []
      try takeTimeline(value, &scene)
    case "recordings":
      scene.recordings = []
      for item in try list(value) { scene.recordings.append(try stretch(item)) }
    case "expect": try takeExpectation(value, &scene.expectation)
    default: throw unknown(entry, among: SceneReader.sceneKeys)
    }
  }

  private func takeSensor(_ value: JSON5Value, _ scene: inout EvaluatedScene) throws(SceneProblem) {
    if case .string = value.content {
      scene.scene.sensor.make = try word(value, StreetSensor.Make.self)
      return
    }
    for entry in try members(value, "a make or an object, which is a sensor") {
      switch entry.key {
      case "make": scene.scene.sensor.make = try word(entry.value, StreetSensor.Make.self)
      case "mounting": scene.scene.sensor.mounting = try word(entry.value, StreetSensor.Placement.self)
      case "parts": scene.scene.sensor.parts = try word(entry.value, StreetSensor.Parts.self)
      case "hertz": scene.scene.sensor.hertz = try number(entry.value, 1...1000)
      case "noise": scene.noise = try text(entry.value)
      case "degreesPerSecondPerKelvin":
        scene.scene.sensor.biasPerKelvin = try number(entry.value, -10...10) * Double.pi / 180
      case "warmUpKelvin": scene.scene.sensor.warmUp.kelvin = try number(entry.value, -100...100)
      case "warmUpSeconds": scene.scene.sensor.warmUp.seconds = try number(entry.value, 1...86_400)
      case "buzzerGravities": scene.scene.sensor.buzzer.force = try number(entry.value, 0...16) * BodyMotion.gravity
      case "buzzerDegreesPerSecond":
        scene.scene.sensor.buzzer.rate = try number(entry.value, 0...2000) * Double.pi / 180
      case "buzzerDelay": scene.scene.sensor.buzzerDelay = try number(entry.value, 0...1)
      case "daySwingKelvin": scene.scene.sensor.daySwing = try number(entry.value, 0...50)
      case "arm":
        let parts = try list(entry.value)
        guard parts.count == 3 else {
          throw problem(entry.value, "found \(parts.count) numbers, expected x, y and z, m")
        }
        scene.scene.sensor.arm = (
          try number(parts[0], -5...5), try number(parts[1], -5...5), try number(parts[2], -5...5)
        )
      default:
        throw unknown(
          entry,
          among: [
            "make", "mounting", "parts", "hertz", "noise", "degreesPerSecondPerKelvin", "warmUpKelvin", "warmUpSeconds",
            "daySwingKelvin", "buzzerGravities", "buzzerDegreesPerSecond", "buzzerDelay", "arm",
          ])
      }
    }
  }

  private func takeReceiver(_ value: JSON5Value, _ scene: inout EvaluatedScene) throws(SceneProblem) {
    if case .null = value.content {
      scene.scene.receiver = nil
      return
    }
    var receiver = scene.scene.receiver ?? StreetReceiver()
    for entry in try members(value, "null or an object, which is a receiver") {
      switch entry.key {
      case "sigma": receiver.sigma = try number(entry.value, 0...1000)
      case "tau": receiver.tau = try number(entry.value, 0.1...100_000)
      case "smooth": receiver.isSmooth = try flag(entry.value)
      case "stated":
        if case .null = entry.value.content {
          receiver.stated = nil
        } else {
          receiver.stated = try number(entry.value, 0.01...10_000)
        }
      case "every": receiver.every = try number(entry.value, 0.05...86_400)
      case "doppler": receiver.doppler = try number(entry.value, 0...10)
      case "outliersPerWeek": receiver.outliersPerWeek = try number(entry.value, 0...100_000)
      case "outlierMetres": receiver.outlierMetres = try number(entry.value, 0...100_000)
      default:
        throw unknown(
          entry,
          among: ["sigma", "tau", "smooth", "stated", "every", "doppler", "outliersPerWeek", "outlierMetres"])
      }
    }
    scene.scene.receiver = receiver
  }

  private func takeExpectation(_ value: JSON5Value, _ result: inout SceneExpectation) throws(SceneProblem) {
    for entry in try members(value, "an object, which is what must hold") {
      switch entry.key {
      case "alerts": result.alerts = Int(try whole(entry.value, 0...1e6))
      case "armedBy": result.armedBy = try number(entry.value, 0...1e6)
      case "armedShare": result.armedShare = try number(entry.value, 0...1)
      case "rides": result.rides = Int(try whole(entry.value, 0...1e6))
      case "metres": result.metres = try number(entry.value, 0...1e9)
      case "packets": result.packets = Int(try whole(entry.value, 0...1e9))
      case "median": result.median = try number(entry.value, 0...1e6)
      case "phase": result.phase = try phase(entry.value)
      default:
        throw unknown(
          entry, among: ["alerts", "armedBy", "armedShare", "rides", "metres", "packets", "median", "phase"])
      }
    }
  }

  /// The name of a phase.
  package func phase(_ value: JSON5Value) throws(SceneProblem) -> String {
    let name = try text(value)
    let names = MotionPhase.allCases.map { "\($0.name)" }
    guard names.contains(name) else {
      throw problem(
        value, "'\(name)' is not one of \(names.joined(separator: ", "))" + didYouMean(nearest(to: name, among: names)))
    }
    return name
  }

  // MARK: Timeline

  /// Deeds that a timeline has at most: a year of one every five minutes.
  private static let mostDeeds = 100_000

  private func deed(_ kind: StreetDeed.Kind, _ value: JSON5Value) throws(SceneProblem) -> StreetDeed {
    var deed = StreetDeed(kind)
    let names = kind.numbers.map(\.name)
    if case .object(let members) = value.content {
      for entry in members {
        guard let known = kind.numbers.first(where: { $0.name == entry.key }) else {
          throw unknown(entry, among: names)
        }
        let isWhole = entry.key == "axis" || kind == .buzzer
        deed.set(
          entry.key, isWhole ? try whole(entry.value, known.range) : try number(entry.value, known.range))
      }
    } else if case .boolean(true) = value.content {
      return deed
    } else if let first = kind.numbers.first {
      deed.set(first.name, try number(value, first.range))
    } else {
      throw problem(value, "found \(shown(value)), expected true")
    }
    return deed
  }

  /// The deed that an entry names, when it is the first one there.
  private func kind(
    _ entry: JSON5Member, after first: StreetDeed.Kind?, or names: [String]
  ) throws(SceneProblem) -> StreetDeed.Kind {
    guard let kind = StreetDeed.Kind(rawValue: entry.key) else {
      throw unknown(entry, among: StreetDeed.Kind.allCases.map(\.rawValue) + names)
    }
    if let first {
      throw SceneProblem(
        file: file, line: entry.position.line,
        message: "'\(kind.rawValue)' is a second deed beside '\(first.rawValue)'; each deed has an object of its own")
    }
    return kind
  }

  private func background(_ value: JSON5Value) throws(SceneProblem) -> StreetScene.Background {
    var result: StreetScene.Background?
    var every: Double?
    var from = 0.0
    for entry in try members(value, "an object with a deed") {
      switch entry.key {
      case "every": every = try number(entry.value, 0.1...1e6)
      case "from": from = try number(entry.value, 0...1e6)
      default:
        let kind = try kind(entry, after: result?.deed.kind, or: ["every", "from"])
        guard kind.canBeInBackground else {
          throw SceneProblem(
            file: file, line: entry.position.line,
            message: "'\(kind.rawValue)' can't be in the background, only in the timeline")
        }
        result = StreetScene.Background(try deed(kind, entry.value))
      }
    }
    guard var result else { throw problem(value, "there is no deed, expected one such as gust") }
    result.every = every
    result.from = from
    return result
  }

  private func takeTimeline(_ value: JSON5Value, _ scene: inout EvaluatedScene) throws(SceneProblem) {
    for item in try list(value) {
      let entries = try members(item, "an object with a deed")
      if let times = entries.first(where: { $0.key == "repeat" }) {
        guard let body = entries.first(where: { $0.key == "of" }), entries.count == 2 else {
          throw problem(item, "found other keys than 'repeat' and 'of', expected these two")
        }
        var part = EvaluatedScene(name: scene.name, about: "", half: scene.half)
        try takeTimeline(body.value, &part)
        let count = Int(try whole(times.value, 1...10_000))
        guard scene.scene.deeds.count + count * part.scene.deeds.count <= SceneReader.mostDeeds else {
          throw problem(times.value, "the timeline has more than \(SceneReader.mostDeeds) deeds with this repeat")
        }
        for _ in 0..<count {
          scene.scene.deeds += part.scene.deeds
          scene.tellings += part.tellings
        }
        continue
      }
      var found: StreetDeed?
      var telling: Telling?
      for entry in entries {
        switch entry.key {
        case "told": telling = try self.telling(entry.value)
        case "maybe": telling = try flag(entry.value) ? .maybe : nil
        default:
          let kind = try kind(entry, after: found?.kind, or: ["told", "maybe", "repeat"])
          found = try deed(kind, entry.value)
        }
      }
      guard let found else { throw problem(item, "there is no deed, expected one such as stand") }
      scene.scene.deeds.append(found)
      scene.tellings.append(telling)
    }
  }

  private func telling(_ value: JSON5Value) throws(SceneProblem) -> Telling {
    if case .number = value.content { return .within(try number(value, 0...1e6)) }
    guard let entry = try members(value, "seconds, or an object").first else {
      throw problem(value, "there is nothing, expected within, afterEnd, fixes or packetWithin")
    }
    switch entry.key {
    case "within": return .within(try number(entry.value, 0...1e6))
    case "afterEnd": return .afterEnd(try number(entry.value, 0...1e6))
    case "fixes": return .fixes(Int(try whole(entry.value, 0...1000)))
    case "packetWithin": return .packetWithin(try number(entry.value, 0...1e6))
    default: throw unknown(entry, among: ["within", "afterEnd", "fixes", "packetWithin"])
    }
  }

  private func stretch(_ value: JSON5Value) throws(SceneProblem) -> EvaluatedScene.Stretch {
    var result = EvaluatedScene.Stretch(file: "")
    for entry in try members(value, "an object with a file") {
      switch entry.key {
      case "file": result.file = try text(entry.value)
      case "from": result.from = try number(entry.value, 0...1e9)
      case "to": result.to = try number(entry.value, 0...1e9)
      case "synthesize": result.isSynthesized = try flag(entry.value)
      case "told": result.telling = try telling(entry.value)
      case "maybe": result.telling = try flag(entry.value) ? .maybe : nil
      default: throw unknown(entry, among: ["file", "from", "to", "synthesize", "told", "maybe"])
      }
    }
    guard !result.file.isEmpty else { throw problem(value, "there is no file") }
    return result
  }
}
