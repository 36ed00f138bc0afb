// modules: Quantities InlineStorage ASCIIText Requests SecretBox NMEA InertialFusion Positioning MotionDetection Telemetry OwnTracks Traccar PacketForms Delivery Rules TrackerCore TrackerLog JSON5 Gear Activity TrackerRuntime Recording
// libraries: z
// length: 8192
import CZlib
import Quantities
import Recording
import TrackerRuntime

/// A log of any content: it is read to its end, or refused, and neither crashes nor goes on for ever; what was read is replayed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLeashLog(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let whole = read(bytes)
  let cut = read(Array(bytes.prefix(count / 2)))
  // What was written last is lost when a log is cut, and nothing is invented. In a damaged log that does not hold: a length
  // that is wrong may hide whole records behind it until the cut takes it away.
  if !whole.isDamaged, !cut.isDamaged { promise(cut.records <= whole.records, "a cut log has more records") }
  // With its checksums put right the same damage reaches what lies behind them.
  let repaired = withRightChecksums(bytes)
  _ = read(repaired)
  replay(repaired)
  return 0
}

private func read(_ bytes: [UInt8]) -> (records: Int, isDamaged: Bool) {
  var records = 0
  do throws(RecordingError) {
    let reader = try LeashLogReader(ByteSource(bytes: bytes, name: "fuzz"))
    while let record = try reader.next() {
      records += 1
      promise(!record.json(payload: reader.payload).isEmpty, "a record without a description")
      promise(records <= bytes.count * 64, "more records than the bytes can hold")
    }
    return (records, reader.report.skippedByteCount > 0 || reader.report.truncatedAtByte != nil)
  } catch {
    return (records, true)
  }
}

private func replay(_ bytes: [UInt8]) {
  do throws(RecordingError) {
    let log = try openRecording(ByteSource(bytes: bytes, name: "fuzz"))
    var outputCount = 0
    let run = try TrackerRun(RunConfiguration()) { _, output in outputCount += output.count }
    var inputCount = 0
    // Each input may follow a month of silence, so the number of those is limited.
    while inputCount < 300, let input = try log.next() {
      inputCount += 1
      // The run makes its own ticks, deliveries and spool, as `leash replay` does.
      switch input {
      case .tick, .acknowledgement, .settlement, .spooled, .recalled, .spoolCount: continue
      case .inertial, .fix, .reading, .bytes, .command, .restoration: try run.feed(input, payload: log.payload)
      }
    }
    try run.advance(to: run.now + .seconds(1))
  } catch {
    promise(!error.description.isEmpty, "an error without words")
  }
}

/// The same log with the checksum of every record made to fit, as far as the lengths lead from record to record.
private func withRightChecksums(_ bytes: [UInt8]) -> [UInt8] {
  var result = bytes
  var base = checksum(of: [UInt8](repeating: 0, count: 8)[...], seed: 0)
  guard bytes.count > 16 else { return bytes }
  put(checksum(of: bytes[..<12], seed: 0), at: 12, in: &result)
  var place = 16
  while place < bytes.count {
    var length = 0
    var head = place + 1
    var shift = 0
    while head < bytes.count, shift < 21 {
      length |= Int(bytes[head] & 0x7F) << shift
      head += 1
      shift += 7
      if bytes[head - 1] & 0x80 == 0 { break }
    }
    let end = head + length
    guard end + 4 <= bytes.count else { break }
    let isMarker = bytes[place] == 0x6D
    put(checksum(of: bytes[place..<end], seed: isMarker ? 0 : base), at: end, in: &result)
    // Pattern of 12 bytes, then the instant.
    if isMarker, length == 36 { base = checksum(of: bytes[(head + 12)..<(head + 20)], seed: 0) }
    place = end + 4
  }
  return result
}

private func checksum(of bytes: ArraySlice<UInt8>, seed: UInt32) -> UInt32 {
  bytes.withUnsafeBufferPointer { buffer in
    guard let start = buffer.baseAddress else { return seed }
    return UInt32(truncatingIfNeeded: crc32(UInt(seed), start, UInt32(buffer.count)))
  }
}

private func put(_ value: UInt32, at place: Int, in bytes: inout [UInt8]) {
  for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * index)) }
}
