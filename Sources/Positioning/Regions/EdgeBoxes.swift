import InlineStorage
import Quantities

/// Boxes about runs of edges, two by two up to one about all, so that a distance looks at few edges.
///
/// A node is about its two children, 2 n and 2 n + 1; those of the last row are about so many edges as follow each other. Its size is
/// known from the number of edges, so that nothing is stored beside the boxes, and an index without room has no size.
///
/// - Source: our derivation. A point V in a box is seen from P at s·(1 + |P|²)·|M (V − P)|/(1 + P·V) metres, with the axes M of
///   `LocalMetric`: no less than by the least stretch of M, the least of |V − P| and the largest of 1 + P·V in the box.
struct EdgeBoxes<let entries: Int>: ~Copyable {
  /// West, south, east and north of each node, from the first on, rounded outwards.
  private var sides = InlineArray<entries, Float>(repeating: 0)

  init() {}

  /// Fewer edges are looked at one after the other as quickly.
  static var least: Int { 12 }
  /// Edges in a box of the last row, unless there is no room for so many boxes.
  static var fewest: Int { 4 }
  /// More nodes than wait on any way down.
  static var deepest: Int { 16 }
  /// What rounding may take from a distance, m; edges are 10,000 km long at most.
  static var slack: Double { 1e-6 }

  /// How many boxes the last row has, and about how many edges each; nil when edges are to be looked at one by one.
  @inline(__always) private func plan(_ count: Int) -> (row: Int, run: Int)? {
    guard entries > 0, count >= EdgeBoxes.least else { return nil }
    var run = EdgeBoxes.fewest
    while true {
      let needed = (count + run - 1) / run
      let row = needed > 1 ? 1 << (Int.bitWidth - (needed - 1).leadingZeroBitCount) : 1
      if 8 * row <= entries { return row > 1 && row < 1 << (EdgeBoxes.deepest - 1) ? (row, run) : nil }
      run *= 2
    }
  }

  /// Makes the boxes of an outline.
  mutating func make(_ edges: Span<PlaneEdge>) {
    guard let (row, run) = plan(edges.count) else { return }
    for leaf in 0..<row {
      // Behind the last edges there is nothing: a box about them adds nothing to those above.
      let start = min(leaf * run, (edges.count - 1) / run * run)
      var (west, south, east, north) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
      for place in start..<min(start + run, edges.count) {
        let edge = edges[place]
        (west, east) = (min(west, edge.x1, edge.x2), max(east, edge.x1, edge.x2))
        (south, north) = (min(south, edge.y1, edge.y2), max(north, edge.y1, edge.y2))
      }
      set(row + leaf, Float(west).nextDown, Float(south).nextDown, Float(east).nextUp, Float(north).nextUp)
    }
    for node in stride(from: row - 1, to: 0, by: -1) {
      let (a, b) = (8 * node, 8 * node + 4)
      set(
        node, min(sides[a], sides[b]), min(sides[a + 1], sides[b + 1]), max(sides[a + 2], sides[b + 2]),
        max(sides[a + 3], sides[b + 3]))
    }
  }

  private mutating func set(_ node: Int, _ west: Float, _ south: Float, _ east: Float, _ north: Float) {
    let first = 4 * node
    (sides[first], sides[first + 1], sides[first + 2], sides[first + 3]) = (west, south, east, north)
  }

  /// The point of the edges that is nearest to a place, as `nearest(to:edges:)` finds it.
  @inline(__always) func nearest(to metric: LocalMetric, edges: Span<PlaneEdge>) -> NearestPoint? {
    guard let (row, run) = plan(edges.count) else { return Positioning.nearest(to: metric, edges: edges) }
    return nearest(to: metric, edges: edges, row: row, run: run)
  }

  @inline(never) private func nearest(
    to metric: LocalMetric, edges: Span<PlaneEdge>, row: Int, run: Int
  ) -> NearestPoint? {
    var search = EdgeSearch(metric)
    let stretch = metric.leastStretch
    var waiting = InlineArray<16, (node: Int, square: Double)>(repeating: (0, 0))
    var count = 0
    var limit = Double.infinity
    var node = 1
    while true {
      if node < row {
        let first = leastSquare(2 * node, metric, stretch)
        let second = leastSquare(2 * node + 1, metric, stretch)
        let isFirst = first <= second
        let (near, far) = isFirst ? (first, second) : (second, first)
        node = 2 * node + (isFirst ? 0 : 1)
        if far <= limit {
          waiting[count] = (node ^ 1, far)
          count += 1
        }
        if near <= limit { continue }
      } else {
        let start = (node - row) * run
        for place in min(start, edges.count)..<min(start + run, edges.count) { search.look(at: edges[place], place) }
        let reach = Elementary.squareRoot(search.least) + EdgeBoxes.slack
        limit = reach * reach
      }
      repeat {
        guard count > 0 else { return search.nearest }
        count -= 1
      } while waiting[count].square > limit
      node = waiting[count].node
    }
  }

  /// No edge in a box is nearer, m², but for rounding; infinite for one that nobody sees.
  @inline(__always) private func leastSquare(_ node: Int, _ metric: LocalMetric, _ stretch: Double) -> Double {
    let first = 4 * node
    let (west, south) = (Double(sides[first]), Double(sides[first + 1]))
    let (east, north) = (Double(sides[first + 2]), Double(sides[first + 3]))
    let depth =
      1 + max(metric.x * west, metric.x * east) + max(metric.y * south, metric.y * north)
    guard depth > 0 else { return .infinity }
    let dx = max(west - metric.x, metric.x - east, 0)
    let dy = max(south - metric.y, metric.y - north, 0)
    return (dx * dx + dy * dy) * stretch / (depth * depth)
  }
}
