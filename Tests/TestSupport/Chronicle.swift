import Glibc

/// How lines differ from a golden file in `fixtures/golden/fusion`: at most five differences, none when all is equal.
///
/// A core that gives the same bits for the same inputs on every target may be compared without tolerance. With
/// LEASH_UPDATE_GOLDEN=1 the file is written anew; a commit that changes one says why each difference is an improvement.
///
/// - Parameter tolerance: What numbers may differ by, where the C library has a part in them.
package func differences(_ lines: [String], fromGolden name: String, within tolerance: Double = 0) -> [String] {
  var root = #filePath
  for _ in 0..<3 { root = String(root[..<(root.lastIndex(of: "/") ?? root.startIndex)]) }
  let path = root + "/fixtures/golden/fusion/" + name + ".golden"
  if getenv("LEASH_UPDATE_GOLDEN") != nil {
    guard let file = fopen(path, "w") else { return ["\(path) can't be written"] }
    for line in lines { fputs(line + "\n", file) }
    fclose(file)
  }
  guard let file = fopen(path, "r") else { return ["\(path) can't be read"] }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
  let golden = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    .dropLast()
  var found = golden.count == lines.count ? [] : ["\(name) has \(golden.count) lines, now \(lines.count)"]
  for (place, (old, new)) in zip(golden, lines).enumerated()
  where old != new && !isNear(old, new, within: tolerance) {
    found.append("\(name) line \(place + 1)\n  was \(old)\n  is  \(new)")
    if found.count == 5 { break }
  }
  return found
}

/// True when words are equal and numbers differ by no more than the tolerance.
private func isNear(_ a: Substring, _ b: String, within tolerance: Double) -> Bool {
  let (old, new) = (a.split(separator: " "), b.split(separator: " "))
  guard tolerance > 0, old.count == new.count else { return false }
  return zip(old, new).allSatisfy { old, new in
    guard let x = Double(old), let y = Double(new) else { return old == new }
    return abs(x - y) <= tolerance
  }
}
