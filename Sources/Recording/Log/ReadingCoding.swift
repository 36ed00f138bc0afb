import Quantities
import TrackerLog

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
