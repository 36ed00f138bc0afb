import ASCIIText
import InlineStorage
import Quantities
import TrackerLog

/// Writes a Leash log to a file of the debugger: what goes into the tracker and what comes out, in its order, so that a host can
/// repeat the run and compare.
struct LiveLog {
  /// A head of a record: numbers before its bytes.
  typealias Head = InlineBytes<32>

  private let file: Debugger.File
  private var buffer = InlineBytes<1024>()
  private var offset: UInt64 = 0
  private var markerOffset: UInt64 = 0
  private var base: Int64 = 0
  private var hasMarker = false
  private var baseChecksum: UInt32
  /// True when something could not be written.
  private(set) var isBroken = false

  init(_ file: Debugger.File) {
    self.file = file
    baseChecksum = LiveLog.checksum(ofBase: 0)
    let signature = LogFormat.signature
    var head = Head()
    for place in 0..<8 { head.append(signature[place]) }
    head.append(UInt8(truncatingIfNeeded: LogFormat.version))
    for _ in 0..<3 { head.append(0) }
    let sum = CRC32.extend(0, head.span)
    append(head)
    append(fixed: UInt64(sum), 4)
  }

  /// The first record.
  mutating func write(configuration: Span<UInt8>) { write(.configuration, Head(), configuration, seed: baseChecksum) }

  /// A record with a time.
  ///
  /// - Parameter head: What stands between its time and its bytes.
  mutating func write(
    _ type: LogFormat.RecordType, at time: Instant, _ head: Head = Head(), _ bytes: Span<UInt8> = Span()
  ) {
    markIfDue(time.microseconds)
    var whole = Head()
    whole.append(signed: time.microseconds &- base)
    whole.append(contentsOf: head.span)
    write(type, whole, bytes, seed: baseChecksum)
  }

  /// A block of one sample: three columns of one value for each of its parts.
  mutating func write(_ sample: InertialSample) {
    markIfDue(sample.time.microseconds)
    var block = InlineBytes<64>()
    block.append(1)
    let parts: InlineArray<3, Vector3?> = [sample.angularRate, sample.specificForce, sample.magneticFluxDensity]
    var presence: UInt8 = 0
    for part in 0..<3 where parts[part] != nil { presence |= 1 << UInt8(2 * part) }
    block.append(presence)
    // An integer column with the predictor `previous`, whose first value needs no residual, and float columns with the form `same`.
    block.append(0x40)
    block.append(signed: sample.time.microseconds &- base)
    for part in 0..<3 {
      guard let vector = parts[part] else { continue }
      let values: InlineArray<3, Float> = [vector.x, vector.y, vector.z]
      for axis in 0..<3 {
        block.append(0)
        block.append(fixed: UInt64(values[axis].bitPattern), 4)
      }
    }
    write(.inertialBlock, Head(), block.span, seed: baseChecksum)
  }

  private mutating func markIfDue(_ microseconds: Int64) {
    let isDue =
      microseconds &- base >= LogFormat.markerTimeInterval
      || offset - markerOffset >= UInt64(LogFormat.markerByteInterval)
    if !hasMarker || isDue { writeMarker(microseconds) }
  }

  private mutating func writeMarker(_ time: Int64) {
    var place = InlineBytes<40>()
    let pattern = LogFormat.markerSignature
    for index in 0..<12 { place.append(pattern[index]) }
    place.append(fixed: UInt64(bitPattern: time), 8)
    place.append(fixed: offset, 8)
    place.append(fixed: markerOffset, 8)
    markerOffset = offset
    write(.marker, Head(), place.span, seed: 0)
    base = time
    hasMarker = true
    baseChecksum = LiveLog.checksum(ofBase: time)
  }

  private mutating func write(_ type: LogFormat.RecordType, _ head: Head, _ bytes: Span<UInt8>, seed: UInt32) {
    var frame = Head()
    frame.append(type.rawValue)
    frame.append(varint: UInt64(head.count + bytes.count))
    var sum = CRC32.extend(seed, frame.span)
    sum = CRC32.extend(sum, head.span)
    sum = CRC32.extend(sum, bytes)
    append(frame)
    append(head)
    for place in bytes.indices { append(bytes[place]) }
    append(fixed: UInt64(sum), 4)
  }

  /// Bytes that were written.
  var length: UInt64 { offset }

  /// Reads some of what was written.
  mutating func read(from place: UInt64, into bytes: inout InlineBytes<128>) {
    flush()
    guard place < offset, !isBroken else { return }
    var piece = InlineArray<128, UInt8>(repeating: 0)
    guard file.seek(Int(truncatingIfNeeded: place)) else { return }
    let count = withUnsafeMutablePointer(to: &piece) { start in
      start.withMemoryRebound(to: UInt8.self, capacity: 128) { file.read(into: $0, 128) }
    }
    for index in 0..<count { bytes.append(piece[index]) }
    if !file.seek(Int(truncatingIfNeeded: offset)) { isBroken = true }
  }

  /// Hands what is in the buffer to the debugger.
  mutating func flush() {
    guard !buffer.isEmpty else { return }
    let isWritten = buffer.span.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map { file.write($0, bytes.count) } ?? true
    }
    if !isWritten { isBroken = true }
    buffer.removeAll()
  }

  private mutating func append(_ head: Head) { for place in 0..<head.count { append(head.span[place]) } }

  private mutating func append(fixed number: UInt64, _ count: UInt64) {
    for place in 0..<count { append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
  }

  private mutating func append(_ byte: UInt8) {
    if buffer.count == 1024 { flush() }
    buffer.append(byte)
    offset += 1
  }

  private static func checksum(ofBase time: Int64) -> UInt32 {
    var bytes = Head()
    bytes.append(fixed: UInt64(bitPattern: time), 8)
    return CRC32.extend(0, bytes.span)
  }
}

// Numbers as a log has them (`docs/recording-format.md`).
extension InlineBytes {
  mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func append(signed value: Int64) { append(varint: zigzag(value)) }

  mutating func append(fixed value: UInt64, _ count: UInt64) {
    for place in 0..<count { append(UInt8(truncatingIfNeeded: value >> (8 * place))) }
  }
}
