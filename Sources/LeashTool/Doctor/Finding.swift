/// What a check of `leash doctor` found.
struct Finding: Equatable, Sendable {
  /// How good or bad it is.
  enum State: String, Sendable {
    /// As it should be.
    case ok
    /// The tracker works, and something should be looked at.
    case warn
    /// The tracker can't do its work like this.
    case fail
  }

  /// What was looked at, in a word or two.
  var name: String
  /// How it stands.
  var state: State
  /// What was found, in a line.
  var found: String
  /// What to do about it, with a command to type where there is one; nil when there is nothing to do.
  var advice: String?

  /// All is well.
  static func ok(_ name: String, _ found: String) -> Finding { Finding(name: name, state: .ok, found: found) }

  /// Something should be looked at.
  static func warn(_ name: String, _ found: String, advice: String?) -> Finding {
    Finding(name: name, state: .warn, found: found, advice: advice)
  }

  /// It does not work.
  static func fail(_ name: String, _ found: String, advice: String?) -> Finding {
    Finding(name: name, state: .fail, found: found, advice: advice)
  }

  /// A failure whose line says both what is wrong and, behind a semicolon, what to do.
  ///
  /// - Parameter advice: What to do when the line does not say it.
  static func fail(_ name: String, line: String, otherwise advice: String? = nil) -> Finding {
    guard let mark = line.range(of: "; ") else { return .fail(name, line, advice: advice) }
    return .fail(name, String(line[..<mark.lowerBound]), advice: String(line[mark.upperBound...]))
  }
}

extension String {
  /// Where some words begin and end; nil when they are not in it.
  fileprivate func range(of words: String) -> Range<String.Index>? {
    var place = startIndex
    while place < endIndex {
      if self[place...].hasPrefix(words) { return place..<index(place, offsetBy: words.count) }
      place = index(after: place)
    }
    return nil
  }
}
