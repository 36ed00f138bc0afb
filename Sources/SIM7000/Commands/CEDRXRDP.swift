import ASCIIText
import ATCommands

/// What the network granted of discontinuous reception: `AT+CEDRXRDP` → `+CEDRXRDP: 5,"0010","0010","0100"` (kind, asked,
/// granted, window) or `+CEDRXRDP: 0`, `OK`.
///
/// - Source: [ts27007] section 7.41; [sim7000at] `AT+CEDRXRDP`.
package enum CEDRXRDP {
  /// What was granted.
  @frozen package enum Grant: Equatable, BitwiseCopyable, Sendable {
    /// Nothing.
    case refused
    /// A cycle; the window is the time it listens, as bits of the standard.
    case granted(CEDRXS.Kind, cycle: ListeningCycle, window: UInt8)
  }

  /// Asks for it: `AT+CEDRXRDP`.
  ///
  /// The driver does not use it: it is for a program that shows what the network grants.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(information: .named("+CEDRXRDP")) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CEDRXRDP") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Grant? {
      guard let fields = line.fields(of: "+CEDRXRDP"), let number = fields.byte(0) else { return nil }
      if number == 0 { return fields.count == 1 ? .refused : nil }
      guard fields.count == 4, let kind = CEDRXS.Kind(rawValue: number), fields.bits(1, count: 4) != nil,
        let bits = fields.bits(2, count: 4), let cycle = ListeningCycle(bits: bits),
        let window = fields.bits(3, count: 4)
      else { return nil }
      return .granted(kind, cycle: cycle, window: window)
    }
  }
}
