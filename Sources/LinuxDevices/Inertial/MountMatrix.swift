import Quantities

/// How a part is turned on its board: `board = matrix · part`.
///
/// - Source: [iio-abi] in_mount_matrix: rows parted by semicolons, numbers by commas.
struct MountMatrix: Equatable {
  private var rows: [Vector3]

  /// A part that is not turned.
  static let identity = MountMatrix(rows: [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)])

  private init(rows: [Vector3]) { self.rows = rows }

  /// From the text of an attribute; nil when it is none.
  init?(_ text: String) {
    var rows: [Vector3] = []
    for line in text.split(separator: ";") {
      let numbers = line.split(separator: ",").compactMap { Float(trimmed($0)) }
      guard numbers.count == 3 else { return nil }
      rows.append(Vector3(numbers[0], numbers[1], numbers[2]))
    }
    guard rows.count == 3, rows.allSatisfy(\.isFinite) else { return nil }
    self.rows = rows
  }

  /// The vector in the board's axes.
  func applied(to vector: Vector3) -> Vector3 {
    Vector3(rows[0].dot(vector), rows[1].dot(vector), rows[2].dot(vector))
  }
}
