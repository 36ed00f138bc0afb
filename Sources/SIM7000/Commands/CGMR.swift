import ASCIIText
import ATCommands

/// Which firmware a modem runs, such as `1351B05SIM7000E`.
@frozen public struct FirmwareRevision: Equatable, BitwiseCopyable, Sendable {
  /// 1351 for A, C and E; 1529 for G.
  public var family: UInt16
  /// Number of the build, the 5 of `B05`.
  public var build: UInt8
  /// Which SIM7000.
  public var variant: ModemVariant

  init(family: UInt16, build: UInt8, variant: ModemVariant) {
    self.family = family
    self.build = build
    self.variant = variant
  }

  /// Finds it in a line; nil when there is none.
  package init?(_ text: Span<UInt8>) {
    var start = 0
    while start + 7 <= text.count {
      if text[start + 4] == 0x42, let family = scanUnsigned(text.extracting(start..<start + 4)),
        let build = scanUnsigned(text.extracting(start + 5..<start + 7))
      {
        self.family = UInt16(truncatingIfNeeded: family)
        self.build = UInt8(truncatingIfNeeded: build)
        variant = ModemVariant(text) ?? .unknown
        return
      }
      start += 1
    }
    return nil
  }
}

/// Firmware: `AT+CGMR` → `Revision:1351B05SIM7000E`, with a blank in the manual and without one in fact, and without the
/// word in some firmware, `OK`.
///
/// - Source: [ts27007] section 5.3; [sim7000at] `AT+CGMR`.
package enum CGMR {
  /// Asks for it: `AT+CGMR`.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar {
      var grammar = ATGrammar()
      grammar.information = .bare(allowsText: true)
      return grammar
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CGMR") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> FirmwareRevision? {
      FirmwareRevision(line.bytes)
    }
  }
}
