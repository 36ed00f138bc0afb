import ASCIIText
import ATCommands
import CellularDelivery
import InlineStorage
import Quantities
import SIM7000

/// What a modem does in place of its answer, or of the outcome when it had asked for a payload.
enum ModemMishap: BitwiseCopyable {
  /// Nothing.
  case silence
  /// It says this.
  case says(StaticString)
  /// It starts anew.
  case restart
}

/// A mishap, when and how often it happens.
struct PlannedMishap: BitwiseCopyable {
  /// How the command begins.
  var command: StaticString
  /// How often it still happens.
  var times: Int
  var mishap: ModemMishap
}

/// The driver in the image, and a modem made of literals.
///
/// Bytes go both ways as on a line. What the driver writes must be one of `ModemExchange`, letter by letter, and each byte,
/// action and time goes into the fingerprint.
struct ModemWorld: ~Copyable {
  var modem: Modem
  var now = Instant.zero
  /// What came of the packet under way.
  var outcome: ModemAction?
  /// The driver as a way for packets, and what became of the packet it had.
  var way = ModemWay(seed: 31)
  var wayOutcome: ModemOutcome?
  /// How payloads begin.
  var payload: StaticString = "{\"lat\":1,\"lon\":2}"
  private var mishaps = InlineVector<12, PlannedMishap>()
  private var isOn = false
  private var echoes = true
  /// `CMEE=1` was said since the last start.
  private var givesErrorCodes = false
  private let hasPIN: Bool
  private var cardIsLocked = false
  private var bearerIsUp = false
  private var hasMessage = true
  private var incoming = InlineBytes<768>()
  private var incomingAt: Instant?
  /// The exchange whose payload is awaited.
  private var prompted: Int?
  /// It has come but for its end.
  private var hasRest = false

  init(_ configuration: ModemConfiguration, seed: UInt64, into run: inout CoreRun) {
    hasPIN = !configuration.pin.isEmpty
    modem = run.through(.modemInit) { Modem(configuration: configuration, seed: seed) }
  }

  /// Plans a mishap.
  mutating func plan(_ mishap: ModemMishap, of command: StaticString, times: Int = 1) {
    mishaps.append(PlannedMishap(command: command, times: times, mishap: mishap))
  }

  /// Delivers a packet, and lets the modem be for a while after it.
  mutating func deliver(by transport: ModemTransport, ticket: UInt32, into run: inout CoreRun) {
    var payload = InlineBytes<32>()
    payload.append("{\"lat\":1,\"lon\":2}")
    outcome = nil
    let time = now
    let isTaken = run.through(.modemSubmit) { modem.submit(payload.span, ticket: ticket, by: transport, at: time) }
    run.expect(isTaken)
    self.run(for: .seconds(1800), into: &run)
    run.expect(outcome == .delivered(ticket: ticket))
    outcome = nil
    self.run(for: .seconds(30), into: &run)
  }

  /// Lets time pass; ends before when a packet is done.
  mutating func run(for interval: Interval, into run: inout CoreRun) {
    let end = now + interval
    var rounds = 0
    settle(into: &run)
    while outcome == nil {
      rounds += 1
      guard rounds < 20_000 else { return run.expect(false) }
      var next = end
      if let deadline = modem.nextDeadline, deadline < next { next = deadline }
      if let incomingAt, incomingAt < next { next = incomingAt }
      if next > now { now = next }
      run.note(now.microseconds)
      hand(into: &run)
      let time = now
      run.through(.modemAdvance) { modem.advance(to: time) }
      settle(into: &run)
      if now >= end { return }
    }
  }

  /// Does what the driver asks for.
  private mutating func settle(into run: inout CoreRun) {
    while let action = run.through(.modemNextAction, { modem.nextAction() }) {
      run.note(action)
      let time = now
      if let told = run.through(.wayTake, { way.take(action, of: modem, at: time) }) { wayOutcome = told }
      perform(action, into: &run)
    }
    var sentences = InlineBytes<1024>()
    modem.drainNMEA(into: &sentences)
    run.note(sentences)
    var output = InlineBytes<1100>()
    let time = now
    run.through(.modemDrainOutput) { modem.drainOutput(at: time, into: &output) }
    guard !output.isEmpty else { return }
    run.note(output)
    // A modem that is off hears nothing.
    if isOn { hear(output, into: &run) }
  }

