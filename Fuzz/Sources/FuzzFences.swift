// modules: Quantities InlineStorage Positioning Rules
// length: 512
import InlineStorage
import Positioning
import Quantities
import Rules

/// The pieces of a story with fences, which can't be copied.
private struct FenceFuzz: ~Copyable {
  var guardian = FenceGuard<4, 24>()
  var again = FenceGuard<4, 24>()
  var places = PlaceTable<2>()
  var alarms = AlarmClock<2>()
}

/// Whatever stands in the place of a fence's section traps nothing and changes nothing unless it is a fence; one that is taken is written
/// as it was read, and a place is within exactly where its distance is not negative.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFences(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start, count > 0 else { return 0 }
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  var story = FenceFuzz()
  judgeRows(bytes, &story)
  let error = story.guardian.restoreFence(bytes.span, row: 0)
  promise(
    (error == nil) == (story.guardian.fences.count == 1),
    "a fence that was refused is there, or one that was taken is not")
  guard error == nil, let row = story.guardian.fences.row(of: bytes[0]) else { return 0 }
  var written = InlineBytes<512>()
  story.guardian.fences.encode(row, into: &written)
  promise(!written.isTruncated && written.count == bytes.count, "a fence of another length")
  promise(story.again.restoreFence(written.span, row: 0) == nil, "what was written is no fence")
  var twice = InlineBytes<512>()
  if let row = story.again.fences.row(of: bytes[0]) { story.again.fences.encode(row, into: &twice) }
  promise(written == twice, "a fence that is written otherwise each time")

  var random = SplitMix64(seed: UInt64(bytes[count - 1]))
  let corner = story.guardian.fences[row].region.corner(0)
  for step: Int64 in 0..<16 {
    // About a corner, at all scales.
    let scale = Int64(1) << (2 * step)
    func moved(_ value: Int64, _ limit: Int64) -> Int64 {
      max(-limit, min(limit, value + Int64(truncatingIfNeeded: random.next() % UInt64(2 * scale)) - scale))
    }
    guard
      let place = GeodeticPosition(
        latitudeE9: moved(corner.latitudeE9, 90_000_000_000), longitudeE9: moved(corner.longitudeE9, 180_000_000_000))
    else { continue }
    let distance = story.guardian.fences[row].region.signedDistance(of: place)
    promise(distance == distance, "a distance that is no number")
    let isWithin = story.guardian.fences[row].region.contains(place)
    promise(isWithin == (distance >= 0) || distance.magnitude < 1e-3, "within, and outside by its distance")
    var fix = GNSSFix(time: .seconds(Int(step) * 60))
    fix.mode = .threeDimensional
    fix.position = place
    fix.horizontalAccuracy = Double(bytes[Int(step) % count])
    story.guardian.process(fix)
    story.guardian.advance(to: .seconds(Int(step) * 60))
    while story.guardian.nextEvent() != nil {}
  }
  return 0
}

/// A row of another table that is taken is written as it was read.
private func judgeRows(_ bytes: [UInt8], _ story: inout FenceFuzz) {
  if story.places.restore(bytes.span, row: 1) {
    var written = InlineBytes<512>()
    story.places.encode(1, into: &written)
    promise((0..<written.count).map { written[$0] } == bytes, "a place that is written otherwise")
  }
  if story.alarms.restore(bytes.span, row: 1) {
    var written = InlineBytes<512>()
    story.alarms.encode(1, into: &written)
    promise(written.count <= bytes.count, "an alarm that has grown")
    story.alarms.advance(
      AlarmScene(now: .zero, utc: UTCTime(microseconds: 1_764_000_000_000_000), hasFix: false), story.guardian.fences)
    while story.alarms.nextEvent() != nil {}
  }
}
