import ASCIIText
import BenchmarkHarness
import CNMEAPeer
import InlineStorage

/// Writing coordinates with seven decimals, as packets do.
func writerGroup() -> BenchmarkGroup {
  var state: UInt64 = 1
  let values = (0..<100_000).map { _ -> Int64 in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int64(state >> 33) - 1 << 30
  }
  let byteCount = values.reduce(0) { $0 + "\(Double($1) / 1e7)".count }
  return BenchmarkGroup(
    "Writing numbers with 7 decimals", byteCount: byteCount, itemName: "number", itemCount: values.count,
    cases: [
      BenchmarkCase("C, snprintf", key: "write-c") { formattedLength(values) },
      BenchmarkCase("Swift, append(fixed:decimals:)", key: "write-swift") { writtenLength(values) },
    ])
}

@inline(never) private func formattedLength(_ values: [Int64]) -> Int64 {
  var total: Int64 = 0
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
    for value in values { total += Int64(peer_write_fixed7(buffer.baseAddress, 64, value)) }
  }
  return total
}

@inline(never) private func writtenLength(_ values: [Int64]) -> Int64 {
  var total: Int64 = 0
  var line = InlineBytes<64>()
  for value in values {
    line.removeAll()
    line.append(fixed: value, decimals: 7)
    total += Int64(line.count)
  }
  return total
}
