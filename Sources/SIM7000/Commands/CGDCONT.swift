import ASCIIText
import ATCommands
import InlineStorage

/// Contexts: `AT+CGDCONT=<cid>,"IP","<apn>"` → `OK`; stored. `AT+CGDCONT?` → one line per context, `OK`.
///
/// The modem attaches with context 1, and has copies of the first name it was given in 13 and 14: a wrong one there has kept Cat-M1 from
/// attaching. A network may have defined these two itself.
///
/// - Source: [ts27007] section 10.1.1; [sim7000at] `AT+CGDCONT`: contexts 1 to 24; vshymanskyy/TinyGSM#421.
package enum CGDCONT {
  /// A context.
  @frozen package struct Context: Equatable, BitwiseCopyable, Sendable {
    /// Number, 1 to 24.
    package var number: UInt8
    /// Name of its access point; empty when the network chooses.
    package var accessPoint: InlineBytes<63>
  }

  /// Defines a context: `AT+CGDCONT=1,"IP","iot.example"`.
  @frozen package struct Set: ATCommand {
    /// Number, 1 to 24.
    package let number: UInt8
    /// Name of its access point.
    package let accessPoint: AccessPointName
    /// The command; nil for a number the modem does not have.
    package init?(number: UInt8 = 1, accessPoint: AccessPointName) {
      guard number >= 1, number <= 24 else { return nil }
      self.number = number
      self.accessPoint = accessPoint
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CGDCONT=")
      sink.append(number: number)
      sink.append(",\"IP\"")
      sink.append(nextQuoted: accessPoint)
    }
  }

  /// Asks for the contexts: `AT+CGDCONT?`.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(named: "+CGDCONT", isRequired: false) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CGDCONT?") }
    /// The context of a line, and whether it has another name than this; nil when it can't be read.
    ///
    /// Any but the first may have none: then the network chooses.
    ///
    /// - Source: TS 23.003 section 9.1: it is a name of DNS, which knows no case.
    static func context(
      _ line: borrowing ATLine, against accessPoint: AccessPointName
    ) -> (number: UInt8, differs: Bool)? {
      guard let fields = line.fields(of: "+CGDCONT"), let number = fields.byte(0) else { return nil }
      guard let name = fields.text(2), !name.isEmpty else { return (number, number == 1) }
      guard name.count == accessPoint.bytes.count else { return (number, true) }
      var place = 0
      while place < name.count {
        if lowercased(name[place]) != lowercased(accessPoint.bytes[place]) { return (number, true) }
        place += 1
      }
      return (number, false)
    }
    private static func lowercased(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Context? {
      guard let fields = line.fields(of: "+CGDCONT"), let number = fields.byte(0, maximum: 24), number > 0,
        let name: InlineBytes<63> = fields.copy(2)
      else { return nil }
      return Context(number: number, accessPoint: name)
    }
  }
}
