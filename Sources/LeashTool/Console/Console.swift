import Glibc

/// Where a command writes: standard output and standard error of the process, or memory in tests.
package struct Console {
  /// What the command is for.
  package let out: ByteOutput
  /// Messages about it.
  package let err: ByteOutput
  /// True when standard output is a terminal.
  package var outIsTerminal: Bool
  /// True when standard error is a terminal.
  package var errIsTerminal: Bool
  /// Columns of the terminal; 80 when there is none.
  package var width: Int
  /// True when text on standard output may be coloured.
  package var usesColour: Bool

  /// The streams of the process.
  ///
  /// Colour is used on a terminal only, and not when the variable `NO_COLOR` has a value or `TERM` is `dumb`.
  package static func standard() -> Console {
    let outIsTerminal = isatty(1) == 1
    let errIsTerminal = isatty(2) == 1
    let refusesColour = !(environment("NO_COLOR") ?? "").isEmpty || environment("TERM") == "dumb"
    return Console(
      out: ByteOutput(descriptor: 1, flushesLines: outIsTerminal),
      err: ByteOutput(descriptor: 2, flushesLines: true),
      outIsTerminal: outIsTerminal, errIsTerminal: errIsTerminal, width: terminalWidth(),
      usesColour: outIsTerminal && !refusesColour)
  }

  /// A console into memory.
  package static func captured(isTerminal: Bool = false, width: Int = 80, usesColour: Bool = false) -> Console {
    Console(
      out: ByteOutput(), err: ByteOutput(), outIsTerminal: isTerminal, errIsTerminal: isTerminal, width: width,
      usesColour: usesColour)
  }

  /// What a captured console has on standard output.
  package var outText: String {
    out.flush()
    return String(decoding: out.captured, as: UTF8.self)
  }

  /// What a captured console has on standard error.
  package var errText: String {
    err.flush()
    return String(decoding: err.captured, as: UTF8.self)
  }

  /// How a piece of text stands out.
  package enum Style: String, Sendable {
    /// Heavy.
    case bold = "1"
    /// Faint.
    case dim = "2"
    /// Something is wrong.
    case red = "31"
    /// All is well.
    case green = "32"
    /// Look here.
    case yellow = "33"
    /// A name or a number of note.
    case cyan = "36"
  }

  /// The text with the terminal's codes about it, or as it is when there is no colour.
  package func styled(_ text: String, _ style: Style) -> String {
    usesColour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    return String(cString: value)
  }

  private static func terminalWidth() -> Int {
    var size = winsize()
    for descriptor: Int32 in [1, 2] where ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col >= 20 {
      return Int(size.ws_col)
    }
    return 80
  }
}
