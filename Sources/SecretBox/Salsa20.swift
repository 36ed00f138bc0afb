import InlineStorage

/// Eight words of a key.
@frozen @usableFromInline struct SalsaKey: Equatable, BitwiseCopyable, Sendable {
  var words: InlineArray<8, UInt32> = InlineArray(repeating: 0)
  /// The last eight bytes of the nonce, for the stream.
  var low: UInt32 = 0
  var high: UInt32 = 0

  init() {}

  mutating func set(_ place: Int, _ byte: UInt8) { words[place >> 2] |= UInt32(byte) << UInt32((place & 3) * 8) }

  @usableFromInline static func == (a: SalsaKey, b: SalsaKey) -> Bool {
    var difference = (a.low ^ b.low) | (a.high ^ b.high)
    for place in 0..<8 { difference |= a.words[place] ^ b.words[place] }
    return difference == 0
  }

  /// HSalsa20 of a key and the first 16 bytes of a nonce; the other eight go to the stream.
  ///
  /// - Source: [xsalsa20] section 2.
  static func derived(from key: SalsaKey, _ nonce: Span<UInt8>) -> SalsaKey {
    func word(_ place: Int) -> UInt32 {
      UInt32(nonce[place]) | UInt32(nonce[place + 1]) << 8 | UInt32(nonce[place + 2]) << 16
        | UInt32(nonce[place + 3]) << 24
    }
    var block = SalsaBlock(key, word(0), word(4), word(8), word(12))
    block.mix()
    var result = SalsaKey()
    let places: InlineArray<8, Int> = [0, 5, 10, 15, 6, 7, 8, 9]
    for place in 0..<8 { result.words[place] = block.words[places[place]] }
    result.low = word(16)
    result.high = word(20)
    return result
  }
}

/// The sixteen words of Salsa20.
///
/// - Source: [xsalsa20] section 2, after D. J. Bernstein's specification of Salsa20.
struct SalsaBlock: BitwiseCopyable {
  var words: InlineArray<16, UInt32>

  init(_ key: SalsaKey, _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) {
    let k = key.words
    words = [
      0x6170_7865, k[0], k[1], k[2], k[3], 0x3320_646E, a, b, c, d, 0x7962_2D32, k[4], k[5], k[6], k[7], 0x6B20_6574,
    ]
  }

  private mutating func turn(_ a: Int, _ b: Int, _ c: Int, _ d: Int) {
    func rotated(_ x: UInt32, _ bits: UInt32) -> UInt32 { x << bits | x >> (32 - bits) }
    words[b] ^= rotated(words[a] &+ words[d], 7)
    words[c] ^= rotated(words[b] &+ words[a], 9)
    words[d] ^= rotated(words[c] &+ words[b], 13)
    words[a] ^= rotated(words[d] &+ words[c], 18)
  }

  /// Adds the words of another, each to its own.
  mutating func add(_ other: SalsaBlock) {
    var place = 0
    while place < 16 {
      words[unchecked: place] &+= other.words[unchecked: place]
      place += 1
    }
  }

  /// Twenty rounds.
  mutating func mix() {
    var round = 0
    while round < 10 {
      turn(0, 4, 8, 12)
      turn(5, 9, 13, 1)
      turn(10, 14, 2, 6)
      turn(15, 3, 7, 11)
      turn(0, 1, 2, 3)
      turn(5, 6, 7, 4)
      turn(10, 11, 8, 9)
      turn(15, 12, 13, 14)
      round += 1
    }
  }
}

/// The stream that messages are mixed with, without its first 32 bytes, which are the key of the authenticator.
struct SalsaStream: BitwiseCopyable {
  private let key: SalsaKey

  init(_ key: SalsaKey) { self.key = key }

  /// A block of 64 bytes.
  private func block(_ counter: UInt64) -> SalsaBlock {
    let start = SalsaBlock(
      key, key.low, key.high, UInt32(truncatingIfNeeded: counter), UInt32(truncatingIfNeeded: counter >> 32))
    var block = start
    block.mix()
    block.add(start)
    return block
  }

  /// The first block, of which the first half is no stream.
  var first: SalsaBlock { block(0) }

  /// Mixes a message with the stream.
  ///
  /// - Parameters:
  ///   - first: The first block.
  ///   - source: The message.
  ///   - count: Its bytes.
  ///   - target: Takes as many.
  func mix(
    _ first: SalsaBlock, _ source: UnsafePointer<UInt8>, _ count: Int, to target: UnsafeMutablePointer<UInt8>
  ) {
    var done = 0
    var counter: UInt64 = 0
    var word = 8
    var words = first
    while done < count {
      if word == 16 {
        counter &+= 1
        words = block(counter)
        word = 0
      }
      if count - done >= (16 - word) * 4 {
        while word < 16 {
          let four = UnsafeRawPointer(source + done).loadUnaligned(as: UInt32.self)
          UnsafeMutableRawPointer(target + done).storeBytes(
            of: four ^ words.words[unchecked: word].littleEndian, as: UInt32.self)
          word += 1
          done += 4
        }
      } else {
        var place = 0
        while done < count {
          let bits = words.words[word + place >> 2] >> UInt32((place & 3) * 8)
          target[done] = source[done] ^ UInt8(truncatingIfNeeded: bits)
          place += 1
          done += 1
        }
      }
    }
  }
}
