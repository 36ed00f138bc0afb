import ASCIIText
import ATCommands
import Quantities

/// Subscribes: `AT+SMSUB="<topic>",<qos>` → `OK` or `ERROR`; messages come as notices `+SMSUB: "<topic>","<payload>"`.
///
/// - Source: [sim7000at] `AT+SMSUB`.
package enum SMSUB {
  /// Subscribes: `AT+SMSUB="trk/01/cmd",1`.
  @frozen package struct Subscribe: ATCommand {
    /// Topic.
    package let topic: TopicName
    /// Best quality of service wanted.
    package let quality: DeliveryQuality
    /// The command; nil without a topic.
    package init?(topic: TopicName, quality: DeliveryQuality = .atLeastOnce) {
      guard !topic.isEmpty else { return nil }
      self.topic = topic
      self.quality = quality
    }
    /// How it is answered.
    package var grammar: ATGrammar {
      var grammar = ATGrammar(within: .seconds(30))
      grammar.failure = "+SMSTATE: 0"
      return grammar
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+SMSUB=")
      sink.append(quoted: topic)
      sink.append(next: quality.rawValue)
    }
  }
}
