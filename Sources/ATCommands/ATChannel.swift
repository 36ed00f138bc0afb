public import ASCIIText
public import InlineStorage
public import Quantities

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
public struct ATChannel<Dialect: ATDialect>: ~Copyable {
  /// Longest line that is read whole: a subscription's message of 512 bytes with its topic of 128.
  public static var lineCapacity: Int { 704 }
  /// Room for what waits to be sent: the largest payload, 1,024 bytes, with its end.
  public static var outputCapacity: Int { 1100 }
  /// Longest command after `AT`; longer ones the modem refuses.
  ///
  /// - Source: [sim7000at] section 1.4: 559 characters.
  public static var commandCapacity: Int { 559 }

  /// Times of the line.
  public let timing: ATTiming
  /// Counts of oddities.
  public internal(set) var diagnostics = ATDiagnostics()
  /// The bytes of the event last reported.
  public internal(set) var line = InlineBytes<704>()
  /// True once the modem was told to stop echoing and said `OK`: an echo after that means that it has started anew.
  public var echoIsOff = false
  /// When the modem was last heard.
  public internal(set) var lastHeard: Instant?

  var output = InlineBytes<1100>()
  var outputTaken = 0
  var outputNotBefore = Instant.zero
  /// The command as sent, to know its echo.
  var sent = InlineBytes<564>()
  var grammar = ATGrammar()
  var activity = Activity.idle
  var queued = ATEvent.none
  var lineIsDone = true
  var lineWasCR = false
  var rawRemaining = 0
  var rawTotal = 0
  var hasInformation = false
  var hasOutcome = false
  /// Bytes of payload that the pending command announced or was given, 0 when it has none.
  var payloadCount = 0

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
  public init(timing: ATTiming = ATTiming()) { self.timing = timing }

  /// True when `send` may be called.
  public var isReady: Bool {
    if case .idle = activity { return queued == .none }
    return false
  }

  /// True when a command waits for its answer.
  public var isPending: Bool {
    switch activity {
    case .answer, .prompted, .outcome, .settling: return true
    case .idle, .quieting, .probing, .fencing: return false
    }
  }

  /// True when the modem waits for the payload.
  public var isPrompted: Bool {
    if case .prompted = activity { return true }
    return false
  }

  /// When `expire` or `drainOutput` has something to do; nil when only bytes can bring news.
  public var nextDeadline: Instant? {
    if queued != .none { return lastHeard ?? .zero }
    let waiting: Instant? = outputTaken < output.count ? outputNotBefore : nil
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

  // MARK: Out

  /// Sends a command.
  ///
  /// - Parameters:
  ///   - command: The command; a text longer than `commandCapacity` ends as `.error` at once, as the modem would refuse it.
  ///   - payloadCount: Bytes that will follow the prompt, to get out of the payload if it is lost on the way.
  ///   - now: The time.
  /// - Precondition: `isReady`.
  public mutating func send(_ command: some ATCommand, payloadCount: Int = 0, at now: Instant) {
    precondition(isReady, "one command at a time")
    sent.removeAll()
    sent.append("AT")
    command.encode(into: &sent)
    grammar = command.grammar
    self.payloadCount = payloadCount
    hasInformation = false
    hasOutcome = false
    rawTotal = 0
    guard !sent.isTruncated, sent.count <= ATChannel.commandCapacity + 2 else {
      queued = .finished(.error)
      activity = .idle
      return
    }
    startOutput(at: now)
    output.append(contentsOf: sent.span)
    output.append(0x0D)
    if case .silence = grammar.end {
      queued = .finished(.ok)
    } else {
      activity = .answer(until: outputNotBefore + grammar.answerTimeout)
    }
  }

  /// Writes the payload after `.prompt`.
  ///
  /// - Parameter payload: All of it, with the end mark if the command has one; at most `outputCapacity` bytes.
  /// - Precondition: The last event was `.prompt`.
  public mutating func write(payload: Span<UInt8>, at now: Instant) {
    precondition(isPrompted, "there was no prompt")
    precondition(payload.count <= ATChannel.outputCapacity, "the payload is too long")
    startOutput(at: now)
    outputNotBefore = now
    output.append(contentsOf: payload)
    if payloadCount < payload.count { payloadCount = payload.count }
    activity = .outcome(until: now + grammar.outcomeTimeout)
  }

  /// Hands out bytes for the modem, all that are due.
  public mutating func drainOutput(at now: Instant, into sink: inout some ByteSink) {
    guard outputTaken < output.count, outputNotBefore <= now else { return }
    sink.append(bytes: output.span.extracting(outputTaken..<output.count))
    output.removeAll()
    outputTaken = 0
  }

  /// Gets into step with a modem of which nothing is known, as after a time-out.
  ///
  /// - Precondition: No command is pending.
  public mutating func synchronise(at now: Instant) {
    precondition(!isPending, "a command is pending")
    payloadCount = 0
    beginProbing(tries: 0, at: now)
  }

  /// Forgets what is pending and everything the modem was told, as when its power was cut. Nothing is reported.
  public mutating func forget() {
    activity = .idle
    queued = .none
    output.removeAll()
    outputTaken = 0
    rawRemaining = 0
    lineIsDone = true
    echoIsOff = false
    payloadCount = 0
  }

  mutating func startOutput(at now: Instant) {
    if outputTaken == output.count {
      output.removeAll()
      outputTaken = 0
    }
    let earliest = (lastHeard.map { $0 + timing.gap }) ?? now
    outputNotBefore = earliest > now ? earliest : now
  }
}
