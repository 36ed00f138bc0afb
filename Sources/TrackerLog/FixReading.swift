import Quantities

/// Which parts of a fix are written, one bit each.
package enum FixPart {
  package static let utc: UInt64 = 1 << 0
  package static let position: UInt64 = 1 << 1
  package static let heightAboveSeaLevel: UInt64 = 1 << 2
  package static let heightAboveEllipsoid: UInt64 = 1 << 3
  package static let speed: UInt64 = 1 << 4
  package static let course: UInt64 = 1 << 5
  package static let horizontalAccuracy: UInt64 = 1 << 6
  package static let verticalAccuracy: UInt64 = 1 << 7
  package static let horizontalDilution: UInt64 = 1 << 8
  package static let verticalDilution: UInt64 = 1 << 9
  package static let positionDilution: UInt64 = 1 << 10
  package static let quality: UInt64 = 1 << 11
  package static let satellitesUsed: UInt64 = 1 << 12
  package static let satellitesInView: UInt64 = 1 << 13
  package static let all: UInt64 = (1 << 14) - 1
}

extension PayloadReader {
  /// Reads a fix; nil when the payload is not one.
  package mutating func fix(relativeTo base: Instant) -> GNSSFix? {
    var fix = GNSSFix(time: Instant(microseconds: base.microseconds &+ signed()))
    guard let mode = FixMode(rawValue: byte()) else { return nil }
    fix.mode = mode
    let parts = varint()
    guard parts & ~FixPart.all == 0 else { return nil }
    if parts & FixPart.utc != 0 { fix.utc = UTCTime(microseconds: signed()) }
    if parts & FixPart.position != 0 {
      let latitude = signed()
      guard let position = GeodeticPosition(latitudeE9: latitude, longitudeE9: signed()) else { return nil }
      fix.position = position
    }
    if parts & FixPart.heightAboveSeaLevel != 0 { fix.heightAboveSeaLevel = compactDouble() }
    if parts & FixPart.heightAboveEllipsoid != 0 { fix.heightAboveEllipsoid = compactDouble() }
    if parts & FixPart.speed != 0 { fix.speed = compactDouble() }
    if parts & FixPart.course != 0 { fix.course = compactDouble() }
    if parts & FixPart.horizontalAccuracy != 0 { fix.horizontalAccuracy = compactDouble() }
    if parts & FixPart.verticalAccuracy != 0 { fix.verticalAccuracy = compactDouble() }
    if parts & FixPart.horizontalDilution != 0 { fix.dilution.horizontal = compactFloat() }
    if parts & FixPart.verticalDilution != 0 { fix.dilution.vertical = compactFloat() }
    if parts & FixPart.positionDilution != 0 { fix.dilution.position = compactFloat() }
    if parts & FixPart.quality != 0 {
      guard let quality = FixQuality(rawValue: byte()) else { return nil }
      fix.quality = quality
    }
    if parts & FixPart.satellitesUsed != 0 { fix.satellitesUsed = byte() }
    if parts & FixPart.satellitesInView != 0 { fix.satellitesInView.packed = varint() }
    return isDamaged || !isAtEnd ? nil : fix
  }

  private mutating func compactDouble() -> Double {
    let form = byte()
    if form == 0xFF { return Double(bitPattern: fixed64()) }
    guard form & 0x0F < 10, form < 0x20 else {
      markDamaged()
      return 0
    }
    let number = Double(signed()) / powerOfTen(form & 0x0F)
    return form < 16 ? number : number * (Double.pi / 180)
  }

  private mutating func compactFloat() -> Float {
    let form = byte()
    if form == 0xFF { return Float(bitPattern: fixed32()) }
    guard form < 8 else {
      markDamaged()
      return 0
    }
    return Float(Double(signed()) / powerOfTen(form))
  }

  private func powerOfTen(_ exponent: UInt8) -> Double {
    var power = 1.0
    for _ in 0..<exponent { power *= 10 }
    return power
  }
}
