import ASCIIText
import Glibc

/// A buffered stream of bytes to a file descriptor, or into memory for tests.
///
/// A class, because the streams of a process exist once: everybody who writes must see the same buffer.
package final class ByteOutput: ByteSink {
  @usableFromInline let buffer: UnsafeMutablePointer<UInt8>
  @usableFromInline var used = 0
  @usableFromInline static var capacity: Int { 65_536 }
  private let descriptor: Int32?
  private let flushesLines: Bool

  /// What was written so far, when the stream goes into memory.
  package private(set) var captured: [UInt8] = []
  /// `errno` of the first write that failed; what follows it is thrown away.
  package private(set) var failure: Int32?

  /// What was written into memory since the last time.
  func takeCaptured() -> [UInt8] {
    flush()
    defer { captured = [] }
    return captured
  }

  /// A stream to a file descriptor, which stays open.
  ///
  /// - Parameters:
  ///   - descriptor: Where the bytes go.
  ///   - flushesLines: True when text that ends a line is to be seen at once, as on a terminal.
  package init(descriptor: Int32, flushesLines: Bool) {
    self.descriptor = descriptor
    self.flushesLines = flushesLines
    buffer = .allocate(capacity: ByteOutput.capacity)
  }

  /// A stream into memory.
  package init() {
    descriptor = nil
    flushesLines = true
    buffer = .allocate(capacity: ByteOutput.capacity)
  }

  deinit {
    flush()
    buffer.deallocate()
  }

  /// Takes one byte; true, as a stream has no end.
  @discardableResult @inlinable package func append(_ byte: UInt8) -> Bool {
    if used == ByteOutput.capacity { flush() }
    buffer[used] = byte
    used += 1
    return true
  }

  /// Writes bytes as they are.
  package func append(bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { append(buffer: $0) }
  }

  /// Writes a literal.
  package func append(_ text: StaticString) {
    append(buffer: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Writes text as UTF-8.
  package func write(_ text: String) {
    var text = text
    text.withUTF8 { append(buffer: $0) }
    if flushesLines && used > 0 && buffer[used - 1] == 0x0A { flush() }
  }

  /// Writes text as UTF-8 and ends the line.
  package func writeLine(_ text: String = "") {
    write(text)
    append(0x0A)
    if flushesLines { flush() }
  }

  @usableFromInline func append(buffer bytes: UnsafeBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress else { return }
    var start = 0
    while start < bytes.count {
      if used == ByteOutput.capacity { flush() }
      let count = min(bytes.count - start, ByteOutput.capacity - used)
      (buffer + used).update(from: base + start, count: count)
      used += count
      start += count
    }
  }

  /// Hands on everything written so far.
  package func flush() {
    defer { used = 0 }
    guard let descriptor else {
      captured.append(contentsOf: UnsafeBufferPointer(start: buffer, count: used))
      return
    }
    var start = 0
    while start < used && failure == nil {
      let count = Glibc.write(descriptor, buffer + start, used - start)
      if count >= 0 {
        start += count
      } else if errno == EAGAIN {
        // Somebody who shares the descriptor made it non-blocking: wait until there is room.
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
      } else if errno != EINTR {
        failure = errno
      }
    }
  }
}
