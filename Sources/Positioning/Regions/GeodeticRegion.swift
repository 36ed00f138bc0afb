import InlineStorage
public import Quantities

/// A circle, a polygon with holes or a corridor on the earth, ready to be asked.
///
/// An edge is the shortest way between its ends: a great circle of geodetic latitude and longitude, which leaves the shortest line
/// of the ellipsoid by 7 mm in 10 km. The side that is within is the smaller one; what lies on an edge is within. Distances are
/// those of the ellipsoid: within 1 mm up to 1 km from the edge, and a 50,000th beyond. All is asked of places up to 85°
/// from the middle; what is farther is outside.
///
/// It is made corner by corner, `begin`, `append`, `beginHole`, `finish`, and holds nothing after an error. `corners` is its room;
/// `entries` is room for an index that makes outlines of many corners as quick as those of few: four times `corners`, or 0.
///
/// - Complexity: with an index a place is looked for among a few edges, and so is the nearest of them for a distance.
public struct GeodeticRegion<let corners: Int, let entries: Int>: ~Copyable {
  /// What it is.
  public private(set) var shape: RegionShape = .polygon
  /// Radius of a circle or half width of a corridor, m; 0 for a polygon.
  public private(set) var width: Double = 0
  /// How deep within its deepest place is at least, m; half the width of a corridor.
  public private(set) var depth: Double = 0
  /// True when it can be asked; else every place is outside.
  public private(set) var isReady = false

  private var frame = GnomonicFrame()
  /// Where a point counts as on an edge, radii of the earth.
  private var tolerance = 0.0
  private var positions = InlineVector<corners, GeodeticPosition>()
  private var edges = InlineVector<corners, PlaneEdge>()
  private var ringEnds = InlineVector<8, UInt16>()
  private var index = EdgeIndex<corners, entries>()
  private var boxes = EdgeBoxes<entries>()
  private var problem: RegionError?

  /// A region of no place.
  public init() {}

  /// Number of corners, those of holes included; a circle has one, its middle.
  public var count: Int { positions.count }
  /// A corner, in the order in which they were given.
  /// - Precondition: `0 ≤ place < count`.
  public func corner(_ place: Int) -> GeodeticPosition { positions[place] }
  /// Number of rings: one, and one for each hole.
  public var ringCount: Int { ringEnds.count }
  /// Where a ring ends: the number of corners of it and of those before it.
  /// - Precondition: `0 ≤ ring < ringCount`.
  public func ringEnd(_ ring: Int) -> Int { Int(ringEnds[ring]) }

  // MARK: Making

  /// Begins anew.
  ///
  /// - Parameter width: Radius of a circle, half width of a corridor, m.
  public mutating func begin(_ shape: RegionShape, width: Double = 0) {
    self.shape = shape
    self.width = shape == .polygon ? 0 : width
    depth = 0
    isReady = false
    problem = shape != .polygon && !(RegionLimits.widths ~= width) ? .badWidth : nil
    positions.removeAll()
    edges.removeAll()
    ringEnds.removeAll()
    index.removeAll()
  }

  /// The next corner, as it was given.
  public mutating func append(latitudeE9: Int64, longitudeE9: Int64) {
    guard let position = GeodeticPosition(latitudeE9: latitudeE9, longitudeE9: longitudeE9) else {
      note(.outOfRange)
      return
    }
    if !positions.append(position) { note(.tooManyPoints) }
  }

  /// The next corner.
  public mutating func append(_ position: GeodeticPosition) {
    if !positions.append(position) { note(.tooManyPoints) }
  }

  /// What comes is a hole of the polygon.
  public mutating func beginHole() {
    closeRing()
  }

  /// Makes it ready.
  ///
  /// - Returns: Why it is no region; nil when it is one.
  public mutating func finish(_ limits: RegionLimits = .room) -> RegionError? {
    closeRing()
    if positions.count > limits.corners { note(.tooManyPoints) }
    if problem == nil { prepare() }
    guard let problem else {
      isReady = true
      return nil
    }
    begin(shape, width: width)
    return problem
  }

  /// Becomes what another region is.
  public mutating func copy(_ other: borrowing GeodeticRegion<corners, entries>) {
    begin(other.shape, width: other.width)
    var ring = 0
    for place in 0..<other.count {
      append(other.corner(place))
      if place + 1 == other.ringEnd(ring) {
        closeRing()
        ring += 1
      }
    }
    // What was a region is one.
    prepare()
    isReady = other.isReady && problem == nil
  }

  /// True for a region of the same corners in the same order, and of the same width.
  package func isSame(as other: borrowing GeodeticRegion<corners, entries>) -> Bool {
    guard shape == other.shape, width == other.width, count == other.count, ringCount == other.ringCount else {
      return false
    }
    for ring in 0..<ringCount where ringEnd(ring) != other.ringEnd(ring) { return false }
    for place in 0..<count where corner(place) != other.corner(place) { return false }
    return true
  }

  /// The first error is told.
  private mutating func note(_ error: RegionError) { problem = problem ?? error }

