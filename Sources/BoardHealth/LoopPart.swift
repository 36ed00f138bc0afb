/// What the loop of a board is doing.
package enum LoopPart: UInt8, Sendable {
  /// Before the loop: variables, ports, files.
  case start
  /// The state is read from the flash memory.
  case restore
  /// Bytes of the console.
  case console
  /// Bytes of the modem, and its driver.
  case modem
  /// Bytes of the satellite receiver.
  case receiver
  /// Bytes of the inertial sensor.
  case sensor
  /// What is due.
  case deadlines
  /// The flash memory is written or tidied.
  case storage
  /// It waits for an interrupt.
  case sleep

  /// How many there are.
  package static var count: Int { 9 }

  /// As the console writes it.
  package var name: StaticString {
    switch self {
    case .start: "start"
    case .restore: "restore"
    case .console: "console"
    case .modem: "modem"
    case .receiver: "receiver"
    case .sensor: "sensor"
    case .deadlines: "deadlines"
    case .storage: "storage"
    case .sleep: "sleep"
    }
  }
}

/// Whether the loop goes through all that it has to do: only then may the watchdog be fed.
///
/// A part that always has more to do, and one that the loop passes by, end in a restart, as one that hangs does.
package struct LoopWatch: BitwiseCopyable, Sendable {
  /// What belongs to a turn of the loop.
  package enum Step: UInt8, Sendable {
    /// No port has bytes that wait.
    case bytes
    /// Nothing is due.
    case deadlines
    /// The flash memory needs nothing.
    case storage

    static var all: UInt8 { 0b111 }
  }

  private var done: UInt8 = 0

  package init() {}

  /// A step has nothing left to do.
  package mutating func finish(_ step: Step) { done |= 1 << step.rawValue }

  /// Ends a turn; true when each step was finished in it.
  package mutating func endTurn() -> Bool {
    defer { done = 0 }
    return done == Step.all
  }
}
