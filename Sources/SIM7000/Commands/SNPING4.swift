import ASCIIText
import ATCommands
import Quantities

/// Echo of a server: `AT+SNPING4="<host>",<count>,<size>,<ms>` → `+SNPING4: <n>,<address>,<ms>` for each, `OK`. Needs `CNACT`.
///
/// - Source: [sim7000at] `AT+SNPING4`.
package enum SNPING4 {
  /// One echo.
  @frozen package struct Echo: Equatable, BitwiseCopyable, Sendable {
    /// Its number, from 1.
    package var number: UInt16
    /// Who answered; nil when nobody did.
    package var address: NetworkAddress?
    /// How long it took in milliseconds.
    package var milliseconds: UInt32
  }

  /// Asks for echoes: `AT+SNPING4="example.org",3,16,1000`.
  @frozen package struct Execute: ATCommand {
    /// Name or address of the server.
    package let host: ServerAddress
    /// How many, 1 to 500.
    package let count: UInt16
    /// Bytes in each, 1 to 1400.
    package let size: UInt16
    /// How long to wait for each in milliseconds, 1 to 60,000.
    package let waitMilliseconds: UInt16
    /// The command; nil without a host, and for numbers the modem refuses.
    package init?(host: ServerAddress, count: UInt16 = 1, size: UInt16 = 16, waitMilliseconds: UInt16 = 5000) {
      guard !host.isEmpty, count >= 1, count <= 500, size >= 1, size <= 1400, waitMilliseconds >= 1,
        waitMilliseconds <= 60_000
      else { return nil }
      self.host = host
      self.count = count
      self.size = size
      self.waitMilliseconds = waitMilliseconds
    }
    /// How it is answered.
    package var grammar: ATGrammar {
      ATGrammar(information: .named("+SNPING4"), within: .milliseconds(10_000 + Int(count) * Int(waitMilliseconds)))
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+SNPING4=")
      sink.append(quoted: host)
      sink.append(next: count)
      sink.append(next: size)
      sink.append(next: waitMilliseconds)
    }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Echo? {
      guard let fields = line.fields(of: "+SNPING4"), fields.count == 3, let number = fields.word(0),
        let text = fields.text(1), let milliseconds = fields.longWord(2)
      else { return nil }
      return Echo(number: number, address: NetworkAddress(text), milliseconds: milliseconds)
    }
  }
}
