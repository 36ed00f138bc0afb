/// A place on the WGS-84 ellipsoid in nanodegrees.
///
/// Nanodegrees (0.11 mm of latitude) keep every digit an RTK receiver prints; the usual 1e-7 degrees (11 mm) would not.
/// Scaled integers at the boundary give the same digits on every target; calculations use `latitude` and `longitude`.
@frozen public struct GeodeticPosition: Equatable, BitwiseCopyable, Sendable {
  /// Latitude in units of 1e-9 degree, north positive, −90e9 to 90e9.
  public var latitudeE9: Int64
  /// Longitude in units of 1e-9 degree, east positive, −180e9 to 180e9.
  public var longitudeE9: Int64

  /// A position from nanodegrees, or nil when out of range.
  @inlinable public init?(latitudeE9: Int64, longitudeE9: Int64) {
    guard latitudeE9 >= -90_000_000_000, latitudeE9 <= 90_000_000_000 else { return nil }
    guard longitudeE9 >= -180_000_000_000, longitudeE9 <= 180_000_000_000 else { return nil }
    self.latitudeE9 = latitudeE9
    self.longitudeE9 = longitudeE9
  }

  /// A position from degrees, rounded to nanodegrees, or nil when out of range or not finite.
  public init?(latitudeDegrees: Double, longitudeDegrees: Double) {
    guard latitudeDegrees >= -90, latitudeDegrees <= 90 else { return nil }
    guard longitudeDegrees >= -180, longitudeDegrees <= 180 else { return nil }
    self.init(
      latitudeE9: Elementary.roundedInteger(latitudeDegrees * 1e9),
      longitudeE9: Elementary.roundedInteger(longitudeDegrees * 1e9))
  }

  /// Latitude in degrees.
  @inlinable public var latitudeDegrees: Double { Double(latitudeE9) / 1e9 }
  /// Longitude in degrees.
  @inlinable public var longitudeDegrees: Double { Double(longitudeE9) / 1e9 }
  /// Latitude in radians.
  @inlinable public var latitude: Double { latitudeDegrees * (Double.pi / 180) }
  /// Longitude in radians.
  @inlinable public var longitude: Double { longitudeDegrees * (Double.pi / 180) }
}
