import ASCIIText
import ATCommands

/// Quality of service of MQTT.
@frozen package enum DeliveryQuality: UInt8, BitwiseCopyable, Sendable {
  /// Sent once, perhaps lost.
  case atMostOnce = 0
  /// Sent until acknowledged, perhaps twice.
  case atLeastOnce = 1
  /// Sent until acknowledged, once for the receiver.
  case exactlyOnce = 2
}

/// Publishes: `AT+SMPUB="<topic>",<length>,<qos>,<retain>` → `>`, the bytes, then `OK` or `ERROR`; `+SMSTATE: 0` when the
/// connection is lost.
///
/// - Source: [sim7000at] `AT+SMPUB`: 512 bytes at most.
package enum SMPUB {
  /// Announces a message: `AT+SMPUB="trk/01/pos",5,1,0`.
  @frozen package struct Send: ATCommand {
    /// Topic.
    package let topic: TopicName
    /// Bytes, 512 at most.
    package let count: UInt16
    /// Quality of service.
    package let quality: DeliveryQuality
    /// True to have the broker keep it for those who come later.
    package let isRetained: Bool
    /// The command; nil without a topic or when there are too many bytes.
    package init?(
      topic: TopicName, count: UInt16, quality: DeliveryQuality = .atLeastOnce, isRetained: Bool = false
    ) {
      guard !topic.isEmpty, count <= 512 else { return nil }
      self.topic = topic
      self.count = count
      self.quality = quality
      self.isRetained = isRetained
    }
    /// How it is answered.
    package var grammar: ATGrammar {
      var grammar = ATGrammar()
      grammar.prompt = .angle
      grammar.failure = "+SMSTATE: 0"
      return grammar
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+SMPUB=")
      sink.append(quoted: topic)
      sink.append(next: count)
      sink.append(next: quality.rawValue)
      sink.append(",")
      sink.append(flag: isRetained)
    }
  }
}
