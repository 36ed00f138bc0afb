import Quantities

/// What a command answers.
///
/// `.ok`, `.error`, `.cme(3)` and so on end the command at once; `.later` leaves it running until something calls
/// `SimulatedModem.complete`; `.prompt` asks the host for a payload. Information is added with `line`, `lines`, `raw`:
/// `Answer.ok.line("+CSQ: 24,99")`.
struct Answer: Equatable, Sendable {
  /// How the command ends.
  enum Ending: Equatable, Sendable {
    /// Success: `OK`, or the next command of the line.
    case ok
    /// Bare `ERROR`, whatever `CMEE` says.
    case error
    /// `+CME ERROR` as `CMEE` wants it.
    case cme(Int)
    /// `+CMS ERROR` as `CMEE` wants it.
    case cms(Int)
    /// Success that says nothing (`CIFSR`): the next command of the line, if there is one.
    case silent
    /// A result of its own, such as `NO CARRIER` or `CONNECT 150000000`, with its number for `ATV0`.
    case result(String, Int)
    /// Not ended: `complete` will be called.
    case later
    /// A payload is wanted.
    case prompt(Prompt)
  }

  /// A part of what is sent.
  enum Piece: Equatable, Sendable {
    /// A line, framed as `ATV` wants it. May hold CR LF for lines that stand directly below.
    case line(String)
    /// A line of bytes that need not be text.
    case lineBytes([UInt8])
    /// Bytes without framing. A counted block with its header is one piece, so that no URC can fall into it.
    case raw([UInt8])
  }

  /// What is sent before the result.
  var pieces: [Piece] = []
  /// How the command ends.
  var ending: Ending
  /// What is sent directly behind the result (`SHREAD`).
  var after: [Piece] = []

  /// Success.
  static var ok: Answer { Answer(ending: .ok) }
  /// Bare `ERROR`.
  static var error: Answer { Answer(ending: .error) }
  /// Ends without a result.
  static var silent: Answer { Answer(ending: .silent) }
  /// Ends when `complete` is called.
  static var later: Answer { Answer(ending: .later) }
  /// `+CME ERROR`.
  static func cme(_ code: Int) -> Answer { Answer(ending: .cme(code)) }
  /// `+CMS ERROR`.
  static func cms(_ code: Int) -> Answer { Answer(ending: .cms(code)) }
  /// Asks for a payload.
  static func prompt(_ prompt: Prompt) -> Answer { Answer(ending: .prompt(prompt)) }

  /// The same with one more line.
  func line(_ text: String) -> Answer {
    var copy = self
    copy.pieces.append(.line(text))
    return copy
  }

  /// The same with more lines in one block: no empty lines between them.
  func lines(_ texts: [String]) -> Answer { texts.isEmpty ? self : line(texts.joined(separator: "\r\n")) }

  /// The same with bytes without framing.
  func raw(_ bytes: [UInt8]) -> Answer {
    var copy = self
    copy.pieces.append(.raw(bytes))
    return copy
  }

  /// The same with a piece behind the result.
  func then(_ piece: Piece) -> Answer {
    var copy = self
    copy.after.append(piece)
    return copy
  }
}

/// A payload the modem asks for.
struct Prompt: Equatable, Sendable {
  /// How a payload came to its end.
  enum Outcome: Equatable, Sendable {
    /// All bytes of a counted payload, or Ctrl-Z.
    case complete
    /// Escape.
    case cancelled
    /// The host did not send all of it; what came is there.
    case timedOut
  }

  /// What is sent to ask: `\r\n> ` or a line.
  var text: Answer.Piece
  /// Number of bytes, or nil when Ctrl-Z or Escape ends it.
  var length: Int?
  /// True when Ctrl-Z and Escape end a counted payload too; otherwise they are data there.
  var endsAtControlBytes = false
  /// Most bytes when there is no number; more are dropped.
  var maximum = 2048
  /// How long the host may take, counted from the prompt; nil for ever.
  var timeout: Interval?
  /// What it is for; comes back with the bytes.
  var purpose: PayloadPurpose

  /// The prompt of 27.005: greater-than and a space, with nothing behind.
  static let greaterThan = Answer.Piece.raw(Array("\r\n> ".utf8))
}

/// What a payload is for.
enum PayloadPurpose: Equatable, Sendable {
  /// A short message to be sent or stored.
  case message(MessageDraft)
  /// Something of the data commands.
  case data(DataPayload)
}
