import Quantities

extension PayloadReader {
  /// The reading that the rest of the payload is; nil when it is none that this version knows.
  package mutating func reading(at time: Instant) -> Reading? {
    let kind = byte()
    let known = byte()
    var numbers = InlineArray<8, Int64?>(repeating: nil)
    for place in 0..<Reading.capacity where known & (1 << UInt8(place)) != 0 { numbers[place] = signed() }
    guard !isDamaged, isAtEnd, let reading = Reading(kind: kind, time: time, number: { numbers[$0] }) else {
      return nil
    }
    // A number that the kind does not have would be lost when it is written again.
    for place in 0..<Reading.capacity where numbers[place] != nil && reading.number(at: place) == nil { return nil }
    return reading
  }
}
