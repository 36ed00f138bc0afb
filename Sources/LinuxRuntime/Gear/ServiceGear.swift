import JSON5

/// A list of gear as a service has it.
///
/// - Source: Strava API v3, `SummaryGear` and `DetailedGear`: id, resource_state, primary, name, distance (m), brand_name, model_name.
package struct ServiceGear: Sendable {
  /// One of it.
  package struct Item: Equatable, Sendable {
    /// Its id there.
    package var id: String
    /// What it is called there.
    package var name: String
    /// `bike` or `shoes`.
    package var kind: String
    /// Its distance, m.
    package var metres: Int64
    /// Who made it; nil where that is not told.
    package var make: String?
    /// Its model; nil where that is not told.
    package var model: String?
    /// True for the bike that rides are given to if nobody says otherwise.
    package var isPrimary: Bool
  }

  /// Name of the file, for messages.
  package let name: String
  /// What it lists.
  package private(set) var items: [Item] = []
  private var problems: [ConfigurationProblem] = []

  /// Reads a file, or standard input where the path is `-`.
  package init(path: String) throws(BoardConfigurationFailure) {
    let (bytes, name) = try RuleFile.bytes(path: path)
    try self.init(text: bytes, name: name)
  }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - text: JSON in UTF-8.
  ///   - name: Stands in front of every message.
  package init(text: [UInt8], name: String) throws(BoardConfigurationFailure) {
    self.name = name
    let value: JSON5Value
    do throws(JSON5Problem) {
      value = try JSON5Value(reading: text)
    } catch {
      throw .invalid([ConfigurationProblem(position: error.position, message: error.message).line(of: name)])
    }
    switch value.content {
    case .array(let values): for value in values { add(value, kind: "bike") }
    case .object(let members):
      var isList = false
      for member in members where member.key == "bikes" || member.key == "shoes" {
        isList = true
        guard case .array(let values) = member.value.content else {
          note(member.value, "'\(member.key)': expected a list")
          continue
        }
        for value in values { add(value, kind: member.key == "bikes" ? "bike" : "shoes") }
      }
      if !isList { note(value, "expected the lists 'bikes' or 'shoes'; a service's message of an error has none") }
    default: note(value, "expected an object with the lists 'bikes' or 'shoes', or a list")
    }
    guard problems.isEmpty else { throw .invalid(ConfigurationProblem.lines(problems, of: name)) }
  }

  private mutating func note(_ value: JSON5Value, _ message: String) {
    problems.append(ConfigurationProblem(position: value.position, message: message))
  }

  private mutating func add(_ value: JSON5Value, kind: String) {
    guard case .object(let members) = value.content else {
      return note(value, "expected an object with 'id', 'name' and 'distance'")
    }
    func text(_ key: String) -> String? {
      guard let value = members.first(where: { $0.key == key })?.value, case .string(let text) = value.content else {
        return nil
      }
      return text
    }
    guard let id = text("id"), !id.isEmpty, !id.contains(" ") else { return note(value, "'id': expected a text") }
    guard let name = text("name"), !name.isEmpty else { return note(value, "'name': expected a text") }
    var metres: Int64 = 0
    if let distance = members.first(where: { $0.key == "distance" })?.value, !distance.isNull {
      // Services count in whole metres, and their interfaces also hand on fractions.
      guard case .number(let number) = distance.content, let whole = Int64(exactly: number.value.rounded()), whole >= 0,
        number.value >= 0
      else {
        return note(distance, "'distance': expected metres, 0 or more")
      }
      metres = whole
    }
    var isPrimary = false
    if let primary = members.first(where: { $0.key == "primary" })?.value, !primary.isNull {
      guard case .boolean(let flag) = primary.content else { return note(primary, "'primary': expected true or false") }
      isPrimary = flag
    }
    items.append(
      Item(
        id: id, name: name, kind: id.hasPrefix("g") ? "shoes" : kind, metres: metres, make: text("brand_name"),
        model: text("model_name"), isPrimary: isPrimary && kind == "bike"))
  }
}

extension JSON5Value {
  /// A service that does not know something may say so.
  fileprivate var isNull: Bool { if case .null = content { true } else { false } }
}
