/// The product of two whole numbers of 128 bits, which the compiler asks for by this name: WebAssembly multiplies 64.
///
/// Nothing here is wider than 64 bits, or it would call itself.
///
/// - Parameters:
///   - product: Where the product goes, its lower half first.
///   - low: Lower half of a factor.
///   - high: Its upper half.
///   - otherLow: Lower half of the other factor.
///   - otherHigh: Its upper half.
@c(__multi3) public func wideProduct(
  _ product: UnsafeMutablePointer<UInt64>, _ low: UInt64, _ high: UInt64, _ otherLow: UInt64, _ otherHigh: UInt64
) {
  let mask: UInt64 = 0xFFFF_FFFF
  let a = low & mask
  let b = low >> 32
  let c = otherLow & mask
  let d = otherLow >> 32
  // Four products of 32 bits; what is carried out of the middle is less than three times 2^32.
  let middle = (a &* c) >> 32 &+ (a &* d) & mask &+ (b &* c) & mask
  let upper = b &* d &+ (a &* d) >> 32 &+ (b &* c) >> 32 &+ middle >> 32
  product[0] = low &* otherLow
  product[1] = upper &+ low &* otherHigh &+ high &* otherLow
}
