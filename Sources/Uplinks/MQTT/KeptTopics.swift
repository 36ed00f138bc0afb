/// What a broker was told to keep of the tracker, over starts: over a modem to tell it again would cost data, and what is not wanted any more
/// can only be taken away by its topic.
struct KeptTopics: Equatable {
  /// Whose broker it is, and by which client it was told.
  let broker: String
  private var digests: [String: UInt64] = [:]

  /// Nothing.
  init(broker: String) { self.broker = broker }

  /// Reads what `bytes` has written; nothing of what another broker was told, nor of lines that are damaged.
  init(broker: String, bytes: [UInt8]) {
    self.init(broker: broker)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.first == broker[...] else { return }
    for line in lines.dropFirst() {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let digest = UInt64(parts[0], radix: 16) else { continue }
      digests[String(parts[1])] = digest
    }
  }

  /// A line for the broker, and one for each topic.
  var bytes: [UInt8] {
    Array(([broker] + topics.map { "\(String(digests[$0] ?? 0, radix: 16)) \($0)" }).joined(separator: "\n").utf8)
  }

  /// Topics on which something is kept.
  var topics: [String] { digests.keys.sorted() }

  /// True when the broker keeps something on a topic.
  func keeps(_ topic: String) -> Bool { digests[topic] != nil }

  /// True when it keeps this.
  func has(_ message: MQTTMessage) -> Bool {
    message.bytes.isEmpty ? !keeps(message.topic) : digests[message.topic] == KeptTopics.digest(message.bytes)
  }

  /// The broker has a message; one without bytes takes away what it kept.
  mutating func note(_ message: MQTTMessage) {
    digests[message.topic] = message.bytes.isEmpty ? nil : KeptTopics.digest(message.bytes)
  }

  /// What is kept on a topic is a packet, which is another each time.
  mutating func note(packetsOn topic: String) { digests[topic] = 0 }

  /// - Source: FNV-1a of 64 bits, [fnv].
  private static func digest(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

/// Keeps a few bytes over starts.
package protocol KeptBytes {
  /// What it holds; nothing when there is none.
  func read() -> [UInt8]
  /// Puts other bytes in the place of all it holds.
  func write(_ bytes: [UInt8])
}
