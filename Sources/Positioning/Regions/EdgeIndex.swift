import InlineStorage

/// Which edges of an outline reach into which of its strips from south to north, so that a point asks those of one strip.
struct EdgeIndex<let corners: Int, let entries: Int>: ~Copyable {
  private var south = 0.0
  private var north = 0.0
  private var stripsPerUnit = 0.0
  /// Where the edges of each strip end in `list`.
  private var ends = InlineVector<corners, UInt16>()
  private var list = InlineVector<entries, UInt16>()

  /// Fewer edges are looked at one after the other as quickly.
  static var least: Int { 12 }

  init() {}

  mutating func removeAll() {
    ends.removeAll()
    list.removeAll()
  }

  /// As many strips as there is room for.
  mutating func make(_ edges: Span<PlaneEdge>) {
    removeAll()
    guard edges.count >= EdgeIndex.least, entries >= edges.count, edges.count <= 65_535 else { return }
    south = .infinity
    north = -.infinity
    for place in edges.indices {
      south = min(south, edges[place].y1)
      north = max(north, edges[place].y1)
    }
    guard north > south else { return }
    var strips = edges.count
    while strips > 1, total(edges, strips: strips) > min(entries, 65_535) { strips /= 2 }
    guard strips > 1 else { return }
    stripsPerUnit = Double(strips) / (north - south)
    for strip in 0..<strips {
      for place in edges.indices {
        let (first, last) = reach(edges[place], strips)
        if first <= strip, strip <= last { list.append(UInt16(truncatingIfNeeded: place)) }
      }
      ends.append(UInt16(truncatingIfNeeded: list.count))
    }
  }

  private mutating func total(_ edges: Span<PlaneEdge>, strips: Int) -> Int {
    stripsPerUnit = Double(strips) / (north - south)
    var sum = 0
    for place in edges.indices {
      let (first, last) = reach(edges[place], strips)
      sum += last - first + 1
    }
    return sum
  }

  /// The strips that an edge reaches into, one more either way, so that rounding leaves none out.
  private func reach(_ edge: PlaneEdge, _ strips: Int) -> (first: Int, last: Int) {
    let low = (min(edge.y1, edge.y2) - south) * stripsPerUnit
    let high = (max(edge.y1, edge.y2) - south) * stripsPerUnit
    return (max(0, Int(low - 1e-6)), min(strips - 1, Int(high + 1e-6)))
  }

  /// How a point stands to the outline.
  @inline(__always) func side(
    of x: Double, _ y: Double, _ edges: Span<PlaneEdge>, _ tolerance: Double
  ) -> PlaneSide {
    guard !ends.isEmpty else { return Positioning.side(of: x, y, edges: edges, tolerance: tolerance) }
    guard y >= south - tolerance, y <= north + tolerance else { return .outside }
    let strip = min(max(0, Int((y - south) * stripsPerUnit)), ends.count - 1)
    return Positioning.side(
      of: x, y, edges: edges, list: list.span, from: strip == 0 ? 0 : Int(ends[strip - 1]), to: Int(ends[strip]),
      tolerance: tolerance)
  }
}

/// Looks at the edges of a list.
func side(
  of x: Double, _ y: Double, edges: Span<PlaneEdge>, list: Span<UInt16>, from start: Int, to end: Int, tolerance: Double
) -> PlaneSide {
  var isOn = false
  var isInside = false
  for place in start..<end where crosses(edges[Int(list[place])], x, y, tolerance, isOn: &isOn) { isInside.toggle() }
  return isOn ? .edge : isInside ? .inside : .outside
}
