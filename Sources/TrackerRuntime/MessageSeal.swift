import OwnTracks
import SecretBox

/// How the messages of a way are sealed, so that a broker between has nothing to read.
package struct MessageSeal {
  /// What the receiver has for this tracker.
  let key: SecretKey
  /// Chance of the machine: no nonce may come twice with a key.
  let chance: () -> UInt64

  /// - Parameters:
  ///   - key: What the receiver has for this tracker.
  ///   - chance: 64 bits of chance.
  package init(key: SecretKey, chance: @escaping () -> UInt64) {
    self.key = key
    self.chance = chance
  }

  /// The message in its outer object.
  package func sealed(_ message: [UInt8]) -> [UInt8] {
    var nonce = ByteBuffer()
    for _ in 0..<3 { nonce.append(littleEndian: chance(), bytes: 8) }
    var outer = ByteBuffer()
    guard OwnTracksSeal.seal(message.span, key: key, nonce: nonce.bytes.span, into: &outer) else { return [] }
    return outer.bytes
  }

  /// The message in an outer object; nil when it is none, or was not sealed with this key.
  func opened(_ text: [UInt8]) -> [UInt8]? {
    var message = ByteBuffer()
    return OwnTracksSeal.open(text.span, key: key, into: &message) ? message.bytes : nil
  }
}
