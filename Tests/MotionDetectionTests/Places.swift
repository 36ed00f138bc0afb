import Positioning
import Quantities

/// The place where scenes begin.
let home = GeodeticPosition(latitudeE9: 52_000_000_000, longitudeE9: 4_000_000_000)

/// A place whose distance from `home` is exactly this `Float`.
///
/// The north component is a little short, and the east one is tuned in steps finer than the digits of a `Float`.
func place(atExactly distance: Float) -> GeodeticPosition? {
  let wanted = Double(distance)
  guard let home, distance > 0 else { return home }
  for short in 1...80 as ClosedRange<Int64> {
    let latitude = 52_000_000_000 + Int64(wanted / 111_268e-9) - short
    func metres(_ east: Int64) -> Double {
      guard let there = GeodeticPosition(latitudeE9: latitude, longitudeE9: 4_000_000_000 + east) else { return 0 }
      return Geodesic.fastDistance(from: home, to: there)
    }
    var low: Int64 = 0
    var high = Int64(wanted / 68_678e-9)
    while high - low > 1 {
      let middle = (low + high) / 2
      if metres(middle) < wanted { low = middle } else { high = middle }
    }
    for east in (low - 3)...(high + 3) where Float(metres(east)) == distance {
      return GeodeticPosition(latitudeE9: latitude, longitudeE9: 4_000_000_000 + east)
    }
  }
  return nil
}
