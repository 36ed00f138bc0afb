import Quantities

/// A position in the units that other forms have, as whole numbers.
///
/// - Source: the nautical mile is 1,852 m (International Hydrographic Conference, 1929).
extension PacketPosition {
  /// Speed in thousandths of a knot; nil when unknown.
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable package var speedMilliknots: Int64? { speedCentimetres.map { roundedQuotient(Int64($0) * 9000, 463) } }

  /// Speed in whole km/h; nil when unknown.
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable package var speedKilometresPerHour: Int64? {
    speedCentimetres.map { roundedQuotient(Int64($0) * 36, 1000) }
  }

  /// Course in whole degrees, 0 to 359; nil when unknown.
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable package var courseDegrees: Int64? { courseCentidegrees.map { roundedQuotient(Int64($0), 100) % 360 } }

  /// Height above mean sea level in whole metres; nil when unknown.
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable package var altitudeMetres: Int64? { altitudeDecimetres.map { roundedQuotient(Int64($0), 10) } }

  /// Accuracy radius in whole metres, at least 1; nil when unknown.
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable package var accuracyMetres: Int64? { accuracyDecimetres.map { max(1, roundedQuotient(Int64($0), 10)) } }
}

extension Packet {
  /// When the position was measured, or the packet made when it has none, in milliseconds since 1970; nil while the time is unknown
  /// or before 1970.
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable package var epochMilliseconds: Int64? {
    guard let utc = utc(of: position?.fixTime ?? time), utc.microseconds >= 0 else { return nil }
    return utc.microseconds / 1000
  }

  /// True for an alert whose position is a second old or more: whoever has one time for both wants to know when it was raised.
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable package var isTimedWhenMade: Bool {
    position != nil && kind.priority == .alert && fixAge >= .seconds(1)
  }

  /// When the position was measured, or an alert raised that has an older one, in whole seconds since 1970, for receivers that take two
  /// messages of one second for the same: of packets that would have one second, or an earlier one than what was told before, each has
  /// the next. So it may be too late, by 7 s at most.
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable package var epochSeconds: Int64? {
    guard let utc = isTimedWhenMade ? utc : utc(of: position?.fixTime ?? time), utc.microseconds >= 0 else {
      return nil
    }
    return utc.microseconds / 1_000_000 + Int64(position?.addedSeconds ?? 0)
  }

  /// Whether the vehicle is under way, by its own wheels or not.
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable package var isMoving: Bool { phase == .riding || phase == .alarmed || phase == .stolen }
}
