// modules: Quantities InlineStorage ASCIIText NMEA InertialFusion Positioning MotionDetection Telemetry TrackerCore Recording
// libraries: z
import Recording

/// A log of any content: it is read to its end, or refused, and neither crashes nor goes on for ever.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLeashLog(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let whole = read(bytes)
  let cut = read(Array(bytes.prefix(count / 2)))
  // What was written last is lost when a log is cut, and nothing is invented. In a damaged log that does not hold: a length
  // that is wrong may hide whole records behind it until the cut takes it away.
  if !whole.isDamaged, !cut.isDamaged { promise(cut.records <= whole.records, "a cut log has more records") }
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
