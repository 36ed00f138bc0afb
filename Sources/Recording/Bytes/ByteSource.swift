import CZlib
import Glibc
public import TrackerRuntime

/// The bytes of a file, of standard input or of memory, in order, unpacked when they are gzip.
///
/// Memory is constant: one input buffer of 128 KiB and zlib's own state. Concatenated gzip members read as one stream.
public final class ByteSource {
  /// Path as given, `standard input` or a name chosen by the caller; used in errors.
  public let name: String
  /// True when the bytes arrive packed with gzip.
  public private(set) var isCompressed = false

  static let inputCapacity = 128 * 1024

  private var descriptor: Int32
  private let ownsDescriptor: Bool
  private let input: UnsafeMutablePointer<UInt8>
  private let inputCapacity: Int
  private var inputStart = 0
  private var inputEnd = 0
  private var inputIsAtEnd = false
  private var stream: UnsafeMutablePointer<z_stream>?
  /// True while a gzip member has begun and its trailer has not been seen.
  private var isInsideMember = false

  /// Opens a file, or standard input for `-`.
  ///
  /// - Throws: `system` with the operating system's reason, also for a directory.
  public convenience init(path: String) throws(RecordingError) {
    if path == "-" {
      try self.init(descriptor: 0, name: "standard input", ownsDescriptor: false)
      return
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw RecordingError.system("can't open", file: path) }
    try self.init(descriptor: descriptor, name: path, ownsDescriptor: true)
  }

  /// Reads from an open descriptor.
  public init(descriptor: Int32, name: String, ownsDescriptor: Bool) throws(RecordingError) {
    self.descriptor = descriptor
    self.name = name
    self.ownsDescriptor = ownsDescriptor
    inputCapacity = ByteSource.inputCapacity
    input = .allocate(capacity: inputCapacity)
    try detectCompression()
  }

  /// Reads bytes held in memory, as if they were a file of that name.
  public init(bytes: [UInt8], name: String) throws(RecordingError) {
    descriptor = -1
    self.name = name
    ownsDescriptor = false
    inputCapacity = max(bytes.count, 1)
    input = .allocate(capacity: inputCapacity)
    for (place, byte) in bytes.enumerated() { input[place] = byte }
    inputEnd = bytes.count
    inputIsAtEnd = true
    try detectCompression()
  }

  deinit {
    if let stream {
      inflateEnd(stream)
      stream.deallocate()
    }
    input.deallocate()
    if ownsDescriptor, descriptor >= 0 { close(descriptor) }
  }

  /// Reads at most `capacity` bytes; 0 at the end.
  ///
  /// - Throws: `truncated` or `malformed` for bad gzip, after everything readable was handed out; `system` for IO
  /// errors.
  public func read(into target: UnsafeMutablePointer<UInt8>, capacity: Int) throws(RecordingError) -> Int {
    guard let stream else {
      if inputStart == inputEnd { try refill() }
      let count = min(capacity, inputEnd - inputStart)
      if count > 0 { memcpy(target, input + inputStart, count) }
      inputStart += count
      return count
    }
    stream.pointee.next_out = target
    stream.pointee.avail_out = UInt32(clamping: capacity)
    let room = Int(stream.pointee.avail_out)
    while stream.pointee.avail_out > 0 {
      if inputStart == inputEnd { try refill() }
      if inputStart == inputEnd {
        let produced = room - Int(stream.pointee.avail_out)
        if produced > 0 || !isInsideMember { return produced }
        throw RecordingError(
          kind: .truncated, file: name, found: "the gzip data ends in the middle of a member",
          expected: "a complete gzip file (the readable part was used)")
      }
      if !isInsideMember, try !beginMember() { return room - Int(stream.pointee.avail_out) }
      stream.pointee.next_in = input + inputStart
      stream.pointee.avail_in = UInt32(clamping: inputEnd - inputStart)
      let offered = Int(stream.pointee.avail_in)
      let status = inflate(stream, Z_NO_FLUSH)
      inputStart += offered - Int(stream.pointee.avail_in)
      if status == Z_STREAM_END {
        isInsideMember = false
        continue
      }
      guard status == Z_OK || status == Z_BUF_ERROR else {
        let produced = room - Int(stream.pointee.avail_out)
        // Hand out what came before the damage; the next call meets the same damage and throws.
        if produced > 0 { return produced }
        throw RecordingError(
          kind: .malformed, file: name, found: "the gzip data is damaged",
          expected: "an undamaged gzip file (the readable part was used)")
      }
    }
    return room
  }

  /// Goes on with a further gzip member; false at the padding that some tools leave at the end.
  private func beginMember() throws(RecordingError) -> Bool {
    if input[inputStart] == 0 {
      while inputStart < inputEnd, input[inputStart] == 0 {
        inputStart += 1
        if inputStart == inputEnd { try refill() }
      }
      if inputStart == inputEnd { return false }
    }
    guard input[inputStart] == 0x1F else {
      throw RecordingError(
        kind: .malformed, file: name, found: "there are other bytes after the gzip data",
        expected: "nothing, or another gzip member")
    }
    inflateReset(stream)
    isInsideMember = true
    return true
  }

  private func detectCompression() throws(RecordingError) {
    // A pipe may hand over a single byte first: two are needed to tell.
    while inputEnd - inputStart < 2, !inputIsAtEnd { try refill() }
    guard inputEnd >= 2, input[0] == 0x1F, input[1] == 0x8B else { return }
    let state = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    state.initialize(to: z_stream())
    // 15 is the largest window; 16 more asks for the gzip wrapper.
    guard inflateInit2_(state, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      state.deallocate()
      throw RecordingError(kind: .system(code: ENOMEM), file: name, found: "zlib could not be started")
    }
    stream = state
    isCompressed = true
    isInsideMember = true
  }

  private func refill() throws(RecordingError) {
    if inputStart == inputEnd {
      inputStart = 0
      inputEnd = 0
    }
    guard !inputIsAtEnd, inputEnd < inputCapacity else { return }
    while true {
      let count = Glibc.read(descriptor, input + inputEnd, inputCapacity - inputEnd)
      if count > 0 {
        inputEnd += count
        return
      }
      if count == 0 {
        inputIsAtEnd = true
        return
      }
      if errno == EINTR { continue }
      throw RecordingError.system("can't read", file: name)
    }
  }
}

extension RecordingError {
  /// An error of the operating system, with its words for `errno`.
  static func system(_ action: String, file: String, code: Int32 = errno) -> RecordingError {
    let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    return RecordingError(kind: .system(code: code), file: file, found: "\(action): \(reason)")
  }
}
