import Quantities

/// The length of gravity.
public enum Gravity {
  /// Standard gravity, m/s²: within 0.03 m/s² anywhere on the ground.
  @inlinable public static var standard: Float { 9.80665 }

  /// Normal gravity of the WGS-84 ellipsoid, m/s²; within 0.001 m/s² of the true one in most places.
  ///
  /// - Parameters:
  ///   - latitude: Geodetic latitude, rad.
  ///   - height: Height above the ellipsoid, m; good to 10 km.
  /// - Source: [wgs84] equations 4-1 (Somigliana) and 4-3, whose terms of second order in the height are left out: they
  ///   come to 0.0001 m/s² at 10 km.
  public static func normal(latitude: Float, height: Float = 0) -> Float {
    let sine = Elementary.sin(latitude)
    let square = sine * sine
    let onEllipsoid = 9.780_325_3 * (1 + 0.001_931_852_65 * square) / (1 - 0.006_694_379_99 * square).squareRoot()
    return onEllipsoid * (1 - 3.157e-7 * (1 - 0.0014 * square) * height)
  }
}
