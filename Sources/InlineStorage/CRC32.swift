/// CRC-32 as in zlib and gzip: polynomial 0xEDB88320 reflected, start and final exclusive-or 0xFFFFFFFF.
///
/// Four bits at a time: a table of 64 bytes, where one of a whole byte would take a kibibyte of a microcontroller's memory.
///
/// - Source: ISO 3309 section 8.1.1.6.2, bits reversed as in gzip (RFC 1952 section 8).
package enum CRC32 {
  /// The checksum of what a checksum was made of and some bytes behind it.
  ///
  /// - Parameter seed: The checksum so far; 0 at the beginning.
  package static func extend(_ seed: UInt32, _ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    var rest = ~seed
    for byte in bytes {
      rest ^= UInt32(byte)
      rest = rest >> 4 ^ steps[Int(rest & 15)]
      rest = rest >> 4 ^ steps[Int(rest & 15)]
    }
    return ~rest
  }

  /// The same of a span.
  package static func extend(_ seed: UInt32, _ bytes: Span<UInt8>) -> UInt32 {
    bytes.withUnsafeBufferPointer { extend(seed, $0) }
  }

  /// What four zero bits make of each remainder.
  private static let steps: InlineArray<16, UInt32> = [
    0x0000_0000, 0x1DB7_1064, 0x3B6E_20C8, 0x26D9_30AC, 0x76DC_4190, 0x6B6B_51F4, 0x4DB2_6158, 0x5005_713C,
    0xEDB8_8320, 0xF00F_9344, 0xD6D6_A3E8, 0xCB61_B38C, 0x9B64_C2B0, 0x86D3_D2D4, 0xA00A_E278, 0xBDBD_F21C,
  ]
}
