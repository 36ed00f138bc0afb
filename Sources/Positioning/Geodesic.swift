public import Quantities
public enum Geodesic {
  public static func fastDistance(from a: GeodeticPosition, to b: GeodeticPosition) -> Double {
    let n = (b.latitude - a.latitude) * 6_371_000
    let e = (b.longitude - a.longitude) * 6_371_000 * 0.62
    return (n * n + e * e).squareRoot()
  }
}
