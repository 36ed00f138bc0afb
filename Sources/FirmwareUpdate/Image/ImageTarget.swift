import FlashStorage
import InlineStorage

/// What a board takes: its name, the key that signs for it, and where its slots are.
package struct ImageTarget: Sendable {
  /// As headers name it.
  package var board: StaticString
  package var key: Ed25519Key
  package var slots: ImageSlots

  package init(board: StaticString, key: Ed25519Key, slots: ImageSlots) {
    self.board = board
    self.key = key
    self.slots = slots
  }

  /// Looks at a header.
  ///
  /// - Parameters:
  ///   - slot: Where the image is, or is to be.
  ///   - version: What it must be newer than; nil when any will do.
  /// - Returns: Why it can't be there; nil when it can.
  @inline(never) package func refusal(
    of header: FirmwareHeader, in slot: ImageSlot, newerThan version: FirmwareVersion?
  ) -> UpdateRefusal? {
    refusalUnsigned(of: header, in: slot, newerThan: version) ?? (header.isSigned(by: key) ? nil : .signature)
  }

  /// The same without a look at the signature, which takes long.
  func refusalUnsigned(
    of header: FirmwareHeader, in slot: ImageSlot, newerThan version: FirmwareVersion?
  ) -> UpdateRefusal? {
    if !header.isFor(board) { return .board }
    if header.place != slots.address(of: slot) { return .place }
    if header.length == 0 || header.length > UInt32(slots.longestImage) { return .length }
    if let version, header.version <= version { return .version }
    return header.names(key) ? nil : .key
  }
}

/// Whether what is in a slot is the image that its header tells, a piece at a time.
package struct ImageCheck: BitwiseCopyable, Sendable {
  private let header: FirmwareHeader
  private let start: Int
  private var done = 0
  private var hash = SHA512()

  /// Bytes that are read in a step.
  package static var stepSize: Int { 4096 }

  package init(_ header: FirmwareHeader, in slot: ImageSlot, of slots: ImageSlots) {
    self.header = header
    start = slots.start(of: slot) + ImageSlots.imageStart
  }

  /// Reads some more.
  ///
  /// - Returns: nil while there is more; then whether it is the image.
  package mutating func step<Memory: FlashMemory & ~Copyable>(in memory: inout Memory) -> Bool? {
    let end = min(done + ImageCheck.stepSize, Int(truncatingIfNeeded: header.length))
    while done < end {
      var piece = FlashBuffer()
      let count = min(256, end - done)
      guard memory.read(start + done, count, into: &piece), piece.count == count else { return false }
      hash.update(piece.span)
      done += count
    }
    guard done == Int(truncatingIfNeeded: header.length) else { return nil }
    return header.hasDigest(hash.finish())
  }
}
