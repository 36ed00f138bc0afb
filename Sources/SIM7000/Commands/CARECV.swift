public import ASCIIText
public import ATCommands

/// Reads from a socket: `AT+CARECV=0,<length>` → `+CARECV: <length>,<bytes>` (real firmware) or `+CARECV: 0,<length>`, line end,
/// bytes (manual), then `OK`.
///
/// Only after the notice `+CADATAIND`, and never for more than waits: either has hung modems.
///
/// - Source: [sim7000at] `AT+CARECV`.
public enum CARECV {
  /// Reads: `AT+CARECV=0,100`.
  @frozen public struct Get: ATCommand {
    /// Bytes at most, 1 to 1460.
    public let maximumCount: UInt16
    /// The command; nil for a number the modem refuses.
    public init?(maximumCount: UInt16) {
      guard maximumCount >= 1, maximumCount <= 1460 else { return nil }
      self.maximumCount = maximumCount
    }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(information: .named("+CARECV"), counted: .inlineOrAfterLine("+CARECV")) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+CARECV=0")
      sink.append(next: maximumCount)
    }
    /// Reads how many bytes there are, from either form.
    public static func decode(_ line: borrowing ATLine) -> UInt16? {
      guard let fields = line.fields(of: "+CARECV"), let first = fields.word(0, maximum: 1460) else { return nil }
      if first > 0 || fields.count == 1 { return first }
      return fields.word(1, maximum: 1460)
    }
  }

  /// Asks how much waits: `AT+CARECV?` → `+CARECV: <cid>,<available>` for each, or each that has some, `OK`. Only while a
  /// socket is open.
  @frozen public struct Read: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(information: .named("+CARECV", isRequired: false)) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+CARECV?") }
    /// Reads a line of the answer; nil when it is another socket's.
    public static func decode(_ line: borrowing ATLine) -> UInt32? {
      guard let fields = line.fields(of: "+CARECV"), fields.count == 2, fields.byte(0) == 0 else { return nil }
      return fields.longWord(1)
    }
  }
}
