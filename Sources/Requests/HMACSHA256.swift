/// HMAC with SHA-256, fed in pieces of any length.
///
/// - Source: [rfc2104] section 2.
@frozen public struct HMACSHA256: BitwiseCopyable, Sendable {
  private var inner = SHA256()
  private var outer = SHA256()

  /// The code of nothing so far.
  ///
  /// - Parameter key: Of any length; one of more than 64 bytes counts as its digest.
  public init(key: Span<UInt8>) {
    if key.count <= SHA256.blockLength {
      begin(key)
      return
    }
    var hash = SHA256()
    hash.update(key)
    let digest = hash.finish()
    begin(digest.span)
  }

  private mutating func begin(_ key: Span<UInt8>) {
    var place = 0
    while place < SHA256.blockLength {
      let byte = place < key.count ? key[place] : 0
      inner.update(byte ^ 0x36)
      outer.update(byte ^ 0x5C)
      place += 1
    }
  }

  /// Takes one byte more.
  public mutating func update(_ byte: UInt8) { inner.update(byte) }

  /// Takes bytes more.
  public mutating func update(_ bytes: Span<UInt8>) { inner.update(bytes) }

  /// The code of all bytes so far; nothing may be added after it.
  public mutating func finish() -> SHA256.Digest {
    let digest = inner.finish()
    outer.update(digest.span)
    return outer.finish()
  }
}
