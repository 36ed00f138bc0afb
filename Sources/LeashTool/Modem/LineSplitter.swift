import Quantities

/// A piece of what a modem sent.
struct ModemLine: Equatable {
  /// The bytes, without the line end.
  var bytes: [UInt8]
  /// False for what the modem left without a line end, such as the prompt `> `.
  var isWhole: Bool

  /// The bytes as text that can be read.
  var text: String { EscapedBytes.escaped(bytes) }

  /// The prompt for a payload.
  var isPrompt: Bool { text == ">" || text == "> " || text == "DOWNLOAD" }

  /// The word that ends a command, in any of its forms.
  var isFinalResult: Bool {
    switch text {
    case "OK", "ERROR", "NO CARRIER", "BUSY", "NO ANSWER", "NO DIALTONE", "SHUT OK", "CLOSE OK", "SEND OK", "SEND FAIL",
      "NORMAL POWER DOWN":
      return true
    default:
      return isError || text.hasPrefix("CONNECT") || text.hasPrefix("DATA ACCEPT:") || text.hasSuffix(", CLOSE OK")
    }
  }

  /// The end of a command that failed.
  var isError: Bool { text == "ERROR" || text.hasPrefix("+CME ERROR:") || text.hasPrefix("+CMS ERROR:") }
}

/// Cuts what a modem sends into lines.
///
/// Carriage return and line feed both end a line, since an echo ends with the first alone; empty lines are left out. What
/// stays without an end is given out when the line has been quiet for a while.
struct LineSplitter {
  private var pending: [UInt8] = []
  private var quietDeadline: Instant?

  /// Silence after which an unfinished line is shown.
  static var quietAfter: Interval { .milliseconds(60) }
  /// Bytes after which a line is cut: counted binary answers have no line ends.
  static var maximumLength: Int { 2048 }

  /// When `flush` has something to do; nil while nothing is pending.
  var deadline: Instant? { quietDeadline }

  /// Takes bytes and gives the lines that they end.
  mutating func receive(_ bytes: [UInt8], at now: Instant) -> [ModemLine] {
    var lines: [ModemLine] = []
    for byte in bytes {
      if byte == 0x0D || byte == 0x0A {
        if !pending.isEmpty { lines.append(take(isWhole: true)) }
      } else {
        pending.append(byte)
        if pending == [0x3E, 0x20] || pending.count == LineSplitter.maximumLength {
          lines.append(take(isWhole: false))
        }
      }
    }
    quietDeadline = pending.isEmpty ? nil : now + LineSplitter.quietAfter
    return lines
  }

  /// The unfinished line, when its time has come.
  mutating func flush(at now: Instant) -> ModemLine? {
    guard let deadline = quietDeadline, now >= deadline, !pending.isEmpty else { return nil }
    quietDeadline = nil
    return take(isWhole: false)
  }

  private mutating func take(isWhole: Bool) -> ModemLine {
    defer { pending = [] }
    return ModemLine(bytes: pending, isWhole: isWhole)
  }
}
