import FoundationEssentials

/// A value as one JSON object, keys in the order of the alphabet; `{}` for one with a number that JSON lacks.
func jsonBytes(_ value: some Encodable) -> [UInt8] {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return (try? encoder.encode(value)).map { Array($0) } ?? Array("{}".utf8)
}
