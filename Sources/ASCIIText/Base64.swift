/// Writes the bytes that base64 with padding stands for; false, and part of them written, when the text is none.
public func decodeBase64(_ text: Span<UInt8>, into sink: inout some ByteSink) -> Bool {
  guard text.count % 4 == 0 else { return false }
  var place = 0
  while place < text.count {
    var bits: UInt32 = 0
    var padding = 0
    for offset in 0..<4 {
      let byte = text[place + offset]
      var value: UInt8 = 0
      switch byte {
      case 0x41...0x5A: value = byte - 0x41
      case 0x61...0x7A: value = byte - 0x61 + 26
      case 0x30...0x39: value = byte - 0x30 + 52
      case 0x2B: value = 62
      case 0x2F: value = 63
      case 0x3D:
        guard offset >= 2, place + 4 == text.count else { return false }
        padding += 1
      default: return false
      }
      if padding > 0, byte != 0x3D { return false }
      bits = bits << 6 | UInt32(value)
    }
    // Bits that stand for nothing are zero.
    if padding > 0, bits & (padding == 2 ? 0xFFFF : 0xFF) != 0 { return false }
    sink.append(UInt8(truncatingIfNeeded: bits >> 16))
    if padding < 2 { sink.append(UInt8(truncatingIfNeeded: bits >> 8)) }
    if padding < 1 { sink.append(UInt8(truncatingIfNeeded: bits)) }
    place += 4
  }
  return true
}
