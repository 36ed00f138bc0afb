import Quantities

/// What a broker behind a modem is told of the tracker beside its packets: of each message that it keeps what it does not have already.
///
/// Data costs money there, so what was told is remembered over starts and connections. One message at a time is under way, only where a
/// connection is there and no packet waits; a packet waits for one of them at most. Where the broker does not take one it is tried again
/// later, and nothing is done against the trouble.
struct ModemAnnouncer {
  /// The last of all tickets is no packet's.
  static let ticket = UInt32.max
  static let way = UInt8.max

  private let content: MQTTAnnouncement
  private let packetTopics: [String]
  private let wanted: Set<String>
  private let memory: any KeptBytes
  private var told: KeptTopics
  private(set) var underWay: MQTTMessage?
  /// True when the broker may have said `offline` of a connection before this one.
  private var isOnlineDue = false
  /// Topics of what is told again though it is known.
  private var again: Set<String> = []
  private var isAgainDue = false
  private var againFrom = Instant.zero
  private var failures = 0
  private var retryAt = Instant.zero
  private var wasUnknown = false
  /// Messages that the broker has taken.
  private(set) var count = 0

  /// How often it is told all again at most, whoever asks for it.
  static let againPause: Interval = .seconds(3600)
  /// How long it is left alone after the first message that it did not take; twice as long after each further one.
  static let firstPause: Interval = .seconds(60)
  /// The longest of these.
  static let longestPause: Interval = .seconds(3600)

  /// - Parameters:
  ///   - content: What is to be kept; nothing takes away what was told before.
  ///   - packetTopics: Where it keeps packets.
  ///   - broker: Which it is, and this client's name.
  ///   - memory: What it was told before.
  init(_ content: MQTTAnnouncement, packetTopics: [String], broker: String, memory: any KeptBytes) {
    self.content = content
    self.packetTopics = packetTopics
    self.memory = memory
    told = KeptTopics(broker: broker, bytes: memory.read())
    wasUnknown = told.topics.isEmpty
    var wanted = Set(content.messages.map(\.topic) + packetTopics)
    if !content.availabilityTopic.isEmpty { wanted.insert(content.availabilityTopic) }
    self.wanted = wanted
  }

  /// A connection was made, and not found.
  mutating func connected() { isOnlineDue = !content.availabilityTopic.isEmpty }

  /// The server has started, and asks who is there.
  mutating func serverStarted() { isAgainDue = !content.messages.isEmpty }

  /// When there is something to tell that is not told yet for want of time; nil when there is none.
  func due(at now: Instant) -> Instant? {
    guard underWay == nil else { return nil }
    if retryAt > now { return retryAt }
    return isAgainDue && againFrom > now ? againFrom : nil
  }

  /// Takes the next message, which is under way then; nil when there is none now.
  mutating func begin(at now: Instant) -> MQTTMessage? {
    guard underWay == nil, retryAt <= now else { return nil }
    if isAgainDue, againFrom <= now {
      isAgainDue = false
      againFrom = now + ModemAnnouncer.againPause
      again = Set(content.messages.lazy.filter { !$0.bytes.isEmpty }.map(\.topic))
    }
    underWay = next
    return underWay
  }

  private var next: MQTTMessage? {
    if isOnlineDue { return MQTTMessage(topic: content.availabilityTopic, bytes: Array(MQTTAnnouncement.online.utf8)) }
    // First what makes the others unknown, then what they read.
    if let old = told.topics.first(where: { !wanted.contains($0) }) { return MQTTMessage(topic: old, bytes: []) }
    return content.messages.first { again.contains($0.topic) || !told.has($0) }
  }

  /// The broker has the message.
  ///
  /// - Returns: True when it is the last of a first announcement: nobody there knows how the tracker stands.
  mutating func delivered() -> Bool {
    guard let message = underWay else { return false }
    underWay = nil
    failures = 0
    count += 1
    if message.topic == content.availabilityTopic {
      isOnlineDue = false
      guard !told.keeps(message.topic) else { return false }
    }
    told.note(message)
    again.remove(message.topic)
    if !content.messages.isEmpty { for topic in packetTopics { told.note(packetsOn: topic) } }
    memory.write(told.bytes)
    guard wasUnknown, !content.messages.isEmpty, next == nil else { return false }
    wasUnknown = false
    return true
  }

  /// It was taken back for a packet, and has its turn again.
  mutating func interrupted() { underWay = nil }

  /// The broker did not take it.
  mutating func failed(at now: Instant) {
    underWay = nil
    let pause = ModemAnnouncer.firstPause.microseconds << min(failures, 10)
    failures += 1
    retryAt = now + min(ModemAnnouncer.longestPause, Interval(microseconds: pause))
  }

  /// What is known of it, for people.
  var words: String {
    if failures > 0 { return "the broker does not take it, tried again" }
    return next == nil && underWay == nil ? "all, \(count) messages since the start" : "under way"
  }
}
