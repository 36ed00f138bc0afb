public import InlineStorage

/// A flash memory: bytes that are read as they are, of which programming clears bits, and which erasing sets again, block by block.
///
/// The driver of a part is one: internal flash by its controller, a NOR part behind SPI. Calls return when the work is done.
public protocol FlashMemory: ~Copyable {
  /// How it is divided.
  var geometry: FlashGeometry { get }

  /// Reads bytes and appends them.
  ///
  /// - Returns: False when the part does not answer.
  mutating func read(_ place: Int, _ count: Int, into bytes: inout FlashBuffer) -> Bool

  /// Programs bytes within one page, from a multiple of the unit on, a multiple of the unit long, where nothing was programmed since
  /// the block was erased.
  ///
  /// - Returns: False when the part reports an error or does not answer.
  mutating func program(_ bytes: Span<UInt8>, at place: Int) -> Bool

  /// Sets all bits of a block, 0 to `blockCount` - 1.
  ///
  /// - Returns: False when the part reports an error or does not answer.
  mutating func erase(_ block: Int) -> Bool
}

/// Room for a record with its head.
public typealias FlashBuffer = InlineBytes<336>
