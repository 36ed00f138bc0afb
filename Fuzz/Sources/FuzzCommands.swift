// modules: Quantities InlineStorage ASCIIText SecretBox Telemetry OwnTracks Traccar PacketForms
import InlineStorage
import PacketForms
import Telemetry

/// Whatever a server says holds no more requests than bytes, and each is one line of text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCommands(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start, count > 0 else { return 0 }
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  for form in PacketFormat.allCases {
    var place = 0
    var found = 0
    while true {
      var request = InlineBytes<8192>()
      guard form.nextRequest(in: bytes.span, at: &place, into: &request) else { break }
      found += 1
      promise(found <= count, "requests without an end")
      guard form == .ownTracks, bytes[0] == 0x7B || bytes[0] == 0x5B else { continue }
      for at in 0..<request.count { promise(request[at] >= 0x20, "a control character in a request") }
      promise(request.count < 200, "a request that is too long")
      promise(!request.isEmpty, "a request without a word")
    }
  }
  return 0
}
