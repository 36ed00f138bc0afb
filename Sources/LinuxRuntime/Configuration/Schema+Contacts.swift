import JSON5
import LinuxDevices
import Quantities

/// A switch while its object is read.
struct ContactDraft: Equatable, Sendable {
  var chip = ""
  var line: UInt32?
  var isOnWhenHigh: Bool?
}

/// The switches while their section is read.
struct ContactsDraft: Equatable, Sendable {
  /// In the order of `Contact.allCases`.
  var lines = [ContactDraft](repeating: ContactDraft(), count: Contact.allCases.count)
}

/// The keys of the switches.
extension ConfigurationSchema {
  static let contacts = BoundSection(
    "contacts", "Switches between GPIO lines and ground; the lines are pulled up.",
    fresh: ContactsDraft(), Contact.allCases.flatMap { keys(of: $0) })

  /// Whether a switch is on while its line is high, when nothing is set: a loop that somebody cuts lets go of the line.
  static func isOnWhenHigh(_ contact: Contact) -> Bool { contact == .tamper }

  private static func meaning(of contact: Contact) -> String {
    switch contact {
    case .button: "the owner's button, on while it is pressed; it is recorded but raises no alert"
    case .kickStand: "the kick-stand, on while it is down; folding it while armed raises an alert"
    case .lock: "the lock, on while it is locked; opening it while armed raises an alert"
    case .brake: "the brake lever, on while it is pulled; pulling it while armed is a suspicion"
    case .tamper: "a switch in the tracker's box, on while it is open; opening it while armed raises an alert"
    }
  }

  private static func keys(of contact: Contact) -> [BoundKey<ContactsDraft>] {
    let place = Int(contact.rawValue)
    let isHigh = isOnWhenHigh(contact)
    return [
      BoundKey(
        "\(contact.name).chip", .text(1...64), "GPIO chip of \(meaning(of: contact)).", example: "\"gpiochip0\"",
        get: { $0.lines[place].chip.isEmpty ? nil : .text($0.lines[place].chip) },
        set: { draft, value in
          guard case .text(let chip) = value, !chip.contains(" ") else { return "a chip such as gpiochip0" }
          draft.lines[place].chip = chip
          return nil
        }),
      BoundKey(
        "\(contact.name).line", .whole(0...1023), "Number of its line on the chip.", example: "17",
        get: { $0.lines[place].line.map { .number("\($0)") } },
        set: { draft, value in
          if case .number(let digits) = value { draft.lines[place].line = UInt32(digits) }
          return nil
        }),
      BoundKey(
        "\(contact.name).onWhenHigh", .boolean,
        "Whether it is on while the line is high; \(isHigh ? "true, as for a loop that is cut," : "false") when it is not set.",
        example: "\(!isHigh)",
        get: { draft in draft.lines[place].isOnWhenHigh.map { .boolean($0) } },
        set: { draft, value in
          if case .boolean(let value) = value { draft.lines[place].isOnWhenHigh = value }
          return nil
        }),
    ]
  }
}

extension ContactsDraft {
  /// The switches that are wired.
  ///
  /// - Parameters:
  ///   - given: What stands in the file.
  ///   - note: Takes what is wrong, and where.
  func lines(_ given: [String: GivenValue], note: (String, TextPosition) -> Void) -> [Contact: ContactLine] {
    var result: [Contact: ContactLine] = [:]
    for contact in Contact.allCases {
      let draft = lines[Int(contact.rawValue)]
      guard let first = ["chip", "line", "onWhenHigh"].compactMap({ given["\(contact.name).\($0)"] }).first else {
        continue
      }
      guard !draft.chip.isEmpty, let line = draft.line else {
        note(
          "'contacts.\(contact.name)': expected both 'chip' and 'line', such as { chip: \"gpiochip0\", line: 17 }",
          first.position)
        continue
      }
      result[contact] = ContactLine(
        chip: draft.chip, line: line, isOnWhenHigh: draft.isOnWhenHigh ?? ConfigurationSchema.isOnWhenHigh(contact))
    }
    return result
  }
}