  private mutating func perform(_ action: ModemAction, into run: inout CoreRun) {
    switch action {
    case .setPowerKey(let isLow):
      guard !isLow else { return }
      if isOn { switchOff() } else { start() }
    case .setReset(let isLow):
      if isLow { switchOff() } else { start() }
    case .setSupply(let isOn):
      if !isOn { switchOff() }
    case .reply(let source, count: _):
      var bytes = InlineBytes<1024>()
      modem.drainReply(into: &bytes)
      if source == .sms { run.expect(ATLine(bytes.span).equals("+31600000000\nwhere")) }
      run.note(bytes)
    case .delivered, .undelivered: outcome = action
    case .fix:
      guard let position = modem.fix?.position else { return run.expect(false) }
      run.note(position.latitudeE9)
      run.note(position.longitudeE9)
    case .setDTR, .setRate, .networkTime, .started, .supplyLow, .recovery: break
    }
  }

  private mutating func start() {
    isOn = true
    modem.setStatus(isHigh: true, at: now)
    begin(after: .milliseconds(500))
  }

  /// What it says when it has started; all that it was told is lost.
  private mutating func begin(after interval: Interval) {
    echoes = true
    givesErrorCodes = false
    cardIsLocked = hasPIN
    bearerIsUp = false
    prompted = nil
    say("\r\nRDY\r\n\r\n+CFUN: 1\r\n", after: interval)
    say(
      cardIsLocked ? "\r\n+CPIN: SIM PIN\r\n" : "\r\n+CPIN: READY\r\n\r\n+CEREG: 5\r\n\r\nSMS Ready\r\n",
      after: interval)
  }

  private mutating func switchOff() {
    isOn = false
    prompted = nil
    incomingAt = nil
    incoming.removeAll()
    modem.setStatus(isHigh: false, at: now)
  }

  private mutating func say(_ text: StaticString, after interval: Interval) {
    let start = text.utf8Start
    var place = 0
    while place < text.utf8CodeUnitCount {
      incoming.append(opaque(start[place]))
      place += 1
    }
    if text.utf8CodeUnitCount > 0, incomingAt == nil { incomingAt = now + interval }
  }

  /// In pieces that don't care about lines.
  private mutating func hand(into run: inout CoreRun) {
    guard let arrival = incomingAt, arrival <= now else { return }
    let bytes = incoming
    incoming.removeAll()
    incomingAt = nil
    var place = 0
    while place < bytes.count {
      let end = place + 7 < bytes.count ? place + 7 : bytes.count
      let time = now
      run.through(.modemReceive) { modem.receive(bytes.span.extracting(place..<end), at: time) }
      place = end
    }
    if goesOff(bytes) { switchOff() }
  }

  private func goesOff(_ bytes: InlineBytes<768>) -> Bool { ATLine(bytes.span).contains("NORMAL POWER DOWN") }

  // MARK: The modem's side

