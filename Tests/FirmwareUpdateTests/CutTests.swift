import FirmwareUpdate
import FlashStorage
import FlashSupport
import TestSupport
import Testing

/// An owner's story: image 2 comes and is confirmed; image 3 comes, and is confirmed or fails in each of its starts.
private struct Story {
  let images: [TestImage]
  let thirdIsGood: Bool

  init(thirdIsGood: Bool) {
    images = [
      TestImage(1, for: .a, length: 300), TestImage(2, for: .b, length: 650, blank: 100..<420),
      TestImage(3, for: .a, length: 800),
    ]
    self.thirdIsGood = thirdIsGood
  }

  func board(_ slots: ImageSlots, seed: UInt64) -> UpdateBoard {
    let board = UpdateBoard(images[0], slots: slots, seed: seed)
    board.start()
    return board
  }

  /// True when the board is where the story ends.
  func isOver(_ board: UpdateBoard) -> Bool {
    thirdIsGood
      ? board.version == 3 && board.state(.a).isConfirmed
      : board.version == 2 && board.state(.a).isAbandoned && board.state(.b).isConfirmed
  }

  /// Goes on with the story until its end or until the power goes; notes which images have said that they are confirmed.
  func live(_ board: UpdateBoard, confirmed: inout UInt16) {
    for _ in 0..<12 {
      guard !board.chip.isOff, let started = board.started, !isOver(board) else { return }
      switch started.header.version.patch {
      case 1: if board.offer(images[1]).refusal == nil { board.restart() }
      case 2 where started.isTrial:
        if board.confirm() { confirmed = 2 }
        board.restart()
      case 2: if board.offer(images[2]).refusal == nil { board.restart() }
      default:
        if thirdIsGood, board.confirm() { confirmed = 3 }
        board.restart()
      }
    }
  }
}

@Suite struct CutTests {
  /// The power goes in each unit of each write and in each erasure of the story; a cut that leaves any of the bits.
  @Test(arguments: [(4, 4, 1), (16, 16, 1), (8, 64, 1), (1, 256, 7)], [true, false])
  func aCutAtAnyWriteLeavesAnImageThatRuns(part: (unit: Int, page: Int, stride: Int), thirdIsGood: Bool) {
    let story = Story(thirdIsGood: thirdIsGood)
    let slots = UpdateBoard.slots(unit: part.unit, page: part.page)
    let whole = story.board(slots, seed: 1)
    let before = whole.chip.stepCount
    var confirmed: UInt16 = 1
    story.live(whole, confirmed: &confirmed)
    #expect(story.isOver(whole) && whole.chip.offences.isEmpty)
    let steps = whole.chip.stepCount - before
    #expect(steps > 100)
    for cut in stride(from: 0, to: steps, by: part.stride) {
      let board = story.board(slots, seed: UInt64(cut + 2))
      board.chip.stepsLeft = cut
      var confirmed: UInt16 = 1
      story.live(board, confirmed: &confirmed)
      let ran = board.lastVersion
      #expect(board.chip.isOff)
      board.start()
      guard let version = board.version else {
        Issue.record("unit \(part.unit), step \(cut) of \(steps): nothing runs")
        return
      }
      // What ran, the next one, or that which a trial is rolled back to; never one before what was confirmed.
      if version < confirmed || version > ran + 1 {
        Issue.record("unit \(part.unit), step \(cut): \(version) runs after \(ran), \(confirmed) was confirmed")
      }
      story.live(board, confirmed: &confirmed)
      if !story.isOver(board) || !board.chip.offences.isEmpty {
        let states = "\(board.state(.a)) \(board.state(.b)) \(board.chip.offences.prefix(1))"
        Issue.record("unit \(part.unit), step \(cut): the story does not end: \(states)")
        return
      }
    }
  }

  /// Lives that are cut short follow each other.
  @Test func cutsWithoutEndLeaveAnImageThatRuns() {
    let story = Story(thirdIsGood: true)
    var random = SeededRandom(seed: 9)
    for round in 0..<40 {
      let board = story.board(UpdateBoard.slots(unit: round % 2 == 0 ? 4 : 8, page: 64), seed: UInt64(round))
      var confirmed: UInt16 = 1
      for life in 0..<30 {
        board.chip.stepsLeft = Int(random.next() % 400)
        // Also while it starts.
        board.restart()
        story.live(board, confirmed: &confirmed)
        board.start()
        guard let version = board.version, version >= confirmed else {
          Issue.record("round \(round), life \(life): \(board.version ?? 0) runs, \(confirmed) was confirmed")
          return
        }
      }
      story.live(board, confirmed: &confirmed)
      #expect(story.isOver(board) && board.chip.offences.isEmpty, "round \(round): \(board.chip.offences.prefix(2))")
    }
  }
}
