import Quantities

/// What a family is a family of.
package enum FamilyKind: String, CaseIterable, Sendable {
  /// Inertial sensors by their data sheets.
  case sensor
  /// Where and how the sensor sits.
  case mounting
  /// Satellite receivers and their surroundings.
  case receiver
  /// What wheels roll on.
  case road
  /// Vehicles and how they stand, animals.
  case vehicle
  /// What carries a vehicle.
  case van
}

/// One number of a family: between what and what, and who says so.
package struct FamilyParameter: Equatable, Sendable {
  /// As a scenario has it.
  package let name: String
  /// Unit, as people write it.
  package let unit: String
  /// All values between are equally likely, or with `isLogarithmic` all ratios.
  package let range: ClosedRange<Double>
  /// A key of docs/references.md, `recording` for one that was chosen on the tuning half of the recordings, or `our choice`.
  package let source: String
  /// How many are drawn, one an axis.
  package let count: Int
  /// See `range`.
  package let isLogarithmic: Bool

  init(_ name: String, _ unit: String, _ range: ClosedRange<Double>, _ source: String, axes: Int = 1, log: Bool = false)
  {
    self.name = name
    self.unit = unit
    self.range = range
    self.source = source
    count = axes
    isLogarithmic = log
  }
}

/// A named set of parameters with ranges.
package struct ParameterFamily: Equatable, Sendable {
  /// Of what.
  package let kind: FamilyKind
  /// As a scenario has it.
  package let name: String
  /// A line for people.
  package let about: String
  /// Its numbers.
  package let parameters: [FamilyParameter]

  /// All families of a kind.
  package static func all(_ kind: FamilyKind) -> [ParameterFamily] {
    switch kind {
    case .sensor: sensors
    case .mounting: mountings
    case .receiver: receivers
    case .road: roads
    case .vehicle: vehicles
    case .van: vans
    }
  }

  /// The family of a name.
  package static func named(_ name: String, _ kind: FamilyKind) -> ParameterFamily? {
    all(kind).first { $0.name == name }
  }

  /// A member of it; another one for each seed, and the same for a seed whatever else is drawn.
  package func drawn(seed: UInt64) -> FamilyMember {
    var hash = UInt64(0xCBF2_9CE4_8422_2325)
    for byte in (kind.rawValue + "." + name).utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    var random = SeededRandom(seed: seed, stream: hash)
    let values = parameters.map { parameter in
      (0..<parameter.count).map { _ in
        let (low, high) = (parameter.range.lowerBound, parameter.range.upperBound)
        guard parameter.isLogarithmic else { return random.uniform(low, high) }
        return min(max(Elementary.exp(random.uniform(Elementary.log(low), Elementary.log(high))), low), high)
      }
    }
    return FamilyMember(family: self, values: values)
  }
}

/// A member of a family: its numbers as drawn, or as a scenario gives them.
package struct FamilyMember: Equatable, Sendable {
  /// Of what.
  package let family: ParameterFamily
  private var values: [[Double]]

  init(family: ParameterFamily, values: [[Double]]) {
    self.family = family
    self.values = values
  }

  /// Sets a number, on all axes.
  ///
  /// - Returns: False when there is none of that name, or it is out of range.
  @discardableResult package mutating func set(_ name: String, _ value: Double) -> Bool {
    guard let place = family.parameters.firstIndex(where: { $0.name == name }),
      family.parameters[place].range.contains(value)
    else { return false }
    values[place] = values[place].map { _ in value }
    return true
  }

  /// Its numbers under a name; none when it has none.
  package func all(_ name: String) -> [Double] {
    family.parameters.firstIndex { $0.name == name }.map { values[$0] } ?? []
  }

  /// Its number under a name; 0 when it has none.
  package subscript(name: String) -> Double { all(name).first ?? 0 }

  /// Three numbers under a name, times a factor.
  func axes(_ name: String, times factor: Double = 1) -> Vector3 {
    let v = all(name)
    guard v.count == 3 else { return Vector3.zero }
    return Vector3(Float(v[0] * factor), Float(v[1] * factor), Float(v[2] * factor))
  }
}

/// Families that may be drawn, and those that are kept out.
package struct FamilyChoice: Equatable, Sendable {
  /// Names that are kept out, `kind.name` or a kind as a whole.
  package var without: Set<String> = []

  /// All.
  package init() {}

  /// All words that can be kept out.
  package static var words: [String] {
    FamilyKind.allCases.flatMap { kind in
      [kind.rawValue] + ParameterFamily.all(kind).map { "\(kind.rawValue).\($0.name)" }
    }
  }

  /// Families of a kind that are left.
  package func families(_ kind: FamilyKind) -> [ParameterFamily] {
    guard !without.contains(kind.rawValue) else { return [] }
    return ParameterFamily.all(kind).filter { !without.contains("\(kind.rawValue).\($0.name)") }
  }

  /// Draws a family of each kind and a member of each, for what is worn by a vehicle or by an animal.
  package func drawn(seed: UInt64, isCollar: Bool) -> [FamilyMember] {
    FamilyKind.allCases.compactMap { kind in
      let fitting = families(kind).filter { kind != .vehicle && kind != .mounting || $0.isForCollar == isCollar }
      guard !fitting.isEmpty, !(isCollar && kind == .road) else { return nil }
      var random = SeededRandom(seed: seed, stream: 0x66_616D ^ UInt64(kind.rawValue.utf8.first ?? 0) << 8)
      return fitting[Int(random.integer(below: UInt64(fitting.count)))].drawn(seed: seed)
    }
  }
}

extension ParameterFamily {
  /// True for what an animal wears.
  package var isForCollar: Bool { name.hasPrefix("collar") }
}
