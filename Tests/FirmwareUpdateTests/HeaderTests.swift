import FirmwareUpdate
import FlashStorage
import FlashSupport
import InlineStorage
import Testing

private func header(_ bytes: [UInt8]) throws(UpdateRefusal) -> FirmwareHeader { try FirmwareHeader(bytes.span) }

/// Why a board with image 5 in slot A does not take a header into slot B.
private func refusal(_ bytes: [UInt8]) -> UpdateRefusal? {
  let board = UpdateBoard(FlashChip(UpdateBoard.slots().geometry))
  do throws(UpdateRefusal) {
    return board.target.refusal(of: try header(bytes), in: .b, newerThan: FirmwareVersion(1, 0, 5))
  } catch { return error }
}

private func image(
  board: String = "test", version: FirmwareVersion = FirmwareVersion(1, 0, 6), place: UInt32? = nil, length: Int = 40,
  signer: Signer = Signer(1)
) -> [UInt8] {
  TestImage.header(
    board: Array(board.utf8), version: version, place: place ?? UpdateBoard.slots().address(of: .b),
    content: [UInt8](repeating: 7, count: 40), length: length, signer: signer)
}

@Suite struct HeaderTests {
  @Test func aHeaderTellsWhatItWasMadeOf() throws {
    let made = try header(image(version: FirmwareVersion(3, 21, 60_000), length: 2560))
    #expect(made.version == FirmwareVersion(3, 21, 60_000) && made.length == 2560)
    #expect(made.version.major == 3 && made.version.minor == 21 && made.version.patch == 60_000)
    #expect(made.place == 0x0800_0000 + 4 * 1024 + 512)
    #expect(made.isFor("test") && !made.isFor("tes") && !made.isFor("test2") && !made.isFor("a name that is too long"))
    #expect(made.names(Signer(1).key) && !made.names(Signer(2).key) && made.isSigned(by: Signer(1).key))
    #expect(made.hasDigest(ourDigest([UInt8](repeating: 7, count: 40))) && !made.hasDigest(ourDigest([7])))
    #expect(try header(image(board: "sixteen letters!")).isFor("sixteen letters!"))
    #expect(image(board: "seventeen letters").isEmpty && image(board: "").isEmpty && image(board: "a\u{0}b").isEmpty)
  }

  @Test func eachRefusalHasItsReason() {
    #expect(refusal(image()) == nil)
    #expect(refusal(image(board: "other")) == .board)
    #expect(refusal(image(place: UpdateBoard.slots().address(of: .a))) == .place)
    #expect(refusal(image(length: 0)) == .length && refusal(image(length: 2561)) == .length)
    #expect(refusal(image(length: 2560)) == nil)
    #expect(refusal(image(version: FirmwareVersion(1, 0, 5))) == .version)
    #expect(refusal(image(version: FirmwareVersion(0, 255, 65_535))) == .version)
    #expect(refusal(image(version: FirmwareVersion(1, 1, 0))) == nil)
    #expect(refusal(image(version: FirmwareVersion(2, 0, 0))) == nil)
    #expect(refusal(image(signer: Signer(2))) == .key)
    #expect(refusal([]) == .header && refusal([UInt8](repeating: 0xFF, count: 192)) == .header)
    #expect(refusal(Array(image().dropLast())) == .header && refusal(image() + [0]) == .header)
    // A key that only begins as the board's, and a signature of something else.
    var forged = image()
    for place in 128..<192 { forged[place] = image(version: FirmwareVersion(1, 0, 7))[place] }
    #expect(refusal(forged) == .signature)
    // The name of each reason is a word of its own.
    #expect(Set(UpdateRefusal.allCases.map { "\($0.name)" }).count == UpdateRefusal.allCases.count)
    for reason in UpdateRefusal.allCases { #expect("\(reason.name)" == "\(reason)") }
  }

  /// Damage is seen by the checksum; who makes a new checksum is seen by the signature.
  @Test func eachChangedBitIsRefused() {
    let whole = image()
    for bit in 0..<whole.count * 8 {
      var changed = whole
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      let expected: UpdateRefusal = bit / 8 < 128 ? .header : .signature
      #expect(refusal(changed) == expected, "bit \(bit)")
      guard bit / 8 < 124 else { continue }
      let sum = CRC32.extend(0, changed.span.extracting(0..<124))
      for place in 0..<4 { changed[124 + place] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * place)) }
      let reason = refusal(changed)
      #expect(reason != nil, "bit \(bit)")
      if (32..<96).contains(bit / 8) { #expect(reason == .signature) }
      if (104..<124).contains(bit / 8) || bit / 8 < 4 { #expect(reason == .header) }
    }
  }

  @Test func slotsThatCanHoldNoImageAreNotUsable() {
    #expect(UpdateBoard.slots().isUsable)
    #expect(UpdateBoard.slots(unit: 16).isUsable && UpdateBoard.slots(unit: 1).isUsable)
    var slots = UpdateBoard.slots()
    slots.firstB = 3
    #expect(!slots.isUsable)
    slots.firstB = 6
    #expect(!slots.isUsable)
    slots = UpdateBoard.slots()
    slots.firstA = -1
    #expect(!slots.isUsable)
    slots = UpdateBoard.slots(base: 0x100)
    #expect(!slots.isUsable)
    slots = UpdateBoard.slots()
    slots.blockCount = 0
    #expect(!slots.isUsable)
    (slots.firstA, slots.firstB, slots.blockCount) = (4, 1, 3)
    #expect(slots.isUsable && slots.address(of: .a) == 0x0800_0000 + 4096 + 512 && slots.longestImage == 2560)
  }
}
