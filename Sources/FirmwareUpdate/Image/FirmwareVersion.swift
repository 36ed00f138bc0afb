/// The version of an image: of two, the higher one is the newer.
package struct FirmwareVersion: BitwiseCopyable, Comparable, Sendable {
  /// 8 bits of the major number, 8 of the minor, 16 of the patch.
  package var number: UInt32

  package init(number: UInt32) { self.number = number }

  package init(_ major: UInt8, _ minor: UInt8, _ patch: UInt16) {
    number = UInt32(major) << 24 | UInt32(minor) << 16 | UInt32(patch)
  }

  package var major: UInt8 { UInt8(truncatingIfNeeded: number >> 24) }
  package var minor: UInt8 { UInt8(truncatingIfNeeded: number >> 16) }
  package var patch: UInt16 { UInt16(truncatingIfNeeded: number) }

  package static func < (a: FirmwareVersion, b: FirmwareVersion) -> Bool { a.number < b.number }
}
