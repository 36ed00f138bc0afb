import CSodium
import FirmwareUpdate

/// A key pair of libsodium's, which is not ours: it signs, and judges.
struct Signer {
  let publicBytes: [UInt8]
  private let secret: [UInt8]

  /// From 32 bytes.
  init(seed: [UInt8]) {
    _ = sodium_init()
    var open = [UInt8](repeating: 0, count: 32)
    var closed = [UInt8](repeating: 0, count: 64)
    crypto_sign_seed_keypair(&open, &closed, seed)
    (publicBytes, secret) = (open, closed)
  }

  init(_ number: UInt8) { self.init(seed: [UInt8](repeating: number, count: 32)) }

  var key: Ed25519Key { publicKey(publicBytes) }

  func sign(_ message: [UInt8]) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: 64)
    crypto_sign_detached(&signature, nil, message, UInt64(message.count), secret)
    return signature
  }

  /// The secret number that the public point is a multiple of.
  var scalar: [UInt8] {
    var digest = sodiumDigest(Array(secret.prefix(32)))
    digest[0] &= 248
    digest[31] = digest[31] & 127 | 64
    return Array(digest.prefix(32))
  }

  static func judge(_ signature: [UInt8], _ message: [UInt8], _ key: [UInt8]) -> Bool {
    crypto_sign_verify_detached(signature, message, UInt64(message.count), key) == 0
  }
}

func publicKey(_ bytes: [UInt8]) -> Ed25519Key {
  var key = InlineArray<32, UInt8>(repeating: 0)
  for place in 0..<32 { key[place] = bytes[place] }
  return Ed25519Key(key)
}

func sodiumDigest(_ bytes: [UInt8]) -> [UInt8] {
  var digest = [UInt8](repeating: 0, count: 64)
  crypto_hash_sha512(&digest, bytes, UInt64(bytes.count))
  return digest
}

func ourDigest(_ bytes: [UInt8]) -> SHA512.Digest {
  var hash = SHA512()
  hash.update(bytes.span)
  return hash.finish()
}

extension Ed25519Key {
  func verifies(_ signature: [UInt8], _ message: [UInt8]) -> Bool { verifies(signature.span, of: message.span) }
}

/// Bytes from hexadecimal digits.
func bytes(_ text: String) -> [UInt8] {
  let digits = Array(text.utf8)
  return stride(from: 0, to: digits.count - 1, by: 2).map { place in
    UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16) ?? 0
  }
}
