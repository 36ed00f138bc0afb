import ASCIIText
import InlineStorage
import Quantities
import Telemetry

// What sensors and receivers say may be no number, or a time beyond reason. It is written as unknown, or at the end of what is
// reasonable: a section that can't be read would lose all that is in it.

/// A century is more than any ride, µs.
private var longestAge: Int64 { (1 << 52) - 1 }

extension SectionContent {
  /// A distance, m.
  mutating func append(distance: Double) {
    append(bits: distance.isFinite && distance >= 0 ? distance : 0)
  }

  /// A short text with its length before it.
  mutating func append(text: InlineBytes<32>) {
    append(UInt8(truncatingIfNeeded: text.count))
    append(contentsOf: text.span)
  }

  /// A vector that may be unknown.
  mutating func append(vector: Vector3?) {
    guard let vector, vector.x.isFinite, vector.y.isFinite, vector.z.isFinite else {
      append(0)
      return
    }
    append(1)
    append(bits: vector.x)
    append(bits: vector.y)
    append(bits: vector.z)
  }

  /// A place that may be unknown, with its accuracy, m.
  mutating func append(place position: GeodeticPosition?, accuracy: Float) {
    append(position == nil ? 0 : 1)
    guard let position else { return }
    append(littleEndian: UInt64(bitPattern: position.latitudeE9), bytes: 8)
    append(littleEndian: UInt64(bitPattern: position.longitudeE9), bytes: 8)
    append(bits: accuracy.isFinite ? accuracy : -1)
  }

  /// A number that may be unknown and is not negative.
  mutating func append(noise value: Float?) {
    guard let value, value.isFinite, value >= 0 else {
      append(0)
      return
    }
    append(1)
    append(bits: value)
  }

  /// An age that may be unknown.
  mutating func append(age interval: Interval?) {
    append(interval == nil ? 0 : 1)
    guard let interval else { return }
    let age = min(max(0, interval.microseconds), longestAge)
    append(littleEndian: UInt64(age), bytes: 8)
  }
}

extension RecordReader {
  /// Yes or no.
  mutating func flag(_ bytes: Span<UInt8>) -> Bool {
    let value = byte(bytes)
    require(value <= 1)
    return value == 1
  }

  /// A short text with its length before it.
  mutating func text(_ bytes: Span<UInt8>) -> InlineBytes<32> {
    var result = InlineBytes<32>()
    let count = Int(byte(bytes))
    require(count <= 32)
    while isValid, result.count < count { result.append(byte(bytes)) }
    return result
  }

  /// A distance, m.
  mutating func distance(_ bytes: Span<UInt8>) -> Double {
    let value = double(bytes)
    require(value >= 0)
    return value
  }

  /// A number that may be unknown and is not negative.
  mutating func noise(_ bytes: Span<UInt8>) -> Float? {
    guard flag(bytes) else { return nil }
    let value = float(bytes)
    require(value >= 0)
    return value
  }

  /// An age that may be unknown.
  mutating func age(_ bytes: Span<UInt8>) -> Interval? {
    guard flag(bytes) else { return nil }
    let microseconds = int64(bytes)
    require(microseconds >= 0 && microseconds <= longestAge)
    return Interval(microseconds: isValid ? microseconds : 0)
  }

  /// A place that may be unknown, with its accuracy, m.
  mutating func place(_ bytes: Span<UInt8>) -> (position: GeodeticPosition, accuracy: Float)? {
    guard flag(bytes) else { return nil }
    let latitude = int64(bytes)
    let longitude = int64(bytes)
    let accuracy = float(bytes)
    guard let position = GeodeticPosition(latitudeE9: latitude, longitudeE9: longitude) else {
      refuse()
      return nil
    }
    return (position, accuracy)
  }
}
