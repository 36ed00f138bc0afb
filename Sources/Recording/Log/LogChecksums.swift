import CZlib
import Quantities
import TrackerLog

/// The checksum of a log by zlib, which is several times as fast as that of the core.
func zlibChecksum(_ seed: UInt32, _ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
  guard let start = bytes.baseAddress else { return seed }
  return UInt32(truncatingIfNeeded: crc32(UInt(seed), start, UInt32(bytes.count)))
}

/// Where the checksum of a record begins: the checksum of the instant its times refer to.
func checksumOfBase(_ base: Instant) -> UInt32 { ByteWindow.checksum(ofBase: base.microseconds) }

extension LogFormat {
  static let magic = [UInt8](signature)
  static let markerPattern = [UInt8](markerSignature)
}

extension [UInt8] {
  fileprivate init<let n: Int>(_ bytes: InlineArray<n, UInt8>) { self = bytes.indices.map { bytes[$0] } }
}
