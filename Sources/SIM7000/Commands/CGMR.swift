public import ASCIIText
public import ATCommands

/// Which firmware a modem runs, such as `1351B05SIM7000E`.
@frozen public struct FirmwareRevision: Equatable, BitwiseCopyable, Sendable {
  /// 1351 for A, C and E; 1529 for G.
  public var family: UInt16
  /// Number of the build, the 5 of `B05`.
  public var build: UInt8
  /// Which SIM7000.
  public var variant: ModemVariant

  /// Reads it; nil when it is something else.
  init?(_ text: Span<UInt8>) {
    guard text.count >= 7, text[4] == 0x42, let family = scanUnsigned(text.extracting(0..<4)),
      let build = scanUnsigned(text.extracting(5..<7)), let variant = ModemVariant(text)
    else { return nil }
    self.family = UInt16(truncatingIfNeeded: family)
    self.build = UInt8(truncatingIfNeeded: build)
    self.variant = variant
  }
}

/// Firmware: `AT+CGMR` → `Revision:1351B05SIM7000E`, with a blank in the manual and without one in fact, `OK`.
///
/// - Source: [ts27007] section 5.3; [sim7000at] `AT+CGMR`.
public enum CGMR {
  /// Asks for it: `AT+CGMR`.
  @frozen public struct Execute: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(information: .named("Revision")) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+CGMR") }
    /// Reads a line of the answer.
    public static func decode(_ line: borrowing ATLine) -> FirmwareRevision? {
      guard let fields = line.fields(of: "Revision"), let text = fields.text(0) else { return nil }
      return FirmwareRevision(text)
    }
  }
}
