import InlineStorage
import Quantities

/// A port of a board.
enum LinePort: UInt8 {
  case console, modem, receiver, sensor

  static var count: Int { 4 }
}

/// The rings of the ports of a board.
struct PortRings {
  private(set) var console = ByteRing()
  private(set) var modem = ByteRing()
  private(set) var receiver = ByteRing()
  private(set) var sensor = ByteRing()

  /// Puts a byte in; called by the interrupts only, which do not interrupt each other.
  mutating func put(_ byte: UInt8, on port: LinePort, at microseconds: UInt64) {
    let stamp = UInt32(truncatingIfNeeded: microseconds)
    switch port {
    case .console: console.put(byte, stamp: stamp)
    case .modem: modem.put(byte, stamp: stamp)
    case .receiver: receiver.put(byte, stamp: stamp)
    case .sensor: sensor.put(byte, stamp: stamp)
    }
  }

  /// Whether there is nothing in any ring.
  mutating func areEmpty() -> Bool {
    console.oldest() == nil && modem.oldest() == nil && receiver.oldest() == nil && sensor.oldest() == nil
  }

  /// Takes the oldest bytes of one port, up to the first that is younger than the oldest of another.
  ///
  /// - Parameter now: The time, read before; no byte may be older than 35 minutes.
  /// - Returns: Whose they are, and when the last of them came; nil when there are none.
  mutating func takeOldest(into chunk: inout InlineBytes<128>, now: UInt64) -> (port: LinePort, time: Instant)? {
    var ages = self.ages(now)
    var first = 0
    for place in 1..<LinePort.count where ages[place] > ages[first] { first = place }
    guard ages[first] >= 0, let port = LinePort(rawValue: UInt8(first)) else { return nil }
    var last: Int64 = 0
    repeat {
      last = ages[first]
      switch port {
      case .console: chunk.append(console.take())
      case .modem: chunk.append(modem.take())
      case .receiver: chunk.append(receiver.take())
      case .sensor: chunk.append(sensor.take())
      }
      ages = self.ages(now)
    } while chunk.count < 128 && ages[first] >= 0 && isOldest(first, ages)
    return (port, Instant(microseconds: Int64(truncatingIfNeeded: now) - last))
  }

  private func isOldest(_ port: Int, _ ages: InlineArray<4, Int64>) -> Bool {
    for place in 0..<LinePort.count where ages[place] > ages[port] { return false }
    return true
  }

  /// How long ago the oldest byte of each port came, so that stamps that wrap are in order; -1 where there is none.
  private mutating func ages(_ now: UInt64) -> InlineArray<4, Int64> {
    [
      PortRings.age(console.oldest(), now), PortRings.age(modem.oldest(), now),
      PortRings.age(receiver.oldest(), now), PortRings.age(sensor.oldest(), now),
    ]
  }

  private static func age(_ stamp: UInt32?, _ now: UInt64) -> Int64 {
    guard let stamp else { return -1 }
    // A byte that came since `now` was read is as young as can be.
    return Int64(max(0, Int32(bitPattern: UInt32(truncatingIfNeeded: now) &- stamp)))
  }

  /// Bytes that came on a port, those that found no room, and the most that waited.
  mutating func counts(of port: LinePort) -> (received: UInt32, lost: UInt32, most: UInt32) {
    switch port {
    case .console: return console.counts()
    case .modem: return modem.counts()
    case .receiver: return receiver.counts()
    case .sensor: return sensor.counts()
    }
  }
}
