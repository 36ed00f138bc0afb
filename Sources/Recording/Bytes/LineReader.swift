import Glibc
import TrackerRuntime

/// Lines of text ending in LF, CRLF or CR, without their ends; a UTF-8 byte order mark is passed over.
final class LineReader {
  /// A line; its bytes are valid until the next call to the reader.
  struct Line {
    var start: UnsafePointer<UInt8>
    var count: Int
    var end: UnsafePointer<UInt8> { start + count }
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  let window: ByteWindow
  /// Number of the line last returned, from 1.
  private(set) var lineNumber = 0
  /// Lines passed over because they were too long, not yet reported.
  private(set) var overlongCount = 0
  private(set) var firstOverlongLine = 0

  static let maximumLineLength = 64 * 1024

  /// Stream position up to which there is known to be no LF.
  private var noNewlineBefore = 0
  /// Stream position of the next LF, when known.
  private var newline = -1

  init(_ window: ByteWindow) {
    self.window = window
    if window.require(3), window.pointer[0] == 0xEF, window.pointer[1] == 0xBB, window.pointer[2] == 0xBF {
      window.consume(3)
    }
  }

  /// The next line; nil at the end.
  ///
  /// - Throws: what ended the bytes early, after the last whole line was returned.
  func next() throws(RecordingError) -> Line? {
    while true {
      guard let length = try terminatedLength() else { return nil }
      lineNumber += 1
      let start = window.pointer
      if length.text > LineReader.maximumLineLength {
        noteOverlong()
        window.consume(length.text + length.terminator)
        continue
      }
      window.consume(length.text + length.terminator)
      return Line(start: start, count: length.text)
    }
  }

  /// The line after the one last returned, left in place. The bytes of the line returned before become invalid.
  func peek() -> Line? {
    guard let length = try? terminatedLength(), length.text <= LineReader.maximumLineLength else { return nil }
    return Line(start: window.pointer, count: length.text)
  }

  private func noteOverlong() {
    if overlongCount == 0 { firstOverlongLine = lineNumber }
    overlongCount += 1
  }

  private func terminatedLength() throws(RecordingError) -> (text: Int, terminator: Int)? {
    var searched = 0
    while true {
      let count = window.count
      let pointer = window.pointer
      let newlineOffset = offsetOfNewline(pointer, count)
      let limit = newlineOffset ?? count
      if let found = memchr(pointer + searched, 0x0D, limit - searched) {
        let offset = found - UnsafeMutableRawPointer(mutating: pointer)
        if offset + 1 == newlineOffset { return (offset, 2) }
        if offset + 1 < count || window.isAtEnd { return (offset, 1) }
        // A CR at the edge: the LF may follow.
        searched = offset
      } else if let newlineOffset {
        return (newlineOffset, 1)
      } else {
        searched = count
        if count > LineReader.maximumLineLength {
          try skipOverlong()
          searched = 0
          continue
        }
      }
      if !window.fill() {
        if let failure = window.failure { throw failure }
        if window.count == 0 { return nil }
        if searched < window.count { continue }
        return (window.count, 0)
      }
    }
  }

  private func offsetOfNewline(_ pointer: UnsafePointer<UInt8>, _ count: Int) -> Int? {
    let position = window.position
    if newline >= position { return newline - position }
    let from = max(0, noNewlineBefore - position)
    if from < count, let found = memchr(pointer + from, 0x0A, count - from) {
      let offset = found - UnsafeMutableRawPointer(mutating: pointer)
      newline = position + offset
      return offset
    }
    noNewlineBefore = position + count
    return nil
  }

  /// Passes over the rest of a line that is too long, without holding it.
  private func skipOverlong() throws(RecordingError) {
    lineNumber += 1
    noteOverlong()
    while true {
      let pointer = window.pointer
      let count = window.count
      var end = 0
      while end < count, pointer[end] != 0x0A, pointer[end] != 0x0D { end += 1 }
      if end < count {
        let isCarriageReturn = pointer[end] == 0x0D
        window.consume(end + 1)
        if isCarriageReturn, window.require(1), window.pointer[0] == 0x0A { window.consume(1) }
        return
      }
      window.consume(count)
      if !window.fill() {
        if let failure = window.failure { throw failure }
        return
      }
    }
  }
}
