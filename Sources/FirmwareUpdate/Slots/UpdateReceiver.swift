import FlashStorage
import InlineStorage

/// Takes an image into the slot that does not run, piece by piece, and goes on after a power cut.
///
/// The slot is erased first, then the header is written, then the image; when all of it is there and is what was signed, the mark
/// `whole`. Only from then on can it be started. Whoever owns it calls `step` while it says that there is more to do.
package struct UpdateReceiver: Sendable {
  /// What it waits for.
  package enum Phase: Equatable, Sendable {
    /// A header.
    case idle
    /// Steps: the signature is looked at.
    case verifying
    /// Steps: what is there of it already is looked for.
    case searching
    /// Steps: blocks are erased.
    case clearing
    /// Pieces of the image.
    case receiving
    /// Steps: it is read again.
    case checking
    /// Nothing: the image starts when the board does next.
    case received
  }

  private let target: ImageTarget
  /// The slot that runs.
  private let running: ImageSlot
  package private(set) var phase = Phase.idle
  private var header: FirmwareHeader?
  /// The blocks of the slot that are yet to be erased, and where receiving goes on then.
  private var nextBlock = 0
  private var resumed = 0
  /// Bytes that are in the memory.
  private var written = 0
  /// Those that are not yet.
  private var waiting = InlineBytes<256>()
  private var signature: SignatureCheck?
  private var check: ImageCheck?

  package init(_ target: ImageTarget, running: ImageSlot) {
    self.target = target
    self.running = running
  }

  private var slot: ImageSlot { running.other }
  private var slots: ImageSlots { target.slots }

  /// The place of the piece that comes next: what comes before it need not be sent again.
  package var nextPlace: Int { written + waiting.count }

  /// The version of the image that was offered last, and its bytes.
  package private(set) var version: FirmwareVersion?
  package private(set) var length = 0

  /// Takes the header of an image; the slot is only touched when it is one for this board, newer, and signed.
  ///
  /// - Returns: Why it is not taken. A signature that is wrong is found by `step`.
  package mutating func begin<Memory: FlashMemory & ~Copyable>(
    _ bytes: Span<UInt8>, in memory: inout Memory
  ) -> UpdateRefusal? {
    phase = .idle
    let state = slots.state(of: running, in: &memory)
    guard state.isConfirmed else { return .trial }
    let offered: FirmwareHeader
    do throws(UpdateRefusal) { offered = try FirmwareHeader(bytes) } catch { return error }
    if let refusal = target.refusalUnsigned(of: offered, in: slot, newerThan: state.version) { return refusal }
    signature = nil
    header = offered
    version = offered.version
    length = Int(truncatingIfNeeded: offered.length)
    waiting.removeAll()
    written = 0
    nextBlock = 0
    resumed = 0
    phase = .verifying
    return nil
  }

  /// The header is signed: what is in the slot may be the beginning of its image, or all of it.
  @inline(never) private mutating func look<Memory: FlashMemory & ~Copyable>(
    for offered: FirmwareHeader, in memory: inout Memory
  ) {
    phase = .clearing
    let there = slots.state(of: slot, in: &memory)
    if let known = slots.header(of: slot, in: &memory), known.isSame(as: offered), there.attempts == 0,
      !there.isAbandoned, !there.isConfirmed
    {
      if there.isWhole {
        written = length
        phase = .received
      } else if slots.cells(of: .whole, slot, in: &memory).spoiled < SlotMark.whole.cells.count {
        nextBlock = slots.blocks(for: length)
        phase = .searching
      }
    }
  }

  /// Goes a block back, to the last one of the image in which something was programmed: that may be spoiled, before it all is well.
  @inline(never) private mutating func search<Memory: FlashMemory & ~Copyable>(in memory: inout Memory) {
    nextBlock -= 1
    let start = slots.start(of: slot) + nextBlock * slots.geometry.blockSize
    if nextBlock > 0 {
      guard !memory.isBlank(start, start + slots.geometry.blockSize) else { return }
      resumed = nextBlock * slots.geometry.blockSize - ImageSlots.imageStart
    }
    phase = .clearing
  }

  /// Does a piece of what is to be done: a block, or `ImageCheck.stepSize` bytes.
  ///
  /// - Returns: Why the image is refused after all; the slot holds none then.
  package mutating func step<Memory: FlashMemory & ~Copyable>(in memory: inout Memory) -> UpdateRefusal? {
    switch phase {
    case .idle, .receiving, .received: return nil
    case .verifying:
      guard signature != nil else {
        signature = header?.signatureCheck(by: target.key)
        return nil
      }
      guard let isSigned = signature?.step() else { return nil }
      signature = nil
      guard isSigned, let header else { return fail(.signature) }
      look(for: header, in: &memory)
      return nil
    case .searching:
      search(in: &memory)
      return nil
    case .clearing:
      let block = slots.firstBlock(of: slot) + nextBlock
      let start = block * slots.geometry.blockSize
      guard memory.erase(block), memory.isBlank(start, start + slots.geometry.blockSize) else { return fail(.memory) }
      nextBlock += 1
      guard nextBlock >= slots.blocks(for: length) else { return nil }
      if resumed == 0 {
        guard let header, memory.programChecked(header.bytes.span, at: slots.start(of: slot)) else {
          return fail(.memory)
        }
      }
      written = resumed
      phase = .receiving
      return nil
    case .checking:
      guard var check else { return fail(.order) }
      let isSound = check.step(in: &memory)
      self.check = check
      guard let isSound else { return nil }
      guard isSound else {
        // Offered again it begins anew, and not where it has ended.
        _ = memory.erase(slots.firstBlock(of: slot))
        return fail(.content)
      }
      guard slots.write(.whole, to: slot, in: &memory) else { return fail(.memory) }
      phase = .received
      return nil
    }
  }

  /// Takes a piece of the image.
  ///
  /// - Parameters:
  ///   - bytes: At least one.
  ///   - place: How many come before it: `nextPlace`.
  /// - Returns: Why it is not taken. After `order` and `length` receiving may go on.
  package mutating func receive<Memory: FlashMemory & ~Copyable>(
    _ bytes: Span<UInt8>, at place: Int, in memory: inout Memory
  ) -> UpdateRefusal? {
    guard phase == .receiving, place == nextPlace, !bytes.isEmpty else { return .order }
    guard bytes.count <= length - place else { return .length }
    var index = 0
    while index < bytes.count {
      waiting.append(bytes[index])
      index += 1
      // Whole stretches of 256 bytes: they are in one block, and no unit is programmed in two parts.
      if waiting.count == 256 || nextPlace == length {
        guard flush(in: &memory) else { return fail(.memory) }
      }
    }
    if written == length, let header {
      check = ImageCheck(header, in: slot, of: slots)
      phase = .checking
    }
    return nil
  }

  @inline(never) private mutating func flush<Memory: FlashMemory & ~Copyable>(in memory: inout Memory) -> Bool {
    // Ones are there already.
    var isBlank = true
    for index in 0..<waiting.count where waiting[index] != 0xFF { isBlank = false }
    if !isBlank {
      let place = slots.start(of: slot) + ImageSlots.imageStart + written
      guard memory.programChecked(waiting.span, at: place) else { return false }
    }
    written += waiting.count
    waiting.removeAll()
    return true
  }

  private mutating func fail(_ refusal: UpdateRefusal) -> UpdateRefusal {
    phase = .idle
    return refusal
  }
}
