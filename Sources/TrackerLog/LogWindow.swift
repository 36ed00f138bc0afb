import InlineStorage

/// A stretch of a log, held in one piece, that moves on through it.
///
/// A program has a file behind it and grows it as needed; a firmware has a buffer of a fixed size and a port. A reader that is to
/// treat damage as others do needs room for two of the records that it reads, at least 16 KiB.
package protocol LogWindow: ~Copyable {
  /// Number of bytes at hand.
  var count: Int { get }
  /// The bytes at hand; valid until the next `require`.
  var pointer: UnsafePointer<UInt8> { get }
  /// Offset of the first of them in the whole log.
  var position: Int { get }
  /// The most bytes that it can hold.
  var limit: Int { get }
  /// True when the bytes have ended because they could not be read.
  var isBroken: Bool { get }

  /// Passes over bytes at hand.
  mutating func consume(_ count: Int)
  /// Tries to have at least so many bytes at hand; false when the log ends before, or there is no room for them.
  mutating func require(_ wanted: Int) -> Bool
  /// The checksum of what a checksum was made of and some bytes behind it.
  static func checksum(_ seed: UInt32, _ bytes: UnsafeBufferPointer<UInt8>) -> UInt32
}

extension LogWindow where Self: ~Copyable {
  package static func checksum(_ seed: UInt32, _ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    CRC32.extend(seed, bytes)
  }

  /// Where the checksum of a record begins: the checksum of the instant its times refer to, eight bytes, least
  /// significant first.
  ///
  /// So a record can't be taken to belong to another marker than its own.
  package static func checksum(ofBase microseconds: Int64) -> UInt32 {
    var bits = UInt64(bitPattern: microseconds).littleEndian
    return withUnsafePointer(to: &bits) { place in
      place.withMemoryRebound(to: UInt8.self, capacity: 8) { checksum(0, UnsafeBufferPointer(start: $0, count: 8)) }
    }
  }
}
