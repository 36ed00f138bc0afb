import ASCIIText
import ATCommands

/// Bytes that a connection of the toolkit received: `AT+CIPRXGET=1` → `OK` for reading by hand (before it is opened), then
/// the notice `+CIPRXGET: 1[,<n>]` when there are some.
///
/// `AT+CIPRXGET=2,[<n>,]<length>` → `+CIPRXGET: 2,[<n>,]<returned>,<remaining>`, the bytes, `OK`. The manual calls the last
/// number confirmed bytes; modems give what is left.
///
/// - Source: [sim7000at] `AT+CIPRXGET`; [sim7000an] TCP/IP.
package enum CIPRXGET {
  /// What a read gave.
  @frozen package struct Portion: Equatable, BitwiseCopyable, Sendable {
    /// Connection; nil when there is only one.
    package var connection: UInt8?
    /// Bytes that follow.
    package var count: UInt16
    /// Bytes that wait still.
    package var remaining: UInt32
  }

  /// Reads: `AT+CIPRXGET=2,0,100`.
  @frozen package struct Get: ATCommand {
    /// Connection 0 to 7; nil when there is only one.
    package let connection: UInt8?
    /// Bytes to read at most, 1 to 1460.
    package let maximumCount: UInt16
    /// The command; nil for a connection or a number the modem refuses.
    package init?(connection: UInt8?, maximumCount: UInt16) {
      guard maximumCount >= 1, maximumCount <= 1460, (connection ?? 0) <= 7 else { return nil }
      self.connection = connection
      self.maximumCount = maximumCount
    }
    /// How it is answered: the field of the count is one further when there is a connection.
    package var grammar: ATGrammar {
      ATGrammar(
        information: .named("+CIPRXGET", shape: .twoFields),
        counted: .afterLine("+CIPRXGET", count: connection == nil ? 1 : 2))
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CIPRXGET=2")
      if let connection { sink.append(next: connection) }
      sink.append(next: maximumCount)
    }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Portion? {
      guard let fields = line.fields(of: "+CIPRXGET"), fields.byte(0) == 2 else { return nil }
      let count = fields.count
      guard count == 3 || count == 4, let returned = fields.word(count - 2, maximum: 1460),
        let remaining = fields.longWord(count - 1)
      else { return nil }
      guard count == 4 else { return Portion(connection: nil, count: returned, remaining: remaining) }
      guard let connection = fields.byte(1, maximum: 7) else { return nil }
      return Portion(connection: connection, count: returned, remaining: remaining)
    }
  }
}
