/// The decimal digits of a number as text, most significant first.
///
/// They are made from the right, so they stand at the end of a buffer that is long enough for any 64-bit number.
@frozen public struct DecimalDigits: BitwiseCopyable, Sendable {
  @usableFromInline var storage: InlineArray<20, UInt8>
  @usableFromInline var start: Int

  /// The digits of `value`, with zeros in front up to `minimumCount` digits (limited to 1 to 20).
  ///
  /// Divides 64-bit numbers at most twice, as that is a slow library call on a microcontroller; the rest is done in 32 bits
  /// and two digits at a time.
  public init(_ value: UInt64, minimumCount: Int = 1) {
    storage = InlineArray(repeating: 0x30)
    start = 20
    var rest = value
    while rest > UInt64(UInt32.max) {
      let quotient = rest / 100_000_000
      var part = UInt32(truncatingIfNeeded: rest &- quotient &* 100_000_000)
      let end = start - 8
      while part > 0 {
        start -= 1
        storage[start] = 0x30 + UInt8(truncatingIfNeeded: part % 10)
        part /= 10
      }
      start = end
      rest = quotient
    }
    var part = UInt32(truncatingIfNeeded: rest)
    while part >= 10 {
      let quotient = part / 100
      let pair = part &- quotient &* 100
      start -= 2
      storage[start + 1] = 0x30 + UInt8(truncatingIfNeeded: pair % 10)
      storage[start] = 0x30 + UInt8(truncatingIfNeeded: pair / 10)
      part = quotient
    }
    if part > 0 {
      start -= 1
      storage[start] = 0x30 + UInt8(truncatingIfNeeded: part)
    }
    // The buffer is full of zeros: padding is a matter of where the digits begin.
    let minimum = minimumCount < 1 ? 1 : minimumCount > 20 ? 20 : minimumCount
    if start > 20 - minimum { start = 20 - minimum }
  }

  /// Number of digits, 1 to 20.
  @inlinable public var count: Int { 20 - start }

  /// The digits.
  @_transparent public var span: Span<UInt8> {
    @_lifetime(borrow self) get { storage.span.extracting(start..<20) }
  }
}
