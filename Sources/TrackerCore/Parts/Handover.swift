import Quantities

/// What is between the outbox and whoever delivers its packets.
struct Handover: TrackerPart {
  /// When somebody last told that a packet is delivered.
  private var lastAnswer: Instant?
  private var transmitting: UInt32?
  /// The latest second since 1970 that a position was told of; 0 for none.
  private var toldSecond: UInt32 = 0

  /// True when somebody has told in this life that a packet is delivered.
  var hasBeenAnswered: Bool { lastAnswer != nil }

  /// The packet of that number is for delivery now.
  mutating func begin(_ sequence: UInt32) { transmitting = sequence }

  /// The packet whose bytes have not been fetched, once.
  mutating func take() -> UInt32? {
    defer { transmitting = nil }
    return transmitting
  }

  /// A position is about to be told, in a packet of its own.
  ///
  /// - Parameter second: When it was measured, in seconds since 1970.
  /// - Returns: True when another has that second already, so that this one takes the next. One of before the last is told as it is.
  mutating func noteTold(second: UInt32) -> Bool {
    guard second == toldSecond else {
      // A time that is an hour back is not that of an earlier position: the clock was wrong.
      if second > toldSecond || toldSecond - second > 3600 { toldSecond = second }
      return false
    }
    toldSecond &+= 1
    return true
  }

  /// Somebody has told that a packet is delivered.
  ///
  /// - Returns: True when it is the first word after a long silence.
  mutating func noteAnswer(at now: Instant) -> Bool {
    defer { lastAnswer = now }
    return lastAnswer.map { now - $0 >= .seconds(60) } ?? true
  }
}
