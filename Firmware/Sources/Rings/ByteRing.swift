import CPUSupport

/// Bytes of a port between the interrupt that receives them and the loop, each with the time at which it came.
///
/// One writes, one reads; neither waits for the other. A full ring refuses the newest byte and counts it: what was there already is
/// whole, and a sentence with a hole fails its checksum either way.
struct ByteRing {
  /// At 115,200 bit/s a ring is full after 89 ms.
  static var capacity: UInt32 { 1024 }

  private var bytes = InlineArray<1024, UInt8>(repeating: 0)
  private var stamps = InlineArray<1024, UInt32>(repeating: 0)
  /// Bytes that were put in and taken out, ever; they wrap.
  private var written: UInt32 = 0
  private var read: UInt32 = 0
  /// Bytes that found no room.
  private var refused: UInt32 = 0
  /// The most that were in it at once.
  private var most: UInt32 = 0

  /// Puts a byte in; called by the interrupt only.
  ///
  /// - Parameter stamp: The lowest 32 bits of the time in microseconds.
  mutating func put(_ byte: UInt8, stamp: UInt32) {
    let used = written &- cpu_load(&read)
    guard used < ByteRing.capacity else {
      refused &+= 1
      return
    }
    let place = Int(written % ByteRing.capacity)
    bytes[place] = byte
    stamps[place] = stamp
    if used >= most { most = used + 1 }
    cpu_store(&written, written &+ 1)
  }

  /// The stamp of the oldest byte; nil when there is none. Called by the loop, as all below.
  mutating func oldest() -> UInt32? {
    guard cpu_load(&written) != read else { return nil }
    return stamps[Int(read % ByteRing.capacity)]
  }

  /// Takes the oldest byte out; one must be there.
  mutating func take() -> UInt8 {
    let byte = bytes[Int(read % ByteRing.capacity)]
    cpu_store(&read, read &+ 1)
    return byte
  }

  /// Bytes that came, those that found no room, and the most that were in it.
  mutating func counts() -> (received: UInt32, lost: UInt32, most: UInt32) {
    (cpu_load(&written) &+ cpu_load(&refused), cpu_load(&refused), cpu_load(&most))
  }
}
