import ASCIIText
import ATCommands

/// Size of a file: `AT+CFSGFIS=<folder>,"<name>"` → `+CFSGFIS: <bytes>`, `OK`; `ERROR` when there is none.
///
/// - Source: [sim7000at] `AT+CFSGFIS`.
package enum CFSGFIS {
  /// Asks for it: `AT+CFSGFIS=3,"ca.pem"`.
  ///
  /// The driver does not use it: it is for a program that writes certificates to the modem.
  @frozen package struct Query: ATCommand {
    /// Folder.
    package let folder: FileFolder
    /// Name.
    package let name: FileName
    /// The command; nil without a name.
    package init?(folder: FileFolder = .customer, name: FileName) {
      guard !name.isEmpty else { return nil }
      self.folder = folder
      self.name = name
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(information: .named("+CFSGFIS")) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CFSGFIS=")
      sink.append(number: folder.rawValue)
      sink.append(nextQuoted: name)
    }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> UInt32? {
      guard let fields = line.fields(of: "+CFSGFIS"), fields.count == 1 else { return nil }
      return fields.longWord(0)
    }
  }
}
