import ASCIIText

/// Parameters of a form or a query, in their order.
///
/// - Source: the URL standard, section 5.
public struct QueryText: Equatable, Sendable {
  /// A parameter.
  public struct Parameter: Equatable, Sendable {
    /// Its name.
    public var name: String
    /// Its value.
    public var value: String
  }

  /// All parameters; a name may come again.
  public var parameters: [Parameter]

  /// Reads `name=value&…`; nil when there is an escape that is none, or no name.
  public init?(_ text: [UInt8]) {
    parameters = []
    for part in text.split(separator: 0x26) {
      guard parameters.count < PacketDecoder.fieldCapacity else { return nil }
      let halves = part.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = QueryText.plain(Array(halves[0])), !name.isEmpty,
        let value = QueryText.plain(halves.count > 1 ? Array(halves[1]) : [], hasBlanks: true)
      else { return nil }
      parameters.append(Parameter(name: name, value: value))
    }
    if parameters.isEmpty { return nil }
  }

  /// The query of an address, of the first line of a request, or of a form that is one by its first name.
  static func query(in text: [UInt8]) -> QueryText? { bytes(in: text).flatMap { QueryText($0) } }

  /// Why what begins as a query is none; nil for what begins otherwise.
  static func fault(in text: [UInt8]) -> String? {
    guard let bytes = bytes(in: text), QueryText(bytes) == nil else { return nil }
    var place = 0
    for part in bytes.split(separator: 0x26) {
      place += 1
      let halves = part.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(decoding: halves[0].prefix(40), as: UTF8.self)
      guard !halves[0].isEmpty, plain(Array(halves[0])) != nil else {
        return "a query whose parameter \(place) has no name"
      }
      guard halves.count < 2 || plain(Array(halves[1]), hasBlanks: true) != nil else {
        return "a query whose '\(terminalText(name))' has an escape that is none, or a character that must be escaped"
      }
    }
    return place == 0 ? nil : "a query with more than \(PacketDecoder.fieldCapacity) parameters"
  }

  private static func bytes(in text: [UInt8]) -> [UInt8]? {
    var bytes = text
    for method in ["GET ", "POST ", "PUT "] where bytes.starts(with: method.utf8) {
      bytes = Array(bytes.dropFirst(method.utf8.count).prefix { $0 != 0x20 })
    }
    let isAddress =
      bytes.first == 0x2F || bytes.first == 0x3F || bytes.starts(with: "http://".utf8)
      || bytes.starts(with: "https://".utf8)
    if isAddress, let mark = bytes.firstIndex(of: 0x3F) { return Array(bytes[(mark + 1)...]) }
    return ["id=", "deviceid=", "timestamp=", "lat="].contains { bytes.starts(with: $0.utf8) } ? bytes : nil
  }

  /// The value of the first parameter of a name.
  public func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// The parameters as text, in which letters, digits and `-._*,` stand for themselves.
  public var text: String {
    func escaped(_ text: String) -> String {
      var result = DecodedBytes()
      for byte in text.utf8 {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2A, 0x2C, 0x2D, 0x2E, 0x5F: result.append(byte)
        case 0x20: result.append(0x2B)
        default:
          result.append(0x25)
          let digits: [UInt8] = Array("0123456789ABCDEF".utf8)
          result.append(digits[Int(byte >> 4)])
          result.append(digits[Int(byte & 15)])
        }
      }
      return String(decoding: result.bytes, as: UTF8.self)
    }
    return parameters.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
  }

  /// - Parameter hasBlanks: Whether a blank that was not escaped is one, as between a date and a time.
  private static func plain(_ text: [UInt8], hasBlanks: Bool = false) -> String? {
    var result: [UInt8] = []
    var place = 0
    while place < text.count {
      switch text[place] {
      case 0x2B: result.append(0x20)
      case 0x25:
        guard place + 2 < text.count, let high = hexadecimalValue(text[place + 1]),
          let low = hexadecimalValue(text[place + 2])
        else { return nil }
        result.append(high << 4 | low)
        place += 2
      case 0x20 where hasBlanks: result.append(0x20)
      case 0..<0x21, 0x7F: return nil
      default: result.append(text[place])
      }
      place += 1
    }
    return String(decoding: result, as: UTF8.self)
  }
}
