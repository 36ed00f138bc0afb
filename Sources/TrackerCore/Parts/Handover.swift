import Quantities
import Telemetry

/// What is between the outbox and whoever delivers its packets.
struct Handover: TrackerPart {
  /// When somebody last told that a packet is delivered.
  private var lastAnswer: Instant?
  /// Receivers that answer again and have not caught up since.
  private var returning = ReceiverSet()
  private var transmitting: UInt32?
  /// The latest second since 1970 that a packet with a position was told of; 0 for none.
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
  /// - Parameter second: When it was measured, in seconds since 1970; of a packet with an old position, when it was made.
  /// - Returns: How many seconds later it is told, so that no other has its second and time does not run back. One that is more than 6 s
  ///   before the last is an older position that comes late, and is told as it is.
  mutating func noteTold(second: UInt32) -> UInt8 {
    // A time that is an hour back is not that of an earlier position: the clock was wrong.
    guard second <= toldSecond, toldSecond - second <= 3600 else {
      toldSecond = second
      return 0
    }
    let behind = toldSecond - second
    guard behind < 7 else { return 0 }
    toldSecond &+= 1
    return UInt8(behind + 1)
  }

  /// Somebody has told that a packet is delivered.
  ///
  /// - Parameters:
  ///   - receiver: Who; nil for all.
  ///   - isStuck: Whether it lacked for long what others have.
  ///   - now: When.
  /// - Returns: True when it is the first word after a long silence: of all, or of that receiver while others answered.
  mutating func noteAnswer(by receiver: Int?, isStuck: Bool, at now: Instant) -> Bool {
    let isFirst = lastAnswer.map { now - $0 >= .seconds(60) } ?? true
    lastAnswer = now
    guard let receiver else { return isFirst }
    let isBack = isStuck && !returning.contains(receiver)
    if isStuck { returning.insert(ReceiverSet(receiver)) } else { returning.subtract(ReceiverSet(receiver)) }
    return isFirst || isBack
  }
}
