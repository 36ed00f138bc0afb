import TrackerRuntime

/// Bytes in memory that grow, as a sink; the test needs no module for it.
package typealias GrowingBytes = ByteBuffer
