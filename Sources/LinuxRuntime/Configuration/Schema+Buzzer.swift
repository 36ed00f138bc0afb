import JSON5
import LinuxDevices

/// What sounds when the tracker wants it.
package enum BuzzerSettings: Equatable, Sendable {
  /// A buzzer at a GPIO line.
  case line(ContactLine)
  /// A program, called for each tone with the pattern and the seconds it lasts at most.
  case command(String)
}

/// The buzzer while its section is read.
struct BuzzerDraft: Equatable, Sendable {
  var chip = ""
  var line: UInt32?
  var isInverted = false
  var command = ""
}

/// The keys of the buzzer.
extension ConfigurationSchema {
  static let buzzer = BoundSection(
    "buzzer", "Buzzer for the request 'buzzer': a GPIO line or a command.",
    fresh: BuzzerDraft(),
    [
      .text("chip", \.chip, "GPIO chip of the buzzer.", bytes: 1...64, example: "gpiochip0") {
        $0.contains(" ") ? "a chip such as gpiochip0" : nil
      },
      BoundKey(
        "line", .whole(0...1023), "Number of its line on the chip.", example: "18",
        get: { $0.line.map { .number("\($0)") } },
        set: { draft, value in
          if case .number(let digits) = value { draft.line = UInt32(digits) }
          return nil
        }),
      .boolean("inverted", \.isInverted, "Whether it sounds while the line is low."),
      .path(
        "command", \.command,
        "Program that makes the sound, called for each tone as COMMAND PATTERN SECONDS with the pattern steady or pulse and "
          + "ended when the tone ends; instead of 'chip' and 'line'.", example: "/usr/local/bin/leash-buzzer"),
    ])
}

extension BuzzerDraft {
  /// What was set; nil, and told, when it does not fit together.
  func settings(_ position: TextPosition, note: (String, TextPosition) -> Void) -> BuzzerSettings? {
    if !command.isEmpty, chip.isEmpty, line == nil { return .command(command) }
    if command.isEmpty, !chip.isEmpty, let line {
      return .line(ContactLine(chip: chip, line: line, isOnWhenHigh: !isInverted))
    }
    note(
      "'buzzer': expected 'chip' and 'line', such as { chip: \"gpiochip0\", line: 18 }, or 'command' alone", position)
    return nil
  }
}
