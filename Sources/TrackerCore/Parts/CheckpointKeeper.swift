import Quantities

/// The owner's button as a way to mark a place, where `checkpoints.byButton` wants it.
struct CheckpointKeeper: TrackerPart {
  /// Long ago before the first.
  private var lastPress = Instant(microseconds: .min)
  private var hasButton: Bool
  private var isPressed: Bool?
  private var hasMark = false

  /// Presses sooner after the last one than that are the same.
  private static var pressSpacing: Interval { .seconds(2) }

  init(_ configuration: TrackerConfiguration) { hasButton = configuration.reports.buttonCheckpoint }

  mutating func configure(_ configuration: TrackerConfiguration) { hasButton = configuration.reports.buttonCheckpoint }

  /// How the button stands at first is no press.
  mutating func process(_ reading: Reading, _ journal: inout TrackerJournal) {
    guard case .contacts(let reading) = reading, let isOn = reading.contacts[.button] else { return }
    let wasPressed = isPressed
    isPressed = isOn
    guard hasButton, isOn, wasPressed == false else { return }
    guard reading.time - lastPress >= CheckpointKeeper.pressSpacing else { return }
    lastPress = reading.time
    hasMark = true
  }

  /// True, once, when a place was marked.
  mutating func takeMark() -> Bool {
    defer { hasMark = false }
    return hasMark
  }
}
