// modules: Quantities InlineStorage ASCIIText Requests NMEA InertialFusion Positioning MotionDetection Telemetry Rules TrackerCore
import ASCIIText
import InlineStorage
import Quantities
import Requests
import TrackerCore

/// Whatever comes through the door traps nothing; nothing is let in that is signed by nobody; a verdict reads back from a log.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequests(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start, count > 0 else { return 0 }
  let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  var door = RequestDoor()
  let digits = [UInt8](repeating: 0x37, count: 64)
  door.key = RequestKey(hexadecimal: digits.span)
  let others = [UInt8](repeating: 0x38, count: 64)
  door.claimSecret = RequestKey(hexadecimal: others.span)
  // One byte in two is a tracker that can be claimed.
  if start[0] & 0x80 != 0 { door.key = nil }
  let origins: [RequestOrigin] = [.console, .textMessage(), .textMessage(isListedSender: true), .way(0), .answer(1)]
  let origin = origins[Int(start[0] & 0x7F) % origins.count]
  var tracker = Tracker()
  tracker.advance(to: .seconds(1))
  while tracker.nextAction() != nil {}
  let verdict = tracker.judge(bytes.span, from: origin, by: door, at: .seconds(1))
  if case .admitted(let request, _, _, let counter) = verdict {
    promise(counter == 0, "a signature that nobody made")
    promise(origin == .console || request.kind.isReadOnly, "somebody unknown was let in")
    promise(request != .claim, "a claim that nobody signed")
  }
  var text = InlineBytes<400>()
  verdict.encode(into: &text)
  promise(!text.isTruncated, "a verdict longer than 400 bytes")
  promise(RequestVerdict(text.span) == verdict, "another verdict was read back")
  tracker.take(verdict, at: .seconds(2))
  while tracker.nextAction() != nil {}
  if let logged = RequestVerdict(bytes.span) {
    tracker.take(logged, at: .seconds(3))
    while tracker.nextAction() != nil {}
  }
  return 0
}
