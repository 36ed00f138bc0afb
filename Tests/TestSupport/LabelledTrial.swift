import Glibc
import Quantities
import Recording

/// Gives the text of a gzip-compressed table, with a zero at its end; what is beyond 12 MB is left out.
package func withText(of path: String, _ body: (UnsafeMutablePointer<CChar>) -> Void) throws {
  let source = try ByteSource(path: path)
  var bytes = [UInt8](repeating: 0, count: 12_000_000)
  let capacity = bytes.count - 1
  try bytes.withUnsafeMutableBufferPointer { buffer in
    guard let base = buffer.baseAddress else { return }
    var count = 0
    while count < capacity {
      let read = try source.read(into: base + count, capacity: capacity - count)
      if read == 0 { break }
      count += read
    }
    base[count] = 0
    base.withMemoryRebound(to: CChar.self, capacity: count + 1) { body($0) }
  }
}

/// A recorded trial that says of each sample whether the sensor was moved (BROAD).
package struct LabelledTrial {
  /// Angular rate, rad/s, and specific force, m/s², every 3.5 ms.
  package var samples: [(rate: Vector3, force: Vector3)] = []
  /// True where it was moved.
  package var isMoved: [Bool] = []

  /// Seconds between two samples.
  package static var step: Interval { Interval(microseconds: 3500) }

  /// Reads the gzip-compressed table `path`.
  package init(_ path: String) throws {
    try withText(of: path) { parse($0) }
  }

  /// Columns: t_s, three of angular rate, three of specific force, and at last the movement.
  private mutating func parse(_ text: UnsafeMutablePointer<CChar>) {
    var line = strchr(text, 0x0A)
    while let start = line, start[1] != 0 {
      guard var place = strchr(start, 0x2C) else { return }
      let end = strchr(start + 1, 0x0A)
      func value() -> Float {
        var next: UnsafeMutablePointer<CChar>?
        let value = strtof(place + 1, &next)
        place = next ?? place + 1
        return value
      }
      let rate = Vector3(value(), value(), value())
      let force = Vector3(value(), value(), value())
      samples.append((rate, force))
      isMoved.append(end.map { $0[-1] == 0x31 } ?? false)
      line = end
    }
  }
}
