import Quantities

/// Which parts of a fix are written, one bit each.
private enum Part {
  static let utc: UInt64 = 1 << 0
  static let position: UInt64 = 1 << 1
  static let heightAboveSeaLevel: UInt64 = 1 << 2
  static let heightAboveEllipsoid: UInt64 = 1 << 3
  static let speed: UInt64 = 1 << 4
  static let course: UInt64 = 1 << 5
  static let horizontalAccuracy: UInt64 = 1 << 6
  static let verticalAccuracy: UInt64 = 1 << 7
  static let horizontalDilution: UInt64 = 1 << 8
  static let verticalDilution: UInt64 = 1 << 9
  static let positionDilution: UInt64 = 1 << 10
  static let quality: UInt64 = 1 << 11
  static let satellitesUsed: UInt64 = 1 << 12
  static let satellitesInView: UInt64 = 1 << 13
  static let all: UInt64 = (1 << 14) - 1
}

extension PayloadWriter {
  /// Writes all of a fix, bit for bit.
  mutating func append(_ fix: GNSSFix, relativeTo base: Instant) {
    append(signed: fix.time.microseconds &- base.microseconds)
    append(fix.mode.rawValue)
    var parts: UInt64 = 0
    if fix.utc != nil { parts |= Part.utc }
    if fix.position != nil { parts |= Part.position }
    if fix.heightAboveSeaLevel != nil { parts |= Part.heightAboveSeaLevel }
    if fix.heightAboveEllipsoid != nil { parts |= Part.heightAboveEllipsoid }
    if fix.speed != nil { parts |= Part.speed }
    if fix.course != nil { parts |= Part.course }
    if fix.horizontalAccuracy != nil { parts |= Part.horizontalAccuracy }
    if fix.verticalAccuracy != nil { parts |= Part.verticalAccuracy }
    if fix.dilution.horizontal != nil { parts |= Part.horizontalDilution }
    if fix.dilution.vertical != nil { parts |= Part.verticalDilution }
    if fix.dilution.position != nil { parts |= Part.positionDilution }
    if fix.quality != nil { parts |= Part.quality }
    if fix.satellitesUsed != nil { parts |= Part.satellitesUsed }
    if fix.satellitesInView.packed != 0 { parts |= Part.satellitesInView }
    append(varint: parts)
    if let utc = fix.utc { append(signed: utc.microseconds) }
    if let position = fix.position {
      append(signed: position.latitudeE9)
      append(signed: position.longitudeE9)
    }
    if let value = fix.heightAboveSeaLevel { append(compact: value) }
    if let value = fix.heightAboveEllipsoid { append(compact: value) }
    if let value = fix.speed { append(compact: value) }
    if let value = fix.course { append(compact: value) }
    if let value = fix.horizontalAccuracy { append(compact: value) }
    if let value = fix.verticalAccuracy { append(compact: value) }
    if let value = fix.dilution.horizontal { append(compact: value) }
    if let value = fix.dilution.vertical { append(compact: value) }
    if let value = fix.dilution.position { append(compact: value) }
    if let quality = fix.quality { append(quality.rawValue) }
    if let count = fix.satellitesUsed { append(count) }
    if fix.satellitesInView.packed != 0 { append(varint: fix.satellitesInView.packed) }
  }

  /// Writes a number as a decimal, or as degrees turned to radians, when that gives back its bits, and else the bits.
  mutating func append(compact value: Double) {
    if value > -1e12, value < 1e12 {
      var scale = 1.0
      for places in UInt8(0)..<10 {
        let number = Elementary.roundedInteger(value * scale)
        if number.magnitude < 1 << 53, (Double(number) / scale).bitPattern == value.bitPattern {
          append(places)
          append(signed: number)
          return
        }
        scale *= 10
      }
      scale = 1
      for places in UInt8(0)..<10 {
        let number = Elementary.roundedInteger(value * (180 / Double.pi) * scale)
        if number.magnitude < 1 << 53,
          (Double(number) / scale * (Double.pi / 180)).bitPattern == value.bitPattern
        {
          append(places + 16)
          append(signed: number)
          return
        }
        scale *= 10
      }
    }
    append(0xFF)
    append(fixed64: value.bitPattern)
  }

  /// Writes a single-precision number in the same way, without the form for degrees.
  mutating func append(compact value: Float) {
    if value > -1e6, value < 1e6 {
      var scale = 1.0
      for places in UInt8(0)..<8 {
        let number = Elementary.roundedInteger(Double(value) * scale)
        if Float(Double(number) / scale).bitPattern == value.bitPattern {
          append(places)
          append(signed: number)
          return
        }
        scale *= 10
      }
    }
    append(0xFF)
    append(fixed32: value.bitPattern)
  }
}

extension PayloadReader {
  /// Reads a fix; nil when the payload is not one.
  mutating func fix(relativeTo base: Instant) -> GNSSFix? {
    var fix = GNSSFix(time: Instant(microseconds: base.microseconds &+ signed()))
    guard let mode = FixMode(rawValue: byte()) else { return nil }
    fix.mode = mode
    let parts = varint()
    guard parts & ~Part.all == 0 else { return nil }
    if parts & Part.utc != 0 { fix.utc = UTCTime(microseconds: signed()) }
    if parts & Part.position != 0 {
      let latitude = signed()
      guard let position = GeodeticPosition(latitudeE9: latitude, longitudeE9: signed()) else { return nil }
      fix.position = position
    }
    if parts & Part.heightAboveSeaLevel != 0 { fix.heightAboveSeaLevel = compactDouble() }
    if parts & Part.heightAboveEllipsoid != 0 { fix.heightAboveEllipsoid = compactDouble() }
    if parts & Part.speed != 0 { fix.speed = compactDouble() }
    if parts & Part.course != 0 { fix.course = compactDouble() }
    if parts & Part.horizontalAccuracy != 0 { fix.horizontalAccuracy = compactDouble() }
    if parts & Part.verticalAccuracy != 0 { fix.verticalAccuracy = compactDouble() }
    if parts & Part.horizontalDilution != 0 { fix.dilution.horizontal = compactFloat() }
    if parts & Part.verticalDilution != 0 { fix.dilution.vertical = compactFloat() }
    if parts & Part.positionDilution != 0 { fix.dilution.position = compactFloat() }
    if parts & Part.quality != 0 {
      guard let quality = FixQuality(rawValue: byte()) else { return nil }
      fix.quality = quality
    }
    if parts & Part.satellitesUsed != 0 { fix.satellitesUsed = byte() }
    if parts & Part.satellitesInView != 0 { fix.satellitesInView.packed = varint() }
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
