/// A hash of sums and differences in double precision, the same wherever each is rounded as IEEE 754 says, and of products of
/// 128 bits.
///
/// Exponents lie up to 70 apart, so that every way of rounding occurs, and some numbers are below the normal ones.
///
/// - Parameter zero: 0 that the compiler does not know, so that nothing is computed at build time.
func arithmeticHash(_ zero: UInt64) -> UInt32 {
  var hash: UInt32 = 0x811C_9DC5
  var state: UInt64 = 0x9E37_79B9_7F4A_7C15
  func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
  func note(_ number: Double) { note(number.bitPattern) }
  func note(_ bits: UInt64) {
    hash = (hash ^ UInt32(truncatingIfNeeded: bits)) &* 0x0100_0193
    hash = (hash ^ UInt32(truncatingIfNeeded: bits >> 32)) &* 0x0100_0193
  }
  // Swift takes the least normal number for the least of all on 32-bit Arm, hence the bits.
  // The case in which libgcc 12.2 is wrong by itself, and the ends of the range.
  note(1 - Double(bitPattern: 0x3de0_4ccf_3353_68af | zero))
  let ends: InlineArray<8, Double> = [
    0, -0.0, Double(bitPattern: 1), .leastNormalMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    .infinity, 1,
  ]
  for a in 0..<8 {
    for b in 0..<8 where !(a == 6 && b == 6) {
      let first = Double(bitPattern: ends[a].bitPattern | zero)
      note(first + ends[b])
      note(first - ends[b])
    }
  }
  for round in 0..<100_000 {
    let first = next()
    let mantissa = next()
    let low = round % 16 == 0 ? 0 : 1000 as UInt64
    let exponent = low + first >> 32 % 70
    let other = low + first % 70
    // Half of them with few bits, for ties; a quarter just above a power of two, from which a difference lies below it.
    let mask: UInt64 = round & 1 == 0 ? ~0 : 0x000F_FFC0_0000_0003
    let near: UInt64 = round & 3 == 2 ? 0xFF : ~0
    let a = Double(bitPattern: first & (1 << 63) | exponent << 52 | mantissa & mask & near & (1 << 52 - 1))
    let b = Double(bitPattern: mantissa & (1 << 63) | other << 52 | (first &* 0x9E37_79B9) & mask & (1 << 52 - 1))
    note(a + b)
    note(a - b)
    // One of four with nothing but ones in its halves, so that every carry occurs.
    let wide = UInt128(first | (round & 3 == 3 ? ~0 : zero)) << 64 | UInt128(mantissa | (round & 5 == 5 ? ~0 : zero))
    let product = wide &* (UInt128(mantissa) << 64 | UInt128(first | (round & 6 == 6 ? 0xFFFF_FFFF : zero)))
    note(UInt64(truncatingIfNeeded: product))
    note(UInt64(truncatingIfNeeded: product >> 64))
  }
  return hash
}
