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
    guard var check = SignatureCheck(self, signature, of: message) else { return false }
    while true {
      if let isRight = check.step() { return isRight }
    }
  }
}

/// Whether a signature is right, a piece at a time: for whoever has other things to do meanwhile.
package struct SignatureCheck: BitwiseCopyable, Sendable {
  private let scalar: CurveScalar
  private let challenge: CurveScalar
  /// The key with its sign changed, and the base point added to that.
  private let other: EdwardsPoint
  private let both: EdwardsPoint
  private let expected: InlineArray<32, UInt8>
  /// `scalar` times the base point and `challenge` times `other`, bit by bit from above.
  private var sum = EdwardsPoint.neutral
  private var bit = 253

  /// Bits of both numbers that a step takes.
  package static var stepSize: Int { 16 }

  /// - Returns: nil when it can't be right, whatever was signed.
  @inline(never) package init?(_ key: Ed25519Key, _ signature: Span<UInt8>, of message: Span<UInt8>) {
    guard signature.count == 64 else { return nil }
    scalar = CurveScalar(signature.extracting(32..<64))
    guard scalar.isReduced, let point = EdwardsPoint(key.bytes), !point.isSmall else { return nil }
    var hash = SHA512()
    hash.update(signature.extracting(0..<32))
    for place in 0..<32 { hash.update(key.bytes[place]) }
    hash.update(message)
    challenge = CurveScalar(reducing: hash.finish())
    other = -point
    var both = other
    both.add(EdwardsPoint.base)
    self.both = both
    var expected = InlineArray<32, UInt8>(repeating: 0)
    for place in 0..<32 { expected[place] = signature[place] }
    self.expected = expected
  }

  /// Does some more.
  ///
  /// - Returns: nil while there is more; then whether it is right.
  @inline(never) package mutating func step() -> Bool? {
    guard bit > 0 else { return isExpected }
    let end = max(0, bit - SignatureCheck.stepSize)
    while bit > end {
      bit -= 1
      sum.double()
      switch (scalar.has(bit), challenge.has(bit)) {
      case (true, true): sum.add(both)
      case (true, false): sum.add(EdwardsPoint.base)
      case (false, true): sum.add(other)
      case (false, false): break
      }
    }
    return nil
  }

  @inline(never) private var isExpected: Bool {
    let found = sum.bytes
    var difference: UInt8 = 0
    for place in 0..<32 { difference |= found[place] ^ expected[place] }
    return difference == 0
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
