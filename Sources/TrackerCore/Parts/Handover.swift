import Quantities

/// What is between the outbox and whoever delivers its packets.
struct Handover: TrackerPart {
  /// When somebody last told that a packet is delivered.
  private var lastAnswer: Instant?
  private var transmitting: UInt32?

  /// True when somebody has told in this life that a packet is delivered.
  var hasBeenAnswered: Bool { lastAnswer != nil }

  /// The packet of that number is for delivery now.
  mutating func begin(_ sequence: UInt32) { transmitting = sequence }

  /// The packet whose bytes have not been fetched, once.
  mutating func take() -> UInt32? {
    defer { transmitting = nil }
    return transmitting
  }

  /// Somebody has told that a packet is delivered.
  ///
  /// - Returns: True when it is the first word after a long silence.
  mutating func noteAnswer(at now: Instant) -> Bool {
    defer { lastAnswer = now }
    return lastAnswer.map { now - $0 >= .seconds(60) } ?? true
  }
}
