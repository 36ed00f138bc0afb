/// Addition and subtraction in double precision, which the compiler asks for by these names where the processor has none.
///
/// Those of libgcc 12.2 round one kind of subtraction wrongly (`docs/elementary.md`). Numbers come and go as their bits, in the
/// registers in which the run-time ABI has a double; nothing here is floating-point, or it would call itself.
///
/// - Source: Run-time ABI for the Arm Architecture, IHI 0043, section 5.1.2; IEEE 754-2019, sections 4.3.1 and 5.4.1.
@c(__aeabi_dadd) func addDouble(_ x: UInt64, _ y: UInt64) -> UInt64 { sumOfDoubles(x, y) }
@c(__aeabi_dsub) func subtractDouble(_ x: UInt64, _ y: UInt64) -> UInt64 { sumOfDoubles(x, y ^ 1 << 63) }
@c(__aeabi_drsub) func subtractFromDouble(_ x: UInt64, _ y: UInt64) -> UInt64 { sumOfDoubles(y, x ^ 1 << 63) }

/// The sum of two numbers, rounded to the nearest, ties to even.
@inline(never) private func sumOfDoubles(_ x: UInt64, _ y: UInt64) -> UInt64 {
  let infinity: UInt64 = 0x7FF0_0000_0000_0000
  let magnitudeMask: UInt64 = ~(1 << 63)
  let isSwapped = y & magnitudeMask > x & magnitudeMask
  // The greater in magnitude first.
  let a = isSwapped ? y : x
  let b = isSwapped ? x : y
  let sign = a & ~magnitudeMask
  let large = a & magnitudeMask
  let small = b & magnitudeMask
  if large >= infinity {
    if large > infinity { return a | 1 << 51 }
    return small == infinity && a != b ? 0x7FF8_0000_0000_0000 : a
  }
  // Nothing is added; of two zeros only both negative give a negative one.
  if small == 0 { return large == 0 ? a & b : a }
  var exponent = Int32(truncatingIfNeeded: large >> 52)
  var other = Int32(truncatingIfNeeded: small >> 52)
  // 53 bits and three more: two that rounding needs, and one for whether anything was lost below.
  var sum = large & (1 << 52 - 1)
  var addend = small & (1 << 52 - 1)
  if exponent == 0 { exponent = 1 } else { sum |= 1 << 52 }
  if other == 0 { other = 1 } else { addend |= 1 << 52 }
  sum <<= 3
  addend <<= 3
  let distance = UInt64(UInt32(bitPattern: exponent &- other))
  if distance > 57 {
    addend = 1
  } else if distance > 0 {
    let isInexact = addend & (1 &<< distance &- 1) != 0
    addend = addend &>> distance | (isInexact ? 1 : 0)
  }
  if (a ^ b) >> 63 == 0 {
    sum &+= addend
    if sum >> 56 != 0 {
      sum = sum >> 1 | sum & 1
      exponent &+= 1
    }
  } else {
    sum &-= addend
    if sum == 0 { return 0 }
    let wanted = Int32(truncatingIfNeeded: sum.leadingZeroBitCount) &- 8
    let shift = wanted < exponent &- 1 ? wanted : exponent &- 1
    sum = sum &<< UInt64(UInt32(bitPattern: shift))
    exponent &-= shift
  }
  let rest = sum & 7
  sum >>= 3
  // The leading bit counts one for the exponent; a number below the normal ones has none, and the exponent zero.
  var result = UInt64(UInt32(bitPattern: exponent &- 1)) << 52 &+ sum
  if rest > 4 || (rest == 4 && sum & 1 == 1) { result &+= 1 }
  return sign | (result > infinity ? infinity : result)
}
