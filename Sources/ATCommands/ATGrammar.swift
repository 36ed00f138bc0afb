import Quantities

/// How a line is told from a URC of the same name when both are possible.
///
/// `+CEREG: 1,5` answers a query (setting, then state); `+CEREG: 5` and `+CEREG: 5,"tac",…` come by themselves.
@frozen package enum ATShape: BitwiseCopyable, Sendable {
  /// Whatever has the name.
  case any
  /// At least two fields, of which the second has no quotes.
  case secondFieldBare
  /// At least two fields.
  case twoFields
  /// The first field is this, in quotes or not.
  case firstField(StaticString)
}

/// Which lines belong to a command's answer, before its end.
@frozen package enum ATInformation: BitwiseCopyable, Sendable {
  /// None: any line that comes is a URC.
  case none
  /// Lines of this name; the end does not count without at least one when `isRequired`, so that a late `OK` of an
  /// earlier command can't be taken for this one's.
  case named(StaticString, shape: ATShape = .any, isRequired: Bool = true)
  /// A line without a name, such as an IMEI: it begins with a digit, or any letter when `allowsText`. Required.
  case bare(allowsText: Bool)
  /// A line of this name, and what stands behind it, which anybody may have written (a message). When the first field has quotes
  /// it is text: everything up to an `OK` after which the line is quiet. Otherwise it is a line of hexadecimal digits.
  case namedThenText(StaticString)
}

/// What a modem sends to ask for a command's payload.
@frozen package enum ATPrompt: UInt8, BitwiseCopyable, Sendable {
  /// The command has no payload.
  case none
  /// `>` at the start of a line, with or without a blank, and no line end.
  case angle
  /// The line `DOWNLOAD`.
  case download
}

/// How a command ends well. `ERROR`, `+CME ERROR` and `+CMS ERROR` end every command.
@frozen package enum ATEnd: BitwiseCopyable, Sendable {
  /// `OK`.
  case ok
  /// One of these lines in place of `OK` (a line that begins so).
  case text(StaticString, or: StaticString? = nil)
  /// The first bare information line in place of `OK`, such as the address `CIFSR` prints.
  case information
  /// `OK`, then later a line of this name, which is the outcome. The outcome counts also when it is first.
  case okThenNamed(StaticString, shape: ATShape = .any)
  /// `OK`, then later a line that ends with the first text, perhaps after a number; a line that ends with the second is
  /// failure.
  case okThenText(StaticString, failure: StaticString)
  /// `OK` first, then counted bytes announced by lines of this name, until `count` bytes have come.
  case okThenCounted(StaticString, count: Int)
  /// Nothing is answered: over as soon as it is sent.
  case silence
}

/// Counted bytes within an answer: they may hold anything and are not read as lines.
@frozen package enum ATCounted: BitwiseCopyable, Sendable {
  /// There are none.
  case none
  /// A line of this name whose field `count` (from 0) says how many bytes follow the line's end.
  case afterLine(StaticString, count: UInt8)
  /// `+NAME: <count>,<bytes>` on one line, when the first field is not 0; otherwise `+NAME: 0,<count>`, line end, bytes.
  /// Firmware differs, and the session of number 0 tells the two apart.
  case inlineOrAfterLine(StaticString)
}

/// How a command is answered, as data.
///
/// - Source: [sim7000at] and the forms of V.250 [v250] and TS 27.007 [ts27007] that it uses.
@frozen package struct ATGrammar: BitwiseCopyable, Sendable {
  /// Lines of the answer.
  package var information: ATInformation
  /// What asks for the payload.
  package var prompt: ATPrompt
  /// Counted bytes in the answer.
  package var counted: ATCounted
  /// What ends it well.
  package var end: ATEnd
  /// A line that begins so ends it badly, though it is also a URC in its own right.
  package var failure: StaticString?
  /// How long the answer (`OK`, or the prompt) may take.
  package var answerTimeout: Interval
  /// How long what comes after `OK`, or after the payload, may take.
  package var outcomeTimeout: Interval
  /// How long what comes after `OK` is waited for, when the state can be asked after that; nil for `outcomeTimeout`.
  package var patience: Interval?

  /// That of a command which is answered with `OK` alone: written once, and not for each of them.
  @inline(never) package init() { self.init(information: .none) }

  /// The same for one that may take so long.
  @inline(never) package init(within answerTimeout: Interval) {
    self.init()
    self.answerTimeout = answerTimeout
  }

  /// The same for one that is answered with a line of this name, too.
  @inline(never) package init(
    named name: StaticString, isRequired: Bool = true, within answerTimeout: Interval = .seconds(5)
  ) {
    self.init(within: answerTimeout)
    information = .named(name, isRequired: isRequired)
  }

  /// A grammar.
  package init(
    information: ATInformation = .none, prompt: ATPrompt = .none, counted: ATCounted = .none, end: ATEnd = .ok,
    failure: StaticString? = nil, within answerTimeout: Interval = .seconds(5),
    outcomeWithin outcomeTimeout: Interval = .seconds(60), patience: Interval? = nil
  ) {
    self.information = information
    self.prompt = prompt
    self.counted = counted
    self.end = end
    self.failure = failure
    self.answerTimeout = answerTimeout
    self.outcomeTimeout = outcomeTimeout
    self.patience = patience
  }
}
