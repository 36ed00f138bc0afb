public import InlineStorage
import Positioning
import Quantities

// A fence as the bytes of a section: number, active, shape, width, name, ends of rings, corners of ten bytes. Little-endian.

extension FenceTable {
  /// Version of the bytes.
  public static var recordVersion: UInt8 { 1 }

  /// Writes what stands in a row; nothing for an empty one.
  /// - Precondition: `0 ≤ row < capacity`.
  public func encode<let room: Int>(_ row: Int, into bytes: inout InlineBytes<room>) {
    guard self[row].number != 0 else { return }
    bytes.append(self[row].number)
    bytes.append(self[row].isActive ? 1 : 0)
    bytes.append(self[row].region.shape.rawValue)
    append(UInt64(self[row].region.width.bitPattern), count: 8, to: &bytes)
    bytes.append(UInt8(truncatingIfNeeded: self[row].name.count))
    for place in 0..<self[row].name.count { bytes.append(self[row].name[place]) }
    bytes.append(UInt8(truncatingIfNeeded: self[row].region.ringCount))
    for ring in 0..<self[row].region.ringCount {
      append(UInt64(self[row].region.ringEnd(ring)), count: 2, to: &bytes)
    }
    for place in 0..<self[row].region.count {
      let corner = self[row].region.corner(place)
      append(UInt64(bitPattern: corner.latitudeE9), count: 5, to: &bytes)
      append(UInt64(bitPattern: corner.longitudeE9), count: 5, to: &bytes)
    }
  }

  /// Reads a fence as `encode` writes it into the table; one that is damaged changes nothing.
  public mutating func restore(_ bytes: Span<UInt8>) -> FenceError? {
    var reader = FenceReader(bytes.count)
    let number = reader.number(bytes, 1)
    let active = reader.number(bytes, 1)
    let shape = RegionShape(rawValue: UInt8(truncatingIfNeeded: reader.number(bytes, 1)))
    let width = Double(bitPattern: reader.number(bytes, 8))
    let nameCount = Int(reader.number(bytes, 1))
    let nameStart = reader.skip(nameCount)
    let rings = Int(reader.number(bytes, 1))
    let ends = reader.skip(2 * rings)
    guard let shape, let nameStart, let ends, active <= 1, rings >= 1, rings <= RegionLimits.rings, reader.isValid
    else { return .unreadable }
    begin(Int(number), name: bytes.extracting(nameStart..<nameStart + nameCount), shape, width: width)
    var ring = 0
    var count = 0
    while reader.isValid, !reader.isAtEnd {
      if ring < rings, count == Int(bytes[ends + 2 * ring]) | Int(bytes[ends + 2 * ring + 1]) << 8 {
        ring += 1
        beginHole()
      }
      append(latitudeE9: reader.signed(bytes), longitudeE9: reader.signed(bytes))
      count += 1
    }
    let last = Int(bytes[ends + 2 * rings - 2]) | Int(bytes[ends + 2 * rings - 1]) << 8
    guard reader.isValid, last == count, ring == rings - 1 else { return .unreadable }
    if let error = finish(.room) { return error }
    if let row = row(of: UInt8(truncatingIfNeeded: number)) { self[row].isActive = active == 1 }
    return nil
  }

  private func append<let room: Int>(_ value: UInt64, count: Int, to bytes: inout InlineBytes<room>) {
    for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(place)))) }
  }
}

/// Reads numbers, and stops at the end.
struct FenceReader {
  private var place = 0
  private let end: Int
  private(set) var isValid = true

  init(_ count: Int) { end = count }

  var isAtEnd: Bool { place == end }

  mutating func number(_ bytes: Span<UInt8>, _ count: Int) -> UInt64 {
    guard let start = skip(count) else { return 0 }
    var value: UInt64 = 0
    for step in 0..<count { value |= UInt64(bytes[start + step]) << (8 * UInt64(step)) }
    return value
  }

  /// Five bytes with a sign.
  mutating func signed(_ bytes: Span<UInt8>) -> Int64 {
    Int64(bitPattern: number(bytes, 5) << 24) >> 24
  }

  /// Where so many bytes begin; nil when there are not as many.
  mutating func skip(_ count: Int) -> Int? {
    guard isValid, end - place >= count else {
      isValid = false
      return nil
    }
    place += count
    return place - count
  }
}
