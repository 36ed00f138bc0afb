import FlashStorage

/// What a board does next to start an image.
package enum BootChoice: Equatable, Sendable {
  /// It runs the image of a slot.
  case run(ImageSlot)
  /// It notes in a slot that it tries its image, then runs that.
  case attempt(ImageSlot)
  /// It notes in a slot that its image is not tried any more, then chooses again.
  case abandon(ImageSlot)
  /// There is none.
  case nothing

  /// Of the images that are confirmed or may still be tried the newest; without any, the newest that is whole.
  ///
  /// - Parameters:
  ///   - a: What slot A holds.
  ///   - b: What slot B holds.
  package static func next(_ a: SlotState, _ b: SlotState) -> BootChoice {
    func state(_ slot: ImageSlot) -> SlotState { slot == .a ? a : b }
    for place in 0..<2 {
      let slot: ImageSlot = place == 0 ? .a : .b
      let (own, other) = (state(slot), state(slot.other))
      if own.isUsable, !own.isFit, !own.isAbandoned, other.isFit { return .abandon(slot) }
    }
    if let slot = newest(a, b, among: a.isFit, b.isFit) { return state(slot).isConfirmed ? .run(slot) : .attempt(slot) }
    // Better one that has failed than none.
    if let slot = newest(a, b, among: a.isUsable, b.isUsable) { return .run(slot) }
    return .nothing
  }

  private static func newest(_ a: SlotState, _ b: SlotState, among isA: Bool, _ isB: Bool) -> ImageSlot? {
    guard isA, isB, let first = a.version, let second = b.version else { return isA ? .a : isB ? .b : nil }
    if first == second { return b.isConfirmed && !a.isConfirmed ? .b : .a }
    return first > second ? .a : .b
  }
}

/// The image that a board starts.
package struct StartedImage: Sendable {
  package var slot: ImageSlot
  package var header: FirmwareHeader
  /// True when it is not confirmed yet, and another waits for it to fail.
  package var isTrial: Bool
}

extension ImageTarget {
  /// Chooses the image that runs, looks at its signature and at each of its bytes, and notes what is to be noted before.
  ///
  /// - Parameters:
  ///   - memory: Where the slots are.
  ///   - pause: Called between pieces of the work, for a watchdog.
  /// - Returns: nil when no slot holds an image of this board.
  package func start<Memory: FlashMemory & ~Copyable>(
    in memory: inout Memory, pause: () -> Void
  ) -> StartedImage? {
    var a = slots.state(of: .a, in: &memory)
    var b = slots.state(of: .b, in: &memory)
    func change(_ slot: ImageSlot, _ body: (inout SlotState) -> Void) { if slot == .a { body(&a) } else { body(&b) } }
    var isSound = (a: false, b: false)
    // Each turn ends with a start, or takes something away from a slot: its image, its attempts, its being tried.
    for _ in 0..<8 {
      let choice = BootChoice.next(a, b)
      let slot: ImageSlot
      switch choice {
      case .nothing: return nil
      case .abandon(let failed):
        // Where that can't be noted, it is chosen in the same way again at the next start.
        _ = slots.write(.abandoned, to: failed, in: &memory)
        change(failed) { $0.isAbandoned = true }
        continue
      case .run(let found), .attempt(let found): slot = found
      }
      guard slot == .a ? isSound.a : isSound.b else {
        if isWhole(slot, in: &memory, pause) {
          if slot == .a { isSound.a = true } else { isSound.b = true }
        } else {
          change(slot) { $0.version = nil }
        }
        continue
      }
      let state = slot == .a ? a : b
      if case .attempt = choice, !slots.write(.attempt, to: slot, in: &memory) {
        // What can't be counted is not tried.
        change(slot) { $0.attempts = SlotState.mostAttempts }
        continue
      }
      guard let header = slots.header(of: slot, in: &memory) else {
        change(slot) { $0.version = nil }
        continue
      }
      return StartedImage(slot: slot, header: header, isTrial: !state.isConfirmed)
    }
    return nil
  }

  /// True when the image of a slot is for this board, signed, and each of its bytes is there.
  @inline(never) private func isWhole<Memory: FlashMemory & ~Copyable>(
    _ slot: ImageSlot, in memory: inout Memory, _ pause: () -> Void
  ) -> Bool {
    guard let header = slots.header(of: slot, in: &memory) else { return false }
    pause()
    guard refusal(of: header, in: slot, newerThan: nil) == nil else { return false }
    var check = ImageCheck(header, in: slot, of: slots)
    while true {
      pause()
      if let isWhole = check.step(in: &memory) { return isWhole }
    }
  }
}
