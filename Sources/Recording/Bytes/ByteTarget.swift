import CZlib
import Glibc
public import TrackerRuntime

/// Bytes to a file, packed with gzip when its name ends in `.gz`; the counterpart of `ByteSource`.
///
/// The bytes go to a file beside it, which takes the name when `close` is called: nobody ever sees half of a file, and what
/// was there before stays until the new one is whole. Without `close` nothing is left. A pipe or a device is written to
/// as it is.
///
/// - Complexity: constant memory.
public final class ByteTarget {
  /// Path as given.
  public let name: String

  private var descriptor: Int32
  /// Where the bytes are until they are whole; nil for a pipe or a device.
  private var temporary: String?
  private let final: String
  private var buffer: [UInt8] = []
  private var packed: [UInt8] = []
  private var stream: UnsafeMutablePointer<z_stream>?

  private static let bufferLength = 64 * 1024

  /// Begins a file.
  ///
  /// - Throws: `system` with the operating system's reason.
  public init(path: String) throws(RecordingError) {
    name = path
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists, status.st_mode & S_IFMT == S_IFDIR {
      throw RecordingError.system("can't create", file: path, code: EISDIR)
    }
    if exists, status.st_mode & S_IFMT != S_IFREG {
      final = path
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw RecordingError.system("can't open", file: path) }
    } else {
      guard !exists || access(path, W_OK) == 0 else { throw RecordingError.system("can't write", file: path) }
      // A link stays a link: what it points at is replaced.
      final = exists ? ByteTarget.resolved(path) : path
      var template = Array((final + ".XXXXXX").utf8CString)
      descriptor = mkstemp(&template)
      guard descriptor >= 0 else { throw RecordingError.system("can't create", file: path) }
      temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let mask = umask(0)
      _ = umask(mask)
      _ = fchmod(descriptor, exists ? status.st_mode & 0o7777 : 0o666 & ~mask)
    }
    buffer.reserveCapacity(ByteTarget.bufferLength * 2)
    if path.hasSuffix(".gz") { try startPacking() }
  }

  deinit { abandon() }

  /// Writes bytes.
  public func append(_ bytes: Span<UInt8>) throws(RecordingError) {
    bytes.withUnsafeBufferPointer { buffer.append(contentsOf: $0) }
    if buffer.count >= ByteTarget.bufferLength { try flush(isLast: false) }
  }

  /// Writes text as UTF-8.
  public func append(_ text: String) throws(RecordingError) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= ByteTarget.bufferLength { try flush(isLast: false) }
  }

  /// Ends the file and gives it its name. Nothing may follow.
  public func close() throws(RecordingError) {
    try flush(isLast: true)
    // Its name may reach the storage before its bytes: after a power cut half of a file would stand in the place of a whole one.
    if temporary != nil, fdatasync(descriptor) != 0 { throw RecordingError.system("can't write", file: name) }
    let result = Glibc.close(descriptor)
    descriptor = -1
    guard result == 0 else { throw RecordingError.system("can't write", file: name) }
    guard let path = temporary else { return }
    guard rename(path, final) == 0 else { throw RecordingError.system("can't create", file: name) }
    temporary = nil
  }

  private func abandon() {
    if let stream {
      deflateEnd(stream)
      stream.deallocate()
    }
    stream = nil
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
    if let temporary { unlink(temporary) }
    temporary = nil
  }

  private static func resolved(_ path: String) -> String {
    guard let text = realpath(path, nil) else { return path }
    defer { free(text) }
    return String(cString: text)
  }

  private func startPacking() throws(RecordingError) {
    let state = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    state.initialize(to: z_stream())
    // 15 is the largest window; 16 more asks for the gzip wrapper, whose time stays zero: same input, same bytes.
    let status = deflateInit2_(
      state, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else {
      state.deallocate()
      throw RecordingError(kind: .system(code: ENOMEM), file: name, found: "zlib could not be started")
    }
    stream = state
    packed = [UInt8](repeating: 0, count: ByteTarget.bufferLength)
  }

  private func flush(isLast: Bool) throws(RecordingError) {
    defer { buffer.removeAll(keepingCapacity: true) }
    guard let stream else {
      try write(buffer, count: buffer.count)
      return
    }
    var offset = 0
    while true {
      let (produced, consumed, status) = deflate(stream, from: offset, isLast: isLast)
      offset += consumed
      try write(packed, count: produced)
      if status == Z_STREAM_END || (!isLast && offset == buffer.count && produced < packed.count) { return }
      guard status == Z_OK || status == Z_BUF_ERROR else {
        throw RecordingError(kind: .system(code: EIO), file: name, found: "zlib could not pack the bytes")
      }
    }
  }

  private func deflate(
    _ stream: UnsafeMutablePointer<z_stream>, from offset: Int, isLast: Bool
  ) -> (produced: Int, consumed: Int, status: Int32) {
    buffer.withUnsafeMutableBufferPointer { input in
      packed.withUnsafeMutableBufferPointer { output in
        stream.pointee.next_in = input.baseAddress.map { $0 + offset }
        stream.pointee.avail_in = UInt32(input.count - offset)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        let status = CZlib.deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
        return (
          output.count - Int(stream.pointee.avail_out), input.count - offset - Int(stream.pointee.avail_in), status
        )
      }
    }
  }

  private func write(_ bytes: [UInt8], count: Int) throws(RecordingError) {
    var start = 0
    while start < count {
      let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress.map { $0 + start }, count - start) }
      if written >= 0 {
        start += written
      } else if errno != EINTR {
        throw RecordingError.system("can't write", file: name)
      }
    }
  }
}
