public import Quantities

/// What a fix means for the points of a path.
@frozen public struct PathStep: Equatable, BitwiseCopyable, Sendable {
  /// The fix held until now is a point, before anything else.
  public var tellsHeld = false
  /// This fix is a point itself.
  public var tellsFix = false
  /// This fix is held from now on, until another one is or it is reported.
  public var holdsFix = false

  /// It means nothing: what is reported already says where it is.
  @inlinable public init(tellsHeld: Bool = false, tellsFix: Bool = false, holdsFix: Bool = false) {
    self.tellsHeld = tellsHeld
    self.tellsFix = tellsFix
    self.holdsFix = holdsFix
  }
}

/// Chooses, fix by fix, the few that describe a path: joined by straight lines they lie within a bound of all the others.
///
/// Each fix is within the bound of the line between the two points that are reported before and after it: the order in which places were
/// passed is kept, and a way there and back is not one way. The points are fixes as they came.
///
/// The directions from the last point to the fixes since, each with all that pass it closely enough, have a part in common: a cone. A
/// fix within the cone, and no nearer than any other, may be the next point. The last such fix is held, and reported when one comes that
/// neither may take its place nor lies beside it. Fixes beside the last point or the held one need nothing.
///
/// "Straight" leaves room: a shortest line, a line of constant course (a map's) and one of latitude and longitude in proportion all
/// keep the bound, as points lie no farther apart than `reach` where there are fixes between. So does the rounding of places to
/// 1e-7 degree in packets. `docs/paths.md` has the proof.
///
/// - Complexity: O(1) time and memory per fix.
/// - Source: our derivation; the cone is that of [williams] and [sklansky-gonzalez], which hold the bound to a line without ends.
public struct PathSimplifier: Equatable, BitwiseCopyable, Sendable {
  /// The largest distance of a fix from the path, m.
  public let bound: Double
  private var plane: LocalTangentPlane?
  /// How far from the last point the next one may be, m.
  private var reach = 0.0
  /// The largest distance from the last point of a fix that is not beside it, m.
  private var farthest = 0.0
  private var cone = Cone.any
  private var held: Held?

  /// The fix that is the next point as far as is known, and its place in the plane.
  private struct Held: Equatable, BitwiseCopyable {
    var position: GeodeticPosition
    var x: Double
    var y: Double
    /// Nothing has come since.
    var isLast = true
  }

  /// A path of which nothing is reported yet.
  ///
  /// - Parameter bound: m. At least `leastBound`; a smaller one, and what is no number, counts as that.
  public init(bound: Double) {
    self.bound = bound >= PathSimplifier.leastBound ? bound : PathSimplifier.leastBound
  }

  /// The smallest bound, m: smaller ones would be spent on the rounding of packets.
  package static var leastBound: Double { 0.1 }
  /// The share of the bound for what lines between two points differ by.
  ///
  /// Of 1/32 to 1/1024 the one with the fewest points on every second ride (`docs/paths.md`): with less of it lines are shorter, with more
  /// the cone is narrower.
  static var spareShare: Double { 1.0 / 256 }
  /// What places in packets are rounded by, m: 5.6 mm of latitude and as much of longitude, or 8 mm, and what `Double` rounds.
  static var spare: Double { 0.01 }
  /// Points with fixes between them are no farther apart, m: up to there the plane is right to 1.3e-6.
  package static var longestReach: Double { 10_000 }

  /// Distance from the line in the plane that leaves the bound room for `spareShare` and `spare`, m.
  private var tolerance: Double { bound * (1 - PathSimplifier.spareShare) - PathSimplifier.spare }

  /// Whether a point has been told.
  package var hasBegun: Bool { plane != nil }
  /// The fix that is the next point as far as is known; nil where all fixes since the last point are beside it.
  package var heldPosition: GeodeticPosition? { held?.position }

  /// Takes the next fix of the path in.
  ///
  /// - Returns: What is to be reported for it. Of the first fix that it is a point.
  public mutating func process(_ position: GeodeticPosition) -> PathStep {
    held?.isLast = false
    var step = PathStep()
    // Twice at most: after the held fix was told nothing is held.
    while let plane {
      let offset = plane.offset(of: position)
      let distance = hypotenuse(offset.east, offset.north)
      // On the other side of the earth the plane would say it is near.
      let isInReach = distance <= reach && offset.up > -64
      let east = offset.east - (held?.x ?? 0)
      let north = offset.north - (held?.y ?? 0)
      let isBeside = hypotenuse(east, north) <= tolerance && offset.up > -64
      if held == nil, isBeside { return step }
      if isInReach, distance >= farthest, cone.contains(offset.east, offset.north) {
        held = Held(position: position, x: offset.east, y: offset.north)
        narrow(offset, distance)
        step.holdsFix = true
        return step
      }
      if isBeside {
        narrow(offset, distance)
        return step
      }
      guard let held else { break }
      step.tellsHeld = true
      begin(at: held.position)
    }
    begin(at: position)
    step.tellsFix = true
    return step
  }

