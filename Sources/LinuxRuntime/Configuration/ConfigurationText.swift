/// A configuration as text again: JSON5 with the origin of each value behind it, or JSON Lines.
extension BoardConfigurationFile {
  /// The configuration as JSON5 that reads back to the same settings, but for secrets that stand in the file itself: they are
  /// hidden, and refused when they are read.
  ///
  /// - Parameter isEffective: Whether values that the file does not set are there, too.
  package func text(isEffective: Bool) -> String {
    var writer = ObjectWriter()
    writer.write("{")
    for row in shownRows(isEffective: isEffective) { writer.add(row) }
    writer.close(to: [])
    let present = Set(rows.compactMap(\.path.first))
    for name in ["modem", "uplinks", "record", "page"] + RuleKeys.file where isEffective && !present.contains(name) {
      writer.write("  // \(name): not set")
    }
    writer.write("}")
    return writer.text
  }

  /// One JSON object a line: key, value (null when it is not set), where it is from, and its line in the file.
  ///
  /// - Parameter isEffective: Whether values that the file does not set are there, too.
  package func jsonLines(isEffective: Bool) -> String {
    var text = ""
    for row in rows where isEffective || row.origin.isFile {
      text += "{\"key\":\(quoted(row.name)),\"value\":\(row.value?.json ?? "null"),"
      switch row.origin {
      case .file(let line): text += "\"from\":\"file\",\"line\":\(line)}\n"
      case .profile(let name): text += "\"from\":\"profile\",\"profile\":\(quoted(name))}\n"
      case .part(let name): text += "\"from\":\"part\",\"part\":\(quoted(name))}\n"
      case .state: text += "\"from\":\"state\"}\n"
      case .standard: text += "\"from\":\"default\"}\n"
      }
    }
    return text
  }

  /// The rows to write. What switches an object on is written as that object, or, switched off, instead of it.
  private func shownRows(isEffective: Bool) -> [ConfigurationRow] {
    let rows = rows.filter { isEffective || $0.origin.isFile }
    return rows.filter { row in
      let isSwitchedOff = rows.contains { other in
        other.value == .boolean(false) && row.path.count == other.path.count + 1 && row.path.starts(with: other.path)
      }
      let isWrittenBelow =
        row.value == .boolean(true)
        && rows.contains {
          $0.value != nil && $0.path.count == row.path.count + 1 && $0.path.starts(with: row.path)
        }
      return !isSwitchedOff && !isWrittenBelow
    }
  }
}

extension ConfigurationOrigin {
  /// True for what somebody has set.
  fileprivate var isFile: Bool {
    switch self {
    case .file, .state: true
    case .profile, .part, .standard: false
    }
  }
}

/// Writes rows as objects inside each other.
private struct ObjectWriter {
  private(set) var text = ""
  /// Names of the objects that are open.
  private var open: [String] = []

  mutating func write(_ line: String) { text += line + "\n" }

  mutating func add(_ row: ConfigurationRow) {
    let parents = Array(row.path.dropLast())
    let shared = zip(open, parents).prefix { $0 == $1 }.count
    close(to: Array(parents[..<shared]))
    guard let value = row.value else {
      let name = row.path[shared...].joined(separator: ".")
      write(indent + "// \(name): not set")
      return
    }
    for (place, name) in parents.enumerated().dropFirst(shared) {
      let isList = row.path.indices.contains(place + 1) && Int(row.path[place + 1]) != nil
      write(indent + (Int(name) == nil ? "\(name): " : "") + (isList ? "[" : "{"))
      open.append(name)
    }
    let line = "\(indent)\(row.path.last ?? ""): \(value.text),"
    write(line + String(repeating: " ", count: max(1, 48 - line.count)) + "// \(row.origin.text)")
  }

  /// Closes what is not part of these objects.
  mutating func close(to names: [String]) {
    while open.count > names.count {
      let name = open.removeLast()
      // The list is what holds the numbered objects.
      write(indent + (name == "uplinks" ? "]," : "},"))
    }
  }

  private var indent: String { String(repeating: "  ", count: open.count + 1) }
}
