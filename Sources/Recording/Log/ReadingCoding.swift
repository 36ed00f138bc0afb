import Quantities

/// A reading in a log: its kind, a bit for each number that is known, and these numbers.
extension PayloadWriter {
  mutating func append(_ reading: Reading) {
    append(reading.kind)
    var known: UInt8 = 0
    for place in 0..<Reading.capacity where reading.number(at: place) != nil { known |= 1 << UInt8(place) }
    append(known)
    for place in 0..<Reading.capacity {
      if let number = reading.number(at: place) { append(signed: number) }
    }
  }
}

extension PayloadReader {
  /// The reading that the rest of the payload is; nil when it is none that this version knows.
  mutating func reading(at time: Instant) -> Reading? {
    let kind = byte()
    let known = byte()
    var numbers = [Int64?](repeating: nil, count: Reading.capacity)
    for place in 0..<Reading.capacity where known & (1 << UInt8(place)) != 0 { numbers[place] = signed() }
    guard !isDamaged, isAtEnd, let reading = Reading(kind: kind, time: time, number: { numbers[$0] }) else {
      return nil
    }
    // A number that the kind does not have would be lost when it is written again.
    for place in 0..<Reading.capacity where numbers[place] != nil && reading.number(at: place) == nil { return nil }
    return reading
  }
}
