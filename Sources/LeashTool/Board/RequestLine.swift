import TrackerCore

/// A request from the arguments of a command line.
enum RequestLine {
  /// The request that the arguments spell.
  ///
  /// The shell takes quotes away: an argument with spaces among others was a name. A whole request in one argument keeps its own
  /// quotes.
  static func text(_ words: [String]) -> String {
    let plain = words.joined(separator: " ")
    guard words.count > 1, Request(text: plain) == nil else { return plain }
    let quoted = words.map { $0.isEmpty || $0.contains(" ") && !$0.contains("\"") ? "\"\($0)\"" : $0 }
      .joined(separator: " ")
    return Request(text: quoted) == nil ? plain : quoted
  }
}
