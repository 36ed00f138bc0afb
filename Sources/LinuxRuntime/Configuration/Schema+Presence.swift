import JSON5
import LinuxDevices

/// How the tracker knows on a board that the owner is near.
package struct PresenceSettings: Equatable, Sendable {
  /// What the owner carries; their places from 1 are the tokens of packets' events.
  package var tags: [OwnerTag] = []
  /// The Bluetooth adapter; nil for the first.
  package var adapter: String?
  /// A line that says it; nil for none.
  package var line: ContactLine?

  /// By nothing.
  package init() {}
}

/// The section while it is read.
struct PresenceDraft: Equatable, Sendable {
  var tags: [OwnerTag] = []
  var adapter: String?
  var line = ContactDraft()
}

/// The keys of the owner's presence.
extension ConfigurationSchema {
  static let presence = BoundSection(
    "presence",
    "How the tracker detects that the owner is near; alerts are held back then (docs/decisions/0021). Without this section only "
      + "requests say so.",
    fresh: PresenceDraft(),
    [
      BoundKey(
        "tags", .parts(4...512),
        "The owner's tags, a list or text with spaces between them: Bluetooth addresses, or UUIDs of advertised services (16 or 128 bits).",
        example: "[\"C0:FF:EE:01:02:03\"]",
        get: { $0.tags.isEmpty ? nil : .words($0.tags.map(\.text)) },
        set: { draft, value in
          guard case .words(let texts) = value else { return nil }
          let words = texts.flatMap(listedWords)
          let tags = words.compactMap { OwnerTag($0) }
          guard tags.count == words.count, (1...8).contains(tags.count) else {
            return "one to eight addresses such as C0:FF:EE:01:02:03 or UUIDs such as fd5a"
          }
          draft.tags = tags
          return nil
        }),
      .optionalText(
        "adapter", \.adapter, "Name of the Bluetooth adapter; default: the first one.",
        bytes: 1...16,
        example: "hci0"),
      BoundKey(
        "switch.chip", .text(1...64), "GPIO chip of a line that shows that the owner is near.",
        example: "\"gpiochip0\"",
        get: { $0.line.chip.isEmpty ? nil : .text($0.line.chip) },
        set: { draft, value in
          guard case .text(let chip) = value, !chip.contains(" ") else { return "a chip such as gpiochip0" }
          draft.line.chip = chip
          return nil
        }),
      BoundKey(
        "switch.line", .whole(0...1023), "Number of its line on the chip.", example: "23",
        get: { $0.line.line.map { .number("\($0)") } },
        set: { draft, value in
          if case .number(let digits) = value { draft.line.line = UInt32(digits) }
          return nil
        }),
      BoundKey(
        "switch.onWhenHigh", .boolean, "Whether the owner is near while the line is high; default: false.",
        example: "true",
        get: { $0.line.isOnWhenHigh.map { .boolean($0) } },
        set: { draft, value in
          if case .boolean(let value) = value { draft.line.isOnWhenHigh = value }
          return nil
        }),
    ])
}

extension PresenceDraft {
  /// What the section says.
  ///
  /// - Parameters:
  ///   - given: What stands in the file.
  ///   - note: Takes what is wrong, and where.
  func settings(
    _ given: [String: GivenValue], note: (String, TextPosition) -> Void
  ) -> PresenceSettings {
    var result = PresenceSettings()
    result.tags = tags
    result.adapter = adapter
    let first = ["switch.chip", "switch.line", "switch.onWhenHigh"].compactMap { given[$0] }.first
    if let first {
      if !line.chip.isEmpty, let number = line.line {
        result.line = ContactLine(chip: line.chip, line: number, isOnWhenHigh: line.isOnWhenHigh ?? false)
      } else {
        note(
          "'presence.switch': expected both 'chip' and 'line', such as { chip: \"gpiochip0\", line: 23 }",
          first.position)
      }
    }
    return result
  }
}