  private mutating func closeRing() {
    let start = ringEnds.isEmpty ? 0 : Int(ringEnds[ringEnds.count - 1])
    // A ring of nothing behind the last one is how `finish` finds what `copy` and it have closed.
    guard positions.count > start || ringEnds.isEmpty else { return }
    if !ringEnds.append(UInt16(truncatingIfNeeded: positions.count)) { note(.tooManyPoints) }
  }

  private mutating func prepare() {
    let least = shape == .circle ? 1 : shape == .corridor ? 2 : 3
    var start = 0
    for ring in 0..<ringEnds.count {
      if ringEnd(ring) - start < least { note(.tooFewPoints) }
      start = ringEnd(ring)
    }
    if shape == .circle, positions.count > 1 { note(.tooManyPoints) }
    if shape != .polygon, ringEnds.count > 1 { note(.tooManyPoints) }
    guard problem == nil, let middle = middle() else {
      note(.tooLarge)
      return
    }
    frame = GnomonicFrame(middle: middle)
    if shape == .circle {
      depth = width
      frame.bound(width * 1.01 / WGS84.polarRadius)
      return
    }
    guard let extent = makeEdges() else {
      note(.tooLarge)
      return
    }
    tolerance = 4e-15 * extent
    let reach = Elementary.atan(extent)
    frame.bound(reach + width * 1.01 / WGS84.polarRadius)
    let shapeProblem = RegionValidation(shape: shape, edges: edges.span, ringEnds: ringEnds.span, tolerance: tolerance)
    if let error = shapeProblem.error {
      note(error)
      return
    }
    depth = shape == .corridor ? width : shapeProblem.width
    if shape == .polygon { index.make(edges.span) }
    boxes.make(edges.span)
  }

  /// The middle of all corners; nil when they are all over the earth.
  private func middle() -> GeodeticPosition? {
    guard positions.count > 1 else { return positions.isEmpty ? nil : positions[0] }
    var sum = (0.0, 0.0, 0.0)
    for place in 0..<positions.count {
      let latitude = Direction(nanodegrees: positions[place].latitudeE9)
      let longitude = Direction(nanodegrees: positions[place].longitudeE9)
      sum.0 += latitude.cos * longitude.cos
      sum.1 += latitude.cos * longitude.sin
      sum.2 += latitude.sin
    }
    let outward = hypotenuse(sum.0, sum.1)
    guard hypotenuse(outward, sum.2) > 0.1 else { return nil }
    let degrees = 180 / Double.pi
    return GeodeticPosition(
      latitudeDegrees: Elementary.atan2(sum.2, outward) * degrees,
      longitudeDegrees: Elementary.atan2(sum.1, sum.0) * degrees)
  }

  /// The edges in the plane; nil when a corner is too far away, else how far the farthest is, radii of the earth.
  private mutating func makeEdges() -> Double? {
    var extent = 0.0
    var ring = 0
    var start = 0
    for place in 0..<positions.count {
      let isLast = place + 1 == ringEnd(ring)
      let next = !isLast ? place + 1 : start
      if !isLast || shape == .polygon {
        guard let a = frame.place(positions[place]), let b = frame.place(positions[next]), a.cosine > 0.5,
          b.cosine > 0.5
        else { return nil }
        extent = max(extent, hypotenuse(a.x, a.y), hypotenuse(b.x, b.y))
        edges.append(PlaneEdge(x1: a.x, y1: a.y, x2: b.x, y2: b.y))
      }
      guard isLast else { continue }
      start = ringEnd(ring)
      ring += 1
    }
    return extent
  }

  // MARK: Asking

  /// True when the place is within, or on the edge.
  public func contains(_ position: GeodeticPosition) -> Bool {
    guard isReady, frame.mayHold(position) else { return false }
    switch shape {
    case .polygon:
      guard let place = frame.place(position) else { return false }
      return index.side(of: place.x, place.y, edges.span, tolerance) != .outside
    case .circle: return Geodesic.fastDistance(from: positions[0], to: position) <= width
    case .corridor: return signedDistance(of: position) >= 0
    }
  }

  /// Distance to the edge, m: positive within, negative outside; −∞ for a region that is not ready.
  ///
  /// From 85° of the middle on it is the distance to the middle.
  public func signedDistance(of position: GeodeticPosition) -> Double {
    guard isReady else { return -.infinity }
    if shape == .circle { return width - Geodesic.fastDistance(from: positions[0], to: position) }
    guard let place = frame.place(position), let found = boxes.nearest(to: frame.metric(at: place), edges: edges.span)
    else {
      return -Geodesic(from: frame.position(x: 0, y: 0) ?? position, to: position).distance
    }
    var distance = hypotenuse(found.offset.x, found.offset.y)
    if distance > 1000, let there = frame.position(x: found.x, y: found.y) {
      distance = Geodesic.fastDistance(from: position, to: there)
    }
    if shape == .corridor { return width - distance }
    let side = frame.mayHold(position) ? index.side(of: place.x, place.y, edges.span, tolerance) : .outside
    return side == .edge ? 0 : side == .inside ? distance : -distance
  }
}
