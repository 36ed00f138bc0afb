import FlashStorage
import InlineStorage

/// A serial NOR flash that outlives the tracker: erasing sets the bits of a block, programming clears some of a page, and the power may
/// go in the middle of either.
final class LifeFlash {
  /// 512 KiB: with the spool full a third of it is free.
  let geometry = FlashGeometry.serialNOR(blockCount: 128)
  private var bytes: [UInt8]
  /// Commands until the one in which the power goes; nil while it stays.
  private var commandsLeft: Int?
  /// The bytes of a page are programmed in any order, not from the first on.
  private var isShuffled = false
  private(set) var isOff = false
  private var dice: Dice
  /// Times that programming would have set a bit: nobody may program a byte twice.
  private(set) var offences = 0

  /// A new part.
  init(seed: UInt64) {
    bytes = Array(repeating: 0xFF, count: geometry.blockSize * geometry.blockCount)
    dice = Dice(seed: seed ^ 0x666C_6173_68)
  }

  /// The power goes in one of the next commands.
  func fail(within commands: Int, isShuffled: Bool) {
    commandsLeft = dice.below(max(1, commands))
    self.isShuffled = isShuffled
  }

  /// The power is back, whether it went or not.
  func powerOn() {
    isOff = false
    commandsLeft = nil
  }

  func read(_ place: Int, _ count: Int, into sink: inout FlashBuffer) -> Bool {
    guard !isOff, place >= 0, count >= 0, place + count <= bytes.count else { return false }
    let all = bytes
    sink.append(contentsOf: all.span.extracting(place..<place + count))
    return true
  }

  func program(_ new: Span<UInt8>, at place: Int) -> Bool {
    guard !isOff, place >= 0, place + new.count <= bytes.count else { return false }
    let isCut = cutsNow()
    // In order, a part of it is there, and of one more byte some bits.
    let whole = isCut ? dice.below(new.count + 1) : new.count
    for offset in 0..<new.count {
      var cleared = ~new[offset]
      if isCut {
        if isShuffled {
          if offset % LifeFlash.word == 0 { reaches = dice.below(2) == 0 }
          if !reaches { cleared = 0 }
        } else if offset >= whole {
          cleared = offset == whole ? cleared & UInt8(truncatingIfNeeded: dice.next()) : 0
        }
      }
      if bytes[place + offset] != 0xFF, cleared != 0, !isCut { offences += 1 }
      bytes[place + offset] &= ~cleared
    }
    return !isCut
  }

  /// Bytes that a part programs at once when it goes its own way.
  private static let word = 8
  private var reaches = false

  func erase(_ block: Int) -> Bool {
    guard !isOff, block >= 0, block < geometry.blockCount else { return false }
    let isCut = cutsNow()
    let (start, size) = (block * geometry.blockSize, geometry.blockSize)
    // Some cells are erased and others not.
    for place in start..<(isCut ? start + dice.below(size) : start + size) { bytes[place] = 0xFF }
    return !isCut
  }

  private func cutsNow() -> Bool {
    guard let left = commandsLeft else { return false }
    commandsLeft = left - 1
    if left <= 0 { isOff = true }
    return isOff
  }
}

/// The driver of a flash, as a store has it.
struct LifeFlashDriver: FlashMemory, ~Copyable {
  let flash: LifeFlash

  var geometry: FlashGeometry { flash.geometry }
  mutating func read(_ place: Int, _ count: Int, into bytes: inout FlashBuffer) -> Bool {
    flash.read(place, count, into: &bytes)
  }
  mutating func program(_ bytes: Span<UInt8>, at place: Int) -> Bool { flash.program(bytes, at: place) }
  mutating func erase(_ block: Int) -> Bool { flash.erase(block) }
}
