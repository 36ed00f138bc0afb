import TrackerCore

/// A request from the arguments of a command line.
enum RequestLine {
  /// The request that the arguments spell.
  ///
  /// The shell takes quotes away: an argument with spaces among others was a name. A whole request in one argument keeps its own
  /// quotes.
  static func text(_ words: [String]) -> String {
    guard words.count > 1 else { return words.joined(separator: " ") }
    return words.map { $0.isEmpty || $0.contains(" ") && !$0.contains("\"") ? "\"\($0)\"" : $0 }.joined(separator: " ")
  }
}
