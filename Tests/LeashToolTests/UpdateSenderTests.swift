import FirmwareUpdate
import Foundation
import InlineStorage
import Quantities
import TestSupport
import Testing

@testable import LeashTool

private func isDamaged(_ random: inout SeededRandom, oneOf count: UInt64) -> Bool { random.next() % count == 0 }

/// A byte that may be changed, lost or doubled.
private func noise(oneOf count: UInt64) -> (UInt8, inout SeededRandom) -> [UInt8] {
  { byte, random in
    guard isDamaged(&random, oneOf: count) else { return [byte] }
    switch random.next() % 3 {
    case 0: return []
    case 1: return [byte, byte]
    default: return [byte ^ 1 << UInt8(random.next() % 8)]
    }
  }
}

@Suite struct UpdateSenderTests {
  @Test func anImageGoesOverAtNearlyTheRateOfTheLine() throws {
    let image = try SignedImage(length: 4500)
    let line = SimulatedUpdateLine(board: try UpdatingBoard(), turn: { _ in 0 })
    let run = line.run(image.file)
    #expect(run.outcome == .received(slot: "b", restarts: false) && line.board.hasWhole)
    #expect(run.sender.sentCount == 4500 && run.sender.repeatedCount == 0 && line.board.garbageLines == 0)
    // 369 bytes of a line for 256 of the image, an answer of 16, and a wait of 3 s for the restart.
    let least = Int64(4500.0 / 256 * (369 + 16) / 11.52)
    #expect(run.milliseconds - 3000 >= least && run.milliseconds - 3000 < least + 400, "\(run.milliseconds) \(least)")
  }

  @Test(arguments: [20, 80, 300, 2000])
  func howeverBusyTheBoardIsItsRingNeverOverflows(turn: UInt64) throws {
    let image = try SignedImage()
    for seed in 1...10 as ClosedRange<UInt64> {
      let line = SimulatedUpdateLine(
        board: try UpdatingBoard(), turn: { Int64($0.next() % turn) }, timeout: .seconds(1))
      let run = line.run(image.file, seed: seed)
      #expect(run.outcome == .received(slot: "b", restarts: false) && line.board.hasWhole)
      // A piece, and questions behind it.
      #expect(line.board.lostCount == 0 && line.board.mostWaiting <= 369 + 4 * 14, "\(line.board.mostWaiting)")
      #expect(turn > 300 || run.sender.repeatedCount == 0)
    }
  }

  @Test(arguments: [300, 1000, 5000])
  func lostAndDamagedBytesEitherWayDelayAnImageAndDoNotSpoilIt(oneOf count: UInt64) throws {
    let image = try SignedImage()
    var (repeated, garbage) = (0, 0)
    for seed in 1...30 as ClosedRange<UInt64> {
      var line = SimulatedUpdateLine(board: try UpdatingBoard())
      line.there = noise(oneOf: count)
      line.back = noise(oneOf: count)
      let run = line.run(image.file, seed: seed)
      guard case .received(slot: "b", _)? = run.outcome else {
        Issue.record("seed \(seed): \(run.outcome.map { "\($0)" } ?? "no end") at \(run.sender.place)")
        continue
      }
      #expect(line.board.hasWhole && line.board.chip.offences.isEmpty && line.board.lostCount == 0)
      repeated += run.sender.repeatedCount
      garbage += Int(line.board.garbageLines)
    }
    #expect(repeated > 0 && garbage > 0)
  }

