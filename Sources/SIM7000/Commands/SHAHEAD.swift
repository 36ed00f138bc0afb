import InlineStorage
public import ASCIIText
public import ATCommands

/// Adds a header: `AT+SHAHEAD="<name>","<value>"` → `OK`. Only while connected; the modem writes `Host` and `Content-Length`.
///
/// - Source: [sim7000at] `AT+SHAHEAD`.
public enum SHAHEAD {
  /// Adds it: `AT+SHAHEAD="Content-Type","application/json"`.
  @frozen public struct Add: ATCommand {
    /// Its name.
    public let name: HeaderText
    /// Its value.
    public let value: HeaderText
    /// The command; nil without a name, or when both are longer than all headers may be.
    public init?(name: HeaderText, value: HeaderText) {
      guard !name.isEmpty, name.bytes.count + value.bytes.count <= 350 else { return nil }
      self.name = name
      self.value = value
    }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+SHAHEAD=")
      sink.append(quoted: name)
      sink.append(nextQuoted: value)
    }
  }
}
