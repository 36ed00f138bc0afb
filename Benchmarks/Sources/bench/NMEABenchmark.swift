import BenchmarkHarness
import CNMEAPeer
import NMEA
import Quantities

/// Reading sentences: framing, checksum, all fields.
func sentenceGroup(_ load: SentenceLoad) -> BenchmarkGroup {
  let bytes = load.bytes
  return BenchmarkGroup(
    "NMEA: RMC GGA GSA GSV VTG, all fields", byteCount: bytes.count, itemName: "sentence",
    itemCount: load.sentenceCount,
    cases: [
      BenchmarkCase("C, tight scalar loop", key: "nmea-c") { peerSum(bytes) },
      BenchmarkCase("Swift, SentenceFramer", key: "nmea-swift") { framerSum(bytes) },
      BenchmarkCase("Swift, NMEAReceiver, to fixes", key: "nmea-fixes") { fixSum(bytes) },
    ])
}

@inline(never) private func peerSum(_ bytes: [UInt8]) -> Int64 {
  bytes.withUnsafeBufferPointer { nmea_peer_read($0.baseAddress, $0.count).sum }
}

@inline(never) private func framerSum(_ bytes: [UInt8]) -> Int64 {
  var framer = SentenceFramer()
  var summation = Summation()
  framer.receive(bytes.span, into: &summation)
  return summation.sum
}

/// In chunks as a serial port gives them.
@inline(never) private func fixSum(_ bytes: [UInt8]) -> Int64 {
  var receiver = NMEAReceiver()
  var sum: Int64 = 0
  var start = 0
  while start < bytes.count {
    let end = min(start + 256, bytes.count)
    receiver.receive(bytes.span.extracting(start..<end), at: Instant(microseconds: Int64(start) * 87))
    while let fix = receiver.nextFix() { sum &+= fix.position?.latitudeE9 ?? 1 }
    start = end
  }
  return sum
}

/// True when the peer and the Swift reader agree on every number.
///
/// Where half a nanodegree is left over, Swift rounds as gpsd's binary numbers fall and the peer always up: one unit in the
/// sum for each such coordinate, of which there are a few in a hundred.
func sameWork(_ load: SentenceLoad) -> Bool {
  let peer = load.bytes.withUnsafeBufferPointer { nmea_peer_read($0.baseAddress, $0.count) }
  let difference = abs(peer.sum &- framerSum(load.bytes))
  return difference <= Int64(load.sentenceCount / 10) && peer.sentences == load.sentenceCount && peer.rejected == 0
}
