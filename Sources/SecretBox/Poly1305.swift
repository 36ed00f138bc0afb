/// The one-time authenticator Poly1305, in five limbs of 26 bits.
///
/// - Source: RFC 8439 section 2.5; limbs as in A. Moon's poly1305-donna-32.
struct Poly1305: BitwiseCopyable {
  private var r: InlineArray<5, UInt64>
  private var sum: InlineArray<5, UInt64> = InlineArray(repeating: 0)
  private let pad: InlineArray<4, UInt32>
  private var low: UInt64 = 0
  private var high: UInt64 = 0
  private var count = 0

  /// - Parameter key: 32 bytes as words, used for one message.
  init(_ key: InlineArray<8, UInt32>) {
    let (a, b, c, d) = (UInt64(key[0]), UInt64(key[1]), UInt64(key[2]), UInt64(key[3]))
    r = [
      a & 0x3FF_FFFF, (a >> 26 | b << 6) & 0x3FF_FF03, (b >> 20 | c << 12) & 0x3FF_C0FF,
      (c >> 14 | d << 18) & 0x3F0_3FFF,
      d >> 8 & 0x00F_FFFF,
    ]
    pad = [key[4], key[5], key[6], key[7]]
  }

  /// Takes a byte of the message.
  mutating func take(_ byte: UInt8) {
    if count < 8 { low |= UInt64(byte) << UInt64(count * 8) } else { high |= UInt64(byte) << UInt64((count - 8) * 8) }
    count += 1
    if count == 16 { close(1 << 24) }
  }

  /// Takes sixteen bytes in: they are added with a bit above them, and the sum is multiplied by `r` modulo 2^130 - 5.
  private mutating func close(_ top: UInt64) {
    let mask: UInt64 = 0x3FF_FFFF
    sum[0] &+= low & mask
    sum[1] &+= low >> 26 & mask
    sum[2] &+= (low >> 52 | high << 12) & mask
    sum[3] &+= high >> 14 & mask
    sum[4] &+= high >> 40 | top
    (low, high, count) = (0, 0, 0)
    var product = InlineArray<5, UInt64>(repeating: 0)
    for i in 0..<5 {
      for j in 0..<5 {
        // What lies beyond 2^130 comes round five times.
        let factor = i + j >= 5 ? r[j] &* 5 : r[j]
        product[(i + j) % 5] &+= sum[i] &* factor
      }
    }
    var carry: UInt64 = 0
    for place in 0..<5 {
      product[place] &+= carry
      carry = product[place] >> 26
      sum[place] = product[place] & mask
    }
    sum[0] &+= carry &* 5
    sum[1] &+= sum[0] >> 26
    sum[0] &= mask
  }

  /// Sixteen bytes.
  struct Tag: BitwiseCopyable {
    var words: InlineArray<4, UInt32>

    func byte(at place: Int) -> UInt8 { UInt8(truncatingIfNeeded: words[place >> 2] >> UInt32((place & 3) * 8)) }
  }

  /// The tag of all that was taken.
  func tag() -> Tag {
    var last = self
    if count > 0 {
      // The bit above stands right behind the last byte.
      if count < 8 { last.low |= 1 << UInt64(count * 8) } else { last.high |= 1 << UInt64((count - 8) * 8) }
      last.close(0)
    }
    let mask: UInt64 = 0x3FF_FFFF
    var h = last.sum
    var carry: UInt64 = 0
    for _ in 0..<2 {
      for place in 0..<5 {
        h[place] &+= carry
        carry = h[place] >> 26
        h[place] &= mask
      }
      h[0] &+= carry &* 5
      carry = 0
    }
    h[1] &+= h[0] >> 26
    h[0] &= mask
    // The same less 2^130 - 5, if that is not below zero: without a branch.
    var reduced = InlineArray<5, UInt64>(repeating: 0)
    carry = 5
    for place in 0..<5 {
      reduced[place] = h[place] &+ carry
      carry = reduced[place] >> 26
      reduced[place] &= mask
    }
    let isAbove = 0 &- (carry & 1)
    for place in 0..<5 { h[place] = (h[place] & ~isAbove) | (reduced[place] & isAbove) }
    let words: InlineArray<4, UInt64> = [
      h[0] | h[1] << 26, h[1] >> 6 | h[2] << 20, h[2] >> 12 | h[3] << 14, h[3] >> 18 | h[4] << 8,
    ]
    var result = Tag(words: InlineArray(repeating: 0))
    carry = 0
    for place in 0..<4 {
      carry &+= (words[place] & 0xFFFF_FFFF) &+ UInt64(pad[place])
      result.words[place] = UInt32(truncatingIfNeeded: carry)
      carry >>= 32
    }
    return result
  }
}
