import ASCIIText
import InlineStorage
import Quantities

/// The host's end of a line to a modem: one command at a time, its answer told apart from what the modem says by itself.
///
/// It does no input or output. Bytes of the modem go in through `digest`, the time through `expire`; both report one event
/// per call and are called again until they report `.none` (with no bytes left). Bytes for the modem come out of
/// `drainOutput`. What a command's answer looks like is data, `ATGrammar`; nothing here knows a modem but through
/// `Dialect`.
///
/// After a time-out the channel is out of step: the answer may still come, and must not be taken for the next command's.
/// It then waits for silence, gets out of an unfinished payload, sends `AT` until something answers, and closes with the
/// dialect's fence. Until it reports `.synchronised` or `.silent` it takes no command.
///
/// - Complexity: constant work per byte but for the end of a line, which is linear in its length.
package struct ATChannel<Dialect: ATDialect>: ~Copyable {
  /// Longest line that is read whole: a subscription's message of 512 bytes with its topic of 128.
  package static var lineCapacity: Int { 704 }
  /// Longest command after `AT`; longer ones the modem refuses.
  ///
  /// - Source: [sim7000at] section 1.4: 559 characters.
  package static var commandCapacity: Int { 559 }

  /// Times of the line.
  package let timing: ATTiming
  /// Counts of oddities.
  package internal(set) var diagnostics = ATDiagnostics()
  /// The bytes of the event last reported.
  package internal(set) var line = InlineBytes<704>()
  /// When the modem was last heard.
  package internal(set) var lastHeard: Instant?
  /// What the modem does about echo, as far as it is known.
  package var echo = ATEcho.unknown
  /// What waits to be sent, in this order: the payload, which its owner keeps, and its end; so many lines to fill up one that
  /// lost bytes; what gets out of a prompt, and a probe; the command in `sent`.
  var payloadWaits = false
  var payloadEnd: UInt8?
  /// The last so many bytes of the payload and its end go only behind the echo of the rest: what came damaged has not left the modem.
  var held: UInt8 = 0
  /// They have not gone yet.
  package internal(set) var isHolding = false
  /// Payloads in a row of which nothing came back at all: a modem may echo commands and no payloads.
  var silentPayloads: UInt8 = 0
  var fillingLines: UInt16 = 0
  var escapeWaits = false
  var probe = Probe.none
  var commandWaits = false
  /// How much longer than its own time an answer is waited for, tenths of a second: more behind each command that had none in time from a
  /// modem that is there.
  package var allowance: UInt8 = 0
  /// The same for a probe; the most where a modem that echoes was given time.
  var patience: UInt8 = 0
  /// A modem that did not answer the last probe either was given more time.
  var hasWaited = true
  /// Getting into step follows a command that had no answer in its time, or answers that came late.
  var hasTimedOut = false
  /// Nothing is sent before this.
  var outputNotBefore = Instant.zero
  /// Until when more may come of a text.
  package internal(set) var textGoesOnUntil = Instant(microseconds: -1)
  /// Until when answers of commands that timed out are believed to come.
  var owedUntil = Instant.zero
  /// Since when a modem is probed of which nothing is known: it may wait for bytes of a payload that an earlier program owed. nil once it was filled,
  /// or has answered.
  var foreignSince: Instant?
  /// The command as sent, to know its echo.
  var sent = InlineBytes<564>()
  var grammar = ATGrammar()
  var activity = Activity.idle
  var queued = ATEvent.none
  /// Commands that timed out, whose answers may still come.
  var owedResults: UInt8 = 0
  /// Name of the line that the last of them would be answered with, when it has one, and the subject that it settles, or nil.
  var owedName: StaticString?
  var owedNameSubject: UInt32?
  /// What the pending command is about, what was last in doubt, and how many of its good ends did not count.
  var subject: UInt32 = 0
  var doubtSubject: UInt32 = 0
  var doubts: UInt8 = 0
  /// An `OK` came without the line that was asked for, and may have been another's.
  var hasBareOK = false
  /// After the payload one half of the good end has come, the line or the `OK`, and is nobody else's.
  var hasHalfEnd = false
  /// A good end of the pending command, however late, says all there is to know of its subject.
  var settles = false
  /// A good end came that may be another's: it is the command's own if nothing but good ends come up to the fence's answer.
  var confirmsEnd = false
  /// A line came since the payload that is not the command's own.
  var heardOther = false
  /// The modem has got all of the last command and its payload, as their echo shows: it could only do what it was meant to.
  package internal(set) var isWhole = false
  /// Probes that the modem has certainly got, as their echo shows, and not answered yet.
  var probesOwed: UInt8 = 0
  var lineIsDone = true
  var lineWasCR = false
  var rawRemaining = 0
  /// What is known of the pending command's echo.
  var echoed = Echoed.awaited
  /// It lost a byte of the command's name, and no more.
  var hasWholeParameters = false
  /// Bytes of the payload's echo still to come, sums over the payload and over what came.
  var payloadEchoRemaining = 0
  var payloadEcho = PayloadEcho.none
  var payloadStart: UInt8 = 0
  var payloadSum: UInt32 = 0
  var payloadEchoSum: UInt32 = 0
  /// A text without length that is coming in, where its last closing quote was, and where its present line began.
  var text = ATTextKind.none
  var textClosed = 0
  var textLine = 0
  /// Name of the line of a text that has begun behind another; empty for a quoted one.
  var textName = InlineBytes<8>()
  /// Something stood behind a quote of the text that may have been the modem's, or more of the text.
  var textIsDoubtful = false
  /// It had no end.
  var textWasOpen = false
  /// A result came as a digit.
  package var hasDigits = false
  /// What came behind such a text, to be read after it.
  var tail = InlineBytes<160>()
  var tailTaken = 0
  /// An `OK` behind a message's text: the end, unless more comes at once.
  var holdsOK = false
  /// A good end has come that may be a line of a text.
  var endIsHeld = false
  /// The text of the pending answer is words, not hexadecimal digits.
  var answerIsWords = false
  /// The pending command's `OK` has come.
  var hasOK = false
  /// A result came that had no echo before it, and how many commands in a row ended so.
  var wasEcholess = false
  /// Commands in a row that were answered without an echo, though one was expected.
  package internal(set) var echoMisses: UInt8 = 0
  /// The probe that was answered last had no echo, though one was expected.
  var probeWasEcholess = false
  /// The fence was answered, if not with its line.
  var fenceWasAnswered = false
  var rawTotal = 0
  var hasInformation = false
  /// Bytes of payload that the pending command announced or was given, 0 when it has none.
  var payloadCount = 0
  private let inPlace = InPlace()

  /// What came back of a command.
  enum Echoed: BitwiseCopyable {
    /// Nothing yet, or none is expected.
    case awaited
    /// The command as it was sent.
    case whole
    /// Something else.
    case damaged
  }

  /// What is sent to see whether the modem is there.
  enum Probe: UInt8, BitwiseCopyable {
    case none
    /// `AT`.
    case plain
    /// What leads out of the transfer of data that an earlier program may have begun, between two silences.
    case dataEnd
    /// `ATE1`: some modems execute commands but say nothing any more until their echo is set.
    case echo
    /// `ATE1Q0V1`: or were told to give no results.
    case results
    /// The same behind what ends a prompt that an earlier program may have left open, to which all this is text: Esc gives it up, or
    /// Ctrl-Z ends it.
    case resultsAfterPrompt

    /// How it is written.
    var text: StaticString {
      switch self {
      case .none: ""
      case .plain: "AT\r"
      case .dataEnd: "+++"
      case .echo: "ATE1\r"
      case .results: "ATE1Q0V1\r"
      case .resultsAfterPrompt: "\u{1B}\u{1A}\rATE1Q0V1\r"
      }
    }
  }

  /// Where the echo of a payload is.
  enum PayloadEcho: BitwiseCopyable {
    /// There is none, or it has come.
    case none
    /// It comes next.
    case next
    /// Something else has come in its place: it may begin one of the next lines.
    case later
    /// It is coming.
    case under
  }

  /// What the channel is doing.
  enum Activity: BitwiseCopyable {
    /// Nothing: it takes a command.
    case idle
    /// Waits for the answer or the prompt.
    case answer(until: Instant)
    /// The prompt was reported, the payload is not written yet.
    case prompted(until: Instant)
    /// `OK` has come, or the payload has gone: waits for the rest.
    case outcome(until: Instant)
    /// The outcome came first: waits a moment for the `OK` that belongs to it.
    case settling(until: Instant)
    /// Out of step: waits for silence.
    case quieting(until: Instant, limit: Instant)
    /// Out of step: `AT` was sent this many times.
    case probing(tries: Int, until: Instant)
    /// `AT` was answered: the fence was sent.
    case fencing(tries: Int, until: Instant)
  }

  /// A channel to a modem of which nothing is known.
  package init(timing: ATTiming = ATTiming()) { self.timing = timing }

  /// True when `send` may be called. Not while a text is coming in: what is answered behind one that lost its end would be
  /// taken for more of it.
  package var isReady: Bool {
    if case .idle = activity { return queued == .none && tailTaken == tail.count && text == .none }
    return false
  }

  /// True when a command waits for its answer.
  package var isPending: Bool {
    switch activity {
    case .answer, .prompted, .outcome, .settling: return true
    case .idle, .quieting, .probing, .fencing: return false
    }
  }

  /// True when the payload has gone, or `OK` has come, and the outcome is awaited.
  package var isPayloadSent: Bool {
    if case .outcome = activity { return !isHolding }
    return false
  }

  /// True when the modem waits for the payload.
  package var isPrompted: Bool {
    if case .prompted = activity { return true }
    return false
  }

  /// When `expire` or `drainOutput` has something to do; nil when only bytes can bring news.
  package var nextDeadline: Instant? {
    if queued != .none || tailTaken < tail.count { return lastHeard ?? .zero }
    var waiting: Instant? = hasOutput ? outputNotBefore : nil
    if text != .none || holdsOK {
      let end = textEnd
      waiting = min(waiting ?? end, end)
    }
    let limit: Instant
    switch activity {
    case .idle: return waiting
    case .answer(let until), .prompted(let until), .outcome(let until), .settling(let until), .quieting(let until, _),
      .probing(_, let until), .fencing(_, let until):
      limit = until
    }
    guard let waiting else { return limit }
    return waiting < limit ? waiting : limit
  }

  /// When the text that is coming in ends, should nothing more come.
  var textEnd: Instant { (lastHeard ?? .zero) + timing.textEnd }

  // MARK: Out

  /// Sends a command.
  ///
  /// - Parameters:
  ///   - command: The command; a text longer than `commandCapacity` ends as `.error` at once, as the modem would refuse it.
  ///   - payloadCount: Bytes that will follow the prompt, to get out of the payload if it is lost on the way.
  ///   - subject: What the command is about, such as the number of a packet: while the answers of earlier commands may still
  ///     come, so many good ends of a subject do not count, and one more does. That of a command with a payload counts when the
  ///     fence is answered behind it: a modem takes one command after the other.
  ///   - settles: Whether its outcome says all there is to know of the subject, so that the late one of an earlier try counts too.
  ///   - limit: The longest wait for an outcome, whatever the command's grammar allows.
  ///   - now: The time.
  /// - Precondition: `isReady`.
  package mutating func send(
    _ command: some ATCommand, payloadCount: Int = 0, subject: UInt32 = 0, settles: Bool = false,
    outcomeWithin limit: Interval? = nil, at now: Instant
  ) {
    compose(command)
    sendComposed(
      command.grammar, payloadCount: payloadCount, subject: subject, settles: settles, outcomeWithin: limit, at: now)
  }

  /// The first part of `send`, which is another one for each command: writes it, for `sendComposed`.
  package mutating func compose(_ command: some ATCommand) {
    beginCommand()
    command.encode(into: &sent)
  }

  @inline(never) private mutating func beginCommand() {
    precondition(isReady, "one command at a time")
    sent.removeAll()
    sent.append("AT")
  }

  /// The part of `send` that is the same for all commands: kept out of it, or there would be eighty of it in an image.
  @inline(never) package mutating func sendComposed(
    _ itsGrammar: ATGrammar, payloadCount: Int, subject: UInt32, settles: Bool, outcomeWithin limit: Interval?,
    at now: Instant
  ) {
    self.settles = settles
    grammar = itsGrammar
    self.subject = subject
    if let limit, limit < grammar.outcomeTimeout { grammar.outcomeTimeout = limit }
    self.payloadCount = payloadCount
    hasInformation = false
    hasOK = false
    holdsOK = false
    endIsHeld = false
    answerIsWords = false
    wasEcholess = false
    hasBareOK = false
    hasHalfEnd = false
    isWhole = false
    rawTotal = 0
    echoed = .awaited
    payloadEcho = .none
    isHolding = false
    guard !sent.isTruncated, sent.count <= ATChannel.commandCapacity + 2 else {
      queued = .finished(.error)
      activity = .idle
      return
    }
    startOutput(at: now)
    commandWaits = true
    if case .silence = grammar.end {
      queued = .finished(.ok)
    } else {
      activity = .answer(until: outputNotBefore + grammar.answerTimeout + ATChannel.allowed(allowance))
    }
  }

  private var hasOutput: Bool { payloadWaits || fillingLines > 0 || probe != .none || commandWaits }

  /// Hands out bytes for the modem, all that are due.
  ///
  /// - Parameters:
  ///   - payload: What was given to `write`; nothing else is taken of it.
  package mutating func drainOutput(at now: Instant, payload: Span<UInt8>, into sink: inout some ByteSink) {
    guard hasOutput, outputNotBefore <= now else { return }
    if payloadWaits { drain(payload, into: &sink) }
    while fillingLines > 0 {
      sink.append("AT\r")
      fillingLines -= 1
    }
    if escapeWaits { sink.append(0x1B) }
    sink.append(probe.text)
    if commandWaits {
      sink.append(bytes: sent.span)
      sink.append(0x0D)
    }
    dropOutput()
  }

  /// The payload, or its first or last part.
  private mutating func drain(_ payload: Span<UInt8>, into sink: inout some ByteSink) {
    let isLast = held > 0 && !isHolding
    let rest = held > 0 ? payload.count + (payloadEnd == nil ? 0 : 1) - Int(held) : payload.count
    var place = isLast ? rest : 0
    while place < (isHolding ? rest : payload.count) {
      sink.append(payload[place])
      if isLast { expectEcho(payload[place]) }
      place += 1
    }
    guard !isHolding, let payloadEnd else { return }
    sink.append(payloadEnd)
    if isLast, payloadEnd != ATChannel.messageEnd { expectEcho(payloadEnd) }
  }

  /// One more byte is echoed behind those that were.
  private mutating func expectEcho(_ byte: UInt8) {
    if payloadEchoRemaining == 0 { payloadEcho = .under }
    payloadEchoRemaining += 1
    payloadSum = ATChannel.sum(payloadSum, byte)
  }

  /// Nothing waits to be sent any more.
  mutating func dropOutput() {
    payloadWaits = false
    fillingLines = 0
    escapeWaits = false
    probe = .none
    commandWaits = false
  }

  /// Gets into step with a modem of which nothing is known, as after a time-out.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - isWaking: Whether it has just been woken: its first characters may be lost.
  ///   - leavesData: Whether it may be transferring data, to which all commands are data: then what ends that goes first.
  ///   - isPatient: Whether it may be there and slow: behind the last probe it is given more time.
  /// - Precondition: No command is pending.
  package mutating func synchronise(
    at now: Instant, isWaking: Bool = false, leavesData: Bool = false, isPatient: Bool = false
  ) {
    precondition(!isPending, "a command is pending")
    payloadCount = 0
    foreignSince = now
    patience = 0
    if isPatient { hasWaited = false }
    beginProbing(tries: 0, at: now)
    if isWaking { activity = .probing(tries: 1, until: now + timing.firstProbe) }
    guard leavesData else { return }
    probe = .dataEnd
    outputNotBefore = now + timing.dataGuard
    activity = .probing(tries: 0, until: outputNotBefore + timing.dataGuard)
  }

  /// Ends the pending command with this result: news has told what became of it. What is still said of it is passed over.
  package mutating func conclude(_ result: ATResult) {
    guard isPending, !isHolding else { return }
    activity = .idle
    holdsOK = false
    queued = .finished(result)
  }

  /// True while a command that was answered with `OK` waits for the rest.
  package var awaitsOutcome: Bool {
    guard hasOK, case .outcome = activity else { return false }
    return true
  }

  /// Waits no longer for the rest of a command that was answered with `OK`; false when there is none. `expire` tells its end, as when
  /// its time is over.
  package mutating func abandonOutcome(at now: Instant) -> Bool {
    guard awaitsOutcome else { return false }
    activity = .outcome(until: now)
    return true
  }

  /// What an answer may take beyond its own time.
  @inline(never) static func allowed(_ tenths: UInt8) -> Interval { Interval(microseconds: Int64(tenths) * 100_000) }

  /// The most that is waited for answers beyond their own time, and for probes, tenths of a second. Our choice.
  static var mostAllowance: UInt8 { 80 }
  static var mostPatience: UInt8 { 15 }

  /// The modem has said something that makes the outcome of the pending command unlikely: it is waited for only a moment longer.
  package mutating func hasten(at now: Instant) { hasten(at: now, within: timing.doubtTime) }

  /// The same for so long.
  @inline(never) package mutating func hasten(at now: Instant, within interval: Interval) {
    guard case .outcome(let until) = activity else { return }
    activity = .outcome(until: min(until, now + interval))
  }

  /// Takes note that no outcome of an earlier command can come any more: what it was about has been closed.
  package mutating func forgiveOutcomes() { owedName = nil }

  /// Forgets what is pending and everything the modem was told, as when its power was cut. Nothing is reported.
  package mutating func forget() {
    activity = .idle
    queued = .none
    dropOutput()
    rawRemaining = 0
    lineIsDone = true
    echo = .unknown
    payloadCount = 0
    payloadEcho = .none
    text = .none
    textIsDoubtful = false
    textName.removeAll()
    tail.removeAll()
    tailTaken = 0
    holdsOK = false
    confirmsEnd = false
    textGoesOnUntil = Instant(microseconds: -1)
    hasDigits = false
    echoMisses = 0
    silentPayloads = 0
    owedResults = 0
    owedName = nil
    doubts = 0
    probesOwed = 0
    hasTimedOut = false
  }

  /// A running sum that tells lost, doubled, changed and swapped bytes.
  ///
  /// - Source: our derivation; a polynomial in 16,777,619 modulo 2^32.
  static func sum(_ sum: UInt32, _ byte: UInt8) -> UInt32 { (sum &+ UInt32(byte) &+ 1) &* 16_777_619 }

  mutating func startOutput(at now: Instant) {
    // Rubbish without a line end must not stick to what comes next.
    if let lastHeard, now - lastHeard >= timing.quiet, rawRemaining == 0 { lineIsDone = true }
    let earliest = (lastHeard.map { $0 + timing.gap }) ?? now
    outputNotBefore = earliest > now ? earliest : now
  }
}
