/// The one-time authenticator Poly1305, in five limbs of 26 bits.
///
/// - Source: RFC 8439 section 2.5; limbs as in A. Moon's poly1305-donna-32.
struct Poly1305: BitwiseCopyable {
  private let r: (UInt32, UInt32, UInt32, UInt32, UInt32)
  private var sum: (UInt32, UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0, 0)
  private let pad: (UInt32, UInt32, UInt32, UInt32)

  /// - Parameter block: Its first 32 bytes are the key, used for one message.
  init(_ block: SalsaBlock) {
    let (a, b) = (UInt64(block.words[0]), UInt64(block.words[1]))
    let (c, d) = (UInt64(block.words[2]), UInt64(block.words[3]))
    r = (
      UInt32(truncatingIfNeeded: a & 0x3FF_FFFF), UInt32(truncatingIfNeeded: (a >> 26 | b << 6) & 0x3FF_FF03),
      UInt32(truncatingIfNeeded: (b >> 20 | c << 12) & 0x3FF_C0FF),
      UInt32(truncatingIfNeeded: (c >> 14 | d << 18) & 0x3F0_3FFF), UInt32(truncatingIfNeeded: d >> 8 & 0x00F_FFFF)
    )
    pad = (block.words[4], block.words[5], block.words[6], block.words[7])
  }

  /// Takes the whole message.
  mutating func take(_ start: UnsafePointer<UInt8>, count: Int) {
    var at = UnsafeRawPointer(start)
    var left = count
    while left >= 16 {
      add(
        UInt64(littleEndian: at.loadUnaligned(as: UInt64.self)),
        UInt64(littleEndian: at.loadUnaligned(fromByteOffset: 8, as: UInt64.self)), 1 << 24)
      at += 16
      left -= 16
    }
    guard left > 0 else { return }
    // The bit above stands right behind the last byte.
    var (low, high): (UInt64, UInt64) = (0, 0)
    var place = 0
    while place <= left {
      let bits = UInt64(place < left ? at.load(fromByteOffset: place, as: UInt8.self) : 1)
      if place < 8 { low |= bits << UInt64(place * 8) } else { high |= bits << UInt64((place - 8) * 8) }
      place += 1
    }
    add(low, high, 0)
  }

  /// Takes sixteen bytes in: they are added with a bit above them, and the sum is multiplied by `r` modulo 2^130 - 5.
  private mutating func add(_ low: UInt64, _ high: UInt64, _ top: UInt32) {
    func product(_ a: UInt32, _ b: UInt32) -> UInt64 { UInt64(a) &* UInt64(b) }
    let mask: UInt64 = 0x3FF_FFFF
    let a = sum.0 &+ UInt32(truncatingIfNeeded: low & mask)
    let b = sum.1 &+ UInt32(truncatingIfNeeded: low >> 26 & mask)
    let c = sum.2 &+ UInt32(truncatingIfNeeded: (low >> 52 | high << 12) & mask)
    let d = sum.3 &+ UInt32(truncatingIfNeeded: high >> 14 & mask)
    let e = sum.4 &+ (UInt32(truncatingIfNeeded: high >> 40) | top)
    // What lies beyond 2^130 comes round five times.
    let (s1, s2, s3, s4) = (r.1 &* 5, r.2 &* 5, r.3 &* 5, r.4 &* 5)
    var p0 = product(a, r.0) &+ product(b, s4) &+ product(c, s3) &+ product(d, s2)
    var p1 = product(a, r.1) &+ product(b, r.0) &+ product(c, s4) &+ product(d, s3)
    var p2 = product(a, r.2) &+ product(b, r.1) &+ product(c, r.0) &+ product(d, s4)
    var p3 = product(a, r.3) &+ product(b, r.2) &+ product(c, r.1) &+ product(d, r.0)
    var p4 = product(a, r.4) &+ product(b, r.3) &+ product(c, r.2) &+ product(d, r.1)
    p0 = p0 &+ product(e, s1)
    p1 = p1 &+ product(e, s2) &+ p0 >> 26
    p2 = p2 &+ product(e, s3) &+ p1 >> 26
    p3 = p3 &+ product(e, s4) &+ p2 >> 26
    p4 = p4 &+ product(e, r.0) &+ p3 >> 26
    let first = (p0 & mask) &+ (p4 >> 26) &* 5
    sum = (
      UInt32(truncatingIfNeeded: first & mask), UInt32(truncatingIfNeeded: (p1 & mask) &+ first >> 26),
      UInt32(truncatingIfNeeded: p2 & mask), UInt32(truncatingIfNeeded: p3 & mask),
      UInt32(truncatingIfNeeded: p4 & mask)
    )
  }

  /// The tag of what was taken, as four words.
  func tag() -> InlineArray<4, UInt32> {
    let mask: UInt64 = 0x3FF_FFFF
    var h: InlineArray<5, UInt64> = [UInt64(sum.0), UInt64(sum.1), UInt64(sum.2), UInt64(sum.3), UInt64(sum.4)]
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
    let pads: InlineArray<4, UInt32> = [pad.0, pad.1, pad.2, pad.3]
    var result = InlineArray<4, UInt32>(repeating: 0)
    carry = 0
    for place in 0..<4 {
      carry &+= (words[place] & 0xFFFF_FFFF) &+ UInt64(pads[place])
      result[place] = UInt32(truncatingIfNeeded: carry)
      carry >>= 32
    }
    return result
  }
}
