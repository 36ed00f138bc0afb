import Quantities

/// A way over the ground, or a velocity: metres, or m/s, east and north.
struct Way: BitwiseCopyable {
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

  static func + (a: Way, b: Way) -> Way { Way(east: a.east + b.east, north: a.north + b.north) }
  static func - (a: Way, b: Way) -> Way { Way(east: a.east - b.east, north: a.north - b.north) }
  static func * (way: Way, factor: Float) -> Way { Way(east: way.east * factor, north: way.north * factor) }
  static func / (way: Way, divisor: Float) -> Way { Way(east: way.east / divisor, north: way.north / divisor) }
}
