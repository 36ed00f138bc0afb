import Quantities

/// A way over the ground, or a velocity: metres, or m/s, east and north.
struct GroundVector: BitwiseCopyable {
  var east: Float
  var north: Float

  /// None.
  init() { (east, north) = (0, 0) }

  init(east: Float, north: Float) { (self.east, self.north) = (east, north) }

  /// So long, the way a course points, rad clockwise from north; nil when that points nowhere.
  init?(_ length: Float, along course: Double) {
    guard course.magnitude < .infinity else { return nil }
    let direction = Elementary.sincos(course)
    (east, north) = (length * Float(direction.sin), length * Float(direction.cos))
  }

  var square: Float { east * east + north * north }
  var length: Float { square.squareRoot() }

  static func + (a: GroundVector, b: GroundVector) -> GroundVector {
    GroundVector(east: a.east + b.east, north: a.north + b.north)
  }
  static func - (a: GroundVector, b: GroundVector) -> GroundVector {
    GroundVector(east: a.east - b.east, north: a.north - b.north)
  }
  static func * (way: GroundVector, factor: Float) -> GroundVector {
    GroundVector(east: way.east * factor, north: way.north * factor)
  }
  static func / (way: GroundVector, divisor: Float) -> GroundVector {
    GroundVector(east: way.east / divisor, north: way.north / divisor)
  }
}
