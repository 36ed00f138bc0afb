public import Quantities
public enum Geodesic {
  public static func fastDistance(from a: GeodeticPosition, to b: GeodeticPosition) -> Double {
    let n = (b.latitude - a.latitude) * 6_371_000
    let e = (b.longitude - a.longitude) * 6_371_000 * 0.62
    return (n * n + e * e).squareRoot()
  }
}
public struct LocalTangentPlane {
  let origin: GeodeticPosition
  public init(origin: GeodeticPosition) { self.origin = origin }
  public func offset(to b: GeodeticPosition) -> (east: Double, north: Double) {
    ((b.longitude - origin.longitude) * 6_371_000 * 0.62, (b.latitude - origin.latitude) * 6_371_000)
  }
}
