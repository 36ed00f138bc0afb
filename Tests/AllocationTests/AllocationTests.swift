import AllocationCounter
import ASCIIText
import InlineStorage
import NMEA
import Quantities
import Testing

/// Allocations of this thread while the work is done that often.
private func allocations(_ times: Int, of work: () -> Void) -> UInt64 {
  let before = allocationCount()
  for _ in 0..<times { work() }
  return allocationCount() - before
}

@Test(.enabled(if: allocationsAreCounted(), "the sanitizer replaces malloc itself"))
func theCounterSeesWhatAllocates() {
  var keeper: [[UInt8]] = []
  keeper.reserveCapacity(100)
  #expect(allocations(10) { keeper.append([UInt8](repeating: 1, count: 100)) } == 10)
  var text = ""
  #expect(allocations(1) { text = String(repeating: "x", count: keeper.count * 100) } > 0)
  #expect(text.utf8.count == 1000)
  final class Something { var value = 1 }
  var object: Something?
  #expect(allocations(5) { object = Something() } == 5)
  #expect(object?.value == 1)
  #expect(allocations(3) { UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64).deallocate() } == 3)
}

@Test func theCounterIsQuietWhenNothingAllocates() {
  var sum = 0
  #expect(allocations(1000) { sum &+= sum ^ 12345 } == 0)
  #expect(sum != 0)
}

@Test func fixedContainersAndByteTextDoNotAllocate() {
  var list = InlineVector<8, Int>()
  var queue = InlineQueue<8, Int>()
  var line = InlineBytes<64>()
  func workOnce() {
    list.append(list.count)
    if list.isFull { list.removeAll() }
    queue.append(1)
    if queue.isFull { _ = queue.popFirst() }
    line.removeAll()
    line.append("value ")
    line.append(fixed: -123_456_789, decimals: 7)
    line.append(decimal: UInt64(42), minimumDigits: 4)
    line.append(hexadecimal: 0xAB)
    _ = scanFixed(line.span.extracting(6..<12), decimals: 3)
  }
  // The runtime makes its own tables when a generic type is first used, the last of them when both have been full.
  for _ in 0..<8 { workOnce() }
  #expect(allocations(100, of: workOnce) == 0)
  #expect(list.count > 0 && queue.count > 0 && line.count > 0)
}

@Test func readingSentencesToFixesDoesNotAllocate() {
  let epoch = Array(
    ("$GPGGA,101500,5321.0000,N,00615.0000,W,1,08,1.2,20.0,M,55.0,M,,*6B\r\n"
      + "$GPRMC,101500,A,5321.0000,N,00615.0000,W,10.0,090.0,010626,,,A*5B\r\n"
      + "$GPGSV,1,1,02,01,40,083,46,02,17,308,41*7D\r\njunk $GPXXX,1*00\r\n").utf8)
  var receiver = NMEAReceiver()
  var fixCount = 0
  var now = Instant.zero
  func readOnce() {
    now = now + .seconds(1)
    receiver.receive(epoch.span, at: now)
    receiver.advance(to: now + .milliseconds(999))
    while receiver.nextFix() != nil { fixCount += 1 }
  }
  readOnce()
  #expect(allocations(50, of: readOnce) == 0)
  #expect(fixCount > 0)
}
