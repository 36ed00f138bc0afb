import InlineStorage
import ASCIIText
import ATCommands

/// Adds a header: `AT+SHAHEAD="<name>","<value>"` → `OK`. Only while connected; the modem writes `Host` and `Content-Length`.
///
/// - Source: [sim7000at] `AT+SHAHEAD`.
package enum SHAHEAD {
  /// Adds it: `AT+SHAHEAD="Content-Type","application/json"`.
  @frozen package struct Add: ATCommand {
    /// Its name.
    package let name: HeaderText
    /// Its value.
    package let value: HeaderText
    /// The command; nil without a name, or when both are longer than all headers may be.
    package init?(name: HeaderText, value: HeaderText) {
      guard !name.isEmpty, name.bytes.count + value.bytes.count <= 350 else { return nil }
      self.name = name
      self.value = value
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+SHAHEAD=")
      sink.append(quoted: name)
      sink.append(nextQuoted: value)
    }
  }
}
