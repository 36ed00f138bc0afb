import ASCIIText

/// A sink that grows.
struct ByteCollector: ByteSink {
  var bytes: [UInt8] = []
  mutating func append(_ byte: UInt8) -> Bool {
    bytes.append(byte)
    return true
  }
}
