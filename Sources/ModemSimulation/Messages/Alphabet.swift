/// The 7-bit alphabet of short messages.
///
/// - Source: [ts23038] section 6.2.1.
enum Alphabet {
  /// The characters 0 to 127; 27 leads to the extension.
  static let basic: [Character] = Array(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u{1B}ÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
      + "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà")
  /// Characters behind an escape.
  static let extended: [UInt8: Character] = [
    0x0A: "\u{0C}", 0x14: "^", 0x28: "{", 0x29: "}", 0x2F: "\\", 0x3C: "[", 0x3D: "~", 0x3E: "]", 0x40: "|", 0x65: "€",
  ]

  /// Places of the characters.
  private static let places: [Character: [UInt8]] = {
    var places: [Character: [UInt8]] = [:]
    for (place, character) in basic.enumerated() where place != 0x1B { places[character] = [UInt8(place)] }
    for (place, character) in extended { places[character] = [0x1B, place] }
    return places
  }()

  /// A text in septets; nil when a character is not in the alphabet.
  static func septets(_ text: String) -> [UInt8]? {
    var result: [UInt8] = []
    for character in text {
      // Swift makes one character of carriage return and line feed.
      if character == "\r\n" {
        result += [0x0D, 0x0A]
        continue
      }
      guard let place = places[character] else { return nil }
      result += place
    }
    return result
  }

  /// The text of septets.
  static func text(_ septets: [UInt8]) -> String {
    var result = ""
    var isEscaped = false
    for septet in septets {
      if isEscaped {
        result.append(extended[septet & 0x7F] ?? " ")
        isEscaped = false
      } else if septet & 0x7F == 0x1B {
        isEscaped = true
      } else {
        result.append(basic[Int(septet & 0x7F)])
      }
    }
    return result
  }

  /// Septets packed into octets, behind so many fill bits.
  static func pack(_ septets: [UInt8], fillBits: Int = 0) -> [UInt8] {
    var octets = [UInt8](repeating: 0, count: (septets.count * 7 + fillBits + 7) / 8)
    for (place, septet) in septets.enumerated() {
      let bit = place * 7 + fillBits
      let wide = UInt16(septet & 0x7F) << UInt16(bit % 8)
      octets[bit / 8] |= UInt8(truncatingIfNeeded: wide)
      if wide > 0xFF { octets[bit / 8 + 1] |= UInt8(wide >> 8) }
    }
    return octets
  }

  /// So many septets out of octets, behind so many fill bits; fewer when the octets end.
  static func unpack(_ octets: [UInt8], count: Int, fillBits: Int = 0) -> [UInt8] {
    var septets: [UInt8] = []
    for place in 0..<count {
      let bit = place * 7 + fillBits
      guard bit / 8 < octets.count else { break }
      var wide = UInt16(octets[bit / 8])
      if bit / 8 + 1 < octets.count { wide |= UInt16(octets[bit / 8 + 1]) << 8 }
      septets.append(UInt8(truncatingIfNeeded: wide >> UInt16(bit % 8)) & 0x7F)
    }
    return septets
  }

  /// A text in UCS-2, as hexadecimal digits.
  static func hexadecimalUCS2(_ text: String) -> String {
    text.utf16.map { ModemSimulation.hexadecimal(Int($0), digits: 4) }.joined()
  }

  /// The text of hexadecimal digits of UCS-2; nil when they are none.
  static func textOfUCS2(_ digits: String) -> String? {
    guard let bytes = HexadecimalBytes.decode(digits), bytes.count % 2 == 0 else { return nil }
    return textOfUCS2(bytes)
  }

  /// The text of octets of UCS-2.
  static func textOfUCS2(_ bytes: [UInt8]) -> String {
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
    return String(decoding: units, as: UTF16.self)
  }
}

/// Bytes as pairs of hexadecimal digits.
enum HexadecimalBytes {
  /// The bytes of the digits; nil when one is none, or one is missing.
  static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text {
      guard let digit = character.hexDigitValue else { return nil }
      if let first = high {
        bytes.append(first << 4 | UInt8(digit))
        high = nil
      } else {
        high = UInt8(digit)
      }
    }
    return high == nil ? bytes : nil
  }

  /// The digits of the bytes, in capitals.
  static func encode(_ bytes: [UInt8]) -> String { bytes.map { hexadecimal(Int($0), digits: 2) }.joined() }
}
