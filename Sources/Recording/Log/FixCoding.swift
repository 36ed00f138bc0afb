import Quantities
import TrackerLog

extension PayloadWriter {
  /// Writes all of a fix, bit for bit.
  mutating func append(_ fix: GNSSFix, relativeTo base: Instant) {
    append(signed: fix.time.microseconds &- base.microseconds)
    append(fix.mode.rawValue)
    var parts: UInt64 = 0
    if fix.utc != nil { parts |= FixPart.utc }
    if fix.position != nil { parts |= FixPart.position }
    if fix.heightAboveSeaLevel != nil { parts |= FixPart.heightAboveSeaLevel }
    if fix.heightAboveEllipsoid != nil { parts |= FixPart.heightAboveEllipsoid }
    if fix.speed != nil { parts |= FixPart.speed }
    if fix.course != nil { parts |= FixPart.course }
    if fix.horizontalAccuracy != nil { parts |= FixPart.horizontalAccuracy }
    if fix.verticalAccuracy != nil { parts |= FixPart.verticalAccuracy }
    if fix.dilution.horizontal != nil { parts |= FixPart.horizontalDilution }
    if fix.dilution.vertical != nil { parts |= FixPart.verticalDilution }
    if fix.dilution.position != nil { parts |= FixPart.positionDilution }
    if fix.quality != nil { parts |= FixPart.quality }
    if fix.satellitesUsed != nil { parts |= FixPart.satellitesUsed }
    if fix.satellitesInView.packed != 0 { parts |= FixPart.satellitesInView }
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
