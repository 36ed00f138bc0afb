/// What is wrong with an outline in the plane, and how wide it is.
///
/// - Complexity: every two edges are compared once.
struct RegionValidation {
  private(set) var error: RegionError?
  /// Area by circumference, m: the deepest place is at least as deep, and at most twice.
  private(set) var width = 0.0
  /// The corners of a ring are in a line.
  private var isLine = false

  init(shape: RegionShape, edges: Span<PlaneEdge>, ringEnds: Span<UInt16>, tolerance: Double) {
    guard shape == .polygon else {
      for place in edges.indices where isPoint(edges[place], tolerance) { error = .duplicatePoint }
      return
    }
    if hasDuplicate(edges, ringEnds, tolerance) {
      error = .duplicatePoint
    } else if !measure(edges, ringEnds), isLine || !isCrossing(edges, ringEnds, tolerance) {
      // The halves of a bow tie may have none together, either.
      error = .zeroArea
    } else if isCrossing(edges, ringEnds, tolerance) {
      error = .crossing
    } else if !areHolesWithin(edges, ringEnds, tolerance) {
      error = .holeOutside
    }
  }

  private func isPoint(_ edge: PlaneEdge, _ tolerance: Double) -> Bool {
    (edge.x2 - edge.x1).magnitude <= tolerance && (edge.y2 - edge.y1).magnitude <= tolerance
  }

  private func hasDuplicate(_ edges: Span<PlaneEdge>, _ ringEnds: Span<UInt16>, _ tolerance: Double) -> Bool {
    var start = 0
    for ring in ringEnds.indices {
      let end = Int(ringEnds[ring])
      for first in start..<end {
        for second in first + 1..<end {
          let (a, b) = (edges[first], edges[second])
          if (a.x1 - b.x1).magnitude <= tolerance, (a.y1 - b.y1).magnitude <= tolerance { return true }
        }
      }
      start = end
    }
    return false
  }

  /// Area and circumference of each ring; false when one has hardly any area.
  private mutating func measure(_ edges: Span<PlaneEdge>, _ ringEnds: Span<UInt16>) -> Bool {
    var start = 0
    var area = 0.0
    var circumference = 0.0
    for ring in ringEnds.indices {
      let end = Int(ringEnds[ring])
      var (twice, fan, around) = (0.0, 0.0, 0.0)
      let origin = edges[start]
      for place in start..<end {
        let edge = edges[place]
        let triangle = (edge.x1 - origin.x1) * (edge.y2 - origin.y1) - (edge.x2 - origin.x1) * (edge.y1 - origin.y1)
        twice += triangle
        fan += triangle.magnitude
        around += hypotenuse(edge.x2 - edge.x1, edge.y2 - edge.y1)
      }
      let scale = 0.5 / around * WGS84.polarRadius
      isLine = fan * scale < RegionLimits.leastWidth
      guard twice.magnitude * scale >= RegionLimits.leastWidth else { return false }
      area += ring == 0 ? 0.5 * twice.magnitude : -0.5 * twice.magnitude
      circumference += around
      start = end
    }
    width = max(0, area) / circumference * WGS84.polarRadius
    return true
  }

  /// An edge that folds back on the one before it meets the next one, or its ring is a line, which has no area.
  private func isCrossing(_ edges: Span<PlaneEdge>, _ ringEnds: Span<UInt16>, _ tolerance: Double) -> Bool {
    var ring = 0
    var start = 0
    for first in edges.indices {
      if first == Int(ringEnds[ring]) {
        start = first
        ring += 1
      }
      let end = Int(ringEnds[ring])
      let next = first + 1 == end ? start : first + 1
      for second in first + 1..<edges.count where second != next && !(first == start && second + 1 == end) {
        if meet(edges[first], edges[second], tolerance) { return true }
      }
    }
    return false
  }

  /// No edges cross, so one corner tells of its ring.
  private func areHolesWithin(_ edges: Span<PlaneEdge>, _ ringEnds: Span<UInt16>, _ tolerance: Double) -> Bool {
    for hole in 1..<max(1, ringEnds.count) {
      let corner = edges[Int(ringEnds[hole - 1])]
      for ring in ringEnds.indices where ring != hole {
        let ringEdges = edges.extracting((ring == 0 ? 0 : Int(ringEnds[ring - 1]))..<Int(ringEnds[ring]))
        let isWithin = side(of: corner.x1, corner.y1, edges: ringEdges, tolerance: tolerance) != .outside
        if isWithin != (ring == 0) { return false }
      }
    }
    return true
  }
}
