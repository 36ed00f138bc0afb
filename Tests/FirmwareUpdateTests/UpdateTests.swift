import FirmwareUpdate
import FlashStorage
import FlashSupport
import InlineStorage
import TestSupport
import Testing

private let first = TestImage(1, for: .a)

private func byte(_ image: TestImage, _ place: Int) -> UInt8 {
  place < image.header.count ? image.header[place] : image.content[place - image.header.count]
}

@Suite struct UpdateTests {
  @Test(arguments: [1, 7, 256, 1000, 5000], [(1, 256), (4, 4), (8, 8), (16, 64)])
  func anImageOfAnyPiecesIsTakenStartedAndConfirmed(piece: Int, part: (unit: Int, page: Int)) {
    let slots = UpdateBoard.slots(unit: part.unit, page: part.page)
    let board = UpdateBoard(first, slots: slots)
    #expect(board.start()?.isTrial == false && board.version == 1)
    // The longest there may be, with erased stretches in it and at its end.
    var second = TestImage(2, for: .b, length: 2560, blank: 700..<1300)
    for (length, blank) in [(2560, 700..<1300), (2555, 2000..<2555), (1, 0..<0), (255, 0..<255), (256, 0..<0)] {
      second = TestImage(second.version.patch + 1, for: .b, length: length, blank: blank)
      #expect(board.offer(second, piece: piece).refusal == nil)
      #expect(board.state(.b) == whole(second) && board.version == 1)
    }
    let started = board.restart()
    #expect(started?.slot == .b && started?.isTrial == true && board.version == second.version.patch)
    let isConfirmed = board.confirm()
    #expect(isConfirmed && board.restart()?.isTrial == false && board.version == second.version.patch)
    // Another one after it goes to the other slot.
    let third = TestImage(90, for: .a, length: 2000)
    #expect(board.offer(third, piece: piece).refusal == nil && board.restart()?.slot == .a && board.version == 90)
    #expect(board.chip.offences.isEmpty, "\(board.chip.offences.prefix(3))")
  }

  private func whole(_ image: TestImage) -> SlotState {
    var state = SlotState()
    state.version = image.version
    state.isWhole = true
    return state
  }

