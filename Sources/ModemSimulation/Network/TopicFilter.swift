/// Matching of MQTT topics: `+` stands for one level, a closing `#` for all that remain.
///
/// Filters that begin with a wildcard do not see topics that begin with `$`.
///
/// - Source: [mqtt311] section 4.7.
enum TopicFilter {
  /// True when a topic belongs to a subscription.
  static func matches(_ filter: String, _ topic: String) -> Bool {
    let wanted = filter.split(separator: "/", omittingEmptySubsequences: false)
    let given = topic.split(separator: "/", omittingEmptySubsequences: false)
    if topic.hasPrefix("$"), let first = filter.first, first == "+" || first == "#" { return false }
    for (place, level) in wanted.enumerated() {
      if level == "#" { return place == wanted.count - 1 }
      guard place < given.count, level == "+" || level == given[place] else { return false }
    }
    return wanted.count == given.count
  }

  /// True for a filter a broker accepts: wildcards stand alone in their level, and `#` is last.
  static func isValid(_ filter: String) -> Bool {
    guard !filter.isEmpty else { return false }
    let levels = filter.split(separator: "/", omittingEmptySubsequences: false)
    for (place, level) in levels.enumerated() {
      if level.contains("#") && (level != "#" || place != levels.count - 1) { return false }
      if level.contains("+") && level != "+" { return false }
    }
    return true
  }

  /// True for a topic a message may have: no wildcards.
  static func isTopic(_ topic: String) -> Bool { !topic.isEmpty && !topic.contains("+") && !topic.contains("#") }
}
