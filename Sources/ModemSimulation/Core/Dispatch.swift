/// A command the modem knows.
///
/// ## How to add a command
///
/// Write a function `static func run(_ modem: inout SimulatedModem, _ call: CommandCall) -> Answer` in a file named after
/// the command and put a `SimulatedCommand("+NAME", run)` into the list of its folder (`SimulatedModem.dataCommands` for the
/// folder `Data`). Then, in the function:
///
/// - **Answer now:** return `Answer.ok.line("+NAME: 1")`, `.error`, `.cme(3)`, `.silent` (nothing at the end, as `CIFSR`)
///   or `Answer.silent.line("SHUT OK")`. Text behind the result: `Answer.ok.then(.raw(…))`.
/// - **Answer later:** return `.later`, remember what is going on in `data`, and call `modem.complete(answer)` when it is
///   known. Until then the line is busy. A reset in between clears `execution`; a call that comes too late does nothing,
///   but check `modem.isRunning("+NAME")` if another command may be running by then.
/// - **Prompt:** return `.prompt(Prompt(text: Prompt.greaterThan, length: 5, timeout: …, purpose: .data(…)))`. The bytes
///   come back in `finishDataPayload`, whose answer ends the command (it may be `.later` again). `length` nil is ended by
///   Ctrl-Z or Escape. `text` may be a line: `.line("DOWNLOAD")`.
/// - **Raw data:** put header and bytes in one piece, `Answer.ok.raw(…)`: pieces are never torn by URCs.
/// - **URC:** `modem.urc("+APP PDP: ACTIVE")`. Lines wait by themselves while a payload or a command is typed. With own
///   framing: `modem.urc(raw:)`. A command may call it too; what it queues goes out before the command's own answer.
/// - **Network:** `let id = modem.newID(); modem.ask(.openSocket(id: id, …))`; the reply comes to `handleData(_:)`. Ignore
///   ids you don't know. `ask` marks the moment as transmitting (brown-out, GNSS).
/// - **Timers:** `modem.schedule(.data(event), after: interval)`, handled in `handle(_: DataEvent)`;
///   `modem.timers.cancel(.data(event))`. All but physical events are cleared by a reset.
/// - **Bearers:** `modem.hasPacketService` says that the network would give a bearer; `modem.configuration.network` has
///   its delay and address. `dataLosesBearers(isSilent:)` is called when registration or attachment is lost, by
///   `CFUN=0/4`, `CGATT=0` and fault F3. The three bearers themselves are the data commands' own state.
/// - **State:** `data` (lost in a reset), `dataFlash` in `flash.data` (kept). `dataWillReset()` comes first.
/// - **Transparent mode:** set `modem.input.mode = .transparent` in the handler and answer
///   `Answer(ending: .result("CONNECT", 1))`; bytes come to `receiveTransparent`, `+++` leaves; `ATO` is up to you.
/// - **Faults:** `modem.faults` says which of the data faults are on; each field says when to consult it.
/// - **Time, place, random:** `modem.now`, `modem.utcNow`, `modem.setClock(utc:)`, `modem.random`.
struct SimulatedCommand: Sendable {
  /// What a command does.
  typealias Action = @Sendable (inout SimulatedModem, CommandCall) -> Answer

  /// Name in capitals, with its sign.
  let name: String
  /// What it does.
  let action: Action

  /// A command; the name in capitals.
  init(_ name: String, _ action: @escaping Action) {
    self.name = name
    self.action = action
  }
}

extension SimulatedModem {
  /// All commands by name. Those of the data folder win over a command of the same name here.
  private static let table: [String: SimulatedCommand] = {
    var table: [String: SimulatedCommand] = [:]
    for command in coreCommands + dataCommands { table[command.name] = command }
    return table
  }()

  /// The commands of the folder `Commands`.
  static var coreCommands: [SimulatedCommand] {
    basicCommands + identityCommands + powerCommands + radioCommands + clockCommands + messageCommands
      + gnssCommands + genericCommands
  }

  /// Executes one command. What nobody knows is a bare `ERROR`, also with `CMEE=2`.
  mutating func run(_ call: CommandCall) -> Answer {
    guard let command = SimulatedModem.table[call.name] else { return .error }
    if failsForNoReason(call) || configuration.dialect.refuses(call) { return .error }
    return command.action(&self, call)
  }

  /// Settings that may fail right after the start.
  private mutating func failsForNoReason(_ call: CommandCall) -> Bool {
    let settings = ["+CREG", "+CGREG", "+CEREG", "+CMGF", "+CNMI", "+CSCS", "+CEDRXS", "+CPMS"]
    guard call.form == .write, settings.contains(call.name),
      session.failedSettings < configuration.power.settingsFailingAfterStart
    else { return false }
    session.failedSettings += 1
    return true
  }

  /// A timed event is due.
  mutating func handle(_ event: ModemEvent) {
    switch event {
    case .runLine: runLine()
    case .result: sendResult()
    case .lateAnswer: if !lateAnswers.isEmpty { send(lateAnswers.removeFirst()) }
    case .releaseURCs: flushURCs()
    case .payloadTimeout: endPayload(.timedOut)
    case .escape: leaveTransparentMode()
    case .boot(let step): boot(step)
    case .powerKey: powerKeyWasHeldLongEnough()
    case .powerKeyHeld: powerKeyIsStillHeld()
    case .resetPin: resetPinWasHeldLongEnough()
    case .powerOff: switchOff()
    case .restart: restart(extra: configuration.power.resetExtra)
    case .supplyBack: supplyIsBack()
    case .sleep: break
    case .radio(let event): handle(event)
    case .sim(let event): handle(event)
    case .sms(let event): handle(event)
    case .gnssSecond: gnssSecondPassed()
    case .ringEnds: power.ringIsLow = false
    case .data(let event): handle(event)
    case .faultEnds(let end): handle(end)
    }
  }
}
