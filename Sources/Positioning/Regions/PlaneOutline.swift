import Quantities

// What is asked of the edges of an outline, wherever they are stored.

/// How a point stands to an outline of the plane.
enum PlaneSide {
  case outside, edge, inside
}

/// Orientation of a point about an edge: twice the area of the triangle.
@inline(__always) func turn(_ edge: PlaneEdge, _ x: Double, _ y: Double) -> Double {
  (edge.x2 - edge.x1) * (y - edge.y1) - (x - edge.x1) * (edge.y2 - edge.y1)
}

/// True when a ray to the east from the point crosses the edge; `isOn` when the point is on it to the last digits.
@inline(__always) func crosses(_ edge: PlaneEdge, _ x: Double, _ y: Double, _ tolerance: Double, isOn: inout Bool)
  -> Bool
{
  let area = turn(edge, x, y)
  let (dx, dy) = ((edge.x2 - edge.x1).magnitude, (edge.y2 - edge.y1).magnitude)
  if area.magnitude <= tolerance * (dx + dy), isBeside(edge, x, y, tolerance) { isOn = true }
  let isBelow = edge.y1 <= y
  guard isBelow != (edge.y2 <= y) else { return false }
  return isBelow == (area > 0)
}

@inline(never) private func isBeside(_ edge: PlaneEdge, _ x: Double, _ y: Double, _ tolerance: Double) -> Bool {
  x >= min(edge.x1, edge.x2) - tolerance && x <= max(edge.x1, edge.x2) + tolerance
    && y >= min(edge.y1, edge.y2) - tolerance && y <= max(edge.y1, edge.y2) + tolerance
}

/// Looks at every edge.
func side(of x: Double, _ y: Double, edges: Span<PlaneEdge>, tolerance: Double) -> PlaneSide {
  var isOn = false
  var isInside = false
  for place in edges.indices where crosses(edges[place], x, y, tolerance, isOn: &isOn) { isInside.toggle() }
  return isOn ? .edge : isInside ? .inside : .outside
}

/// A point of an outline seen from a place.
struct NearestPoint {
  /// From the place, m.
  var offset: PlanePoint
  /// Where it is in the plane.
  var x: Double
  var y: Double
}

/// Looks for the point of some edges that is nearest to a place; of two as near it is that of the earlier edge, whichever came first.
struct EdgeSearch {
  private let metric: LocalMetric
  /// Square of the least distance so far, m².
  private(set) var least = Double.infinity
  private var offset = PlanePoint(x: 0, y: 0)
  private var edge = PlaneEdge(x1: 0, y1: 0, x2: 0, y2: 0)
  private var share = 0.0
  private var place = Int.max

  @inline(__always) init(_ metric: LocalMetric) { self.metric = metric }

  /// Looks at an edge, by its place in the outline.
  @inline(__always) mutating func look(at whole: PlaneEdge, _ place: Int) {
    guard let edge = metric.visible(whole), let a = metric.offset(x: edge.x1, y: edge.y1),
      let b = metric.offset(x: edge.x2, y: edge.y2)
    else { return }
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let square = dx * dx + dy * dy
    let share = square > 0 ? min(1, max(0, -(a.x * dx + a.y * dy) / square)) : 0
    let (x, y) = (a.x + share * dx, a.y + share * dy)
    let distance = x * x + y * y
    guard distance < least || (distance == least && place < self.place) else { return }
    (least, self.edge, self.share, self.place) = (distance, edge, share, place)
    offset = PlanePoint(x: x, y: y)
  }

  /// The nearest point; nil when all edges are too far away to say.
  @inline(__always) var nearest: NearestPoint? {
    guard least < .infinity else { return nil }
    // Seen from elsewhere, shares of a line are others.
    let depthA = 1 + metric.x * edge.x1 + metric.y * edge.y1
    let depthB = 1 + metric.x * edge.x2 + metric.y * edge.y2
    let weight = share * depthA / (share * depthA + (1 - share) * depthB)
    return NearestPoint(
      offset: offset, x: edge.x1 + weight * (edge.x2 - edge.x1), y: edge.y1 + weight * (edge.y2 - edge.y1))
  }
}

/// The point of the edges that is nearest to a place, looking at every edge.
func nearest(to metric: LocalMetric, edges: Span<PlaneEdge>) -> NearestPoint? {
  var search = EdgeSearch(metric)
  for place in edges.indices { search.look(at: edges[place], place) }
  return search.nearest
}

/// True when two edges have a point in common.
func meet(_ a: PlaneEdge, _ b: PlaneEdge, _ tolerance: Double) -> Bool {
  guard min(a.x1, a.x2) - tolerance <= max(b.x1, b.x2), min(b.x1, b.x2) - tolerance <= max(a.x1, a.x2),
    min(a.y1, a.y2) - tolerance <= max(b.y1, b.y2), min(b.y1, b.y2) - tolerance <= max(a.y1, a.y2)
  else { return false }
  let lengthA = tolerance * ((a.x2 - a.x1).magnitude + (a.y2 - a.y1).magnitude)
  let lengthB = tolerance * ((b.x2 - b.x1).magnitude + (b.y2 - b.y1).magnitude)
  return straddles(turn(a, b.x1, b.y1), turn(a, b.x2, b.y2), lengthA)
    && straddles(turn(b, a.x1, a.y1), turn(b, a.x2, a.y2), lengthB)
}

private func straddles(_ first: Double, _ second: Double, _ tolerance: Double) -> Bool {
  !(first > tolerance && second > tolerance) && !(first < -tolerance && second < -tolerance)
}
