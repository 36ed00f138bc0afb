import ASCIIText
public import InlineStorage

/// Text for a parameter of a command: it can be written between quotes as it is.
///
/// Quotes and control characters would end the parameter or the line, and the modem knows no escape for them outside of
/// `AT+SHBOD`. A backslash may take the meaning from the quote that follows it. A text with one of these, or one that is too
/// long, does not become a `ModemText`.
///
/// - Source: [v250] section 5.4.2.2: a string stands between double quotes, and a backslash begins an escape.
@frozen public struct ModemText<let capacity: Int>: Equatable, BitwiseCopyable, Sendable {
  /// The bytes.
  public let bytes: InlineBytes<capacity>

  /// The empty text.
  public init() { bytes = InlineBytes() }

  /// A text of printable bytes; nil when there is a quote, a backslash or a control character in it, or when it is too long.
  @inline(never) public init?(_ text: Span<UInt8>) {
    guard isAllowed(text), text.count <= capacity else { return nil }
    var kept = InlineBytes<capacity>()
    kept.append(contentsOf: text)
    bytes = kept
  }

  /// A text of a literal, under the same conditions.
  public init?(_ text: StaticString) {
    self.init(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount).span)
  }

  /// True when there is nothing in it.
  @inlinable public var isEmpty: Bool { bytes.isEmpty }
}

/// True for bytes that can stand between quotes. One function for texts of all lengths.
private func isAllowed(_ text: Span<UInt8>) -> Bool {
  var place = 0
  while place < text.count {
    let byte = text[place]
    guard byte >= 0x20, byte != 0x22, byte != 0x5C, byte != 0x7F else { return false }
    place += 1
  }
  return true
}

/// Name of an access point: the network identifier.
///
/// - Source: [ts23003] section 9.1: 63 octets at most.
public typealias AccessPointName = ModemText<63>

/// User name or password.
///
/// - Source: assumption; the manual gives no length that all commands share.
public typealias Credential = ModemText<64>

/// Address of a server: host name or numbers, or scheme and host for `AT+SHCONF`.
///
/// - Source: [sim7000at] `AT+SHCONF`: 64 bytes at most.
public typealias ServerAddress = ModemText<64>

/// What is asked of a server, or a whole URL for the HTTPINIT commands.
///
/// The manual allows 512 bytes; 256 is enough for a tracker and keeps commands small.
///
/// - Source: [sim7000at] `AT+SHREQ`.
package typealias RequestTarget = ModemText<256>

/// Topic of MQTT.
///
/// - Source: [sim7000an] MQTT(S): 128 bytes at most.
public typealias TopicName = ModemText<128>

/// Name or value of a header.
///
/// - Source: [sim7000at] `AT+SHAHEAD`: name and value of all headers take 350 bytes at most together.
public typealias HeaderText = ModemText<128>

/// Name of a file.
///
/// - Source: [sim7000at] `AT+CFSWFILE`: 50 bytes at most. `leash modem certificate` writes such files.
package typealias FileName = ModemText<50>

/// Number of a telephone, with `+` in front when it is international.
///
/// - Source: [ts24008] section 10.5.4.7: 20 digits at most.
public typealias TelephoneNumber = ModemText<21>

extension ByteSink {
  /// Writes a text between quotes.
  @inline(__always) mutating func append<let capacity: Int>(quoted text: ModemText<capacity>) {
    append(quotedBytes: text.bytes.span)
  }

  /// One function for texts of all lengths.
  @inline(never) private mutating func append(quotedBytes bytes: Span<UInt8>) {
    append(0x22)
    append(bytes: bytes)
    append(0x22)
  }

  /// Writes a literal between quotes.
  mutating func append(quoted text: StaticString) {
    append(0x22)
    append(text)
    append(0x22)
  }

  /// Writes a comma and a text between quotes.
  mutating func append<let capacity: Int>(nextQuoted text: ModemText<capacity>) {
    append(0x2C)
    append(quoted: text)
  }

  /// Writes a number.
  mutating func append(number: some FixedWidthInteger) { append(decimal: Int64(clamping: number)) }

  /// Writes a comma and a number.
  mutating func append(next number: some FixedWidthInteger) {
    append(0x2C)
    append(number: number)
  }

  /// Writes `1` or `0`.
  mutating func append(flag: Bool) { append(flag ? 0x31 : 0x30) }
}
