import Glibc
import Quantities
import TestSupport

/// A trial of BROAD: samples and, at each, the optical attitude where it was seen during movement.
///
/// - Source: [broad]; the folder's README has the columns.
struct LaboratoryTrial {
  var samples: [InertialSample] = []
  /// True attitude: earth (east, north, up) from sensor; nil where it does not count.
  var truth: [(w: Double, x: Double, y: Double, z: Double)?] = []

  /// Reads a trial; nil when its file is not there.
  init?(_ path: String) throws {
    guard access(path, R_OK) == 0 else { return nil }
    try withText(of: path) { parse($0) }
  }

  private mutating func parse(_ text: UnsafeMutablePointer<CChar>) {
    guard var place = strchr(text, 0x0A) else { return }
    var values = [Double](repeating: 0, count: 15)
    while place[1] != 0 {
      for column in 0..<15 {
        var end: UnsafeMutablePointer<CChar>? = place + 1
        let isEmpty = place[1] == 0x2C || place[1] == 0x0A
        values[column] = isEmpty ? .nan : strtod(place + 1, &end)
        place = end ?? place + 1
      }
      func vector(_ first: Int) -> Vector3 {
        Vector3(Float(values[first]), Float(values[first + 1]), Float(values[first + 2]))
      }
      samples.append(
        InertialSample(
          time: Instant(microseconds: Int64(samples.count) * 3500), angularRate: vector(1), specificForce: vector(4),
          magneticFluxDensity: vector(7)))
      let counts = values[14] > 0.5 && values[10].isFinite
      truth.append(counts ? (values[10], values[11], values[12], values[13]) : nil)
    }
  }
}

/// Mean square errors of attitudes against truth, in degrees: of the whole rotation and of the tilt.
///
/// - Source: [broad] section 3: the error quaternion in the earth frame, split into heading and inclination.
struct AttitudeScore {
  private var total = 0.0
  private var tilt = 0.0
  private var count = 0.0

  mutating func add(_ q: Quaternion, truth t: (w: Double, x: Double, y: Double, z: Double)) {
    let (a, b, c, d) = (Double(q.w), Double(q.x), Double(q.y), Double(q.z))
    let scale = 1 / ((a * a + b * b + c * c + d * d) * (t.w * t.w + t.x * t.x + t.y * t.y + t.z * t.z)).squareRoot()
    let w = (a * t.w + b * t.x + c * t.y + d * t.z) * scale
    let z = (d * t.w - a * t.z - b * t.y + c * t.x) * scale
    let whole = 2 * acos(min(1, abs(w)))
    let inclined = 2 * acos(min(1, (w * w + z * z).squareRoot()))
    total += whole * whole
    tilt += inclined * inclined
    count += 1
  }

  /// Root mean square of the whole rotation's angle, degrees.
  var totalDegrees: Double { (total / count).squareRoot() * 180 / Double.pi }
  /// Root mean square of the tilt, degrees.
  var tiltDegrees: Double { (tilt / count).squareRoot() * 180 / Double.pi }
}
