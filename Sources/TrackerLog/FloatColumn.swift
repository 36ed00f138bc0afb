import Quantities

/// Up to 64 single-precision values without loss, as whole numbers on the grid on which a sensor's numbers lie.
package enum FloatColumn {
  /// How values come from integers k.
  package enum Form: UInt8 {
    /// One value for all, its bits written once.
    case same = 0
    /// The bits themselves, in an order that follows the value.
    case raw = 1
    /// Float(k / 10^d).
    case decimal = 2
    /// Float(k · q).
    case quantum = 3
    /// Float(round(k · q) / 10^d): a scaled integer that went through decimal text.
    case roundedQuantum = 4
  }

  package static let maximumDecimals = 7

  /// What the decimal forms divide by.
  package static let decimalScales: InlineArray<8, Double> = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7]

  /// Reads a column of `count` values; damage shows in the reader.
  static func decode(
    _ count: Int, shared: inout Double?, from payload: inout PayloadReader, into values: inout InlineArray<64, Float>
  ) {
    let head = payload.byte()
    guard let form = Form(rawValue: head & 7) else {
      payload.markDamaged()
      return
    }
    if form == .same {
      let value = Float(bitPattern: payload.fixed32())
      for index in 0..<count { values[index] = value }
      return
    }
    let places = Int(head >> 3 & 15)
    guard places <= maximumDecimals else {
      payload.markDamaged()
      return
    }
    let scale = decimalScales[places]
    var quantum = 1.0
    if form == .quantum || form == .roundedQuantum {
      if head & 0x80 == 0 {
        quantum = Double(bitPattern: payload.fixed64())
      } else if let shared {
        quantum = shared
      } else {
        payload.markDamaged()
        return
      }
      shared = quantum
    }
    var numbers = InlineArray<64, Int64>(repeating: 0)
    IntegerColumn.decode(count, from: &payload, into: &numbers)
    if payload.isDamaged { return }
    for index in 0..<count {
      let number = numbers[index]
      switch form {
      case .same: break
      case .raw: values[index] = Float(bitPattern: bitsFromOrdered(UInt32(truncatingIfNeeded: number)))
      case .decimal: values[index] = Float(Double(number) / scale)
      case .quantum: values[index] = Float(Double(number) * quantum)
      case .roundedQuantum: values[index] = Float(Double(Elementary.roundedInteger(Double(number) * quantum)) / scale)
      }
    }
  }
}

/// The inverse of a float's bits as a number that rises with the value.
private func bitsFromOrdered(_ ordered: UInt32) -> UInt32 {
  ordered & 0x8000_0000 == 0 ? ~ordered : ordered & 0x7FFF_FFFF
}