  /// The last fix that was taken in is reported whatever it means: as a packet of its own, or at the end of the path.
  ///
  /// - Parameter position: That fix.
  /// - Returns: True when the held fix is to be reported before it.
  public mutating func tell(_ position: GeodeticPosition) -> Bool {
    let isBefore = held.map { !$0.isLast } ?? false
    begin(at: position)
    return isBefore
  }

  /// The path begins anew with the next fix.
  ///
  /// - Returns: True when the held fix is to be reported: it ends the path, within the bound of all that came since.
  public mutating func end() -> Bool {
    let isHeld = held != nil
    held = nil
    plane = nil
    return isHeld
  }

  private mutating func begin(at position: GeodeticPosition) {
    let plane = LocalTangentPlane(origin: position)
    reach = PathSimplifier.reach(plane, bound: bound)
    farthest = 0
    cone = .any
    held = nil
    self.plane = plane
  }

  /// How far apart two points may be so that no two straight lines between them differ by more than the spare share.
  ///
  /// A line of constant course and one of latitude and longitude in proportion differ from the shortest by no more than
  /// (2/3)^1.5 / 4 · L² tan φ / R. A fifth of the share is left for that φ is not the same along the line.
  private static func reach(_ plane: LocalTangentPlane, bound: Double) -> Double {
    // Within 6 km of a pole all fixes are points.
    guard plane.cosineOfLatitude > 1e-3 else { return 0 }
    let tangent = plane.sineOfLatitude.magnitude / plane.cosineOfLatitude
    let most = spareShare * 0.8 * bound * 6.33e6 / 0.1361
    guard most < longestReach * longestReach * tangent else { return longestReach }
    return Elementary.squareRoot(most / tangent)
  }

  /// What passes a fix within the tolerance, too, is all that may come.
  private mutating func narrow(_ offset: LocalOffset, _ distance: Double) {
    // The last point itself is near enough to those beside it.
    guard distance > tolerance else { return }
    farthest = max(farthest, distance)
    cone.narrow(to: offset.east / distance, offset.north / distance, sine: tolerance / distance)
  }
}

/// Directions in a plane: all of them, those of less than half a turn, or none.
private struct Cone: Equatable, BitwiseCopyable {
  private enum Extent: Equatable, BitwiseCopyable { case all, some, none }
  private var extent: Extent
  /// Unit vectors of its edges; the second is to the left of the first.
  private var rightX = 0.0
  private var rightY = 0.0
  private var leftX = 0.0
  private var leftY = 0.0

  static var any: Cone { Cone(extent: .all) }

  private init(extent: Extent) { self.extent = extent }

  /// True when a vector of any length has one of its directions.
  func contains(_ x: Double, _ y: Double) -> Bool {
    switch extent {
    case .all: return true
    case .none: return false
    case .some:
      // The last for a cone of one direction, whose opposite is on both edges, too.
      return rightX * y - rightY * x >= 0 && x * leftY - y * leftX >= 0
        && x * (rightX + leftX) + y * (rightY + leftY) > 0
    }
  }

  /// Keeps the directions that it has in common with those within an angle of less than a quarter of a turn of a unit vector.
  mutating func narrow(to x: Double, _ y: Double, sine: Double) {
    let cosine = Elementary.squareRoot(max(0, 1 - sine * sine))
    var other = Cone(extent: .some)
    other.rightX = x * cosine + y * sine
    other.rightY = y * cosine - x * sine
    other.leftX = x * cosine - y * sine
    other.leftY = y * cosine + x * sine
    guard extent != .all else {
      self = other
      return
    }
    // An edge of what they have in common is an edge of one of them that lies in the other.
    let hasRight = contains(other.rightX, other.rightY)
    let hasLeft = contains(other.leftX, other.leftY)
    if !hasRight, !hasLeft {
      if !other.contains(rightX, rightY) { extent = .none }
      return
    }
    if hasRight {
      rightX = other.rightX
      rightY = other.rightY
    }
    if hasLeft {
      leftX = other.leftX
      leftY = other.leftY
    }
  }
}
