/// Counts the sentences in a stream of bytes whose checksum is right, to tell a receiver at the right speed from noise.
///
/// It reads none of them: that is the tracker's work, from the same bytes.
struct SentenceCount {
  /// Longer ones are noise: receivers send 200 bytes at most.
  private static let maximumLength = 250

  /// Sentences with a right checksum.
  private(set) var right = 0
  private var sum: UInt8 = 0
  /// Bytes since the `$`; nil outside of a sentence.
  private var length: Int?
  /// Digits of the checksum so far; nil before the star.
  private var digits: (count: Int, value: UInt8)?

  /// Nothing counted.
  init() {}

  /// Takes the next bytes, cut anywhere.
  mutating func receive(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes {
      if byte == UInt8(ascii: "$") {
        (sum, length, digits) = (0, 0, nil)
      } else if let seen = length, seen < Self.maximumLength, (0x20..<0x7F).contains(byte) {
        length = seen + 1
        receive(inside: byte)
      } else {
        length = nil
      }
    }
  }

  private mutating func receive(inside byte: UInt8) {
    guard let (count, value) = digits else {
      if byte == UInt8(ascii: "*") { digits = (0, 0) } else { sum ^= byte }
      return
    }
    guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
      length = nil
      return
    }
    let whole = value << 4 | UInt8(digit)
    digits = (count + 1, whole)
    if count == 1 {
      if whole == sum { right += 1 }
      length = nil
    }
  }
}
