import ASCIIText
import InlineStorage

/// A sink that keeps a sum of what is written.
struct TextSum: ByteSink {
  var sum: UInt32 = 0

  mutating func append(_ byte: UInt8) -> Bool {
    sum = sum &* 31 &+ UInt32(byte)
    return true
  }

  /// The longest text is a packet, which fits.
  mutating func write<Result>(_ body: (inout TextWriter) -> Result) -> Result {
    var buffer = InlineBytes<1024>()
    let result = buffer.write(body)
    append(bytes: buffer.span)
    return result
  }
}
