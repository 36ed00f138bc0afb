/// The NMEA 0183 checksum: exclusive or of the bytes between `$` and `*`.
package func checksum(_ bytes: Span<UInt8>) -> UInt8 {
  var sum: UInt8 = 0
  for place in bytes.indices { sum ^= bytes[place] }
  return sum
}