  @Test func eachAnswerMayBeLostOrComeTwiceOrLate() throws {
    let image = try SignedImage(length: 1100)
    let plain = SimulatedUpdateLine(board: try UpdatingBoard())
    var answers = 0
    var counted = plain
    counted.line = { line, _ in
      answers += 1
      return [line]
    }
    #expect(counted.run(image.file).outcome == .received(slot: "b", restarts: false))
    #expect(answers > 6)
    for lost in 0..<answers {
      var line = SimulatedUpdateLine(board: try UpdatingBoard())
      var number = 0
      line.line = { text, _ in
        number += 1
        return number - 1 == lost ? [] : [text]
      }
      let run = line.run(image.file)
      #expect(run.outcome == .received(slot: "b", restarts: false) && line.board.hasWhole, "answer \(lost)")
      #expect(run.sender.sentCount <= 1100 + 256)
    }
    // What comes twice sends nothing twice, else each piece would be sent twice from then on.
    var doubled = SimulatedUpdateLine(board: try UpdatingBoard())
    doubled.line = { line, _ in [line, line] }
    let run = doubled.run(image.file)
    #expect(run.outcome == .received(slot: "b", restarts: false) && run.sender.sentCount == 1100)
    var late = SimulatedUpdateLine(board: try UpdatingBoard())
    var held: [String] = []
    late.line = { line, _ in
      held.append(line)
      return held.count > 1 ? [held.removeFirst()] : []
    }
    let slow = late.run(image.file)
    #expect(slow.outcome == .received(slot: "b", restarts: false) && late.board.hasWhole, "\(slow)")
  }

