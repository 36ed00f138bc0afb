public import TrackerRuntime

/// Bytes in memory that grow, as a sink; the test needs no module for it.
public typealias GrowingBytes = ByteBuffer
