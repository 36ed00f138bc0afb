public import ASCIIText

/// What a line says besides being an answer.
@frozen public enum ATSign: UInt8, BitwiseCopyable, Sendable {
  /// Nothing that is known.
  case none
  /// A URC that has no name and so could be taken for a bare answer.
  case notice
  /// The modem has just started.
  case boot
  /// The modem is switching itself off.
  case poweredDown
}

/// What a channel must know of a family of modems.
public protocol ATDialect {
  /// What a line tells about the modem's life.
  ///
  /// Asked before the line is taken for an answer, but a line that the pending command waits for is that.
  static func sign(of line: borrowing ATLine) -> ATSign

  /// Name of the response to the fence.
  static var fenceName: StaticString { get }

  /// Writes, after `AT`, a query that every modem of the family answers at once in every state, always with a line of
  /// `fenceName`. A modem that answers in order has nothing earlier to say after it; for one that does not, see
  /// `ATTiming.lateness`.
  static func encodeFence(into sink: inout some ByteSink)
}
