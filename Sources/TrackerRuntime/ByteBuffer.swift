public import ASCIIText

/// Bytes in memory that grow, as a sink.
public struct ByteBuffer: ByteSink, Sendable {
  /// What was written.
  public var bytes: [UInt8] = []

  /// Empty.
  public init() {}

  /// Empty, with the storage of an array that is no longer needed.
  package init(reusing storage: consuming [UInt8]) {
    bytes = storage
    bytes.removeAll(keepingCapacity: true)
  }

  /// Takes one byte; true, as there is room always.
  @discardableResult public mutating func append(_ byte: UInt8) -> Bool {
    bytes.append(byte)
    return true
  }
}
