import CZlib
import Glibc
public import Quantities
import TrackerLog
public import TrackerRuntime

extension LeashLogReader {
  /// Opens a log near its end: at a marker at least `span` before the last marker, or at its beginning.
  ///
  /// Costs some reads of 128 KiB, however long the log is. A packed log and one that is no plain file is read from
  /// its beginning.
  public static func tail(path: String, span: Interval) throws(RecordingError) -> LeashLogReader {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw RecordingError.system("can't open", file: path) }
    let file = SeekableLog(descriptor: descriptor)
    guard let last = file.lastMarker() else {
      close(descriptor)
      return try LeashLogReader(path: path)
    }
    var start = last
    // Each step goes to a smaller offset, so this ends.
    while last.time - start.time < span, start.previous > 0, start.previous < start.offset,
      let earlier = file.marker(at: start.previous)
    {
      start = earlier
    }
    if last.time - start.time < span || lseek(descriptor, off_t(start.offset), SEEK_SET) < 0 {
      close(descriptor)
      return try LeashLogReader(path: path)
    }
    let source = try ByteSource(descriptor: descriptor, name: path, ownsDescriptor: true)
    return LeashLogReader(window: ByteWindow(source), at: start.offset)
  }
}

/// Finds markers in a file without reading all of it.
private struct SeekableLog {
  struct Marker {
    var offset: Int
    var time: Instant
    var previous: Int
  }

  let descriptor: Int32

  private static let chunk = 128 * 1024

  func marker(at offset: Int) -> Marker? {
    let bytes = read(at: offset, count: LogFormat.markerLength)
    return bytes.count == LogFormat.markerLength ? marker(in: bytes[...], at: offset) : nil
  }

  func lastMarker() -> Marker? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    guard read(at: 0, count: LogFormat.magic.count) == LogFormat.magic else { return nil }
    var end = Int(status.st_size)
    while end > LogFormat.headerLength {
      let start = max(LogFormat.headerLength, end - SeekableLog.chunk)
      // A marker may lie across the edge of two chunks.
      let bytes = read(at: start, count: end - start + LogFormat.markerLength)
      var place = bytes.count - LogFormat.markerLength
      while place >= 0 {
        if bytes[place] == LogFormat.RecordType.marker.rawValue,
          let found = marker(in: bytes[place..<(place + LogFormat.markerLength)], at: start + place)
        {
          return found
        }
        place -= 1
      }
      end = start
    }
    return nil
  }

  private func marker(in bytes: ArraySlice<UInt8>, at offset: Int) -> Marker? {
    let first = bytes.startIndex
    guard bytes[first] == LogFormat.RecordType.marker.rawValue,
      Int(bytes[first + 1]) == LogFormat.markerPayloadLength,
      bytes[(first + 2)...].starts(with: LogFormat.markerPattern)
    else { return nil }
    return bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return nil }
      var fields = PayloadReader(start: start, count: LogFormat.markerLength)
      fields.skip(2 + LogFormat.markerPattern.count)
      let time = Int64(bitPattern: fields.fixed64())
      let own = fields.fixed64()
      let previous = fields.fixed64()
      let sum = UInt32(truncatingIfNeeded: crc32(0, start, UInt32(LogFormat.markerLength - 4)))
      guard fields.fixed32() == sum, own == UInt64(offset), previous < UInt64(Int.max) else { return nil }
      return Marker(offset: offset, time: Instant(microseconds: time), previous: Int(previous))
    }
  }

  private func read(at offset: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = 0
      guard let base = buffer.baseAddress else { return }
      while filled < count {
        let result = pread(descriptor, base + filled, count - filled, off_t(offset + filled))
        if result > 0 {
          filled += result
        } else if result == 0 || errno != EINTR {
          return
        }
      }
    }
  }
}
