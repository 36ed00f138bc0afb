import FlashStorage

/// One of the two places of an image.
package enum ImageSlot: UInt8, Sendable {
  case a
  case b

  package var other: ImageSlot { self == .a ? .b : .a }
}

/// Where the slots are in a flash memory that the processor runs from.
///
/// A slot begins with the header of its image; behind it are its marks, and from `imageStart` on the image.
package struct ImageSlots: Equatable, BitwiseCopyable, Sendable {
  /// Where the memory begins for the processor.
  package var base: UInt32
  /// How it is divided.
  package var geometry: FlashGeometry
  /// The first block of each slot.
  package var firstA: Int
  package var firstB: Int
  /// Blocks of each.
  package var blockCount: Int

  /// Where the image begins in its slot: a vector table of 128 entries may stand there.
  package static var imageStart: Int { 512 }

  package init(base: UInt32, geometry: FlashGeometry, firstA: Int, firstB: Int, blockCount: Int) {
    self.base = base
    self.geometry = geometry
    self.firstA = firstA
    self.firstB = firstB
    self.blockCount = blockCount
  }

  /// True when the slots are in the memory and not in each other, and marks and images can be written there.
  package var isUsable: Bool {
    let (low, high) = (min(firstA, firstB), max(firstA, firstB))
    return geometry.isUsable && geometry.blockSize % 512 == 0 && base % 512 == 0 && blockCount > 0 && low >= 0
      && low + blockCount <= high && high + blockCount <= geometry.blockCount
  }

  package func firstBlock(of slot: ImageSlot) -> Int { slot == .a ? firstA : firstB }

  /// The first byte of a slot in the memory.
  package func start(of slot: ImageSlot) -> Int { firstBlock(of: slot) * geometry.blockSize }

  /// Where an image must be linked to begin, to run from a slot.
  package func address(of slot: ImageSlot) -> UInt32 {
    base &+ UInt32(truncatingIfNeeded: start(of: slot) + ImageSlots.imageStart)
  }

  /// Bytes of the longest image.
  package var longestImage: Int { blockCount * geometry.blockSize - ImageSlots.imageStart }

  /// Blocks of a slot that an image of so many bytes reaches into.
  func blocks(for length: Int) -> Int {
    (ImageSlots.imageStart + length + geometry.blockSize - 1) / geometry.blockSize
  }
}
