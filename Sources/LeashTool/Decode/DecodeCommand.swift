import Glibc
import PacketDecoding
import Quantities
import SecretBox
import Telemetry
import TrackerRuntime

/// `leash decode`: what bytes on their way to a server, or from it, say.
enum DecodeCommand {
  static let texts = Positional(
    "TEXT", count: .any, "A message, or a file with one message per line; '-' or nothing is standard input."
  )
  static let json = Flag(
    "json", "Print one JSON object per message: form, type, fields with value, unit, meaning and problem.")
  static let keyFile = Option<String>("key-file", "FILE", "File with the passphrase for encrypted OwnTracks messages.")

  static let command = Command(
    "decode", "Explain a message to or from a server",
    discussion: """
      Understands JSON of OwnTracks, Traccar and Leash, messages of Home Assistant's MQTT discovery, queries in OsmAnd's \
      form, OwnTracks' compact fields, text messages, requests, and encrypted messages as object or base64, with their topic \
      before them if 'mosquitto_sub -v' printed it. Every field is shown with its unit and meaning, and with \
      a known pitfall ('trap') if there is one. Impossible values and missing fields are marked with '!' \
      and the reason; they do not change the exit code.
      """,
    parameters: [.positional(texts), .flag(json), .option(keyFile)]
  ) { arguments, console throws(CommandFailure) in
    var decoder = PacketDecoder(key: try arguments[keyFile].map { path throws(CommandFailure) in try key(path) })
    decoder.now = UTCTime(microseconds: Int64(Glibc.time(nil)) * 1_000_000)
    var refused = 0
    var read = 0
    for (name, text, fault) in try messages(arguments[texts]) {
      if let fault { console.err.writeLine("leash decode: \(name): \(fault)") }
      do throws(DecodingFailure) {
        let found = try decoder.decode(text)
        read += 1
        // What a server of OwnTracks answers when it has nothing to say.
        if found.isEmpty, !arguments[json] { console.out.writeLine("an empty answer: no message for the tracker") }
        for message in found {
          console.out.writeLine(arguments[json] ? object(message) : listing(message))
        }
      } catch {
        refused += 1
        let isFile = name == textName && !error.isAboutKey && looksLikeFile(text)
        let source = isFile ? shown(String(decoding: text, as: UTF8.self)) : name
        let hint = isFile ? "; there is no such file" : error.isAboutKey ? " (--key-file FILE)" : ""
        console.err.writeLine("leash decode: \(source): \(error.message)\(hint)")
      }
    }
    if read + refused == 0 { throw .environment("no message") }
    return refused == 0 ? .success : .checkFailed
  }

  private static let textName = "the text"

  /// True for one word with a slash, or with letters behind a dot, and without the marks of a message.
  private static func looksLikeFile(_ text: [UInt8]) -> Bool {
    guard text.count <= 255, !text.contains(where: { $0 <= 0x20 || "{}[]=?&,\"".utf8.contains($0) }) else {
      return false
    }
    if text.contains(0x2F) { return true }
    let parts = text.split(separator: 0x2E)
    guard parts.count > 1, let ending = parts.last, text.last != 0x2E, ending.count <= 8 else { return false }
    let letters = ending.filter { (0x41...0x5A).contains($0 & 0xDF) }
    return !letters.isEmpty && ending.allSatisfy { letters.contains($0) || (0x30...0x39).contains($0) }
  }

