/// The limits and the cutting of command lines.
///
/// - Source: [sim7000-at] section 1.4 (buffer and number of commands); [v250] section 5.2 (grammar).
enum CommandLine {
  /// Most characters after `AT`.
  static let capacity = 559
  /// Most commands in a line.
  static let maximumCommands = 39

  /// The commands of a line, without its `AT` and its carriage return; nil when there are too many.
  ///
  /// What makes no sense becomes a command whose name nobody knows, so that it fails when its turn comes.
  static func parse(_ line: [UInt8]) -> [CommandCall]? {
    var calls: [CommandCall] = []
    var rest = line[...]
    while let first = rest.first {
      if first == UInt8(ascii: " ") || first == UInt8(ascii: ";") {
        rest.removeFirst()
        continue
      }
      calls.append(takeCommand(&rest))
    }
    return calls.count <= maximumCommands ? calls : nil
  }

  private static func takeCommand(_ rest: inout ArraySlice<UInt8>) -> CommandCall {
    guard let first = rest.first else { return CommandCall(name: "", form: .execute) }
    let letter = first & 0xDF
    switch first {
    case UInt8(ascii: "+"), UInt8(ascii: "^"), UInt8(ascii: "*"), UInt8(ascii: "$"), UInt8(ascii: "#"),
      UInt8(ascii: "%"):
      return takeExtended(&rest)
    case UInt8(ascii: "&"):
      rest.removeFirst()
      let name = rest.popFirst().map { "&" + character($0 & 0xDF) } ?? "&"
      return CommandCall(name: name, form: .execute, text: takeDigits(&rest))
    default: break
    }
    rest.removeFirst()
    if letter == UInt8(ascii: "D") {
      // All of the rest is the number to dial.
      let number = Array(rest)
      rest = []
      return CommandCall(name: "D", form: .execute, text: number)
    }
    if letter == UInt8(ascii: "S") {
      let register = takeDigits(&rest)
      var call = CommandCall(name: "S", form: .execute, text: register)
      if rest.first == UInt8(ascii: "?") {
        rest.removeFirst()
        call.form = .read
      } else if rest.first == UInt8(ascii: "=") {
        rest.removeFirst()
        let value = takeDigits(&rest)
        call = CommandCall(name: "S", form: .write, text: register + [UInt8(ascii: ",")] + value)
      }
      return call
    }
    guard letter >= UInt8(ascii: "A"), letter <= UInt8(ascii: "Z") else {
      rest = []
      return CommandCall(name: "", form: .execute)
    }
    return CommandCall(name: character(letter), form: .execute, text: takeDigits(&rest))
  }

  /// An extended command reaches up to the next semicolon outside quotes.
  private static func takeExtended(_ rest: inout ArraySlice<UInt8>) -> CommandCall {
    var body: [UInt8] = []
    var isInside = false
    var previous: UInt8 = 0
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") && !(isInside && previous == UInt8(ascii: "\\")) { isInside.toggle() }
      if byte == UInt8(ascii: ";") && !isInside { break }
      body.append(byte)
      previous = byte
    }
    let end = body.firstIndex { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "?") } ?? body.endIndex
    let name = String(decoding: body[..<end].filter { $0 != UInt8(ascii: " ") }, as: UTF8.self).uppercased()
    let tail = body[end...].drop { $0 == UInt8(ascii: " ") }
    if tail.isEmpty { return CommandCall(name: name, form: .execute) }
    if tail.first == UInt8(ascii: "?") {
      return tail.count == 1 ? CommandCall(name: name, form: .read) : CommandCall(name: "", form: .execute)
    }
    let text = Array(tail.dropFirst())
    if text == [UInt8(ascii: "?")] { return CommandCall(name: name, form: .test) }
    return CommandCall(name: name, form: .write, text: text)
  }

  private static func takeDigits(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    rest = rest.dropFirst(digits.count)
    return Array(digits)
  }

  private static func character(_ byte: UInt8) -> String { String(UnicodeScalar(byte)) }
}
