import Glibc
import TrackerRuntime

/// A stretch of a byte source held in one piece, so that parsers can work on pointers.
///
/// It grows only when a caller asks for more bytes at once than it holds, up to a fixed limit.
final class ByteWindow {
  let source: ByteSource
  /// What ended the bytes early; nil at a normal end. Parsers throw it once they have used everything before it.
  private(set) var failure: RecordingError?
  private(set) var isAtEnd = false
  /// Offset of the first byte of the window in the whole (unpacked) stream.
  private(set) var position = 0

  private var storage: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var start = 0
  private var end = 0

  static let initialCapacity = 256 * 1024
  static let maximumCapacity = 4 * 1024 * 1024

  init(_ source: ByteSource) {
    self.source = source
    capacity = ByteWindow.initialCapacity
    storage = .allocate(capacity: capacity)
  }

  deinit { storage.deallocate() }

  /// Number of bytes at hand.
  var count: Int { end - start }

  /// The bytes at hand; valid until the next `require` or `fill`.
  var pointer: UnsafePointer<UInt8> { UnsafePointer(storage + start) }

  /// Passes over bytes at hand.
  func consume(_ count: Int) {
    start += count
    position += count
  }

  /// Tries to have at least `wanted` bytes at hand; false when the source ends before.
  func require(_ wanted: Int) -> Bool {
    while count < wanted {
      if !fill(upTo: wanted) { return false }
    }
    return true
  }

  /// Reads some more bytes behind those at hand; false at the end or when the window can't grow further.
  func fill(upTo wanted: Int = 0) -> Bool {
    guard !isAtEnd else { return false }
    if start > 0, start == end || capacity - end < capacity / 2 || wanted > capacity - start {
      memmove(storage, storage + start, count)
      end -= start
      start = 0
    }
    if end == capacity || wanted > capacity {
      let larger = min(max(capacity * 2, wanted), ByteWindow.maximumCapacity)
      guard larger > capacity else { return false }
      let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
      memcpy(moved, storage + start, count)
      storage.deallocate()
      storage = moved
      capacity = larger
      end -= start
      start = 0
    }
    do throws(RecordingError) {
      let count = try source.read(into: storage + end, capacity: capacity - end)
      end += count
      if count == 0 { isAtEnd = true }
      return count > 0
    } catch {
      failure = error
      isAtEnd = true
      return false
    }
  }
}
