import CZlib
import Glibc
public import Quantities
public import TrackerCore
import TrackerLog
public import TrackerRuntime

/// Writes a Leash log: everything that went into a tracker and came out of it, in order.
///
/// Samples wait in a block of at most 64 samples and one second; every other record, and `flush`, writes the block
/// first, so that the order on disk is the order of the calls. Bytes wait in a buffer until it is full or `flush` is
/// called.
///
/// - Complexity: constant memory.
public final class LeashLogWriter: RunLog {
  /// The file's name in errors.
  public let name: String
  /// Bytes of the log so far, those in the buffer included.
  public private(set) var byteCount = 0
  /// Inertial samples so far.
  public private(set) var sampleCount = 0
  /// Bytes that hold inertial blocks, with the overhead of their records.
  public private(set) var inertialByteCount = 0

  private var descriptor: Int32
  private let ownsDescriptor: Bool
  private var buffer: [UInt8] = []
  private var payload = PayloadWriter()
  private var block = InertialBlockEncoder()
  private var markerTime: Instant?
  private var baseChecksum = checksumOfBase(.zero)
  private var markerOffset = 0
  private var failure: RecordingError?

  private static let bufferLength = 64 * 1024

  /// Creates a file, or empties the one that is there.
  ///
  /// - Parameter isPrivate: True hides a new file from others: where somebody was is nobody else's business.
  public convenience init(path: String, isPrivate: Bool = false) throws(RecordingError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, isPrivate ? 0o640 : 0o644)
    guard descriptor >= 0 else { throw RecordingError.system("can't create", file: path) }
    self.init(descriptor: descriptor, name: path, ownsDescriptor: true)
  }

  /// Writes to an open descriptor, such as a pipe.
  public init(descriptor: Int32, name: String, ownsDescriptor: Bool) {
    self.descriptor = descriptor
    self.name = name
    self.ownsDescriptor = ownsDescriptor
    buffer.reserveCapacity(LeashLogWriter.bufferLength * 2)
    buffer.append(contentsOf: LogFormat.magic)
    appendInteger(UInt64(LogFormat.version), bytes: 2)
    appendInteger(0, bytes: 2)
    appendInteger(UInt64(checksum(from: 0, seed: 0)), bytes: 4)
    byteCount = LogFormat.headerLength
  }

  deinit {
    if ownsDescriptor, descriptor >= 0 { Glibc.close(descriptor) }
  }

  // MARK: Records

  /// The configuration as text; the first record of a log.
  public func append(configuration: Span<UInt8>) throws(RecordingError) {
    try flushBlock()
    payload.removeAll()
    payload.append(configuration)
    try writeRecord(.configuration)
  }

  /// A reading of the inertial sensor.
  public func append(_ sample: InertialSample) throws(RecordingError) {
    if let failure { throw failure }
    if !block.accepts(sample) { try flushBlock() }
    block.append(sample)
    sampleCount += 1
  }

  /// A fix that reached the tracker as such, not as bytes.
  public func append(_ fix: GNSSFix) throws(RecordingError) {
    try flushBlock()
    let base = try marker(before: fix.time)
    payload.removeAll()
    payload.append(fix, relativeTo: base)
    try writeRecord(.fix)
  }

  /// A reading of a slow sensor.
  public func append(_ reading: Reading) throws(RecordingError) {
    try begin(at: reading.time)
    payload.append(reading)
    try writeRecord(.reading)
  }

  /// Bytes received at a port.
  public func append(bytes: Span<UInt8>, from port: UInt8, at time: Instant) throws(RecordingError) {
    try begin(at: time)
    payload.append(port)
    payload.append(bytes)
    try writeRecord(.bytes)
  }

  /// Time moved on to this instant.
  public func append(tick time: Instant) throws(RecordingError) {
    try begin(at: time)
    try writeRecord(.tick)
  }

  /// A command from the owner.
  public func append(command: Span<UInt8>, at time: Instant) throws(RecordingError) {
    try begin(at: time)
    payload.append(command)
    try writeRecord(.command)
  }

  /// The server's acknowledgement of a packet.
  public func append(acknowledgement sequence: UInt32, at time: Instant) throws(RecordingError) {
    try begin(at: time)
    payload.append(varint: UInt64(sequence))
    try writeRecord(.acknowledgement)
  }

  /// A receiver has a packet, or will never have it.
  public func append(
    settlement sequence: UInt32, receiver: UInt8, isDelivered: Bool, at time: Instant
  ) throws(RecordingError) {
    try begin(at: time)
    payload.append(varint: UInt64(sequence))
    payload.append(receiver)
    payload.append(isDelivered ? 1 : 0)
    try writeRecord(.settlement)
  }

  /// The state with which the tracker goes on where an earlier life was; the first input of a log.
  public func append(restoration state: Span<UInt8>, at time: Instant) throws(RecordingError) {
    try begin(at: time)
    payload.append(state)
    try writeRecord(.restoration)
  }

  /// This log goes on where another ended: its name, right after the configuration.
  public func append(continuationOf name: String) throws(RecordingError) {
    try flushBlock()
    payload.removeAll()
    let bytes = Array(name.utf8)
    payload.append(bytes.span)
    try writeRecord(.continuation)
  }

  /// Something the tracker did.
  public func append(action: Span<UInt8>, at time: Instant) throws(RecordingError) {
    try begin(at: time)
    payload.append(action)
    try writeRecord(.action)
  }

  /// Bytes the tracker sent to a port.
  public func append(output: Span<UInt8>, to port: UInt8, at time: Instant) throws(RecordingError) {
    try begin(at: time)
    payload.append(port)
    payload.append(output)
    try writeRecord(.output)
  }

  /// A remark for people, as UTF-8.
  public func append(note: Span<UInt8>, at time: Instant) throws(RecordingError) {
    try begin(at: time)
    payload.append(note)
    try writeRecord(.note)
  }

  /// An input as an importer gave it.
  ///
  /// - Parameter bytes: The importer's `payload` for inputs that have one.
  public func append(_ input: TrackerInput, bytes: Span<UInt8>) throws(RecordingError) {
    switch input {
    case .inertial(let sample): try append(sample)
    case .fix(let fix): try append(fix)
    case .reading(let reading): try append(reading)
    case .bytes(let port, let time): try append(bytes: bytes, from: port, at: time)
    case .tick(let time): try append(tick: time)
    case .command(let time): try append(command: bytes, at: time)
    case .acknowledgement(let time, let sequence): try append(acknowledgement: sequence, at: time)
    case .settlement(let time, let sequence, let receiver, let isDelivered):
      try append(settlement: sequence, receiver: receiver, isDelivered: isDelivered, at: time)
    case .restoration(let time): try append(restoration: bytes, at: time)
    case .spooled(let time, let sequence, let isKept):
      try begin(at: time)
      payload.append(isKept ? 1 : 0)
      payload.append(varint: UInt64(sequence))
      try writeRecord(.spool)
    case .recalled(let time, let pending):
      try begin(at: time)
      payload.append(2)
      payload.append(pending)
      payload.append(bytes)
      try writeRecord(.spool)
    case .spoolCount(let time, let count):
      try begin(at: time)
      payload.append(3)
      payload.append(varint: UInt64(count))
      try writeRecord(.spool)
    }
  }

  // MARK: To the disk

  /// Hands everything, the block of samples at hand included, to the operating system.
  public func flush() throws(RecordingError) {
    try flushBlock()
    try drain()
  }

  /// Flushes, and waits until the storage has it.
  public func synchronize() throws(RecordingError) {
    try flush()
    // A pipe or terminal can't be synchronised, which is no failure.
    if fdatasync(descriptor) != 0, errno != EINVAL, errno != EROFS {
      throw fail(RecordingError.system("can't synchronise", file: name))
    }
  }

  /// Flushes and closes the file.
  public func close() throws(RecordingError) {
    guard descriptor >= 0 else { return }
    do throws(RecordingError) {
      try flush()
    } catch {
      if ownsDescriptor { Glibc.close(descriptor) }
      descriptor = -1
      throw error
    }
    let isClosed = !ownsDescriptor || Glibc.close(descriptor) == 0
    descriptor = -1
    guard isClosed else { throw fail(RecordingError.system("can't close", file: name)) }
  }

  private func fail(_ error: RecordingError) -> RecordingError {
    if failure == nil { failure = error }
    return error
  }

  private func drain() throws(RecordingError) {
    if let failure { throw failure }
    var written = 0
    let count = buffer.count
    var problem: RecordingError?
    buffer.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      while written < count {
        let result = Glibc.write(descriptor, start + written, count - written)
        if result >= 0 {
          written += result
        } else if errno != EINTR {
          problem = RecordingError.system("can't write", file: name)
          return
        }
      }
    }
    buffer.removeAll(keepingCapacity: true)
    if let problem { throw fail(problem) }
  }

  private func begin(at time: Instant) throws(RecordingError) {
    try flushBlock()
    let base = try marker(before: time)
    payload.removeAll()
    payload.append(signed: time.microseconds &- base.microseconds)
  }

  private func flushBlock() throws(RecordingError) {
    if let failure { throw failure }
    guard let first = block.firstTime else { return }
    let base = try marker(before: first)
    payload.removeAll()
    let before = byteCount
    block.encode(relativeTo: base, into: &payload)
    try writeRecord(.inertialBlock)
    inertialByteCount += byteCount - before
  }

  /// Writes a marker when one is due, and gives the time to which records refer.
  private func marker(before time: Instant) throws(RecordingError) -> Instant {
    if let markerTime, byteCount - markerOffset < LogFormat.markerByteInterval {
      let step = (time - markerTime).microseconds
      if step > -LogFormat.markerTimeInterval, step < LogFormat.markerTimeInterval { return markerTime }
    }
    payload.removeAll()
    LogFormat.markerPattern.withUnsafeBufferPointer { payload.append(Span(_unsafeElements: $0)) }
    payload.append(fixed64: UInt64(bitPattern: time.microseconds))
    payload.append(fixed64: UInt64(byteCount))
    payload.append(fixed64: UInt64(markerOffset))
    let offset = byteCount
    try writeRecord(.marker)
    markerTime = time
    baseChecksum = checksumOfBase(time)
    markerOffset = offset
    return time
  }

  private func writeRecord(_ type: LogFormat.RecordType) throws(RecordingError) {
    if let failure { throw failure }
    let length = payload.bytes.count
    guard length <= LogFormat.maximumPayload else {
      throw RecordingError(
        kind: .unsupported, file: name, found: "a record of \(length) bytes",
        expected: "at most \(LogFormat.maximumPayload)")
    }
    let start = buffer.count
    buffer.append(type.rawValue)
    var rest = length
    while rest >= 0x80 {
      buffer.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    buffer.append(UInt8(rest))
    buffer.append(contentsOf: payload.bytes)
    appendInteger(UInt64(checksum(from: start, seed: type == .marker ? 0 : baseChecksum)), bytes: 4)
    byteCount += buffer.count - start
    if buffer.count >= LeashLogWriter.bufferLength { try drain() }
  }

  private func checksum(from start: Int, seed: UInt32) -> UInt32 {
    buffer.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      return UInt32(truncatingIfNeeded: crc32(UInt(seed), base + start, UInt32(bytes.count - start)))
    }
  }

  private func appendInteger(_ value: UInt64, bytes count: Int) {
    for index in 0..<count { buffer.append(UInt8(truncatingIfNeeded: value >> UInt64(index * 8))) }
  }
}
