/// A public key of Ed25519.
package struct Ed25519Key: BitwiseCopyable, Sendable {
  /// Its 32 bytes.
  package var bytes: InlineArray<32, UInt8>

  package init(_ bytes: InlineArray<32, UInt8>) { self.bytes = bytes }

  /// Of 32 bytes; nil of another number.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count == 32 else { return nil }
    self.bytes = InlineArray(repeating: 0)
    for place in 0..<32 { self.bytes[place] = bytes[place] }
  }

  /// True when a message of any length has a signature of 64 bytes by the secret of this key.
  ///
  /// One message has one signature that is taken, but for what its signer makes: S is below the order of the base point, points are
  /// spelled in the one way, and a key of small order, of which anyone can sign, signs nothing. Time may depend on all of it, as
  /// nothing of it is secret.
  ///
  /// - Source: RFC 8032 section 5.1.7, by the equation without the factor 8.
  @inline(never) package func verifies(_ signature: Span<UInt8>, of message: Span<UInt8>) -> Bool {
    guard signature.count == 64 else { return false }
    let scalar = CurveScalar(signature.extracting(32..<64))
    guard scalar.isReduced, let point = EdwardsPoint(bytes), !point.isSmall else { return false }
    var hash = SHA512()
    hash.update(signature.extracting(0..<32))
    for place in 0..<32 { hash.update(bytes[place]) }
    hash.update(message)
    let challenge = CurveScalar(reducing: hash.finish())
    let expected = Ed25519Key.combination(scalar, challenge, -point).bytes
    var difference: UInt8 = 0
    for place in 0..<32 { difference |= expected[place] ^ signature[place] }
    return difference == 0
  }

  /// `a` times the base point and `b` times another, bit by bit from above.
  @inline(never) private static func combination(
    _ a: CurveScalar, _ b: CurveScalar, _ other: EdwardsPoint
  ) -> EdwardsPoint {
    let base = EdwardsPoint.base
    var both = other
    both.add(base)
    var sum = EdwardsPoint.neutral
    var bit = 253
    while bit > 0 {
      bit -= 1
      sum.double()
      switch (a.has(bit), b.has(bit)) {
      case (true, true): sum.add(both)
      case (true, false): sum.add(base)
      case (false, true): sum.add(other)
      case (false, false): break
      }
    }
    return sum
  }
}

/// A number of 256 bits, in words, the lowest first.
struct CurveScalar: BitwiseCopyable {
  private var words = InlineArray<8, UInt32>(repeating: 0)

  /// The order of the base point, 2^252 + 27742317777372353535851937790883648493.
  private static var order: InlineArray<8, UInt32> {
    [0x5CF5_D3ED, 0x5812_631A, 0xA2F7_9CD6, 0x14DE_F9DE, 0, 0, 0, 0x1000_0000]
  }

  /// Of 32 bytes, the lowest first.
  init(_ bytes: Span<UInt8>) {
    for place in 0..<32 { words[place >> 2] |= UInt32(bytes[place]) << UInt32(8 * (place & 3)) }
  }

  /// What is left of 64 bytes, the lowest first, after division by the order.
  init(reducing bytes: SHA512.Digest) {
    for bit in 0..<512 {
      let place = 511 - bit
      var carry = UInt32(bytes[place >> 3] >> UInt8(place & 7) & 1)
      for word in 0..<8 {
        let next = words[word] >> 31
        words[word] = words[word] << 1 | carry
        carry = next
      }
      let (less, isBelow) = withoutOrder
      if !isBelow { self = less }
    }
  }

  /// True when it is less than the order.
  var isReduced: Bool { withoutOrder.isBelow }

  func has(_ bit: Int) -> Bool { words[bit >> 5] >> UInt32(bit & 31) & 1 == 1 }

  /// It less the order, and whether that is below zero.
  private var withoutOrder: (less: CurveScalar, isBelow: Bool) {
    let order = CurveScalar.order
    var result = self
    var borrow: Int64 = 0
    for word in 0..<8 {
      borrow += Int64(words[word]) - Int64(order[word])
      result.words[word] = UInt32(truncatingIfNeeded: borrow)
      borrow >>= 32
    }
    return (result, borrow < 0)
  }
}
