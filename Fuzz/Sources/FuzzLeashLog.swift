// modules: Quantities InlineStorage ASCIIText Recording
// libraries: z
import Recording

/// A log of any content: it is read to its end, or refused, and neither crashes nor goes on for ever.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLeashLog(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let whole = recordCount(bytes)
  // A log that was cut never has more records than the whole one: what was written last is lost, nothing is invented.
  promise(recordCount(Array(bytes.prefix(count / 2))) <= whole, "a cut log has more records")
  return 0
}

private func recordCount(_ bytes: [UInt8]) -> Int {
  var count = 0
  do throws(RecordingError) {
    let reader = try LeashLogReader(ByteSource(bytes: bytes, name: "fuzz"))
    while try reader.next() != nil { count += 1 }
  } catch {}
  return count
}
