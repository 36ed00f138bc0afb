/// One command of a command line.
struct CommandCall: Equatable, Sendable {
  /// The four ways to give a command.
  enum Form: Equatable, Sendable {
    /// `AT+CSQ`.
    case execute
    /// `AT+CSQ=?`.
    case test
    /// `AT+CREG?`.
    case read
    /// `AT+CREG=1`.
    case write
  }

  /// Name in capitals with its sign: `+CSQ`, `E`, `&C`, `S`.
  var name: String
  /// How it was given.
  var form: Form
  /// What stands behind the equals sign as it came, or the number of a basic command.
  var text: [UInt8]
  /// The same, cut at the commas.
  var parameters: [CommandParameter]

  /// A command; cuts the text into its parameters.
  init(name: String, form: Form, text: [UInt8] = []) {
    self.name = name
    self.form = form
    self.text = text
    parameters = form == .write ? CommandParameter.split(text) : []
  }

  /// How many parameters there are, empty ones counted.
  var count: Int { parameters.count }

  /// True when the parameter is there and not empty.
  func has(_ place: Int) -> Bool { place < parameters.count && !parameters[place].isEmpty }

  /// The parameter as a number; nil when it is missing, empty or not a number.
  func integer(_ place: Int) -> Int? { place < parameters.count ? parameters[place].integer : nil }

  /// The parameter as a number in a range; nil when it is not.
  func integer(_ place: Int, in range: ClosedRange<Int>) -> Int? {
    guard let value = integer(place), range.contains(value) else { return nil }
    return value
  }

  /// The parameter as text, quoted or not; nil when it is missing.
  func string(_ place: Int) -> String? {
    place < parameters.count ? String(decoding: parameters[place].bytes, as: UTF8.self) : nil
  }

  /// The parameter's bytes, without quotes; nil when it is missing.
  func bytes(_ place: Int) -> [UInt8]? { place < parameters.count ? parameters[place].bytes : nil }

  /// The text read as one number: the argument of a basic command, zero when there is none.
  var number: Int? { text.isEmpty ? 0 : CommandParameter(bytes: text, isQuoted: false).integer }
}

/// One parameter of a command.
struct CommandParameter: Equatable, Sendable {
  /// The bytes, without quotes and with `\"` made `"`.
  var bytes: [UInt8]
  /// True when it stood in quotes.
  var isQuoted: Bool

  /// True for nothing between two commas; `""` is not empty in this sense.
  var isEmpty: Bool { bytes.isEmpty && !isQuoted }

  /// The value as a number; several commands take their numbers in quotes too.
  var integer: Int? {
    guard !bytes.isEmpty, bytes.count <= 18 else { return nil }
    return Int(String(decoding: bytes, as: UTF8.self))
  }

  /// Cuts a text at the commas outside quotes.
  static func split(_ text: [UInt8]) -> [CommandParameter] {
    var result: [CommandParameter] = []
    var current = CommandParameter(bytes: [], isQuoted: false)
    var isInside = false
    var place = 0
    while place < text.count {
      let byte = text[place]
      if isInside && byte == UInt8(ascii: "\\") && place + 1 < text.count && text[place + 1] == UInt8(ascii: "\"") {
        current.bytes.append(UInt8(ascii: "\""))
        place += 1
      } else if byte == UInt8(ascii: "\"") {
        isInside.toggle()
        current.isQuoted = true
      } else if byte == UInt8(ascii: ",") && !isInside {
        result.append(current)
        current = CommandParameter(bytes: [], isQuoted: false)
      } else if byte != UInt8(ascii: " ") || isInside {
        current.bytes.append(byte)
      }
      place += 1
    }
    result.append(current)
    return result
  }
}
