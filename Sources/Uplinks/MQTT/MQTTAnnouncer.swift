import Quantities

/// Which messages of an announcement are still to be told.
struct MQTTAnnouncer {
  let content: MQTTAnnouncement
  /// How often all was told.
  private(set) var count = 0
  private var place = 0
  private var underWay: Int32?
  private var sentAt = Instant.zero
  /// The message at which the connection was closed last.
  private var suspect: Int?
  /// The places of messages that this broker does not take.
  private var refused: Set<Int> = []
  /// What the board said of itself last, and when it is asked again.
  private var state: [UInt8] = []
  private(set) var stateDue = Instant.zero

  /// True until it is known whether the broker keeps an answer of the tracker.
  private(set) var looksForAnswer = true

  init(_ content: MQTTAnnouncement) {
    self.content = content
    place = content.messages.count
  }

  /// Tells all from the first on.
  mutating func begin() {
    place = 0
    underWay = nil
    skipRefused()
  }

  /// The next message, when the one before has arrived.
  var next: MQTTMessage? { underWay == nil && place < content.messages.count ? content.messages[place] : nil }

  /// The next message is under way by this number.
  mutating func sent(_ number: Int32, at now: Instant) { (underWay, sentAt) = (number, now) }

  /// The connection was closed. A broker does so at a message that is longer than it takes, and MQTT 3.1.1 has no other way to say so; the
  /// second time in a row the message is left out, or no packet behind it would ever arrive.
  ///
  /// - Returns: True when a message was under way, which must not be sent again by itself.
  mutating func closed(at now: Instant) -> Bool {
    guard underWay != nil else { return false }
    underWay = nil
    guard now - sentAt < MQTTAnnouncer.closing else { return true }
    if suspect == place { refused.insert(place) }
    suspect = place
    return true
  }

  /// Time after a message in which a broker that does not take it closes the connection.
  static var closing: Interval { .seconds(5) }

  /// Bytes of the longest message that is left out; nil when none is.
  var longestRefused: Int? { refused.map { content.messages[$0].bytes.count }.max() }

  private mutating func skipRefused() {
    while refused.contains(place) { place += 1 }
  }

  /// A message has arrived.
  ///
  /// - Returns: True when it was one of these, and the next may go.
  mutating func acknowledged(_ number: Int32) -> Bool {
    guard underWay == number else { return false }
    underWay = nil
    if suspect == place { suspect = nil }
    place += 1
    skipRefused()
    if place == content.messages.count { count += 1 }
    return true
  }

  /// A broker is there, which may have lost what it kept.
  mutating func connected() {
    looksForAnswer = true
    state = []
    stateDue = .zero
  }

  /// Between two looks at the board: a packet that is acknowledged at once never counts as one that waits.
  static var statePause: Interval { .seconds(5) }

  /// Takes what the board says of itself.
  ///
  /// - Returns: True when it is news.
  mutating func takes(state next: [UInt8], at now: Instant) -> Bool {
    stateDue = now + MQTTAnnouncer.statePause
    guard next != state else { return false }
    state = next
    return true
  }

  /// The broker keeps an answer, of this life or one before.
  mutating func foundAnswer() { looksForAnswer = false }

  /// True once all was told and no answer was found: what only answers say is known to nobody.
  mutating func missesAnswer() -> Bool {
    guard looksForAnswer, count > 0 else { return false }
    looksForAnswer = false
    return true
  }
}