  private mutating func hear(_ bytes: InlineBytes<1100>, into run: inout CoreRun) {
    if let place = prompted {
      if !hasRest { run.expect(beginsAsPayload(bytes)) }
      // The end of these goes behind the echo of the rest.
      if echoes, ModemExchange.at(place).holdsEnd {
        echo(bytes)
        hasRest.toggle()
        if hasRest { return }
      }
      prompted = nil
      return answer(place, isOutcome: true)
    }
    // One command, or the `AT`s and the escape of a driver that looks for its modem.
    var line = InlineBytes<600>()
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == 0x1B { continue }
      if byte != 0x0D {
        line.append(byte)
        continue
      }
      hearCommand(line, into: &run)
      line.removeAll()
    }
    run.expect(line.isEmpty)
  }

  /// That of a message is not echoed.
  private mutating func echo(_ bytes: InlineBytes<1100>) {
    var place = 0
    while place < bytes.count, bytes[place] != 0x1A {
      incoming.append(bytes[place])
      place += 1
    }
    if incomingAt == nil { incomingAt = now + .milliseconds(10) }
  }

  private func beginsAsPayload(_ bytes: InlineBytes<1100>) -> Bool {
    var place = 0
    while place < bytes.count, place < payload.utf8CodeUnitCount {
      if bytes[place] != payload.utf8Start[place] { return false }
      place += 1
    }
    return place > 0
  }

  private mutating func hearCommand(_ line: InlineBytes<600>, into run: inout CoreRun) {
    if echoes {
      var place = 0
      while place < line.count {
        incoming.append(line[place])
        place += 1
      }
      incoming.append(0x0D)
    }
    var place = 0
    while place < ModemExchange.count {
      if ModemExchange.at(place).begins(line.span) {
        run.cover(exchange: place)
        return answer(place, isOutcome: false)
      }
      place += 1
    }
    run.refuse(line.span)
  }

  private mutating func answer(_ place: Int, isOutcome: Bool) {
    let exchange = ModemExchange.at(place)
    if exchange.outcome == nil || isOutcome, let mishap = nextMishap(of: exchange) {
      switch mishap {
      case .silence: incoming.removeAll()
      case .says(let text): say(text, after: .milliseconds(40))
      case .restart: begin(after: .seconds(3))
      }
      return
    }
    say(remember(exchange.effect) ?? (isOutcome ? exchange.outcome : nil) ?? exchange.answer, after: .milliseconds(40))
    if exchange.effect == .restart { begin(after: .seconds(3)) }
    if exchange.outcome != nil, !isOutcome {
      prompted = place
      hasRest = false
    }
  }

  /// What a command changes; the answer, where that follows from what came before.
  private mutating func remember(_ effect: ModemEffect) -> StaticString? {
    switch effect {
    case .none, .restart: break
    case .echoOn: echoes = true
    case .echoOff: echoes = false
    case .errorCodesSet: givesErrorCodes = true
    case .errorCodesAsked: return givesErrorCodes ? "\r\n+CMEE: 1\r\n\r\nOK\r\n" : nil
    case .cardUnlocked: cardIsLocked = false
    case .cardAsked: return cardIsLocked ? "\r\n+CPIN: SIM PIN\r\n\r\nOK\r\n" : nil
    case .bearerUp: bearerIsUp = true
    case .bearerDown: bearerIsUp = false
    case .bearerAsked: return bearerIsUp ? "\r\n+CNACT: 1,\"10.78.245.128\"\r\n\r\nOK\r\n" : nil
    case .messageCame: hasMessage = true
    case .messagesListed: return hasMessage ? nil : "\r\nOK\r\n"
    case .messageDeleted: hasMessage = false
    }
    return nil
  }

  private mutating func nextMishap(of exchange: ModemExchange) -> ModemMishap? {
    var place = 0
    while place < mishaps.count {
      var planned = mishaps[place]
      if planned.times > 0, exchange.sent.begins(with: planned.command) {
        planned.times -= 1
        mishaps.remove(at: place)
        mishaps.insert(planned, at: place)
        return planned.mishap
      }
      place += 1
    }
    return nil
  }
}

extension ModemExchange {
  /// True when the driver holds back the end of its payload.
  fileprivate var holdsEnd: Bool {
    sent.begins(with: "AT+CMGS") || sent.begins(with: "AT+CIPSEND") || sent.begins(with: "AT+CASEND")
  }

  /// True when the line is its command.
  fileprivate func begins(_ line: Span<UInt8>) -> Bool {
    var heard = 0
    var place = 0
    while place < sent.utf8CodeUnitCount {
      if sent.utf8Start[place] == 0x23 {
        let start = heard
        while heard < line.count, (0x30...0x39).contains(line[heard]) { heard += 1 }
        guard heard > start else { return false }
      } else {
        guard heard < line.count, line[heard] == sent.utf8Start[place] else { return false }
        heard += 1
      }
      place += 1
    }
    return heard == line.count
  }
}

extension StaticString {
  fileprivate func begins(with start: StaticString) -> Bool {
    guard utf8CodeUnitCount >= start.utf8CodeUnitCount else { return false }
    var place = 0
    while place < start.utf8CodeUnitCount {
      if utf8Start[place] != start.utf8Start[place] { return false }
      place += 1
    }
    return true
  }
}

extension CoreRun {
  fileprivate mutating func note<let capacity: Int>(_ bytes: InlineBytes<capacity>) {
    var place = 0
    while place < bytes.count {
      note(UInt32(bytes[place]))
      place += 1
    }
  }
}
