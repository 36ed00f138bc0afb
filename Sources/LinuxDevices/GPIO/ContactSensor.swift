public import Quantities

/// A switch at a line of a GPIO chip.
public struct ContactLine: Equatable, Sendable {
  /// The chip, as `gpiochip0` or `/dev/gpiochip0`.
  public var chip: String
  /// Number of the line on it.
  public var line: UInt32
  /// True when the switch is on while the line is high.
  public var isOnWhenHigh: Bool

  /// A switch.
  public init(chip: String, line: UInt32, isOnWhenHigh: Bool) {
    self.chip = chip
    self.line = line
    self.isOnWhenHigh = isOnWhenHigh
  }
}

/// Switches at the GPIO lines of this machine: to ground, with the machine's own pull-up.
///
/// They are looked at twenty times a second, and what is seen twice in a row counts: a contact bounces for some milliseconds.
public final class ContactSensor: SensorSource {
  /// Takes what it sees; set it before `start`.
  public var sink: (SensorInput) -> Void = { _ in }
  /// Why it gives nothing any more since the last `start`; nil while it works.
  public private(set) var failure: DeviceFailure?

  /// How a line is taken.
  typealias Opening = (ContactLine) throws(DeviceFailure) -> any DigitalInput

  /// Between two looks.
  static var interval: Interval { .milliseconds(50) }

  private let lines: [(contact: Contact, line: ContactLine)]
  private let open: Opening
  private var inputs: [any DigitalInput] = []
  private var loop: EventLoop?
  private var due: Instant?
  private var seen = Contacts()
  private var told = Contacts()

  /// - Parameter lines: Where each switch is.
  public convenience init(_ lines: [Contact: ContactLine]) {
    self.init(lines) { line throws(DeviceFailure) in
      try GPIOPins.input(chip: line.chip, line: line.line, hasPullUp: true)
    }
  }

  init(_ lines: [Contact: ContactLine], open: @escaping Opening) {
    self.lines = lines.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
    self.open = open
  }

  /// As in `contacts lock, tamper`.
  public var name: String { "contacts " + lines.map { "\($0.contact.name)" }.joined(separator: ", ") }

  /// Takes the lines and joins the loop.
  ///
  /// - Throws: What is wrong with the first line that can't be had; the others are let go.
  public func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    stop()
    failure = nil
    do {
      for (_, line) in lines { inputs.append(try open(line)) }
    } catch {
      stop()
      throw error
    }
    self.loop = loop
    loop.add(self)
    due = now
  }

  /// Leaves the loop and lets the lines go.
  public func stop() {
    for input in inputs { input.release() }
    inputs = []
    loop?.remove(self)
    loop = nil
    due = nil
    seen = Contacts()
    told = Contacts()
  }

  private func look(at now: Instant) {
    var present = Contacts()
    do {
      for (place, input) in inputs.enumerated() {
        present[lines[place].contact] = try (input.level() == .high) == lines[place].line.isOnWhenHigh
      }
    } catch {
      failure = error
      stop()
      return
    }
    var settled = Contacts()
    for contact in Contact.allCases where present[contact] != nil && present[contact] == seen[contact] {
      if told[contact] != present[contact] { settled[contact] = present[contact] }
    }
    seen = present
    due = now + ContactSensor.interval
    guard !settled.isEmpty else { return }
    told.update(with: settled)
    sink(.reading(.contacts(ContactReading(time: now, settled))))
  }

  /// No descriptors.
  public func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}
  /// When it looks next.
  public var nextDeadline: Instant? { due }
  /// Looks when it is time.
  public func advance(to now: Instant) { if let due, now >= due { look(at: now) } }

  /// How the switches stand.
  public var facts: [(name: String, value: String)] {
    Contact.allCases.compactMap { contact in
      told[contact].map { ("\(contact.name)", $0 ? "on" : "off") }
    }
  }

  /// Nobody need touch a switch for years.
  public var patience: Interval? { nil }
}
