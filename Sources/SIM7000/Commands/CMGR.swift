import ASCIIText
import ATCommands
import InlineStorage
import Quantities

/// What stands before the text of a short message.
@frozen package struct MessageHeader: Equatable, BitwiseCopyable, Sendable {
  /// Number, or name, of the sender; empty when it was not told or is longer than 20 digits with `+`.
  package var sender: InlineBytes<21>
  /// When the service centre got it, with the zone of the sender; nil when it was not told.
  package var time: NetworkTime?

  /// A header of fields of which number `first` is the sender; then a name, then the time.
  init?(_ fields: borrowing ATFields, sender first: Int) {
    guard fields.isQuoted(first), fields.count >= first + 3 else { return nil }
    sender = fields.copy(first) ?? InlineBytes()
    time = nil
    if let text = fields.text(first + 2), !text.isEmpty, let clock = ClockText(text), clock.zoneQuarterHours != nil {
      time = NetworkTime(utc: clock.utcOfLocal, zoneQuarterHours: clock.zoneQuarterHours)
    }
  }
}

/// Reads a short message: `AT+CMGR=<index>` → `+CMGR: "<status>","<sender>",<name>,"<time>"…`, the text, `OK`. An empty place
/// gives only `OK`.
///
/// - Source: [ts27005] section 3.4.3; [sim7000at] `AT+CMGR`: 5 s.
package enum CMGR {
  /// Reads it: `AT+CMGR=3`.
  @frozen package struct Get: ATCommand {
    /// Place in the store.
    package var index: UInt16
    /// The command.
    package init(index: UInt16) { self.index = index }
    /// How it is answered.
    package var grammar: ATGrammar {
      var grammar = ATGrammar()
      grammar.information = .namedThenText("+CMGR")
      return grammar
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CMGR=")
      sink.append(number: index)
    }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> MessageHeader? {
      guard let fields = line.fields(of: "+CMGR"), fields.isQuoted(0) else { return nil }
      return MessageHeader(fields, sender: 1)
    }
    /// True when something follows the closing quote of the header's time.
    static func isRunOn(_ line: borrowing ATLine) -> Bool {
      guard let fields = line.fields(of: "+CMGR"), let time = fields.text(3) else { return false }
      var place = 0
      while place < time.count {
        if time[place] == 0x22 { return true }
        place += 1
      }
      return false
    }
    /// A report that was stored: `+CMGR: "<status>",<first octet>,<reference>,…`.
    ///
    /// - Source: [ts27005] section 3.4.3.
    static func report(_ line: borrowing ATLine) -> StatusReportNotice? {
      guard let fields = line.fields(of: "+CMGR"), fields.isQuoted(0) else { return nil }
      return StatusReportNotice(fields, from: 1)
    }
    /// Octets behind the centre's address, of a message as digits: `+CMGR: <status>,<name>,<octets>`.
    ///
    /// - Source: [ts27005] section 4.1 and 4.2.
    static func octets(_ line: borrowing ATLine) -> UInt16? {
      guard let fields = line.fields(of: "+CMGR"), fields.count == 3, fields.byte(0) != nil else { return nil }
      return fields.word(2)
    }
  }
}
