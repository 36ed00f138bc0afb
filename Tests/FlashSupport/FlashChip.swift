import FlashStorage
import InlineStorage
import TestSupport

/// A flash memory as its data sheet says: erasing sets the bits of a block, programming clears some of a unit that was not programmed
/// since, within one page. What a power cut leaves of an operation is drawn.
package final class FlashChip {
  package let geometry: FlashGeometry
  package private(set) var bytes: [UInt8]
  private var isProgrammed: [Bool]
  /// Erasures of each block.
  package private(set) var wear: [Int]
  /// What nobody may do with such a part.
  package private(set) var offences: [String] = []
  /// Units that are programmed, and blocks that are erased, until the power goes; nil for never.
  package var stepsLeft: Int?
  package private(set) var stepCount = 0
  package private(set) var isOff = false
  private var random: SeededRandom
  /// Blocks that can't be erased, and units that do not take what is programmed.
  package var worn: Set<Int> = []
  package var stuckUnits: Set<Int> = []
  /// Every operation but reading fails, and changes nothing.
  package var isFailing = false

  /// A new part, or one that somebody else has used.
  package init(_ geometry: FlashGeometry, seed: UInt64 = 1, filledWith content: [UInt8]? = nil) {
    self.geometry = geometry
    let size = geometry.blockSize * geometry.blockCount
    bytes = content ?? Array(repeating: 0xFF, count: size)
    isProgrammed = Array(repeating: content != nil, count: size / geometry.unit)
    wear = Array(repeating: 0, count: geometry.blockCount)
    random = SeededRandom(seed: seed)
  }

  /// One like another, as it is now.
  package init(copy other: FlashChip, seed: UInt64) {
    geometry = other.geometry
    bytes = other.bytes
    isProgrammed = other.isProgrammed
    wear = other.wear
    random = SeededRandom(seed: seed)
    worn = other.worn
    stuckUnits = other.stuckUnits
  }

  package func powerOn() {
    isOff = false
    stepsLeft = nil
  }

  /// Another value for a bit.
  package func flip(bit: Int, at place: Int) { bytes[place] ^= 1 << UInt8(bit) }

  /// One step of an operation.
  ///
  /// - Returns: False when the power goes in it.
  private func step() -> Bool {
    stepCount += 1
    guard let left = stepsLeft else { return true }
    stepsLeft = left - 1
    if left <= 0 { isOff = true }
    return left > 0
  }

  package func read(_ place: Int, _ count: Int, into sink: inout FlashBuffer) -> Bool {
    guard !isOff else { return false }
    guard place >= 0, count >= 0, place + count <= bytes.count else {
      offences.append("read of \(count) bytes at \(place)")
      return false
    }
    let all = bytes
    sink.append(contentsOf: all.span.extracting(place..<place + count))
    return true
  }

  package func program(_ new: Span<UInt8>, at place: Int) -> Bool {
    guard !isOff, !isFailing else { return false }
    let unit = geometry.unit
    if place % unit != 0 || new.count % unit != 0 || new.count == 0 {
      offences.append("\(new.count) bytes at \(place) are no whole units")
    }
    if place / geometry.pageSize != (place + new.count - 1) / geometry.pageSize {
      offences.append("\(new.count) bytes at \(place) cross a page")
    }
    var isDone = true
    for start in stride(from: 0, to: new.count, by: unit) {
      let isWhole = step()
      let index = (place + start) / unit
      if isProgrammed[index] {
        let isBlank = bytes[place + start..<place + start + unit].allSatisfy { $0 == 0xFF }
        if !isBlank { offences.append("unit \(index) is programmed twice") }
        // Nothing can be seen of what a cut has begun there; parts with error correction know it all the same.
        if unit >= 8 { return false }
      }
      isProgrammed[index] = true
      let isStuck = stuckUnits.contains(index)
      for offset in start..<start + unit {
        // Cut short, any of the bits that were to fall may have fallen.
        let kept = isWhole ? 0 : UInt8(truncatingIfNeeded: random.next())
        if !isStuck { bytes[place + offset] &= new[offset] | kept }
      }
      if isStuck { isDone = false }
      guard isWhole else { return false }
    }
    return isDone
  }

  package func erase(_ block: Int) -> Bool {
    guard !isOff, !isFailing else { return false }
    let range = block * geometry.blockSize..<(block + 1) * geometry.blockSize
    wear[block] += 1
    guard step() else {
      // Cut short, some cells are erased and others not.
      let whole = Int(random.next() % 4)
      for place in range {
        switch whole {
        case 0: break
        case 1: bytes[place] |= UInt8(truncatingIfNeeded: random.next())
        case 2: if place < range.lowerBound + range.count / 2 { bytes[place] = 0xFF }
        default: if place >= range.lowerBound + range.count / 2 { bytes[place] = 0xFF }
        }
      }
      return false
    }
    guard !worn.contains(block) else { return false }
    for place in range { bytes[place] = 0xFF }
    for unit in range.lowerBound / geometry.unit..<range.upperBound / geometry.unit { isProgrammed[unit] = false }
    return true
  }
}

/// The driver of a chip, as the store has it.
package struct ChipDriver: FlashMemory, ~Copyable {
  package let chip: FlashChip

  package init(chip: FlashChip) { self.chip = chip }

  package var geometry: FlashGeometry { chip.geometry }
  package mutating func read(_ place: Int, _ count: Int, into bytes: inout FlashBuffer) -> Bool {
    chip.read(place, count, into: &bytes)
  }
  package mutating func program(_ bytes: Span<UInt8>, at place: Int) -> Bool { chip.program(bytes, at: place) }
  package mutating func erase(_ block: Int) -> Bool { chip.erase(block) }
}
