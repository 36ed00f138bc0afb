import Positioning
import Quantities

/// What stands in a row of a table, and is found there by its number; 0 is that of an empty row.
protocol NumberedRow: ~Copyable {
  var number: UInt8 { get }
}

extension Fence: NumberedRow {}
extension SecurePlace: NumberedRow {}
extension AlarmRule: NumberedRow {}

extension InlineArray where Element: NumberedRow & ~Copyable {
  /// Rows that hold something.
  @inline(__always) var usedCount: Int {
    var sum = 0
    for row in indices where self[row].number != 0 { sum += 1 }
    return sum
  }

  /// The row of a number; nil when there is none.
  @inline(__always) func row(of number: UInt8) -> Int? { number == 0 ? nil : firstRow(number) }

  /// The row for a number: its own, or else the first that holds nothing; nil when all are taken.
  @inline(__always) func place(for number: UInt8) -> Int? { row(of: number) ?? firstRow(0) }

  @inline(__always) private func firstRow(_ number: UInt8) -> Int? {
    for row in indices where self[row].number == number { return row }
    return nil
  }
}
