extension InertialPart {
  /// All supported families.
  public static let all: [InertialPart] = [.mpu6050, .mpu6500, .lsm6ds3, .lsm6dso, .bmi160, .bmi270]

  /// The family of a name: that of the family or of one of its parts, in any case, with or without hyphens.
  public static func named(_ name: String) -> InertialPart? {
    let wanted = plainName(name)
    return all.first { part in
      plainName(part.name) == wanted || part.identities.contains { plainName($0.part) == wanted }
    }
  }

  /// All names that `named` knows: of families and of parts.
  package static var names: [String] {
    var names = all.map(\.name)
    for name in all.flatMap({ $0.identities.map(\.part) }) where !names.contains(plainName(name)) {
      names.append(name.lowercased())
    }
    return names
  }

  private static func plainName(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// What answers at an address, found by reading the identity registers of the families that may have it.
  ///
  /// Nothing is written. A chip of another kind at that address sees a few reads.
  ///
  /// - Returns: The family and the part; nil when no number is one of ours.
  /// - Throws: When nothing answers.
  static func identify(
    on bus: any I2CBus, at address: UInt8
  ) throws(DeviceFailure) -> (part: InertialPart, name: String)? {
    var numbers: [UInt8: UInt8] = [:]
    for part in all where part.addresses.contains(address) {
      let register = part.identityRegister
      if numbers[register] == nil { numbers[register] = try bus.read(address, from: register, count: 1)[0] }
      if let number = numbers[register], let name = part.part(for: number) { return (part, name) }
    }
    return nil
  }
}
