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
  /// The position for forms whose times must differ; nil, too, when all times that it might have are of other positions.
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable package var timedPosition: PacketPosition? {
    guard let position, position.addedSeconds <= PacketPosition.mostAddedSeconds else { return nil }
    return position
  }

  /// True for an alert whose position is a second old or more, and for any other packet with an old one: whoever has one time for both
  /// wants to know when it was made, or takes the news for old, too.
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable package var isTimedWhenMade: Bool {
    position != nil && (isToldWhenMade || kind.priority == .alert && fixAge >= .seconds(1))
  }

  /// The time of forms that have one: of the position, or of the packet when that is old or there is none; nil while it is unknown.
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable package var formTime: UTCTime? { isTimedWhenMade ? utc : utc(of: position?.fixTime ?? time) }

  /// The same for forms with thousandths of a second: for receivers that drop what has a time that was told before, it is later by as many
  /// of them as `epochSeconds` is by seconds.
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable package var toldTime: UTCTime? {
    formTime.map { UTCTime(microseconds: $0.microseconds &+ 1000 * Int64(position?.addedSeconds ?? 0)) }
  }

  /// When the position was measured, or a packet made that has an old one, in whole seconds since 1970, for receivers that take two
  /// messages of one second for the same: of packets that would have one second, or an earlier one than what was told before, each has
  /// the next. So it may be too late, by 6 s at most.
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable package var epochSeconds: Int64? {
    guard let utc = formTime, utc.microseconds >= 0 else { return nil }
    return utc.microseconds / 1_000_000 + Int64(position?.addedSeconds ?? 0)
  }

  /// Whether the vehicle is under way, by its own wheels or not.
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable package var isMoving: Bool { phase == .riding || phase == .alarmed || phase == .stolen }
}
