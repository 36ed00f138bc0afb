import Quantities

/// What has been received and not been used yet.
struct LineInput: Equatable, Sendable {
  /// Most bytes kept while a command runs.
  static let busyCapacity = 4096

  /// What the next byte means.
  enum Mode: Equatable, Sendable {
    /// Part of a command line.
    case command
    /// Part of a payload.
    case payload(Prompt)
    /// Data for the other side.
    case transparent
  }

  /// What the next byte means.
  var mode: Mode = .command
  /// The line after its `AT`, as far as it has come.
  var line: [UInt8] = []
  /// How much of `AT` has been seen: 0, 1 or 2.
  var prefixCount = 0
  /// More characters came than the buffer takes.
  var isTooLong = false
  /// The line before, for `A/`.
  var previousLine: [UInt8] = []
  /// True directly behind a carriage return: a line feed is then skipped.
  var skipsLineFeed = false
  /// The payload, as far as it has come.
  var payload: [UInt8] = []
  /// Bytes that came while a command was running.
  var waiting: [UInt8] = []
  /// Speed that auto-baud found, nil before.
  var detectedRate: Int?
  /// Lines that auto-baud has seen of those it needs.
  var autoBaudLines = 0
  /// Characters still to be lost after waking up.
  var charactersToLose = 0
  /// Plus signs of an escape in transparent mode.
  var plusCount = 0
  /// When the last byte came in transparent mode.
  var lastByteAt: Instant = .zero

  /// Forgets the half of a line.
  mutating func forgetLine() {
    line = []
    prefixCount = 0
    isTooLong = false
  }

  /// The other side changed its speed: auto-baud has to find it again.
  mutating func hostChangedRate(isAutoBaud: Bool) {
    if isAutoBaud {
      detectedRate = nil
      autoBaudLines = 0
      forgetLine()
    }
  }
}

extension SimulatedModem {
  /// Speeds that auto-baud knows.
  ///
  /// - Source: [sim7000-uart] section 2.2.
  static let autoBaudRates = [9_600, 19_200, 38_400, 57_600, 115_200]

  /// Speed of the module's side of the line; nil while auto-baud has not found it.
  var lineRate: Int? { flash.rate == 0 ? input.detectedRate : flash.rate }

  /// True when both sides use the same speed.
  var ratesAgree: Bool { lineRate == hostRate }

  mutating func receive(_ byte: UInt8) {
    guard power.uartIsOn, !power.isFrozen else { return }
    guard isAwake(for: byte) else { return }
    noteActivity()
    guard ratesAgree else {
      receiveAtWrongRate(byte)
      return
    }
    take(byte)
  }

  /// A byte at a speed that is not the module's: auto-baud listens for `AT`, all else hears noise.
  private mutating func receiveAtWrongRate(_ byte: UInt8) {
    guard flash.rate == 0, SimulatedModem.autoBaudRates.contains(hostRate) else {
      input.forgetLine()
      return
    }
    let letter = byte & 0xDF
    if input.prefixCount == 2 {
      // What stands behind `AT` does not matter.
      guard byte == 0x0D else { return }
      input.autoBaudLines += 1
      input.forgetLine()
      if input.autoBaudLines >= configuration.link.linesLostToAutoBaud {
        input.detectedRate = hostRate
        rateBecameKnown()
      }
    } else if letter == UInt8(ascii: "T") && input.prefixCount == 1 {
      input.prefixCount = 2
    } else {
      input.prefixCount = letter == UInt8(ascii: "A") ? 1 : 0
    }
  }

  /// A byte of which the module is sure.
  mutating func take(_ byte: UInt8) {
    if execution != nil, !isInPayload {
      guard configuration.link.keepsInputWhileBusy, input.waiting.count < LineInput.busyCapacity else {
        overflowCount += 1
        return
      }
      input.waiting.append(byte)
      return
    }
    switch input.mode {
    case .command: takeCommandByte(byte)
    case .payload(let prompt): takePayloadByte(byte, prompt)
    case .transparent: takeTransparentByte(byte)
    }
  }

  private var isInPayload: Bool {
    if case .payload = input.mode { return true }
    return false
  }

  private mutating func takeCommandByte(_ byte: UInt8) {
    if input.skipsLineFeed {
      input.skipsLineFeed = false
      if byte == 0x0A { return }
    }
    if session.echo { send([byte]) }
    if input.prefixCount < 2 {
      takePrefixByte(byte)
      return
    }
    switch byte {
    case 0x0D: endLine()
    case 0x08, 0x7F: if !input.line.isEmpty { input.line.removeLast() }
    case 0x0A: break
    default:
      if input.line.count < CommandLine.capacity {
        input.line.append(byte)
      } else {
        input.isTooLong = true
      }
    }
  }

  private mutating func takePrefixByte(_ byte: UInt8) {
    let letter = byte & 0xDF
    if input.prefixCount == 1 {
      if byte == UInt8(ascii: "/") {
        input.line = input.previousLine
        endLine()
        return
      }
      if letter == UInt8(ascii: "T") {
        input.prefixCount = 2
        timers.cancel(.releaseURCs)
        schedule(.releaseURCs, after: configuration.link.typingHoldsURCs)
        return
      }
    }
    input.prefixCount = letter == UInt8(ascii: "A") ? 1 : 0
    if byte == 0x0D { input.skipsLineFeed = true }
  }

  private mutating func endLine() {
    let line = input.line
    let isTooLong = input.isTooLong
    input.forgetLine()
    input.skipsLineFeed = true
    if !isTooLong { input.previousLine = line }
    execution = Execution(calls: isTooLong ? nil : CommandLine.parse(line))
    timers.cancel(.releaseURCs)
    // What was held back falls between the echo and the answer.
    flushURCs()
    let text = String(decoding: line, as: UTF8.self)
    let isLate = configuration.dialect.late.contains { text.hasPrefix($0) }
    schedule(.runLine, after: configuration.link.answerDelay + (isLate ? configuration.dialect.lateBy : .zero))
  }

  /// Uses the bytes that came while a command was running.
  mutating func takeWaitingInput() {
    while execution == nil || isInPayload, !input.waiting.isEmpty { take(input.waiting.removeFirst()) }
  }
}
