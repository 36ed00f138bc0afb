public import ASCIIText
public import ATCommands

/// Size of a file: `AT+CFSGFIS=<folder>,"<name>"` → `+CFSGFIS: <bytes>`, `OK`; `ERROR` when there is none.
///
/// - Source: [sim7000at] `AT+CFSGFIS`.
public enum CFSGFIS {
  /// Asks for it: `AT+CFSGFIS=3,"ca.pem"`.
  @frozen public struct Query: ATCommand {
    /// Folder.
    public let folder: FileFolder
    /// Name.
    public let name: FileName
    /// The command; nil without a name.
    public init?(folder: FileFolder = .customer, name: FileName) {
      guard !name.isEmpty else { return nil }
      self.folder = folder
      self.name = name
    }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(information: .named("+CFSGFIS")) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+CFSGFIS=")
      sink.append(number: folder.rawValue)
      sink.append(nextQuoted: name)
    }
    /// Reads a line of the answer.
    public static func decode(_ line: borrowing ATLine) -> UInt32? {
      guard let fields = line.fields(of: "+CFSGFIS"), fields.count == 1 else { return nil }
      return fields.longWord(0)
    }
  }
}
