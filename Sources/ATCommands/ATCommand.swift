import ASCIIText

/// A command that a modem takes: how it is written, how it is answered, what the answer means.
package protocol ATCommand: BitwiseCopyable, Sendable {
  /// What a line of the answer says.
  associatedtype Response

  /// How it is answered.
  var grammar: ATGrammar { get }

  /// Writes the command after `AT`, without the line end.
  func encode(into sink: inout some ByteSink)

  /// Reads one line of the answer; nil when the line says nothing that is understood.
  static func decode(_ line: borrowing ATLine) -> Response?
}

/// The answer of a command that says only that it was done.
@frozen package struct ATNothing: Equatable, BitwiseCopyable, Sendable {
  /// Nothing.
  package init() {}
}

extension ATCommand where Response == ATNothing {
  /// There is nothing to read.
  package static func decode(_ line: borrowing ATLine) -> ATNothing? { nil }
}

/// A line that a modem sends unasked (an unsolicited result code).
package protocol ATNotice: Equatable, BitwiseCopyable, Sendable {
  /// Reads the line; nil when it is something else, or damaged.
  static func decode(_ line: borrowing ATLine) -> Self?
}