  @Test func howTheBytesOfABoardAreCutChangesNothing() {
    let bytes = Array("@update {\"next\":256}\r\n\n{\"event\":1}\n@update {\"received\":\"b\"}\n".utf8)
    var whole = BoardLines()
    let expected = whole.take(bytes)
    #expect(expected.count == 3)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var lines = BoardLines()
        let found =
          lines.take(Array(bytes[..<first])) + lines.take(Array(bytes[first..<second]))
          + lines.take(Array(bytes[second...]))
        #expect(found == expected)
      }
    }
  }

  @Test func aBoardWhosePowerGoesIsGoneOnWithWhereItIs() throws {
    let image = try SignedImage(length: 4500)
    let whole = SimulatedUpdateLine(board: try UpdatingBoard()).run(image.file).milliseconds
    var sent: [Int] = []
    for moment in stride(from: Int64(5), to: whole - 3000, by: 23) {
      var line = SimulatedUpdateLine(board: try UpdatingBoard())
      line.event = { time, board in if time == moment { board.restart() } }
      let run = line.run(image.file)
      #expect(run.outcome.map { "\($0)".hasPrefix("received") } == true && line.board.hasWhole, "\(moment) ms: \(run)")
      sent.append(run.sender.sentCount)
    }
    // A block is erased again, and no more.
    #expect((sent.max() ?? 0) <= 4500 + 1024 + 256 && (sent.max() ?? 0) > 4500)
  }

  @Test func whoeverBeginsAnewGoesOnWhereTheBoardIs() throws {
    let image = try SignedImage(length: 4500)
    let board = try UpdatingBoard()
    var line = SimulatedUpdateLine(board: board)
    line.pullCable(after: 3000)
    let first = line.run(image.file)
    #expect(first.outcome == .silent && first.sender.place > 1000)
    let second = SimulatedUpdateLine(board: board).run(image.file)
    #expect(second.outcome == .received(slot: "b", restarts: false) && board.hasWhole)
    #expect(second.sender.sentCount <= 4500 - first.sender.place)
    // And where all of it is there, nothing is sent.
    let third = SimulatedUpdateLine(board: board).run(image.file)
    #expect(third.outcome == .received(slot: "b", restarts: false) && third.sender.sentCount == 0)
  }

  @Test func aSilentBoardAndOneWithoutSlotsAreTold() throws {
    let image = try SignedImage()
    var sender = UpdateSender(image.file, timeout: .seconds(3), at: .zero)
    var (now, asked) = (Instant.zero, 0)
    while true {
      switch sender.next(at: now) {
      case .send(let line):
        #expect(line == "\n@update")
        asked += 1
        continue
      case .wait(let moment):
        now = moment
        continue
      case .finish(let outcome): #expect(outcome == .silent)
      }
      break
    }
    #expect(asked == 4 && now == Instant(microseconds: 12_000_000))
    var other = UpdateSender(image.file, timeout: .seconds(3), at: .zero)
    other.hear("@update null", at: .zero)
    #expect(other.next(at: .zero) == .finish(.noSlots))
  }

  @Test func aBoardThatOnlyEverUnderstandsGarbageIsGivenUp() throws {
    var sender = UpdateSender(try SignedImage().file, timeout: .seconds(3), at: .zero)
    var lines = 0
    while case .send = sender.next(at: .zero) {
      lines += 1
      sender.hear("@garbage {\"reason\":\"argument\",\"lines\":\(lines),\"bytes\":9}", at: .zero)
    }
    #expect(sender.next(at: .zero) == .finish(.stuck) && lines == UpdateSender.mostIdle + 1)
    // One that works without an end, too.
    var waiting = UpdateSender(try SignedImage().file, timeout: .seconds(3), at: .zero)
    waiting.hear("@update {\"phase\":\"clearing\"}", at: .zero)
    var now = Instant.zero
    var count = 0
    while true {
      switch waiting.next(at: now) {
      case .send: waiting.hear("@update {\"phase\":\"clearing\"}", at: now)
      case .wait(let moment): now = moment
      case .finish(let outcome):
        #expect(outcome == .stuck)
        return
      }
      count += 1
      #expect(count < 10_000)
    }
  }

  @Test func eachRefusalSaysWhatWouldBeRight() throws {
    func words(_ image: SignedImage, _ board: UpdatingBoard? = nil, damaged: Int? = nil) throws -> String {
      var file = image.file
      if let damaged { file.content[damaged] ^= 1 }
      let run = SimulatedUpdateLine(board: try board ?? UpdatingBoard()).run(file)
      guard case .refused(let refusal)? = run.outcome else { return "\(run)" }
      return UpdateWords.words(refusal, file, run.sender.state)
    }
    #expect(try words(SignedImage(board: "other")) == "board: it is for the board 'other'; expected one for 'test'")
    #expect(
      try words(SignedImage(for: .a))
        == "place: it was linked for 0x08000600; expected the one for slot b at 0x08001A00")
    #expect(
      try words(SignedImage(length: 4609))
        == "length: its header tells 4609 bytes, and the file has 4609; expected both the same, from 1 to 4608")
    #expect(try words(SignedImage(1)) == "version: it is version 1.0.1 and 1.0.1 runs; expected a newer one")
    #expect(
      try words(SignedImage(signer: 2)).hasPrefix("key: it names the key 8139770EA87D175F…; expected 8A88E3DD7409F195…")
    )
    #expect(
      try words(SignedImage(forged: true))
        == "signature: it was not signed with the key that it names, or its header was changed; expected it signed anew"
    )
    #expect(
      try words(SignedImage(), damaged: 700)
        == "content: its bytes are not those that were signed; expected a whole file, which leash firmware show tells")
    #expect(
      try words(SignedImage(), UpdatingBoard(isConfirmed: false))
        == "trial: version 1.0.1, which runs, is not confirmed yet; expected a packet of it delivered before")
    let broken = try UpdatingBoard()
    broken.chip.isFailing = true
    #expect(
      try words(SignedImage(), broken)
        == "memory: its flash memory fails; expected a memory that takes what is written, and the old image runs on")
    // A file that was cut is not sent.
    var short = try SignedImage()
    short.file.content.removeLast()
    #expect(
      try words(short)
        == "length: its header tells 3000 bytes, and the file has 2999; expected both the same, from 1 to 4608")
    let file = try SignedImage().file
    #expect(
      UpdateWords.words(.header, file, nil)
        == "header: its header is damaged; expected a file as leash firmware sign writes it")
    #expect(
      UpdateWords.words(.order, file, nil)
        == "order: another image is on its way to it; expected its end, or 30 s without a piece of it")
  }

  @Test func aSecondSenderEndsInTheSameImageOrIsRefused() throws {
    let image = try SignedImage(length: 4500)
    let board = try UpdatingBoard()
    // Half of it has come.
    var line = SimulatedUpdateLine(board: board)
    line.pullCable(after: 3000)
    line.timeout = .milliseconds(500)
    #expect(line.run(image.file).outcome == .silent)
    // Another image is not taken while that one may go on; its own is.
    let other = try SignedImage(9, length: 2000)
    #expect(SimulatedUpdateLine(board: board).run(other.file).outcome == .refused(.order))
    #expect(SimulatedUpdateLine(board: board).run(image.file).outcome == .received(slot: "b", restarts: false))
    // A whole one gives way to a newer one, which was offered after it.
    #expect(SimulatedUpdateLine(board: board).run(other.file).outcome == .received(slot: "b", restarts: false))
  }
}
