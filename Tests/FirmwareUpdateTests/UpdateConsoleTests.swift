import ASCIIText
import FirmwareUpdate
import FlashStorage
import FlashSupport
import Foundation
import InlineStorage
import TestSupport
import Testing

/// A board that hears lines.
private final class Listener {
  let board: UpdateBoard
  var console: UpdateConsole
  var now: UInt32 = 0

  init(_ board: UpdateBoard) {
    self.board = board
    console = UpdateConsole(board.target, running: .a)
  }

  /// What it answers; nil where the words make no sense.
  func hear(_ line: String) -> String? {
    var sink = InlineBytes<1024>()
    var driver = ChipDriver(chip: board.chip)
    let bytes = Array(line.utf8)
    guard console.take(bytes.span, at: now, in: &driver, into: &sink) else {
      #expect(sink.isEmpty)
      return nil
    }
    return text(sink)
  }

  /// Does a step; what it tells.
  func step() -> (isBusy: Bool, told: String) {
    var sink = InlineBytes<1024>()
    var driver = ChipDriver(chip: board.chip)
    let isBusy = console.step(at: now, in: &driver, into: &sink)
    return (isBusy, text(sink))
  }

  /// Does all there is to do; what it tells.
  func work() -> String {
    var all = ""
    while true {
      let (isBusy, told) = step()
      all += told
      if !isBusy { return all }
    }
  }

  private func text(_ sink: InlineBytes<1024>) -> String {
    #expect(!sink.isTruncated)
    return String(decoding: (0..<sink.count).map { sink[$0] }, as: UTF8.self)
  }
}

private func digits(_ sum: UInt32) -> String { String(format: "%08X", sum) }

private func header(_ image: TestImage) -> String {
  "@update header \(Data(image.header).base64EncodedString()) \(digits(CRC32.extend(0, image.header.span)))"
}

private func piece(_ image: TestImage, _ range: Range<Int>, named place: Int? = nil) -> String {
  let bytes = Array(image.content[range])
  let sum = UpdateConsole.checksum(
    of: bytes.span, at: UInt32(range.lowerBound), behind: CRC32.extend(0, image.header.span))
  return "@update \(place ?? range.lowerBound) \(Data(bytes).base64EncodedString()) \(digits(sum))"
}

/// Lines in each of which one character behind the first word is another, or missing.
private func damagedLines(_ line: String) -> [String] {
  let bytes = Array(line.utf8)
  var result: [String] = []
  for place in 8..<bytes.count {
    var cut = bytes
    cut.remove(at: place)
    result.append(String(decoding: cut, as: UTF8.self))
    guard bytes[place] != 0x20 else { continue }
    let others: [UInt8] = [bytes[place] ^ 1, 0x41, 0x3D, 0x20]
    for other in others {
      guard other != bytes[place] else { continue }
      var changed = bytes
      changed[place] = other
      result.append(String(decoding: changed, as: UTF8.self))
    }
  }
  return result
}

@Suite struct UpdateConsoleTests {
  private func listener() -> Listener {
    let board = UpdateBoard(TestImage(1, for: .a))
    board.start()
    return Listener(board)
  }

