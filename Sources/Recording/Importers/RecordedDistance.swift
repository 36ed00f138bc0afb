import Quantities
import TrackerRuntime

/// What the device counted itself on a recorded ride: the last `distance_m` of a CSV file less the first, m.
///
/// - Parameter path: A CSV file with named columns; gzip allowed.
/// - Returns: nil when the file has no such column, or fewer than two values in it.
/// - Throws: When nothing can be read from it.
package func recordedDistance(_ path: String) throws(RecordingError) -> Double? {
  let window = ByteWindow(try ByteSource(path: path))
  guard try contentKind(of: window, expectation: "a CSV file") == .text else { return nil }
  let table = try TableReader(
    lines: LineReader(window), columns: [TableReader.Column(names: ["distance_m"])], expectation: "a header",
    keepsBadRows: true
  ) { _ in true }
  guard table.columnMask & 1 != 0 else { return nil }
  var first: Double?
  var last: Double?
  while try table.next() {
    guard table.present & 1 != 0 else { continue }
    if first == nil { first = table.values[0] } else { last = table.values[0] }
  }
  guard let first, let last else { return nil }
  return last - first
}

/// What the device had counted at each row of a CSV file that has both: `t_s` and `distance_m`, m.
///
/// - Parameter path: A CSV file with named columns; gzip allowed.
/// - Returns: None when the file has no such columns.
/// - Throws: When nothing can be read from it.
package func recordedDistances(_ path: String) throws(RecordingError) -> [(time: Instant, metres: Double)] {
  let window = ByteWindow(try ByteSource(path: path))
  guard try contentKind(of: window, expectation: "a CSV file") == .text else { return [] }
  let columns = [TableReader.Column(names: ["t_s"]), TableReader.Column(names: ["distance_m"])]
  let table = try TableReader(
    lines: LineReader(window), columns: columns, expectation: "a header", keepsBadRows: true
  ) { _ in true }
  guard table.columnMask & 3 == 3 else { return [] }
  var result: [(time: Instant, metres: Double)] = []
  while try table.next() {
    guard table.present & 3 == 3, let time = CSVImporter.microseconds(table.values[0]) else { continue }
    result.append((Instant(microseconds: time), table.values[1]))
  }
  return result
}
