import InlineStorage
public import Quantities

/// A position as packets carry it: scaled integers, so that every target prints the same digits.
///
/// What may be unknown has a bit that says whether it is known: optionals would take half as much memory again, in every packet.
@frozen public struct PacketPosition: Equatable, BitwiseCopyable, Sendable {
  /// Latitude in units of 1e-7 degree.
  public var latitudeE7: Int32
  /// Longitude in units of 1e-7 degree.
  public var longitudeE7: Int32
  /// When the position was measured, on the monotonic clock.
  public var fixTime: Instant
  @usableFromInline var altitude: Int32 = 0
  @usableFromInline var accuracy: UInt32 = 0
  @usableFromInline var speed: UInt32 = 0
  @usableFromInline var course: UInt16 = 0
  @usableFromInline var satelliteCount: UInt8 = 0
  @usableFromInline var known: UInt8 = 0

  /// Height above mean sea level in decimetres; nil when unknown.
  @inlinable public var altitudeDecimetres: Int32? {
    get { known & 1 != 0 ? altitude : nil }
    set {
      altitude = newValue ?? 0
      note(1, newValue != nil)
    }
  }

  /// Accuracy radius (68 %) in decimetres, at least 1; nil when the receiver gave none.
  @inlinable public var accuracyDecimetres: UInt32? {
    get { known & 2 != 0 ? accuracy : nil }
    set {
      accuracy = newValue ?? 0
      note(2, newValue != nil)
    }
  }

  /// Ground speed in centimetres per second; nil when unknown.
  @inlinable public var speedCentimetres: UInt32? {
    get { known & 4 != 0 ? speed : nil }
    set {
      speed = newValue ?? 0
      note(4, newValue != nil)
    }
  }

  /// Course in hundredths of a degree; nil when unknown.
  @inlinable public var courseCentidegrees: UInt16? {
    get { known & 8 != 0 ? course : nil }
    set {
      course = newValue ?? 0
      note(8, newValue != nil)
    }
  }

  /// Satellites it was made of; nil when unknown.
  @inlinable public var satellites: UInt8? {
    get { known & 16 != 0 ? satelliteCount : nil }
    set {
      satelliteCount = newValue ?? 0
      note(16, newValue != nil)
    }
  }

  /// Seconds that forms with whole seconds add to the time they tell, 0 to 6: earlier packets have those before. `noSecond` when all of
  /// these are of others: such forms leave the position out.
  @inlinable package var addedSeconds: UInt8 {
    get { known >> 5 }
    set { known = known & 0x1F | min(newValue, PacketPosition.noSecond) << 5 }
  }
  /// The most seconds that are added.
  @inlinable package static var mostAddedSeconds: UInt8 { 6 }
  /// Of a position for which there is no second.
  @inlinable package static var noSecond: UInt8 { 7 }

  @inlinable mutating func note(_ bit: UInt8, _ isKnown: Bool) {
    if isKnown { known |= bit } else { known &= ~bit }
  }

  /// The packet's form of a fix; nil when it has no position.
  public init?(_ fix: GNSSFix) {
    guard fix.hasPosition, let position = fix.position else { return nil }
    self.init(
      latitudeE7: Int32(clamping: roundedQuotient(position.latitudeE9, 100)),
      longitudeE7: Int32(clamping: roundedQuotient(position.longitudeE9, 100)), fixTime: fix.time)
    altitudeDecimetres = finite(fix.heightAboveSeaLevel).map { Int32(clamping: Elementary.roundedInteger($0 * 10)) }
    accuracyDecimetres = finite(fix.horizontalAccuracy).map {
      UInt32(clamping: max(1, Elementary.roundedInteger($0 * 10)))
    }
    speedCentimetres = finite(fix.speed).map { UInt32(clamping: Elementary.roundedInteger($0 * 100)) }
    courseCentidegrees = finite(fix.course).map {
      let rest = Elementary.roundedInteger($0 * (18_000 / Double.pi)) % 36_000
      return UInt16(clamping: rest < 0 ? rest + 36_000 : rest)
    }
    satellites = fix.satellitesUsed
  }

  /// A position of which nothing else is known.
  init(latitudeE7: Int32, longitudeE7: Int32, fixTime: Instant) {
    self.latitudeE7 = latitudeE7
    self.longitudeE7 = longitudeE7
    self.fixTime = fixTime
  }
}

/// The number, unless it is NaN or infinite: such a value is not known.
private func finite(_ value: Double?) -> Double? {
  guard let value, value.isFinite else { return nil }
  return value
}

/// Quotient rounded to the nearest integer, halves away from zero.
@inlinable func roundedQuotient(_ value: Int64, _ divisor: Int64) -> Int64 {
  let half = divisor / 2
  return value < 0 ? (value - half) / divisor : (value + half) / divisor
}
