import Quantities

/// Who said something on the line.
enum TalkSpeaker: String {
  /// This side.
  case host
  /// The modem.
  case modem
  /// The tool itself: what it found or decided.
  case tool

  /// The sign in front of a line.
  var sign: String {
    switch self {
    case .host: ">"
    case .modem: "<"
    case .tool: "·"
    }
  }
}

/// Shows the dialogue: time, who, what, and what it means.
struct TalkPrinter {
  let console: Console
  let isJSON: Bool
  private let origin: Instant
  private var lastSent = ""

  init(_ console: Console, isJSON: Bool, origin: Instant) {
    self.console = console
    self.isJSON = isJSON
    self.origin = origin
  }

  /// Shows what was sent.
  mutating func show(sent bytes: [UInt8], at now: Instant) {
    let text = EscapedBytes.escaped(bytes.last == 0x0D ? bytes.dropLast() : bytes[...])
    lastSent = text
    show(.host, text, note: nil, at: now, style: .cyan)
  }

  /// Shows what came, with its meaning.
  func show(received line: ModemLine, at now: Instant) {
    let text = line.text
    if line.isWhole && text == lastSent {
      show(.modem, text, note: isJSON ? "echo" : nil, at: now, style: .dim)
      return
    }
    let style: Console.Style? = text == "OK" ? .green : line.isError ? .red : nil
    show(.modem, text, note: ModemAnnotation.text(for: text), at: now, style: style)
  }

  /// Shows a remark of the tool.
  func show(remark: String, at now: Instant) { show(.tool, remark, note: nil, at: now, style: .yellow) }

  private func show(_ speaker: TalkSpeaker, _ text: String, note: String?, at now: Instant, style: Console.Style?) {
    let time = TimeText.decimal((now - origin).secondsDouble, 3)
    if isJSON {
      var json = "{\"t\":\(time),\"from\":\"\(speaker.rawValue)\",\"text\":\(jsonString(text))"
      if let note { json += ",\"note\":\(jsonString(note))" }
      console.out.writeLine(json + "}")
    } else {
      let padding = String(repeating: " ", count: max(0, 9 - time.count))
      let shown = style.map { console.styled(text, $0) } ?? text
      console.out.writeLine(
        console.styled(padding + time, .dim) + " \(speaker.sign) " + shown
          + (note.map { "   " + console.styled("(\($0))", .dim) } ?? ""))
    }
    console.out.flush()
  }
}

/// A text as a JSON string with its quotes.
func jsonString(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    default:
      if scalar.value < 0x20 || scalar.value == 0x7F {
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }
  return result + "\""
}
