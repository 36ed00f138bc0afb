import Glibc
import InlineStorage
import Quantities

/// A byte on its way into a ring.
private struct Arrival {
  var time: UInt64
  var byte: UInt8
  var port: Int
}

/// Plays lines of 115,200 bit/s and a loop that is busy for a while now and then, and compares what comes out of the rings with queues.
private struct RingTest {
  private(set) var failures = 0
  private var state: UInt64 = 1
  private var lostCount = 0

  private mutating func random(_ bound: UInt64) -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return (state >> 11) % bound
  }

  private mutating func expect(_ holds: Bool, _ text: String, line: Int = #line) {
    guard !holds else { return }
    failures += 1
    if failures < 10 { print("rings: Host.swift:\(line): \(text)") }
  }

  mutating func run() {
    var runs = 0
    for seed in 1...24 as ClosedRange<UInt64> {
      // The longest turn is below the time in which a ring is full, or above it; stamps wrap in half of the runs.
      let longest: UInt64 = seed % 2 == 0 ? 80_000 : 300_000
      play(seed: seed, longest: longest, start: seed % 4 < 2 ? 0 : UInt64(UInt32.max) - 500_000)
      runs += 1
    }
    orderOfEqualTimes()
    expect(lostCount > 0, "no turn was long enough to lose a byte")
    if failures == 0 { print("rings: ok: \(runs) runs of four lines, \(lostCount) bytes lost as they had to be") }
  }

  private mutating func play(seed: UInt64, longest: UInt64, start: UInt64) {
    state = seed
    var rings = PortRings()
    _ = rings.areEmpty()
    var queues: [[Arrival]] = [[], [], [], []]
    var lost = [0, 0, 0, 0]
    var received = [0, 0, 0, 0]
    var most = [0, 0, 0, 0]
    // When each line has its next byte; it is silent after some.
    var next = (0..<LinePort.count).map { _ in start + random(50_000) }
    var now = start
    var last: UInt64 = 0
    let end = start + 1_500_000
    while now < end {
      now += 1 + random(random(40) == 0 ? longest : 300)
      while let port = (0..<LinePort.count).filter({ next[$0] <= now }).min(by: { next[$0] < next[$1] }),
        let line = LinePort(rawValue: UInt8(port))
      {
        let byte = UInt8(truncatingIfNeeded: random(256))
        rings.put(byte, on: line, at: next[port])
        received[port] += 1
        if queues[port].count < 1024 {
          queues[port].append(Arrival(time: next[port], byte: byte, port: port))
          most[port] = max(most[port], queues[port].count)
        } else {
          lost[port] += 1
        }
        next[port] += random(2000) == 0 ? random(200_000) : 87
      }
      last = drain(&rings, &queues, now, last)
    }
    for port in 0..<LinePort.count {
      guard let line = LinePort(rawValue: UInt8(port)) else { return }
      let counts = rings.counts(of: line)
      expect(
        Int(counts.received) == received[port] && Int(counts.lost) == lost[port], "counts of port \(port), seed \(seed)"
      )
      expect(Int(counts.most) == most[port], "most of port \(port), seed \(seed)")
      expect(longest > 80_000 || lost[port] == 0, "bytes lost in a short turn, seed \(seed)")
    }
    lostCount += lost.reduce(0, +)
  }

  /// Takes everything out, and compares it with the queues.
  private mutating func drain(_ rings: inout PortRings, _ queues: inout [[Arrival]], _ now: UInt64, _ before: UInt64)
    -> UInt64
  {
    var last = before
    while true {
      var chunk = InlineBytes<128>()
      guard let (port, time) = rings.takeOldest(into: &chunk, now: now) else { break }
      let place = Int(port.rawValue)
      expect(chunk.count > 0 && chunk.count <= queues[place].count, "more bytes than came")
      guard chunk.count > 0, chunk.count <= queues[place].count else { return last }
      let taken = Array(queues[place][..<chunk.count])
      queues[place].removeFirst(chunk.count)
      for index in 0..<chunk.count { expect(chunk.span[index] == taken[index].byte, "another byte") }
      expect(time.microseconds == Int64(taken[chunk.count - 1].time), "another time")
      // Nothing that is older waits elsewhere, and times never go back.
      for other in 0..<LinePort.count where other != place {
        if let first = queues[other].first { expect(first.time >= taken[chunk.count - 1].time, "an older byte waits") }
      }
      expect(UInt64(time.microseconds) >= last, "time goes back")
      last = UInt64(time.microseconds)
    }
    expect(queues.allSatisfy { $0.isEmpty } && rings.areEmpty(), "bytes are left")
    return last
  }

  /// Bytes of one time come out port by port, and those that are younger than the look at the clock are not taken for old ones.
  private mutating func orderOfEqualTimes() {
    var rings = PortRings()
    rings.put(1, on: .receiver, at: 1000)
    rings.put(2, on: .console, at: 1000)
    rings.put(3, on: .receiver, at: 1010)
    var found: [UInt8] = []
    while true {
      var chunk = InlineBytes<128>()
      guard let (_, time) = rings.takeOldest(into: &chunk, now: 1005) else { break }
      expect(time.microseconds <= 1005, "a time ahead of the clock")
      for place in 0..<chunk.count { found.append(chunk.span[place]) }
    }
    expect(found == [2, 1, 3], "\(found)")
  }
}

@main enum Host {
  static func main() {
    var test = RingTest()
    test.run()
    exit(test.failures == 0 ? 0 : 1)
  }
}
