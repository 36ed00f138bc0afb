public import ASCIIText
public import ATCommands
import Quantities

/// Subscribes: `AT+SMSUB="<topic>",<qos>` → `OK` or `ERROR`; messages come as notices `+SMSUB: "<topic>","<payload>"`.
///
/// - Source: [sim7000at] `AT+SMSUB`.
public enum SMSUB {
  /// Subscribes: `AT+SMSUB="trk/01/cmd",1`.
  @frozen public struct Subscribe: ATCommand {
    /// Topic.
    public let topic: TopicName
    /// Best quality of service wanted.
    public let quality: DeliveryQuality
    /// The command; nil without a topic.
    public init?(topic: TopicName, quality: DeliveryQuality = .atLeastOnce) {
      guard !topic.isEmpty else { return nil }
      self.topic = topic
      self.quality = quality
    }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(failure: "+SMSTATE: 0", within: .seconds(30)) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+SMSUB=")
      sink.append(quoted: topic)
      sink.append(next: quality.rawValue)
    }
  }
}
