// modules: Quantities InlineStorage ASCIIText SecretBox Requests NMEA InertialFusion Positioning MotionDetection Telemetry Rules OwnTracks Traccar PacketForms TrackerCore PacketDecoding
// length: 4096
import PacketDecoding
import Quantities
import SecretBox

/// Whatever is pasted is read or refused with a line; what is read has no more fields than the limit, and reads the same again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDecoder(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start, count > 0 else { return 0 }
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let passphrase = Array("mysecreTpass01".utf8)
  let decoder = PacketDecoder(
    key: SecretKey(passphrase: passphrase.span), now: UTCTime(microseconds: 1_795_512_345_678_000))
  do throws(DecodingFailure) {
    let messages = try decoder.decode(bytes)
    promise(messages.allSatisfy { $0.fields.count <= 512 }, "more fields than the limit")
    promise(messages.allSatisfy { $0.facts.latitude.map { abs($0) <= 90 } ?? true }, "a place that is nowhere")
    promise(messages.allSatisfy { $0.fields.allSatisfy { $0.problem != "" } }, "a mark without a reason")
    promise(messages.allSatisfy { ($0.facts.latitude == nil) == ($0.facts.longitude == nil) }, "half a place")
    let again = try decoder.decode(bytes)
    promise(again == messages, "read otherwise the second time")
  } catch {
    promise(!error.message.isEmpty, "refused without a word")
  }
  if let query = QueryText(bytes) { promise(QueryText(Array(query.text.utf8)) == query, "another query was read back") }
  if let record = OwnTracksCompactRecord(bytes) {
    promise(OwnTracksCompactRecord(Array(record.text.utf8)) == record, "other compact fields were read back")
  }
  return 0
}
