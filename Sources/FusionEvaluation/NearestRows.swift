/// For each wanted time the row whose time is nearest.
///
/// - Parameters:
///   - times: Times of the rows, s, in any order; NaN for rows without.
///   - wanted: Times to find, s.
///   - limit: Largest distance, s; nil where no row is as near.
/// - Complexity: O((n + m) log n).
public func nearestRows(in times: [Double], to wanted: [Double], within limit: Double) -> [Int?] {
  let order = times.indices.filter { !times[$0].isNaN }.sorted { (times[$0], $0) < (times[$1], $1) }
  return wanted.map { time in
    guard !time.isNaN, !order.isEmpty else { return nil }
    // The first row not before the time, by halving.
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      if times[order[middle]] < time { low = middle + 1 } else { high = middle }
    }
    let candidates = [low - 1, low].filter { order.indices.contains($0) }.map { order[$0] }
    guard let best = candidates.min(by: { abs(times[$0] - time) < abs(times[$1] - time) }),
      abs(times[best] - time) <= limit
    else { return nil }
    return best
  }
}
