import ASCIIText
import ATCommands
import InlineStorage

/// Body of a request within the command: `AT+SHBOD="<text>",<length>` → `OK`. Quotes in it are written `\"`; the length counts
/// what they stand for. `SHBODEXT` is better.
///
/// - Source: [sim7000at] `AT+SHBOD`. The line of 559 characters bounds it.
package enum SHBOD {
  /// Sets the body: `AT+SHBOD="{\"a\":1}",7`.
  @frozen package struct Set: ATCommand {
    /// The body: printable bytes without backslash.
    package let body: InlineBytes<256>
    /// The command; nil when the body is empty, too long, or has a control character or a backslash.
    package init?(_ body: Span<UInt8>) {
      guard !body.isEmpty else { return nil }
      var kept = InlineBytes<256>()
      var place = 0
      while place < body.count {
        let byte = body[place]
        guard byte >= 0x20, byte != 0x5C, byte != 0x7F, kept.append(byte) else { return nil }
        place += 1
      }
      self.body = kept
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+SHBOD=\"")
      var place = 0
      while place < body.count {
        if body[place] == 0x22 { sink.append("\\") }
        sink.append(body[place])
        place += 1
      }
      sink.append("\"")
      sink.append(next: body.count)
    }
  }
}
