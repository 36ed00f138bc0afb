import JSON5
import TrackerCore
import TrackerRuntime

/// An event in words that are made from its name and its members, for one that has no words of its own.
struct EventText {
  /// `powerLost`: "Power lost".
  let what: String
  /// `"alert":3`: "alert 3".
  let why: String

  init(_ event: TrackerEvent) {
    what = EventText.title(of: event)
    var buffer = ByteBuffer()
    event.encodeJSON(into: &buffer)
    guard let json = try? JSON5Value(reading: buffer.bytes), case .object(let members) = json.content else {
      why = ""
      return
    }
    // What stands before them is of every event.
    let shared: Set = ["type", "event", "utc", "uptime"]
    why = members.filter { !shared.contains($0.key) }
      .map { EventText.words($0.key).lowercased() + " " + EventText.text($0.value) }.joined(separator: ", ")
  }

  /// What it is called: its title, or its name in words.
  static func title(of event: TrackerEvent) -> String { titles["\(event.name)"] ?? words("\(event.name)") }

  private static let titles: [String: String] = {
    var titles: [String: String] = [:]
    while let (name, title) = TrackerEvent.title(at: titles.count) { titles["\(name)"] = "\(title)" }
    return titles
  }()

  /// A name with spaces, and a capital at its beginning only.
  private static func words(_ name: String) -> String {
    let words = name.map { $0.isUppercase ? " \($0.lowercased())" : String($0) }.joined()
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  private static func text(_ value: JSON5Value) -> String {
    switch value.content {
    case .null: "unknown"
    case .boolean(let flag): flag ? "yes" : "no"
    case .number(let number): number.text
    case .string(let text): text
    case .array(let values): values.map(text).joined(separator: " ")
    case .object(let members): members.map { $0.key + " " + text($0.value) }.joined(separator: " ")
    }
  }
}
