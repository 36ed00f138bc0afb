public import InlineStorage
import Positioning
import Quantities

// A fence as the bytes of a section: number, active and who is where, shape, width, name, ends of rings, corners of ten bytes. Little-endian.

extension FenceTable {
  /// Writes what stands in a row; nothing for an empty one.
  /// - Precondition: `0 ≤ row < capacity`.
  public func encode<let room: Int>(_ row: Int, into bytes: inout InlineBytes<room>) {
    guard self[row].number != 0 else { return }
    bytes.append(self[row].number)
    bytes.append((self[row].isActive ? 1 : 0) | self[row].presence.rawValue << 1)
    bytes.append(self[row].region.shape.rawValue)
    bytes.append(row: UInt64(self[row].region.width.bitPattern), 8)
    bytes.append(rowName: self[row].name)
    bytes.append(UInt8(truncatingIfNeeded: self[row].region.ringCount))
    for ring in 0..<self[row].region.ringCount {
      bytes.append(row: UInt64(self[row].region.ringEnd(ring)), 2)
    }
    for place in 0..<self[row].region.count {
      let corner = self[row].region.corner(place)
      bytes.append(row: UInt64(bitPattern: corner.latitudeE9), 5)
      bytes.append(row: UInt64(bitPattern: corner.longitudeE9), 5)
    }
  }

  /// Reads a fence as `encode` writes it into its row of the table; one that is damaged changes nothing.
  ///
  /// - Precondition: `0 ≤ row < capacity`.
  public mutating func restore(_ bytes: Span<UInt8>, row: Int) -> FenceError? {
    var reader = RowReader(bytes.count)
    let number = reader.number(bytes, 1)
    let standing = reader.number(bytes, 1)
    let presence = PresenceState(rawValue: UInt8(truncatingIfNeeded: standing >> 1))
    let shape = RegionShape(rawValue: UInt8(truncatingIfNeeded: reader.number(bytes, 1)))
    let width = Double(bitPattern: reader.number(bytes, 8))
    let nameCount = Int(reader.number(bytes, 1))
    let nameStart = reader.skip(nameCount)
    let rings = Int(reader.number(bytes, 1))
    let ends = reader.skip(2 * rings)
    guard let shape, let presence, let nameStart, let ends, rings >= 1, rings <= RegionLimits.rings, reader.isValid
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
    if let error = check(.room) { return error }
    // Whoever has this number in another row is of a state that no table had.
    if let other = self.row(of: draftNumber), other != row { return .unreadable }
    put(in: row)
    self[row].isActive = standing & 1 == 1
    self[row].follower = Presence(presence, since: .zero)
    return nil
  }
}
