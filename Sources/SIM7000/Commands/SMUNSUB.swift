import ASCIIText
import ATCommands
import Quantities

/// Ends a subscription: `AT+SMUNSUB="<topic>"` → `OK` or `ERROR`.
///
/// - Source: [sim7000at] `AT+SMUNSUB`.
package enum SMUNSUB {
  /// Ends it: `AT+SMUNSUB="trk/01/cmd"`.
  ///
  /// The driver does not use it: it is for a program that changes its topics.
  @frozen package struct Unsubscribe: ATCommand {
    /// Topic.
    package let topic: TopicName
    /// The command; nil without a topic.
    package init?(topic: TopicName) {
      guard !topic.isEmpty else { return nil }
      self.topic = topic
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(failure: "+SMSTATE: 0", within: .seconds(30)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+SMUNSUB=")
      sink.append(quoted: topic)
    }
  }
}
