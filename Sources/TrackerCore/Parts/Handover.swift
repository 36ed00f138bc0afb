import Quantities
import Telemetry

/// What is between the outbox and whoever delivers its packets.
struct Handover: TrackerPart {
  /// When somebody last told that a packet is delivered.
  private var lastAnswer: Instant?
  /// Receivers that answer again and have not caught up since.
  private var returning = ReceiverSet()
  private var transmitting: UInt32?
  /// The seconds that packets with a position were told of.
  var seconds = ToldSeconds(after: 0)

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