  /// What is to be read: files line by line, unless a whole file is one message.
  private static func messages(
    _ words: [String]
  ) throws(CommandFailure) -> [(name: String, text: [UInt8], fault: String?)] {
    var result: [(String, [UInt8], String?)] = []
    for word in words.isEmpty ? ["-"] : words {
      guard word == "-" || access(word, F_OK) == 0 else {
        result.append((textName, Array(word.utf8), nil))
        continue
      }
      let bytes = try contents(word)
      if isPacketCapture(bytes) {
        throw .environment(
          "\(word): a capture of packets; expected the text in it, as 'tcpflow -r \(word)' writes it to files")
      }
      guard !bytes.contains(0) else { throw .environment("\(word): expected text, found binary data") }
      let decoder = PacketDecoder()
      // JSON may stand over many lines; a capture of HTTP is several messages.
      if bytes.count <= PacketDecoder.capacity, !HTTPCapture.isFirst(bytes.prefix { $0 != 0x0A }),
        (try? decoder.decode(bytes)) != nil
      {
        result.append((word, bytes, nil))
        continue
      }
      var capture = HTTPCapture(bytes)
      for part in capture.parts() where !part.text.allSatisfy({ $0 <= 0x20 }) {
        // `leash replay --json` tells events between its packets.
        if part.text.starts(with: Array(#"{"type":"event","#.utf8)) { continue }
        result.append(("\(word):\(part.line)", part.text, part.fault))
      }
    }
    return result
  }

  /// True for what tcpdump and Wireshark keep.
  private static func isPacketCapture(_ bytes: [UInt8]) -> Bool {
    let beginnings: [[UInt8]] = [
      [0xD4, 0xC3, 0xB2, 0xA1], [0xA1, 0xB2, 0xC3, 0xD4], [0x4D, 0x3C, 0xB2, 0xA1], [0xA1, 0xB2, 0x3C, 0x4D],
      [0x0A, 0x0D, 0x0D, 0x0A],
    ]
    return beginnings.contains { bytes.starts(with: $0) }
  }

  private static func contents(_ path: String) throws(CommandFailure) -> [UInt8] {
    guard let file = path == "-" ? fdopen(dup(0), "rb") : fopen(path, "rbe") else { throw .unopened(path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      guard ferror(file) == 0 else { throw .unread(path) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= 1 << 24 else { throw .environment("\(path): more than 16 MiB") }
    }
  }

  private static func key(_ path: String) throws(CommandFailure) -> SecretKey {
    var bytes = try contents(path)
    while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
    guard let key = SecretKey(passphrase: bytes.span) else {
      throw .environment("\(path): expected a passphrase of 1 to \(SecretBox.keyCount) bytes")
    }
    return key
  }

  private static func listing(_ message: DecodedMessage) -> String {
    var first = "\(message.form.rawValue) \(message.type)\(message.wasSealed ? ", sealed" : "")"
    if let topic = message.topic { first += ", topic \(shown(topic))" }
    var lines = [first]
    let widest = min(40, message.fields.map(\.name.count).max() ?? 0)
    for field in message.fields {
      var line =
        "\(field.problem == nil ? " " : "!") \(shown(field.name))\(String(repeating: " ", count: max(0, widest - field.name.count)))  \(shown(field.value))"
      if !field.unit.isEmpty { line += " \(unit(of: field))" }
      line += "  \(field.meaning.isEmpty ? "no field that Leash knows in this form" : field.meaning)"
      if let problem = field.problem { line += "  (! \(shown(problem)))" }
      if let trap = field.trap { line += "  (trap: \(trap.text))" }
      lines.append(line)
    }
    for field in message.missing { lines.append("! \(field.name)  (! missing: \(field.problem ?? ""))") }
    if !message.alarms.isEmpty { lines.append("  = alarm \(message.alarms.joined(separator: ", "))") }
    return lines.joined(separator: "\n")
  }

  /// The unit, and of a time since 1970 or a place in small steps what that is: `hex s since 1970 = 2014-09-30T05:59:06Z`.
  private static func unit(of field: DecodedField) -> String {
    let digits = field.value.allSatisfy { $0.isHexDigit } && field.value.count <= 12
    switch field.unit {
    case "1e-6 °":
      guard let steps = Int64(field.value) else { return field.unit }
      return "\(field.unit) = \(TimeText.decimal(Double(steps) / 1e6, 6)) °"
    case "10 °", "10 m":
      guard let steps = Int64(field.value), steps.magnitude < 1 << 40 else { return field.unit }
      return "\(field.unit) = \(steps * 10)\(field.unit.dropFirst(2))"
    case "hex s since 1970": return field.unit + date(digits ? Int64(field.value, radix: 16) : nil)
    case "s since 1970": return field.unit + date(digits ? Int64(field.value) : nil)
    case "ms since 1970": return field.unit + date(digits ? Int64(field.value) : nil, perSecond: 1000)
    case "s or ms since 1970":
      guard let number = Int64(field.value) else { return Double(field.value) == nil ? "ISO 8601" : field.unit }
      return number >= 2_147_483_647
        ? "ms since 1970" + date(number, perSecond: 1000) : "s since 1970" + date(number)
    default: return field.unit
    }
  }

  private static func date(_ count: Int64?, perSecond: Int64 = 1) -> String {
    guard let count, (0..<perSecond << 36).contains(count) else { return "" }
    var text = ByteBuffer()
    text.append(iso8601: UTCTime(microseconds: count * (1_000_000 / perSecond)))
    return " = " + String(decoding: text.bytes, as: UTF8.self)
  }

  /// Without what a terminal would take for a command.
  private static func shown(_ text: String) -> String { terminalText(text) }

  private static func object(_ message: DecodedMessage) -> String {
    let fields = message.fields.map { field in
      var members = ["\"name\":\(jsonString(field.name))", "\"value\":\(jsonString(field.value))"]
      if !field.unit.isEmpty { members.append("\"unit\":\(jsonString(field.unit))") }
      if !field.meaning.isEmpty { members.append("\"meaning\":\(jsonString(field.meaning))") }
      if let problem = field.problem { members.append("\"problem\":\(jsonString(problem))") }
      if let trap = field.trap { members.append("\"trap\":\(jsonString(trap.text))") }
      return "{\(members.joined(separator: ","))}"
    }
    let missing = message.missing.map {
      "{\"name\":\(jsonString($0.name)),\"problem\":\(jsonString($0.problem ?? ""))}"
    }.joined(separator: ",")
    let topic = message.topic.map { ",\"topic\":\(jsonString($0))" } ?? ""
    return
      "{\"form\":\"\(message.form.rawValue)\",\"type\":\(jsonString(message.type)),\"sealed\":\(message.wasSealed)\(topic),"
      + "\"fields\":[\(fields.joined(separator: ","))]\(missing.isEmpty ? "" : ",\"missing\":[\(missing)]")}"
  }
}
