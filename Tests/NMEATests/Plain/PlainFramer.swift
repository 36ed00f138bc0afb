import NMEA

/// The framing of `docs/nmea.md` as plainly as it goes, over bytes that are all there.
struct PlainFramer {
  private(set) var counts = RejectionCounts()
  /// What lies between `$` and the checksum or line end, of the sentences that were framed.
  private(set) var bodies: [String] = []
  /// Bytes of a sentence whose end has not come.
  private(set) var pending = 0

  private enum Line { case start, comment, other }

  static let minimums: [String: Int] = [
    "RMC": 8, "GGA": 13, "GSA": 18, "GSV": 4, "GLL": 7, "VTG": 5, "ZDA": 4, "GNS": 13, "GST": 8, "GBS": 7, "HDT": 2,
    "THS": 3, "TXT": 4, "PGRME": 7, "PGRMZ": 4, "PGRMF": 15, "PMGNST": 8, "PSRFEPE": 7, "PSTI": 16, "PASHR": 3,
  ]

  init(_ bytes: [UInt8]) {
    var line = Line.start
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      if byte == 0x0A || byte == 0x0D {
        counts.separatorBytes += 1
        line = .start
        place += 1
      } else if byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!"), line != .comment {
        line = .other
        guard let taken = sentence(bytes, at: place) else { return }
        counts.sentenceBytes += UInt64(taken)
        place += taken
      } else {
        counts.junkBytes += 1
        if line == .start, ![0xEF, 0xBB, 0xBF].contains(byte) { line = byte == UInt8(ascii: "#") ? .comment : .other }
        if line == .comment, byte < 0x20, byte != 9 { line = .other }
        place += 1
      }
    }
  }

  private func isInside(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "$") }

  /// How many bytes the sentence at a place takes; nil when its end has not come.
  private mutating func sentence(_ bytes: [UInt8], at start: Int) -> Int? {
    var length = 1
    while start + length < bytes.count {
      let byte = bytes[start + length]
      // The checksum must fit into 250 bytes.
      if byte == UInt8(ascii: "*"), length <= 247 { return summed(bytes, start, length) }
      if byte == 0x0A || byte == 0x0D {
        if length > 247 {
          counts.overLong += 1
        } else {
          counts.missingChecksum += 1
          accept(Array(bytes[start..<start + length]))
        }
        return length
      }
      if !isInside(byte) {
        if byte == UInt8(ascii: "$") { counts.interrupted += 1 } else { counts.binary += 1 }
        return length
      }
      length += 1
      if length > 250 {
        counts.overLong += 1
        return length
      }
    }
    pending = bytes.count - start
    return nil
  }

  private mutating func summed(_ bytes: [UInt8], _ start: Int, _ length: Int) -> Int? {
    for digit in 1...2 {
      guard start + length + digit < bytes.count else {
        pending = bytes.count - start
        return nil
      }
      if !isInside(bytes[start + length + digit]) {
        counts.wrongChecksum += 1
        return length + digit
      }
    }
    let body = bytes[(start + 1)..<(start + length)]
    let digits = String(decoding: bytes[(start + length + 1)...(start + length + 2)], as: UTF8.self)
    if digits.allSatisfy(\.isHexDigit), UInt8(digits, radix: 16) == body.reduce(0, ^) {
      accept(Array(bytes[start..<start + length]))
    } else {
      counts.wrongChecksum += 1
    }
    return length + 3
  }

  private mutating func accept(_ bytes: [UInt8]) {
    counts.acceptedSentences += 1
    let body = String(decoding: bytes.dropFirst(), as: UTF8.self)
    bodies.append(body)
    if bytes[0] == UInt8(ascii: "!") {
      counts.encapsulated += 1
      return
    }
    let fields = body.split(separator: ",", omittingEmptySubsequences: false).prefix(48)
    let address = String(fields[0])
    let isAddress = address.utf8.allSatisfy { (65...90).contains($0) || (48...57).contains($0) || $0 == 32 }
    guard (3...12).contains(address.utf8.count), isAddress else {
      counts.malformedAddress += 1
      return
    }
    guard let kind = kind(address, fields.count > 1 ? String(fields[1]) : ""), let minimum = PlainFramer.minimums[kind]
    else {
      if address.hasPrefix("P") { counts.proprietary += 1 } else { counts.unknownSentence += 1 }
      return
    }
    let length = fields.reduce(fields.count - 1) { $0 + $1.utf8.count }
    if length > 96, kind != "TXT", kind != "PSTI" {
      counts.overLong += 1
    } else if fields.count < minimum {
      counts.tooFewFields += 1
    }
  }

  private func kind(_ address: String, _ first: String) -> String? {
    if address.hasPrefix("P"), !(address.hasPrefix("PQ") && address.utf8.count == 5) {
      switch address {
      case "PSTI": return first == "030" ? address : nil
      case "PASHR": return first == "POS" ? address : nil
      default: return address.count > 4 && address != "PGRMC" ? address : nil
      }
    }
    guard address.utf8.count == 5 else { return nil }
    return String(address.suffix(3))
  }
}
