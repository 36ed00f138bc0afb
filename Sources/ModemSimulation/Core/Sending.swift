import Quantities

extension SimulatedModem {
  /// Most URCs that are held back; more are lost and counted.
  static let heldURCCapacity = 64
  /// Most requests that wait for the network; more are lost and counted.
  static let requestCapacity = 256

  // MARK: For commands

  /// Tells the host something unasked: a whole line, never inside a counted block, a payload or a half-typed command.
  mutating func urc(_ text: String) {
    for line in configuration.dialect.notices(text) { urc(bytes: Array(line.utf8)) }
  }

  /// The same for a line that need not be text.
  mutating func urc(bytes: [UInt8]) {
    guard power.uartIsOn, !power.isFrozen else { return }
    let framed = frame(bytes)
    if holdsURCs {
      guard heldURCs.count < SimulatedModem.heldURCCapacity else {
        overflowCount += 1
        return
      }
      heldURCs.append(framed)
    } else {
      sendURC(framed)
    }
  }

  /// Tells the host something unasked that brings its own framing (`+RECEIVE,0,4:` and the bytes), in one piece.
  mutating func urc(raw bytes: [UInt8]) {
    guard power.uartIsOn, !power.isFrozen else { return }
    if holdsURCs {
      if heldURCs.count < SimulatedModem.heldURCCapacity { heldURCs.append(bytes) } else { overflowCount += 1 }
    } else {
      sendURC(bytes)
    }
  }

  /// Sends bytes as they are, at once: for transparent mode.
  mutating func send(_ bytes: [UInt8]) {
    guard power.uartIsOn, !power.isFrozen else { return }
    if faults.isMute || faults.isCutOff {
      tellingsLost += 1
      return
    }
    if !isAsleep { noteActivity() }
    let rate = lineRate ?? 115_200
    let pace = configuration.link.pacesOutput ? rate : 0
    var wire = faults.damage(bytes, &random)
    if rate != hostRate || wire != bytes { tellingsLost += 1 }
    if rate != hostRate { wire = wire.map { _ in UInt8(0x80 + random.integer(below: 128)) } }
    if let left = faults.bytesUntilReboot {
      if left < wire.count { tellingsLost += 1 }
      wire = Array(wire.prefix(left))
      faults.bytesUntilReboot = left - wire.count
    }
    let dropped = transmitter.dropped
    let last = transmitter.append(wire, at: now, bitsPerSecond: pace)
    overflowCount += transmitter.dropped - dropped
    if faults.bytesUntilReboot == 0 {
      faults.bytesUntilReboot = nil
      faults.isCutOff = true
      schedule(.restart, after: max(last - now, .zero))
    }
  }

  /// Asks the network for something.
  mutating func ask(_ request: NetworkRequest) {
    guard requests.count < SimulatedModem.requestCapacity else {
      overflowCount += 1
      return
    }
    requests.append(request)
    switch request {
    case .closeSocket, .httpDisconnect, .mqttDisconnect: break
    default: noteTransmission()
    }
  }

  /// A number for a socket, a session or an operation, never used before.
  mutating func newID() -> Int {
    lastID += 1
    return lastID
  }

  /// Sets a timed event.
  mutating func schedule(_ event: ModemEvent, after interval: Interval) {
    let refused = timers.refused
    timers.set(event, at: now + interval)
    overflowCount += timers.refused - refused
  }

  // MARK: Framing

  /// A line as `ATV` wants it.
  ///
  /// - Source: [v250] section 5.7.1.
  func frame(_ text: [UInt8]) -> [UInt8] {
    (session.verbose ? [0x0D, 0x0A] : []) + text + [0x0D, 0x0A]
  }

  mutating func send(_ pieces: [Answer.Piece]) {
    for piece in pieces {
      if case .line(let text) = piece, configuration.dialect.unanswered.contains(where: text.hasPrefix) { continue }
      sendOrHold(bytes(of: piece))
    }
  }

  func bytes(of piece: Answer.Piece) -> [UInt8] {
    switch piece {
    case .line(let text): return frame(Array(configuration.dialect.spelt(text).utf8))
    case .lineBytes(let bytes): return frame(bytes)
    case .raw(let bytes): return bytes
    }
  }

  /// The final result on the wire; nothing for a silent end and after `ATQ1`.
  func resultBytes(_ ending: Answer.Ending) -> [UInt8] {
    switch ending {
    case .ok: return result("OK", 0)
    case .error: return result("ERROR", 4)
    case .result(let text, let number): return result(text, number)
    case .cme(let code): return errorResult("CME", code, ErrorText.cme(code))
    case .cms(let code): return errorResult("CMS", code, ErrorText.cms(code))
    case .silent, .later, .prompt: return []
    }
  }

  private func result(_ text: String, _ number: Int) -> [UInt8] {
    if session.quiet { return [] }
    return session.verbose ? frame(Array(text.utf8)) : Array("\(number)\r".utf8)
  }

  /// - Source: [ts27007] section 9.1: `CMEE` 0 bare, 1 number, 2 text.
  private func errorResult(_ kind: String, _ code: Int, _ text: String) -> [UInt8] {
    if session.quiet { return [] }
    // SMS errors are told by number also when CMEE is 0 (27.005 section 3.2.5); others are not.
    switch (session.errorDetail, kind) {
    case (0, "CME"): return result("ERROR", 4)
    case (2, _): return frame(Array("+\(kind) ERROR: \(text)".utf8))
    default: return frame(Array("+\(kind) ERROR: \(code)".utf8))
    }
  }

  // MARK: Holding back

  /// True while a URC would tear something.
  var holdsURCs: Bool {
    if flash.rate == 0 && input.detectedRate == nil { return true }
    switch input.mode {
    case .payload, .transparent: return true
    case .command: return input.prefixCount == 2 && timers.contains(.releaseURCs)
    }
  }

  /// Sends the URCs that were held back.
  mutating func flushURCs() {
    guard !holdsURCs, !heldURCs.isEmpty else { return }
    let held = heldURCs
    heldURCs = []
    for line in held { sendURC(line) }
  }

  private mutating func sendURC(_ framed: [UInt8]) {
    if isAsleep || session.ringMode == 1 { pulseRing() }
    send(framed)
  }

  /// What a command sends; a late answer (fault F10) is put aside.
  mutating func sendOrHold(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    if faults.holdsAnswer { faults.heldAnswer += bytes } else { send(bytes) }
  }

  /// The answer that was held back gets its time; the line counts as ended meanwhile.
  mutating func releaseHeldOutput() {
    guard faults.holdsAnswer else { return }
    faults.holdsAnswer = false
    tellingsLost += 1
    if lateAnswers.count < 16 {
      lateAnswers.append(faults.heldAnswer)
      schedule(.lateAnswer, after: faults.answerDelay)
    }
    faults.heldAnswer = []
  }
}