  @Test func anImageComesInLinesAndEachIsAnsweredByWhereItIs() {
    let listener = listener()
    let image = TestImage(2, for: .b, length: 600)
    #expect(
      listener.hear("@update")
        == "@update {\"board\":\"test\",\"key\":\"8A88E3DD7409F195\",\"running\":\"a\",\"version\":\"1.0.1\",\"confirmed\":true,"
        + "\"slot\":\"b\",\"place\":134222336,\"room\":2560,\"phase\":\"idle\",\"next\":0,\"length\":0,\"offered\":null,\"refused\":null,"
        + "\"pieces\":0,\"repeated\":0,\"refusals\":0,\"brokenOff\":0,\"longestStep\":0}")
    #expect(listener.hear(header(image)) == "@update {\"phase\":\"verifying\"}" && !listener.console.isReceived)
    #expect(
      listener.hear(piece(image, 0..<256)) == "@update {\"refused\":\"order\",\"phase\":\"verifying\",\"next\":0}")
    #expect(listener.work() == "@update {\"next\":0}\n")
    #expect(listener.hear(piece(image, 0..<256)) == "@update {\"next\":256}")
    #expect(listener.hear(piece(image, 256..<500)) == "@update {\"next\":500}")
    #expect(listener.hear("@update next") == "@update {\"next\":500}" && listener.hear("@update next 1") == nil)
    #expect(
      listener.hear(piece(image, 500..<600)) == "@update {\"phase\":\"checking\"}" && !listener.board.state(.b).isWhole)
    #expect(listener.hear(piece(image, 500..<600)) == "@update {\"phase\":\"checking\"}")
    #expect(listener.work() == "@update {\"received\":\"b\",\"version\":\"1.0.2\"}\n")
    #expect(listener.console.isReceived && listener.board.state(.b).isWhole)
    listener.console.longestStep = 45_000
    #expect(
      listener.hear("@update")?.hasSuffix(
        "\"phase\":\"received\",\"next\":600,\"length\":600,\"offered\":\"1.0.2\",\"refused\":\"order\","
          + "\"pieces\":3,\"repeated\":1,\"refusals\":1,\"brokenOff\":0,\"longestStep\":45000}") == true)
    #expect(listener.hear(header(image)) == "@update {\"received\":\"b\",\"version\":\"1.0.2\"}")
    #expect(listener.board.restart()?.header.version.patch == 2 && listener.board.chip.offences.isEmpty)
  }

  /// A signature, an erased block and a piece that is read again each take several steps, none of which does all.
  @Test func noStepDoesMoreThanALittle() {
    let listener = listener()
    let image = TestImage(2, for: .b, length: 2500)
    _ = listener.hear(header(image))
    var steps = 0
    while listener.step().isBusy { steps += 1 }
    // 253 bits in pieces of 16 and their end; three blocks.
    #expect(steps >= 17 + 3)
    // After a cut what is there is looked for block by block.
    _ = listener.hear(piece(image, 0..<256))
    let second = Listener(listener.board)
    _ = second.hear(header(image))
    var others = 0
    while second.step().isBusy { others += 1 }
    #expect(others >= 17 + 2 + 3)
  }

  @Test func whatMakesNoSenseIsGarbageAndChangesNothing() {
    let listener = listener()
    let image = TestImage(2, for: .b, length: 600)
    _ = listener.hear(header(image))
    _ = listener.work()
    let before = listener.board.chip.bytes
    let good = piece(image, 0..<256)
    let words = good.split(separator: " ").map(String.init)
    let offer = header(image)
    let lines = [
      "@update 0", "@update 0 \(words[2])", good + " more", "@update header", "@update x \(words[2]) \(words[3])",
      "@update -1 \(words[2]) \(words[3])", "@update 4294967296 \(words[2]) \(words[3])",
      "@update 0 \(words[2]) \(words[3])0", "@update 0 \(words[2]) 0\(words[3].dropFirst(2))",
      "@update 0 \(words[2]) G\(words[3].dropFirst())", "@update 0 = 00000000",
      // Bytes of no image, a piece at another place than its own, one of another image.
      "@update 0 \(words[2]) 00000000", piece(image, 0..<256, named: 256),
      piece(TestImage(3, for: .b, length: 600), 0..<256),
      // Longer than a piece may be, and a header that is none.
      piece(image, 0..<257),
      offer.replacingOccurrences(of: " header ", with: " 0 "),
      "@update header \(words[2]) \(digits(CRC32.extend(0, Array(image.content[0..<256]).span)))",
    ]
    for line in lines { #expect(listener.hear(line) == nil, "\(line)") }
    // Every digit of a piece and of a header, changed to others that may stand there, and left out, is noticed.
    #expect(damagedLines(good).allSatisfy { listener.hear($0) == nil })
    #expect(damagedLines(offer).allSatisfy { listener.hear($0) == nil })
    #expect(listener.board.chip.bytes == before && listener.hear(good) == "@update {\"next\":256}")
    // Small digits are as good.
    #expect(listener.hear("@update 0 \(words[2]) \(words[3].lowercased())") == "@update {\"next\":256}")
  }

  @Test func piecesOutOfOrderAreRefusedAndRepeatedOnesCounted() {
    let listener = listener()
    let image = TestImage(2, for: .b, length: 1300)
    #expect(listener.hear(header(image)) != nil)
    _ = listener.work()
    #expect(
      listener.hear(piece(image, 256..<512)) == "@update {\"refused\":\"order\",\"phase\":\"receiving\",\"next\":0}")
    #expect(listener.hear(piece(image, 0..<256)) == "@update {\"next\":256}")
    #expect(listener.hear(piece(image, 0..<256)) == "@update {\"next\":256}")
    #expect(
      listener.hear(piece(image, 100..<300)) == "@update {\"refused\":\"order\",\"phase\":\"receiving\",\"next\":256}")
    var tooLong = image
    tooLong.content += [1, 2, 3]
    var place = 256
    while place < 1280 {
      _ = listener.hear(piece(image, place..<place + 256))
      place += 256
    }
    #expect(
      listener.hear(piece(tooLong, 1280..<1303))
        == "@update {\"refused\":\"length\",\"phase\":\"receiving\",\"next\":1280}")
    #expect(listener.hear(piece(image, 1280..<1300)) == "@update {\"phase\":\"checking\"}")
    #expect(
      listener.hear("@update")?.contains("\"refused\":\"length\",\"pieces\":6,\"repeated\":1,\"refusals\":3,") == true)
  }

  @Test func aTransferThatIsBrokenOffIsToldOnceAndMakesRoomForAnother() {
    let listener = listener()
    let image = TestImage(2, for: .b, length: 1300)
    let other = TestImage(3, for: .b, length: 600)
    listener.now = UInt32.max - 9999
    _ = listener.hear(header(image))
    _ = listener.work()
    _ = listener.hear(piece(image, 0..<256))
    // The time wraps meanwhile.
    listener.now &+= UpdateConsole.patience - 1
    #expect(listener.step() == (false, ""))
    #expect(listener.hear(header(other)) == "@update {\"refused\":\"order\",\"phase\":\"receiving\",\"next\":256}")
    listener.now &+= 1
    #expect(listener.step() == (false, "@update {\"brokenOff\":1,\"next\":256}\n"))
    #expect(listener.step() == (false, ""))
    // It may go on all the same.
    #expect(listener.hear(piece(image, 256..<512)) == "@update {\"next\":512}")
    listener.now &+= UpdateConsole.patience
    #expect(listener.step().told == "@update {\"brokenOff\":2,\"next\":512}\n")
    #expect(
      listener.hear(header(other)) == "@update {\"phase\":\"verifying\"}" && listener.work() == "@update {\"next\":0}\n"
    )
    #expect(listener.hear(piece(image, 512..<768)) == nil)
    #expect(listener.board.restart()?.header.version.patch == 1)
  }

  @Test func whatIsRefusedIsToldWhenItIsKnown() {
    let listener = listener()
    #expect(
      listener.hear(header(TestImage(2, for: .b, signer: Signer(2))))
        == "@update {\"refused\":\"key\",\"phase\":\"idle\",\"next\":0}")
    var forged = TestImage(2, for: .b)
    forged.header[150] ^= 1
    let before = listener.board.chip.stepCount
    #expect(listener.hear(header(forged)) == "@update {\"phase\":\"verifying\"}")
    #expect(listener.work() == "@update {\"refused\":\"signature\",\"phase\":\"idle\",\"next\":0}\n")
    #expect(listener.board.chip.stepCount == before && !listener.console.isReceived)
    var wrong = TestImage(2, for: .b, length: 200)
    wrong.content[9] ^= 1
    _ = listener.hear(header(wrong))
    _ = listener.work()
    #expect(listener.hear(piece(wrong, 0..<200)) == "@update {\"phase\":\"checking\"}")
    #expect(listener.work() == "@update {\"refused\":\"content\",\"phase\":\"idle\",\"next\":200}\n")
    #expect(
      listener.hear("@update")?.contains(
        "\"phase\":\"idle\",\"next\":200,\"length\":0,\"offered\":null,\"refused\":\"content\"") == true)
  }
}
