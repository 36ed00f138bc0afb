import FlashStorage
import InlineStorage

/// What is noted about the image of a slot, in cells of sixteen bytes that are programmed once; erasing the slot forgets it.
///
/// A mark has several cells: where a power cut has spoiled one, it is written to the next.
package enum SlotMark: UInt8, Sendable {
  /// All of it is there, and was found to be what was signed.
  case whole
  /// A start was tried. Each has a cell of its own.
  case attempt
  /// It has delivered a packet, and stays.
  case confirmed
  /// It is not tried any more.
  case abandoned

  package static var cellSize: Int { 16 }

  /// The first cell behind the header, and how many there are.
  package var cells: Range<Int> {
    switch self {
    case .whole: 0..<4
    case .attempt: 4..<10
    case .confirmed: 10..<14
    case .abandoned: 14..<18
    }
  }

  /// What each byte of a cell is.
  package var byte: UInt8 { 0xA1 &+ rawValue }
}

/// What a slot holds, as far as it can be told without reading its image.
package struct SlotState: Equatable, BitwiseCopyable, Sendable {
  /// The version of its image; nil when there is no header of one.
  package var version: FirmwareVersion?
  package var isWhole = false
  /// Starts that were tried, whole cells or not.
  package var attempts = 0
  package var isConfirmed = false
  package var isAbandoned = false

  package init() {}

  /// Starts of an image that is not confirmed, before it is abandoned.
  package static var mostAttempts: Int { 3 }

  /// True when it may be started.
  package var isFit: Bool {
    isUsable && (isConfirmed || !isAbandoned && attempts < SlotState.mostAttempts)
  }

  /// True when there is a whole image, whatever came of it.
  package var isUsable: Bool { version != nil && isWhole }
}

extension ImageSlots {
  /// The header in a slot; nil when there is none.
  @inline(never) package func header<Memory: FlashMemory & ~Copyable>(of slot: ImageSlot, in memory: inout Memory)
    -> FirmwareHeader?
  {
    var bytes = FlashBuffer()
    guard memory.read(start(of: slot), FirmwareHeader.size, into: &bytes) else { return nil }
    return try? FirmwareHeader(bytes.span)
  }

  /// What a slot holds.
  @inline(never) package func state<Memory: FlashMemory & ~Copyable>(of slot: ImageSlot, in memory: inout Memory)
    -> SlotState
  {
    var result = SlotState()
    result.version = header(of: slot, in: &memory)?.version
    result.isWhole = cells(of: .whole, slot, in: &memory).whole > 0
    let attempts = cells(of: .attempt, slot, in: &memory)
    result.attempts = attempts.whole + attempts.spoiled
    result.isConfirmed = cells(of: .confirmed, slot, in: &memory).whole > 0
    let abandoned = cells(of: .abandoned, slot, in: &memory)
    result.isAbandoned = abandoned.whole + abandoned.spoiled > 0
    return result
  }

  /// Writes a mark to a slot; another one of the same kind where there are some.
  ///
  /// - Returns: False when the memory does not take it, or has no cell left for it.
  @inline(never) package func write<Memory: FlashMemory & ~Copyable>(
    _ mark: SlotMark, to slot: ImageSlot, in memory: inout Memory
  ) -> Bool {
    var bytes = FlashBuffer()
    for _ in 0..<SlotMark.cellSize { bytes.append(mark.byte) }
    for cell in mark.cells {
      let place = self.place(of: cell, in: slot)
      guard memory.isBlank(place, place + SlotMark.cellSize) else { continue }
      if memory.programChecked(bytes.span, at: place) { return true }
    }
    return false
  }

  /// How many cells of a mark are whole, and how many of the others are not blank.
  @inline(never) func cells<Memory: FlashMemory & ~Copyable>(
    of mark: SlotMark, _ slot: ImageSlot, in memory: inout Memory
  ) -> (whole: Int, spoiled: Int) {
    var (whole, spoiled) = (0, 0)
    for cell in mark.cells {
      var bytes = FlashBuffer()
      guard memory.read(place(of: cell, in: slot), SlotMark.cellSize, into: &bytes),
        bytes.count == SlotMark.cellSize
      else { continue }
      var (isWhole, isBlank) = (true, true)
      for index in 0..<SlotMark.cellSize {
        if bytes[index] != mark.byte { isWhole = false }
        if bytes[index] != 0xFF { isBlank = false }
      }
      if isWhole { whole += 1 } else if !isBlank { spoiled += 1 }
    }
    return (whole, spoiled)
  }

  private func place(of cell: Int, in slot: ImageSlot) -> Int {
    start(of: slot) + FirmwareHeader.size + cell * SlotMark.cellSize
  }
}
