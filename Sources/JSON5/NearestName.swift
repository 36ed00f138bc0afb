/// The number of letters to insert, take out, change or swap with the neighbour to make one word of the other.
///
/// - Complexity: O(n·m) of their lengths.
package func editDistance(_ a: String, _ b: String) -> Int {
  let a = Array(a.utf8)
  let b = Array(b.utf8)
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
      row.append(best)
    }
    beforeLast = last
    last = row
  }
  return last[b.count]
}

/// The candidate that the user may have meant; nil when none is near.
package func nearest(to word: String, among candidates: [String]) -> String? {
  let length = word.utf8.reduce(0) { $0 + ($1 == 0x2D ? 0 : 1) }
  let limit = max(1, (length + 1) / 3)
  let ranked = candidates.map { (name: $0, distance: editDistance(word, $0)) }.filter { $0.distance <= limit }
  if let best = ranked.min(by: { $0.distance < $1.distance }) { return best.name }
  let longer = candidates.filter { length >= 2 && $0.hasPrefix(word) }
  return longer.count == 1 ? longer[0] : nil
}

/// The end of a message about an unknown word: `; did you mean 'replay'?`, or nothing.
package func didYouMean(_ name: String?) -> String { name.map { "; did you mean '\($0)'?" } ?? "" }
