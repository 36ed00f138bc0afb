import Quantities

/// The owner's button as a way to mark a place, where `checkpoints.byButton` wants it.
struct CheckpointKeeper: TrackerPart {
  /// Long ago before the first.
  private var lastPress = Instant(microseconds: .min)
  private var hasButton: Bool
  private var isPressed: Bool?

  /// Presses sooner after the last one than that are the same.
  private static var pressSpacing: Interval { .seconds(2) }

  init(_ configuration: TrackerConfiguration) { hasButton = configuration.reports.buttonCheckpoint }

  mutating func configure(_ configuration: TrackerConfiguration) { hasButton = configuration.reports.buttonCheckpoint }

  /// Takes a reading of switches in.
  ///
  /// - Returns: True when it marks a place. How the button stands at first is no press.
  mutating func process(_ reading: ContactReading) -> Bool {
    guard let isOn = reading.contacts[.button] else { return false }
    let wasPressed = isPressed
    isPressed = isOn
    guard hasButton, isOn, wasPressed == false else { return false }
    guard reading.time - lastPress >= CheckpointKeeper.pressSpacing else { return false }
    lastPress = reading.time
    return true
  }
}
