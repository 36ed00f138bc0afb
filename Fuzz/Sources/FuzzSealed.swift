// modules: Quantities InlineStorage ASCIIText SecretBox Telemetry OwnTracks
import ASCIIText
import InlineStorage
import OwnTracks
import SecretBox

/// Nothing opens but what was sealed with the key, and that comes back whole.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSealed(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start, count >= 24 else { return 0 }
  let nonce = Array(UnsafeBufferPointer(start: start, count: 24))
  let message = Array(UnsafeBufferPointer(start: start + 24, count: count - 24))
  let passphrase = Array("mysecreTpass01".utf8)
  guard let key = SecretKey(passphrase: passphrase.span) else { return 0 }
  var plain = InlineBytes<4096>()
  if OwnTracksSeal.open(message.span, key: key, into: &plain) {
    // Only the corpus holds such.
    promise(plain.count < message.count, "more came out than went in")
  } else {
    promise(plain.isEmpty, "something was written of what did not open")
  }
  var outer = InlineBytes<8192>()
  promise(OwnTracksSeal.seal(message.span, key: key, nonce: nonce.span, into: &outer), "refused to seal")
  guard !outer.isTruncated, message.count <= OwnTracksSeal.capacity else { return 0 }
  var back = InlineBytes<4096>()
  promise(OwnTracksSeal.open(outer.span, key: key, into: &back), "does not open again")
  promise(back.count == message.count, "not whole")
  let isSame = back.span.withUnsafeBufferPointer { $0.elementsEqual(message) }
  promise(isSame, "another message came out")
  return 0
}
