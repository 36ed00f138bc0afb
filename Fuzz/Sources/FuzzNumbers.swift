// modules: Quantities InlineStorage ASCIIText
import ASCIIText
import InlineStorage

/// Text read as a number, written and read again, comes to the same number.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNumbers(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start, count > 0 else { return 0 }
  let decimals = Int(start[0]) % 19
  let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  if let value = scanFixed(bytes.span, decimals: decimals) {
    var text = InlineBytes<32>()
    text.append(fixed: value, decimals: decimals)
    promise(!text.isTruncated, "a number longer than 32 bytes")
    promise(scanFixed(text.span, decimals: decimals) == value, "another number was read back")
  }
  if let value = scanUnsigned(bytes.span) {
    var text = InlineBytes<32>()
    text.append(decimal: value, minimumDigits: 1)
    promise(scanUnsigned(text.span) == value, "another number was read back")
  }
  return 0
}
