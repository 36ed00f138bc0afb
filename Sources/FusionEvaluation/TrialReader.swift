import Recording
import TrackerRuntime

extension OrientationTrial {
  /// The first line of a trial's file: its columns.
  public static var header: String { "t_s,gx,gy,gz,ax,ay,az,mx,my,mz,qw,qx,qy,qz,movement" }

  /// Reads a trial of comma-separated numbers, packed with gzip or not.
  ///
  /// Columns as in `header`: s, rad/s, m/s², µT, the unit quaternion (empty where it is not known), 0 or 1.
  ///
  /// - Throws: `RecordingError` that names the file and the line.
  public init(path: String) throws {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    self.init(name: file.split(separator: ".").first.map(String.init) ?? file)
    try read(ByteSource(path: path))
  }

  /// Reads a trial from memory.
  ///
  /// - Throws: `RecordingError` that names the line.
  public init(text: String, name: String) throws {
    self.init(name: name)
    try read(ByteSource(bytes: Array(text.utf8), name: name))
  }

  private mutating func read(_ source: ByteSource) throws {
    let capacity = 1 << 18
    let chunk = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    defer { chunk.deallocate() }
    var line: [UInt8] = []
    var number = 0
    var row = [Double](repeating: 0, count: 15)
    while true {
      let count = try source.read(into: chunk, capacity: capacity)
      for place in 0..<count {
        if chunk[place] != 0x0A {
          line.append(chunk[place])
          continue
        }
        number += 1
        try take(line, number: number, row: &row, file: source.name)
        line.removeAll(keepingCapacity: true)
      }
      if count == 0 { break }
    }
    if !line.isEmpty { try take(line, number: number + 1, row: &row, file: source.name) }
    guard self.count > 1 else {
      throw RecordingError(
        kind: .truncated, file: source.name, found: "fewer than two samples", expected: "a line for each sample")
    }
  }

  private mutating func take(_ line: [UInt8], number: Int, row: inout [Double], file: String) throws {
    let line = line.last == 0x0D ? line.dropLast() : line[...]
    if number == 1 {
      guard String(decoding: line, as: UTF8.self) == OrientationTrial.header else {
        throw RecordingError(
          kind: .malformed, file: file, line: 1, found: "other columns than a trial has",
          expected: OrientationTrial.header)
      }
      return
    }
    var column = 0
    var start = line.startIndex
    for place in line.indices.appending(line.endIndex) where place == line.endIndex || line[place] == 0x2C {
      guard column < 15, let value = decimal(line[start..<place]), value.isFinite || (10..<14).contains(column) else {
        throw RecordingError(
          kind: .malformed, file: file, line: number, found: "column \(column + 1) is not a number",
          expected: "the 15 columns \(OrientationTrial.header)")
      }
      row[column] = value
      column += 1
      start = place + 1
    }
    guard column == 15 else {
      throw RecordingError(
        kind: .malformed, file: file, line: number, found: "\(column) columns",
        expected: "15: \(OrientationTrial.header)")
    }
    times.append(row[0])
    angularRate += row[1..<4]
    specificForce += row[4..<7]
    magneticFluxDensity += row[7..<10]
    reference += row[10..<14]
    isMoving.append(row[14] > 0.5)
  }
}

extension Range<Int> {
  /// The range and one place behind it.
  fileprivate func appending(_ place: Int) -> ClosedRange<Int> { lowerBound...place }
}

/// The number that the bytes spell without an exponent; NaN for none at all, nil for anything else.
///
/// Exact: up to 15 digits are a whole number in a `Double`, and so is the power of ten it is divided by.
private func decimal(_ bytes: ArraySlice<UInt8>) -> Double? {
  var whole: Int64 = 0
  var digits = 0
  var scale = 1.0
  var isBehindPoint = false
  for (place, byte) in bytes.enumerated() {
    switch byte {
    case 0x30...0x39:
      whole = whole &* 10 &+ Int64(byte &- 0x30)
      digits += 1
      if isBehindPoint { scale *= 10 }
    case 0x2E where !isBehindPoint: isBehindPoint = true
    case 0x2D where place == 0: break
    default: return nil
    }
  }
  if bytes.isEmpty { return .nan }
  guard (1...15).contains(digits) else { return nil }
  return (bytes.first == 0x2D ? -1 : 1) * Double(whole) / scale
}