  @Test func whatIsRefusedTouchesNothing() {
    let board = UpdateBoard(TestImage(5, for: .a))
    board.start()
    let before = board.chip.bytes
    let steps = board.chip.stepCount
    func refusal(_ image: TestImage) -> UpdateRefusal? { board.offer(image).refusal }
    #expect(refusal(TestImage(6, for: .b, signer: Signer(2))) == .key)
    #expect(refusal(TestImage(5, for: .b)) == .version && refusal(TestImage(4, for: .b)) == .version)
    #expect(refusal(TestImage(6, for: .b, board: "other")) == .board)
    #expect(refusal(TestImage(6, for: .a)) == .place)
    #expect(
      refusal(TestImage(6, for: .b, length: 2561)) == .length && refusal(TestImage(6, for: .b, length: 0)) == .length)
    var changed = TestImage(6, for: .b)
    changed.header[150] ^= 1
    #expect(refusal(changed) == .signature)
    changed.header[0] ^= 1
    #expect(refusal(changed) == .header)
    #expect(board.chip.bytes == before && board.chip.stepCount == steps)
    #expect(board.restart()?.header.version.patch == 5)
  }

  @Test func aChangedByteAtAnyPlaceIsNoticedAndTheOldImageRunsOn() {
    let board = UpdateBoard(first)
    board.start()
    let good = TestImage(2, for: .b, length: 300)
    for place in 0..<300 {
      var bad = good
      bad.content[place] ^= 1 << UInt8(place % 8)
      #expect(board.offer(bad).refusal == .content, "byte \(place)")
      #expect(!board.state(.b).isUsable && board.restart()?.header.version.patch == 1)
    }
    // It is no worse for it, nor is a longer one, of which the wrong block is not the one that was written last.
    var long = TestImage(2, for: .b, length: 2000)
    long.content[3] ^= 1
    #expect(board.offer(long).refusal == .content)
    long.content[3] ^= 1
    #expect(board.offer(long).refusal == nil)
    #expect(board.offer(good).refusal == nil && board.restart()?.header.version.patch == 2)
    #expect(board.chip.offences.isEmpty)
  }

  @Test func aByteThatChangesInTheMemoryBringsTheOtherImageBack() {
    let board = UpdateBoard(first)
    board.start()
    let second = TestImage(2, for: .b, length: 300)
    board.offer(second)
    board.restart()
    board.confirm()
    let start = board.target.slots.start(of: .b)
    for place in 0..<812 {
      let bit = place % 8
      board.chip.flip(bit: bit, at: start + place)
      let found = board.restart()?.header.version.patch
      // Between the header and the image are the marks: of those only the two that were made matter.
      let isMark = (192..<512).contains(place)
      if !isMark { #expect(found == 1, "byte \(place)") } else { #expect(found == 1 || found == 2, "byte \(place)") }
      board.chip.flip(bit: bit, at: start + place)
    }
    #expect(board.restart()?.header.version.patch == 2)
    // An image that is not signed does not start where it is alone, either.
    let alone = UpdateBoard(TestImage(1, for: .a, signer: Signer(2)))
    #expect(alone.start() == nil)
    #expect(UpdateBoard(TestImage(1, for: .a, board: "other")).start() == nil)
    #expect(UpdateBoard(TestImage(1, for: .b)).start() == nil)
  }

  @Test func threeStartsWithoutAPacketBringTheOldImageBack() {
    let board = UpdateBoard(first)
    board.start()
    let second = TestImage(2, for: .b)
    board.offer(second)
    for attempt in 1...3 {
      #expect(board.restart()?.isTrial == true && board.version == 2 && board.state(.b).attempts == attempt)
      // What it would be rolled back to is not for another image.
      #expect(board.offer(TestImage(3, for: .a)).refusal == .trial)
    }
    #expect(board.restart()?.isTrial == false && board.version == 1 && board.state(.b).isAbandoned)
    #expect(board.restart()?.header.version.patch == 1)
    // It may be offered again, and is sent anew: it may have been the network.
    let again = board.offer(second)
    #expect(again.refusal == nil && again.sent == second.content.count)
    #expect(board.restart()?.header.version.patch == 2 && board.state(.b).attempts == 1)
    let isConfirmed = board.confirm()
    #expect(isConfirmed)
    for _ in 0..<5 { #expect(board.restart()?.header.version.patch == 2 && board.started?.isTrial == false) }
    #expect(board.state(.b).attempts == 1)
  }

  @Test func anImageThatGivesItselfUpIsNotStartedAgain() {
    let board = UpdateBoard(first)
    board.start()
    board.offer(TestImage(2, for: .b))
    board.restart()
    let isGivenUp = board.write(.abandoned, to: .b)
    #expect(isGivenUp && board.restart()?.header.version.patch == 1)
  }

  @Test func anImageThatIsAloneRunsHoweverOftenItFails() {
    let board = UpdateBoard(FlashChip(UpdateBoard.slots().geometry))
    #expect(board.start() == nil)
    board.put(first, into: .a)
    #expect(board.start() == nil)
    _ = board.write(.whole, to: .a)
    for _ in 0..<9 { #expect(board.start()?.header.version.patch == 1 && board.started?.isTrial == true) }
    #expect(board.state(.a).attempts == 3 && !board.state(.a).isAbandoned)
    let isConfirmed = board.confirm()
    #expect(isConfirmed && board.start()?.isTrial == false)
  }

  @Test func afterACutOnlyWhatIsMissingIsSentAgain() {
    let board = UpdateBoard(first)
    board.start()
    let second = TestImage(2, for: .b, length: 2500)
    // 2,000 bytes are in the blocks up to the third.
    #expect(board.offer(second, upTo: 2000).sent == 2000)
    board.start()
    let rest = board.offer(second)
    #expect(rest.refusal == nil && rest.sent == 2500 - (2048 - 512))
    // All of it there: nothing is sent.
    let nothing = board.offer(second)
    #expect(nothing.refusal == nil && nothing.sent == 0)
    // Another image begins anew.
    let other = board.offer(TestImage(3, for: .b, length: 2500, seed: 2))
    #expect(other.refusal == nil && other.sent == 2500)
    #expect(board.chip.offences.isEmpty)
  }

  @Test func piecesThatDoNotFollowEachOtherAreRefused() {
    let board = UpdateBoard(first)
    board.start()
    let second = TestImage(2, for: .b, length: 600)
    var driver = ChipDriver(chip: board.chip)
    var receiver = UpdateReceiver(board.target, running: .a)
    func piece(_ start: Int, _ end: Int) -> UpdateRefusal? {
      let bytes = (start..<end).map { $0 < 600 ? second.content[$0] : 0 }
      return receiver.receive(bytes.span, at: start, in: &driver)
    }
    #expect(piece(0, 10) == .order)
    #expect(receiver.begin(second.header.span, in: &driver) == nil && piece(0, 10) == .order)
    while receiver.phase != .receiving { #expect(receiver.step(in: &driver) == nil) }
    #expect(piece(0, 300) == nil && receiver.nextPlace == 300)
    #expect(piece(0, 300) == .order && piece(301, 400) == .order && piece(300, 300) == .order)
    #expect(piece(300, 601) == .length && receiver.nextPlace == 300)
    #expect(receiver.step(in: &driver) == nil && receiver.phase == .receiving)
    #expect(piece(300, 600) == nil && receiver.phase == .checking && piece(600, 601) == .order)
    while receiver.phase == .checking { #expect(receiver.step(in: &driver) == nil) }
    #expect(receiver.phase == .received && receiver.nextPlace == 600 && board.restart()?.header.version.patch == 2)
  }

  @Test func aMemoryThatFailsLeavesTheOldImage() {
    let second = TestImage(2, for: .b)
    func offered(_ spoil: (FlashChip) -> Void) -> UpdateRefusal? {
      let board = UpdateBoard(first)
      board.start()
      spoil(board.chip)
      let refusal = board.offer(second).refusal
      board.chip.isFailing = false
      #expect(board.restart()?.header.version.patch == 1)
      return refusal
    }
    let slot = 4 * 1024
    #expect(offered { $0.isFailing = true } == .memory)
    // Erasing a block that has something in it, or is blank and says that it fails.
    #expect(offered { $0.worn = [4] } == .memory && offered { $0.worn = [5] } == .memory)
    #expect(offered { $0.stuckUnits = [slot / 4 + 3] } == .memory)
    #expect(offered { $0.stuckUnits = [(slot + 512 + 700) / 4] } == .memory)
    // All cells of the mark that it is whole.
    #expect(offered { $0.stuckUnits = Set((0..<4).map { (slot + 192 + 16 * $0) / 4 }) } == .memory)
  }

  /// A part whose erasures do nothing and say that they have.
  private struct LyingDriver: FlashMemory, ~Copyable {
    var driver: ChipDriver
    var geometry: FlashGeometry { driver.geometry }
    mutating func read(_ place: Int, _ count: Int, into bytes: inout FlashBuffer) -> Bool {
      driver.read(place, count, into: &bytes)
    }
    mutating func program(_ bytes: Span<UInt8>, at place: Int) -> Bool { driver.program(bytes, at: place) }
    mutating func erase(_ block: Int) -> Bool { true }
  }

  @Test func aBlockThatOnlySaysThatItIsErasedIsNotWrittenTo() {
    let board = UpdateBoard(first)
    board.start()
    board.offer(TestImage(2, for: .b))
    var driver = LyingDriver(driver: ChipDriver(chip: board.chip))
    var receiver = UpdateReceiver(board.target, running: .a)
    #expect(receiver.begin(TestImage(3, for: .b).header.span, in: &driver) == nil)
    var refusal: UpdateRefusal?
    while refusal == nil, receiver.phase != .receiving { refusal = receiver.step(in: &driver) }
    #expect(refusal == .memory && receiver.phase == .idle)
    #expect(board.chip.offences.isEmpty && board.restart()?.header.version.patch == 2)
  }

  /// What an erasure that was cut may leave of marks.
  @Test func aSpoiledMarkNeverStartsAnImage() {
    let slot = 4 * 1024 + 192
    for mark in [SlotMark.whole, .confirmed] {
      for count in 1..<4 {
        let board = UpdateBoard(first)
        board.put(TestImage(2, for: .b), into: .b)
        if mark == .confirmed { _ = board.write(.whole, to: .b) }
        var driver = ChipDriver(chip: board.chip)
        let part = [UInt8](repeating: mark.byte, count: 4 * count)
        _ = driver.programChecked(part.span, at: slot + 16 * mark.cells.lowerBound)
        board.start()
        #expect(board.version == (mark == .whole ? 1 : 2) && board.started?.isTrial == (mark == .confirmed))
      }
    }
  }

  @Test func aMarkWhoseCellFailsIsWrittenToTheNext() {
    let slot = 4 * 1024
    func cell(_ number: Int) -> Int { (slot + 192 + 16 * number) / 4 }
    let board = UpdateBoard(first)
    board.start()
    // Some of the first cells of each mark. One of an attempt that is spoiled counts as a start, too.
    board.chip.stuckUnits = Set([0, 1, 2, 4, 10, 11, 14, 15].map(cell))
    #expect(board.offer(TestImage(2, for: .b)).refusal == nil)
    for attempts in 2...3 {
      #expect(board.restart()?.header.version.patch == 2 && board.state(.b).attempts == attempts)
    }
    #expect(board.restart()?.header.version.patch == 1 && board.state(.b).isAbandoned)
    #expect(board.offer(TestImage(3, for: .b)).refusal == nil && board.restart()?.header.version.patch == 3)
    let isConfirmed = board.confirm()
    #expect(isConfirmed && board.restart()?.isTrial == false && board.version == 3)
    // Starts that can't be counted are not tried.
    let other = UpdateBoard(first)
    other.start()
    other.offer(TestImage(2, for: .b))
    other.chip.stuckUnits = Set((4..<10).map(cell))
    #expect(other.restart()?.header.version.patch == 1)
  }
}
