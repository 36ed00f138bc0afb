import ASCIIText
import ATCommands
import Quantities

/// Sends on a connection of the toolkit: `AT+CIPSEND=[<n>,]<length>` → `>`, the bytes, then `SEND OK` (the peer has them) or
/// `DATA ACCEPT:[<n>,]<length>` (with `AT+CIPQSEND=1`: the modem has them), or `SEND FAIL`. No `OK`.
///
/// - Source: [sim7000at] `AT+CIPSEND`; [sim7000an] TCP/IP: 1460 bytes at most; 645 s until the modem gives up.
package enum CIPSEND {
  /// Announces bytes: `AT+CIPSEND=0,4`.
  @frozen package struct Send: ATCommand {
    /// Connection 0 to 7; nil when there is only one.
    package let connection: UInt8?
    /// Bytes, 1 to 1460.
    package let count: UInt16
    /// The command; nil for a connection or a number the modem refuses.
    package init?(connection: UInt8?, count: UInt16) {
      guard (connection ?? 0) <= 7, count >= 1, count <= 1460 else { return nil }
      self.connection = connection
      self.count = count
    }
    /// How it is answered.
    package var grammar: ATGrammar {
      // With several connections the number stands before it, with a blank or without.
      ATGrammar(
        prompt: .angle, end: .text("SEND OK", or: "DATA ACCEPT"), failure: "SEND FAIL", outcomeWithin: .seconds(645))
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CIPSEND=")
      if let connection {
        sink.append(number: connection)
        sink.append(",")
      }
      sink.append(number: count)
    }
  }
}
