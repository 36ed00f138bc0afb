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
    var check = SignatureCheck(self, signature, of: message)
    while true {
      if let isRight = check.step() { return isRight }
    }
  }
}

/// Whether a signature is right, a piece at a time: for whoever has other things to do meanwhile.
package struct SignatureCheck: BitwiseCopyable, Sendable {
  private let key: InlineArray<32, UInt8>
  private var scalar: CurveScalar
  private var challenge: CurveScalar
  private var expected = InlineArray<32, UInt8>(repeating: 0)
  /// The key with its sign changed, and the base point added to that.
  private var other = EdwardsPoint.neutral
  private var both = EdwardsPoint.neutral
  /// `scalar` times the base point and `challenge` times `other`, bit by bit from above.
  private var sum = EdwardsPoint.neutral
  /// The last bit that was taken; one more before the key was looked at, and nothing when it can't be right.
  private var bit: Int?

  private static var bitCount: Int { 253 }

  /// Bits of both numbers that a step takes.
  package static var stepSize: Int { 16 }

  @inline(never) package init(_ key: Ed25519Key, _ signature: Span<UInt8>, of message: Span<UInt8>) {
    self.key = key.bytes
    scalar = CurveScalar()
    challenge = scalar
    guard signature.count == 64 else { return }
    scalar = CurveScalar(signature.extracting(32..<64))
    guard scalar.isReduced else { return }
    var hash = SHA512()
    hash.update(signature.extracting(0..<32))
    for place in 0..<32 { hash.update(key.bytes[place]) }
    hash.update(message)
    challenge = CurveScalar(reducing: hash.finish())
    for place in 0..<32 { expected[place] = signature[place] }
    bit = SignatureCheck.bitCount + 1
  }

  /// Does some more.
  ///
  /// - Returns: nil while there is more; then whether it is right.
  @inline(never) package mutating func step() -> Bool? {
    guard var bit else { return false }
    guard bit <= SignatureCheck.bitCount else { return takesKey() ? nil : false }
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
    self.bit = bit
    return nil
  }

  /// Looks at the key; false when nothing can be signed with it.
  @inline(never) private mutating func takesKey() -> Bool {
    bit = nil
    guard let point = EdwardsPoint(key), !point.isSmall else { return false }
    other = -point
    both = other
    both.add(EdwardsPoint.base)
    bit = SignatureCheck.bitCount
    return true
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

  /// Zero.
  init() {}

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
