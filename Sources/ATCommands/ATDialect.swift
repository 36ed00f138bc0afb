import ASCIIText

/// What a line says besides being an answer.
@frozen package enum ATSign: UInt8, BitwiseCopyable, Sendable {
  /// Nothing that is known.
  case none
  /// A URC that has no name and so could be taken for a bare answer.
  case notice
  /// The modem has just started.
  case boot
  /// The modem is switching itself off.
  case poweredDown
}

/// How far the text reaches that a line brings, which anybody may have written.
enum ATTextKind: UInt8, BitwiseCopyable {
  /// There is none.
  case none
  /// To the last quote before a line end; it has no length, and may hold quotes and line ends.
  case quoted
  /// The same, with a number behind the last quote or none; or there is no text, and it is one line.
  case numbered
  /// As long as bytes come without a pause.
  case burst
}

/// What a channel must know of a family of modems.
package protocol ATDialect {
  /// What a line tells about the modem's life.
  ///
  /// A line that the pending command waits for is that, and not asked about.
  static func sign(of line: borrowing ATLine) -> ATSign

  /// True for a line that is whole, and says something of its own: it can't be what damage has left of the end of a command.
  static func isWholeNotice(_ line: borrowing ATLine) -> Bool

  /// Name of the line that brings text up to the last quote before a line end; it may hold quotes and line ends.
  static var quotedTextName: StaticString { get }

  /// Name of the line that brings text in quotes with a number behind it, or no text: `"…",15`.
  static var numberedTextName: StaticString { get }

  /// True for the name of a line that brings text for as long as bytes come without a pause.
  static func beginsBurst(_ name: borrowing ATLine) -> Bool

  /// Name of the response to the fence.
  static var fenceName: StaticString { get }

  /// What goes after `AT` in a query that every modem of the family answers at once in every state, always with a line of
  /// `fenceName`. A modem that answers in order has nothing earlier to say after it; for one that does not, see
  /// `ATTiming.lateness`.
  static var fence: StaticString { get }
}
