import ASCIIText

/// A sink that keeps a sum of what is written.
struct TextOfEvent: ByteSink {
  var sum: UInt32 = 0

  mutating func append(_ byte: UInt8) -> Bool {
    sum = sum &* 31 &+ UInt32(byte)
    return true
  }
}
