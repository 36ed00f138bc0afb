// modules: Quantities InlineStorage ASCIIText NMEA
import ASCIIText
import InlineStorage
import NMEA
import Quantities

/// Bytes from anywhere: no crash, every byte accounted for, and the same result for every way of cutting them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNMEA(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start, count > 0 else { return 0 }
  // The first byte says how the rest is cut.
  let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  let whole = read(bytes, chunk: max(bytes.count, 1))
  let cut = read(bytes, chunk: Int(start[0]) % 64 + 1)
  if whole.counts.droppedFixes == 0 && cut.counts.droppedFixes == 0 {
    promise(whole.fixes == cut.fixes, "the fixes depend on the cutting")
  }
  // How many fixes get lost between two fetches is the caller's choice, not a property of the bytes.
  var wholeCounts = whole.counts
  wholeCounts.droppedFixes = cut.counts.droppedFixes
  promise(wholeCounts == cut.counts, "the counts depend on the cutting")
  let accounted = whole.counts.sentenceBytes + whole.counts.separatorBytes + whole.counts.junkBytes
  promise(accounted == UInt64(bytes.count), "bytes went missing")
  var encoder = TPVEncoder()
  for fix in whole.fixes {
    promise(fix.isPlausible, "a fix with a number that is none")
    var text = InlineBytes<1024>()
    encoder.encode(fix, into: &text)
    promise(!text.isTruncated, "a fix too long to write")
  }
  return 0
}

private func read(_ bytes: [UInt8], chunk: Int) -> (counts: RejectionCounts, fixes: [GNSSFix]) {
  var receiver = NMEAReceiver()
  var fixes: [GNSSFix] = []
  var place = 0
  while place < bytes.count {
    let end = min(place + chunk, bytes.count)
    receiver.receive(bytes.span.extracting(place..<end), at: .zero)
    while let fix = receiver.nextFix() { fixes.append(fix) }
    place = end
  }
  receiver.finish()
  while let fix = receiver.nextFix() { fixes.append(fix) }
  return (receiver.rejections, fixes)
}

extension GNSSFix {
  fileprivate var isPlausible: Bool {
    let numbers = [heightAboveSeaLevel, heightAboveEllipsoid, speed, course, horizontalAccuracy, verticalAccuracy]
    let amounts = [dilution.horizontal, dilution.vertical, dilution.position].map { Double($0 ?? 0) }
    return amounts.allSatisfy { $0 >= 0 } && (horizontalAccuracy ?? 0) >= 0 && (verticalAccuracy ?? 0) >= 0
      && numbers.allSatisfy { $0.map(\.isFinite) ?? true } && (speed ?? 0) >= 0
      && (course.map { $0 >= 0 && $0 <= 2 * Double.pi } ?? true)
  }
}
