public import ASCIIText
public import ATCommands
import Quantities

/// Ends a subscription: `AT+SMUNSUB="<topic>"` → `OK` or `ERROR`.
///
/// - Source: [sim7000at] `AT+SMUNSUB`.
public enum SMUNSUB {
  /// Ends it: `AT+SMUNSUB="trk/01/cmd"`.
  @frozen public struct Unsubscribe: ATCommand {
    /// Topic.
    public let topic: TopicName
    /// The command; nil without a topic.
    public init?(topic: TopicName) {
      guard !topic.isEmpty else { return nil }
      self.topic = topic
    }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(failure: "+SMSTATE: 0", within: .seconds(30)) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+SMUNSUB=")
      sink.append(quoted: topic)
    }
  }
}
