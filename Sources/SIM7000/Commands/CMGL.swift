import ASCIIText
import ATCommands
import Quantities

/// Lists short messages: `AT+CMGL="<status>"` → for each `+CMGL: <index>,"<status>","<sender>",<name>,"<time>"` and the text,
/// then `OK` within 20 s.
///
/// - Source: [ts27005] section 3.4.2; [sim7000at] `AT+CMGL`.
package enum CMGL {
  /// A message of the list.
  @frozen package struct Entry: Equatable, BitwiseCopyable, Sendable {
    /// Place in the store.
    package var index: UInt16
    /// What stands before its text.
    package var header: MessageHeader
  }

  /// Lists: `AT+CMGL="REC UNREAD"`.
  @frozen package struct List: ATCommand {
    /// True for all, false for those that were not read yet.
    package var includesRead: Bool
    /// True when messages come as digits (`CMGF=0`).
    package var isCoded: Bool
    /// The command.
    package init(includesRead: Bool, isCoded: Bool = false) {
      self.includesRead = includesRead
      self.isCoded = isCoded
    }
    /// How it is answered.
    package var grammar: ATGrammar {
      var grammar = ATGrammar(within: .seconds(20))
      grammar.information = .namedThenText("+CMGL")
      return grammar
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CMGL=")
      if isCoded { return sink.append(includesRead ? "4" : "0") }
      if includesRead { sink.append(quoted: "ALL") } else { sink.append(quoted: "REC UNREAD") }
    }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Entry? {
      guard let fields = line.fields(of: "+CMGL"), let index = fields.word(0), fields.isQuoted(1),
        let header = MessageHeader(fields, sender: 2)
      else { return nil }
      return Entry(index: index, header: header)
    }
    /// The place that a line of the answer names, whatever the form of the messages.
    static func place(_ line: borrowing ATLine) -> UInt8? { line.fields(of: "+CMGL")?.byte(0) }
  }
}
