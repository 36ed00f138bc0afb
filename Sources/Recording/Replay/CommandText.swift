public import TrackerCore
import Quantities

/// Requests of the owner as text: `alerts on`, `alerts off`, `dismiss 3`, `track 10 600`, `locate`.
///
/// Logs and the command line use it; the numbers of `track` are seconds. A request may begin with a number of its own, `#17 locate`:
/// one with the same number is then not obeyed twice.
extension TrackerCore.Command {
  /// Reads a request; nil when the text is none.
  public init?(text: String) {
    var words = text.split(separator: " ").map(String.init)
    if let number = words.first, number.hasPrefix("#") {
      guard number.count <= 10, number.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }), number.count > 1 else {
        return nil
      }
      words.removeFirst()
    }
    switch (words.first, words.count) {
    case ("alerts", 2) where words[1] == "on" || words[1] == "off": self = .setAlerts(enabled: words[1] == "on")
    case ("dismiss", 2):
      guard let alert = UInt32(words[1]) else { return nil }
      self = .dismiss(alert: alert)
    case ("track", 3):
      guard let interval = Command.interval(words[1]), let duration = Command.interval(words[2]) else { return nil }
      self = .track(interval: interval, duration: duration)
    case ("locate", 1): self = .locate
    default: return nil
    }
  }

  /// The request as text.
  public var text: String {
    switch self {
    case .setAlerts(let enabled): "alerts \(enabled ? "on" : "off")"
    case .dismiss(let alert): "dismiss \(alert)"
    case .track(let interval, let duration): "track \(interval.secondsDouble) \(duration.secondsDouble)"
    case .locate: "locate"
    }
  }

  private static func interval(_ text: String) -> Interval? {
    guard let seconds = Double(text), seconds > 0, seconds <= 604_800 else { return nil }
    return Interval(microseconds: Int64((seconds * 1_000_000).rounded()))
  }
}
