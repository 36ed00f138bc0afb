import Quantities
import Testing

@testable import LinuxDevices

private let sentence = "$GPGGA,202640.000,4404.1306,N,12118.8515,W,2,10,0.98,1127.7,M,-19.6,M,0000,0000*6C\r\n"

@Test func sentencesOfASerialReceiverComeByteForByte() throws {
  let terminal = try PseudoTerminal()
  let bench = try SensorBench(SentenceSensor(port: terminal.path, bitsPerSecond: 9600))
  try bench.start()
  #expect(terminal.bitsPerSecond == 9600)
  let bytes = Array(("noise" + sentence + sentence).utf8)
  #expect(try terminal.write(bytes[...]) == bytes.count)
  #expect(bench.turns { bench.sentences.count == bytes.count })
  #expect(bench.sentences == bytes)
  #expect(bench.fact("speed") == "9600 bit/s")
  #expect(bench.fact("sentences") == "2")
  #expect(bench.source.name == "gnss nmea at \(terminal.path)")
}

@Test func aReceiverThatIsUnpluggedIsAFailureAndTheNextStartWorks() throws {
  var terminal: PseudoTerminal? = try PseudoTerminal(link: "/tmp/leash-gnss-\(MonotonicClock.now.microseconds)")
  let link = try #require(terminal?.link)
  let bench = try SensorBench(SentenceSensor(port: link, bitsPerSecond: 9600))
  try bench.start()
  terminal = nil
  #expect(bench.turns { bench.source.failure != nil })
  #expect(
    bench.source.failure?.message == "\(link): lost while in use: unplugged, or the program behind it has ended")
  let missing = #expect(throws: DeviceFailure.self) { try bench.start() }
  #expect(missing?.message.contains("no such port") == true)
  #expect(bench.loop.nextDeadline == nil, "nothing is left in the loop")
  let back = try PseudoTerminal(link: link)
  try bench.start()
  #expect(try back.write(Array(sentence.utf8)[...]) == sentence.utf8.count)
  #expect(bench.turns { !bench.sentences.isEmpty })
}

@Test func usualSpeedsAreTriedUntilSentencesCome() throws {
  let terminal = try PseudoTerminal()
  let bench = try SensorBench(SentenceSensor(port: terminal.path))
  try bench.start()
  var tried: [Int] = []
  for _ in 0..<5 {
    tried.append(try #require(terminal.bitsPerSecond))
    let deadline = try #require(bench.source.nextDeadline)
    // What a receiver at another speed looks like.
    _ = try terminal.write([0x80, 0xFF, 0x00, 0x24][...])
    bench.loop.turn(until: MonotonicClock.now)
    bench.source.advance(to: deadline)
  }
  #expect(tried == [9600, 115_200, 38_400, 4800, 9600])
  #expect(bench.fact("speed") == "115200 bit/s (trying)")
  #expect(bench.sentences.isEmpty, "noise is kept back")
  _ = try terminal.write(Array(sentence.utf8)[...])
  #expect(bench.turns { bench.fact("speed") == "115200 bit/s (found)" })
  #expect(bench.sentences.suffix(sentence.utf8.count) == Array(sentence.utf8)[...])
  // A found speed is kept: what is due next is the end of patience.
  let deadline = try #require(bench.source.nextDeadline)
  #expect(deadline - MonotonicClock.now > .seconds(10))
}

@Test func bytesWithoutSentencesAreBlamedOnTheSpeed() throws {
  let terminal = try PseudoTerminal()
  let bench = try SensorBench(SentenceSensor(port: terminal.path, bitsPerSecond: 4800))
  try bench.start()
  _ = try terminal.write([UInt8](repeating: 0xAA, count: 300)[...])
  #expect(bench.turns { bench.sentences.count == 300 })
  #expect(bench.fact("remark") == "bytes but no sentences: wrong speed?")
  bench.source.advance(to: try #require(bench.source.nextDeadline))
  #expect(
    bench.source.failure?.message
      == "\(terminal.path): bytes but no NMEA sentences at 4800 bit/s: wrong speed? Try 0 for automatic, or 9600, 115200, 38400"
  )
}

@Test func silenceIsBlamedOnTheWiring() throws {
  let terminal = try PseudoTerminal()
  let bench = try SensorBench(SentenceSensor(port: terminal.path, bitsPerSecond: 9600))
  try bench.start()
  let deadline = try #require(bench.source.nextDeadline)
  bench.source.advance(to: deadline - .milliseconds(1))
  #expect(bench.source.failure == nil)
  bench.source.advance(to: deadline)
  #expect(
    bench.source.failure?.message
      == "\(terminal.path): no data; check the receiver's power, and that its TX is connected to RX of this port")
}

@Test(
  arguments: [
    (sentence, 1), ("$GPGGA,1*00\r\n", 0), ("GPGGA*00\r\n", 0), ("$GPTXT,$" + sentence.dropFirst(), 1), ("$A*41", 1),
    ("$A*4", 0), ("$A*4G1", 0), ("$A*4\u{1}1", 0), ("$" + String(repeating: "A", count: 300) + "*00", 0), ("$k*6b", 1),
  ] as [(String, Int)])
func onlySentencesWithTheirChecksumCount(text: String, count: Int) {
  for size in [1, 7, 1000] {
    var counter = SentenceCount()
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      counter.receive(bytes[start..<min(bytes.count, start + size)])
    }
    #expect(counter.right == count, "in pieces of \(size)")
  }
}
