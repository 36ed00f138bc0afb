import InlineStorage

/// What stands before the bytes of an image: for what it is, and its signature.
///
/// Numbers have their lowest byte first. In bytes: 0 the mark `LEF1`; 4 the name of the board, zeros behind it; 20 the version; 24 the
/// place of its first byte in the memory; 28 how many bytes it has; 32 their SHA-512; 96 the first bytes of the key; 104 zeros; 124
/// the CRC-32 of all before; 128 the signature of all before, by Ed25519.
package struct FirmwareHeader: BitwiseCopyable, Sendable {
  /// Bytes of it.
  package static var size: Int { 192 }
  /// Bytes that are signed.
  package static var signedSize: Int { 128 }
  /// Bytes that a name of a board may have.
  package static var boardSize: Int { 16 }
  private static var mark: UInt32 { 0x3146_454C }

  /// As it stands in an image.
  package var bytes = InlineArray<192, UInt8>(repeating: 0)

  /// Reads one, whatever it is for.
  ///
  /// - Throws: `header`, when it is none.
  package init(_ source: Span<UInt8>) throws(UpdateRefusal) {
    guard source.count == FirmwareHeader.size else { throw .header }
    for place in 0..<FirmwareHeader.size { bytes[place] = source[place] }
    var zeros: UInt8 = 0
    for place in 104..<124 { zeros |= bytes[place] }
    guard word(0) == FirmwareHeader.mark, word(124) == checksum, zeros == 0 else { throw .header }
  }

  /// That of an image; its digest, key and signature are yet to be set.
  ///
  /// - Returns: nil when the name of the board is empty or too long, or has zeros.
  package init?(board: Span<UInt8>, version: FirmwareVersion, place: UInt32, length: UInt32) {
    guard !board.isEmpty, board.count <= FirmwareHeader.boardSize else { return nil }
    for index in board.indices {
      guard board[index] != 0 else { return nil }
      bytes[4 + index] = board[index]
    }
    set(0, FirmwareHeader.mark)
    set(20, version.number)
    set(24, place)
    set(28, length)
  }

  /// Sets what is known of the bytes and of who signs, and seals it.
  package mutating func set(digest: SHA512.Digest, key: Ed25519Key) {
    for index in 0..<64 { bytes[32 + index] = digest[index] }
    for index in 0..<8 { bytes[96 + index] = key.bytes[index] }
    set(124, checksum)
  }

  /// Sets the 64 bytes of a signature; true when there are so many.
  package mutating func set(signature: Span<UInt8>) -> Bool {
    guard signature.count == 64 else { return false }
    for index in 0..<64 { bytes[128 + index] = signature[index] }
    return true
  }

  package var version: FirmwareVersion { FirmwareVersion(number: word(20)) }
  /// The address of its first byte.
  package var place: UInt32 { word(24) }
  /// Bytes behind the header.
  package var length: UInt32 { word(28) }

  /// True when its bytes have this digest.
  package func hasDigest(_ digest: SHA512.Digest) -> Bool {
    var difference: UInt8 = 0
    for index in 0..<64 { difference |= bytes[32 + index] ^ digest[index] }
    return difference == 0
  }

  /// True when it is for a board of this name.
  package func isFor(_ board: StaticString) -> Bool {
    guard board.utf8CodeUnitCount <= FirmwareHeader.boardSize else { return false }
    for index in 0..<FirmwareHeader.boardSize {
      let expected = index < board.utf8CodeUnitCount ? board.utf8Start[index] : 0
      if bytes[4 + index] != expected { return false }
    }
    return true
  }

  /// True when it names this key.
  package func names(_ key: Ed25519Key) -> Bool {
    var difference: UInt8 = 0
    for index in 0..<8 { difference |= bytes[96 + index] ^ key.bytes[index] }
    return difference == 0
  }

  /// True when it was signed with the secret of this key.
  package func isSigned(by key: Ed25519Key) -> Bool {
    let whole = bytes.span
    return key.verifies(
      whole.extracting(FirmwareHeader.signedSize..<FirmwareHeader.size),
      of: whole.extracting(0..<FirmwareHeader.signedSize))
  }

  /// The same a piece at a time.
  @inline(never) func signatureCheck(by key: Ed25519Key) -> SignatureCheck {
    let whole = bytes.span
    return SignatureCheck(
      key, whole.extracting(FirmwareHeader.signedSize..<FirmwareHeader.size),
      of: whole.extracting(0..<FirmwareHeader.signedSize))
  }

  /// True when each byte is that of another.
  package func isSame(as other: FirmwareHeader) -> Bool {
    var difference: UInt8 = 0
    for index in 0..<FirmwareHeader.size { difference |= bytes[index] ^ other.bytes[index] }
    return difference == 0
  }

  private var checksum: UInt32 { CRC32.extend(0, bytes.span.extracting(0..<124)) }

  private func word(_ place: Int) -> UInt32 {
    UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
      | UInt32(bytes[place + 3]) << 24
  }

  private mutating func set(_ place: Int, _ word: UInt32) {
    for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: word >> UInt32(8 * index)) }
  }
}
