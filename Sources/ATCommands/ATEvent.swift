/// What a channel reports. `ATChannel.line` holds the bytes of the events that have some, until the next byte comes in.
@frozen package enum ATEvent: Equatable, BitwiseCopyable, Sendable {
  /// Nothing more for now.
  case none
  /// `line` belongs to the answer of the pending command.
  case information
  /// `line` is counted bytes of the answer.
  case data
  /// The modem waits for the payload: call `write(payload:)`.
  case prompt
  /// The pending command is over.
  case finished(ATResult)
  /// `line` came by itself.
  case unsolicited
  /// A line that a modem says when it starts. It may be part of a text: ask the modem before believing it. A pending command
  /// gets a moment more to be answered.
  case reset
  /// A line that a modem says when it switches off; the same holds.
  case poweredDown
  /// After a time-out, the modem answers again and nothing of before is on its way any more.
  case synchronised
  /// The modem does not answer.
  case silent
}
