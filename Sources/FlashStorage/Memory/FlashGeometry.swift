/// How a flash memory is divided, and what can be programmed of it at once.
@frozen public struct FlashGeometry: Equatable, BitwiseCopyable, Sendable {
  /// Bytes that are erased at once.
  public var blockSize: Int
  /// Blocks.
  public var blockCount: Int
  /// Bytes that can be programmed by one command at most, which never crosses a multiple of it.
  public var pageSize: Int
  /// Bytes that are programmed together, once between two erasures: 1, 2, 4, 8 or 16.
  public var unit: Int

  /// A division.
  public init(blockSize: Int, blockCount: Int, pageSize: Int, unit: Int) {
    self.blockSize = blockSize
    self.blockCount = blockCount
    self.pageSize = pageSize
    self.unit = unit
  }

  /// A serial NOR flash of the W25Q family, of which the first `blockCount` sectors are used.
  ///
  /// - Source: Winbond W25Q64JV data sheet, revision J, sections 8.2.13 (page program, 256 bytes) and 8.2.15 (sector erase, 4 KiB);
  ///   100,000 erasures.
  public static func serialNOR(blockCount: Int) -> FlashGeometry {
    FlashGeometry(blockSize: 4096, blockCount: blockCount, pageSize: 256, unit: 1)
  }

  /// The internal flash of an nRF52840, of which `blockCount` pages are used.
  ///
  /// - Source: nRF52840 product specification 1.7, section 4.3 (NVMC): pages of 4 KiB, words of 32 bits; 10,000 erasures.
  public static func nRF52840(blockCount: Int) -> FlashGeometry {
    FlashGeometry(blockSize: 4096, blockCount: blockCount, pageSize: 4, unit: 4)
  }

  /// The large sectors of an STM32F405, of which `blockCount` are used.
  ///
  /// - Source: ST RM0090, revision 19, section 3.3 table 5: sectors 5 to 11 of 128 KiB; section 3.6.3: words of 32 bits at 2.7 to
  ///   3.6 V; 10,000 erasures.
  public static func stm32F405(blockCount: Int) -> FlashGeometry {
    FlashGeometry(blockSize: 131_072, blockCount: blockCount, pageSize: 4, unit: 4)
  }

  /// True when a store can be kept in it: at least three blocks of at least a kibibyte, in whole pages and units.
  public var isUsable: Bool {
    unit > 0 && unit <= 16 && unit & (unit - 1) == 0 && pageSize > 0 && pageSize % unit == 0
      && blockSize >= 1024 && blockSize % pageSize == 0 && blockSize % 16 == 0 && blockCount >= 3
      && blockSize <= Int(Int32.max) / blockCount
  }

  /// The next multiple of the unit.
  func padded(_ count: Int) -> Int { (count + unit - 1) & ~(unit - 1) }
}
