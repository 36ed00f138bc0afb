import BoardHealth
import CSodium
import FirmwareUpdate
import FlashStorage
import FlashSupport
import InlineStorage
import Quantities
import TestSupport
import Testing

@testable import LeashTool

/// Images of a test, signed by libsodium.
struct SignedImage {
  var file: FirmwareFile
  let key: Ed25519Key

  static let slots = ImageSlots(
    base: 0x0800_0000, geometry: FlashGeometry(blockSize: 1024, blockCount: 12, pageSize: 256, unit: 4), firstA: 1,
    firstB: 6, blockCount: 5)

  /// - Parameters:
  ///   - signer: A number that a key is made of; 1 is the board's.
  ///   - forged: True for a signature of nobody.
  init(
    _ patch: UInt16 = 2, for slot: ImageSlot = .b, length: Int = 3000, board: StaticString = "test", signer: UInt8 = 1,
    forged: Bool = false
  ) throws {
    _ = sodium_init()
    var open = [UInt8](repeating: 0, count: 32)
    var secret = [UInt8](repeating: 0, count: 64)
    crypto_sign_seed_keypair(&open, &secret, [UInt8](repeating: signer, count: 32))
    var random = SeededRandom(seed: UInt64(patch))
    let content = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    let name = (0..<board.utf8CodeUnitCount).map { board.utf8Start[$0] }
    let empty = FirmwareHeader(
      board: name.span, version: FirmwareVersion(1, 0, patch), place: SignedImage.slots.address(of: slot),
      length: UInt32(length))
    let read = Ed25519Key(open.span)
    var header = try #require(empty)
    key = try #require(read)
    var hash = SHA512()
    hash.update(content.span)
    header.set(digest: hash.finish(), key: key)
    var signature = [UInt8](repeating: 0, count: 64)
    let signed = (0..<FirmwareHeader.signedSize).map { header.bytes[$0] }
    crypto_sign_detached(&signature, nil, signed, UInt64(signed.count), secret)
    if forged { signature[0] ^= 1 }
    _ = header.set(signature: signature.span)
    file = FirmwareFile(header: header, content: content)
  }
}

/// A board with the firmware's reader of lines, its ring and its receiver of updates; its loop is as busy as a test says.
final class UpdatingBoard {
  let chip = FlashChip(SignedImage.slots.geometry)
  let target: ImageTarget
  private var console: UpdateConsole
  private var reader = ConsoleReader()
  private var ring: [UInt8] = []
  /// Bytes that found no room, and the most that waited.
  private(set) var lostCount = 0
  private(set) var mostWaiting = 0
  private(set) var garbageLines: UInt32 = 0
  /// Lines of an update that were heard.
  private(set) var lines: [String] = []
  private var said: [UInt8] = []
  /// Its own time goes on from one dialogue to the next.
  private var (now, heardNow): (UInt32, UInt32) = (0, 0)

  /// - Parameter isConfirmed: False while the image that runs, version 1.0.1, has yet to deliver a packet.
  init(isConfirmed: Bool = true) throws {
    let first = try SignedImage(1, for: .a)
    target = ImageTarget(board: "test", key: first.key, slots: SignedImage.slots)
    console = UpdateConsole(target, running: .a)
    var driver = ChipDriver(chip: chip)
    let bytes = first.file.slotBytes
    for place in stride(from: 0, to: bytes.count, by: 256) where !(192..<512).contains(place) {
      let piece = Array(bytes[place..<min(place + (place == 0 ? 192 : 256), bytes.count)])
      _ = driver.programChecked(piece.span, at: target.slots.start(of: .a) + place)
    }
    _ = target.slots.write(.whole, to: .a, in: &driver)
    if isConfirmed { _ = target.slots.write(.confirmed, to: .a, in: &driver) }
  }

  /// The power has gone and is there again.
  func restart() {
    console = UpdateConsole(target, running: .a)
    reader = ConsoleReader()
    ring = []
    said += Array("@start {\"cause\":\"power\"}\n".utf8)
  }

  var hasWhole: Bool {
    var driver = ChipDriver(chip: chip)
    return target.slots.state(of: .b, in: &driver).isWhole
  }

  /// An interrupt.
  func receive(_ byte: UInt8) {
    guard ring.count < 1024 else {
      lostCount += 1
      return
    }
    ring.append(byte)
    mostWaiting = max(mostWaiting, ring.count)
  }

  /// A turn of its loop; the bytes that it says.
  func turn(at dialogue: UInt32) -> [UInt8] {
    now += dialogue >= heardNow ? dialogue - heardNow : dialogue
    heardNow = dialogue
    let milliseconds = now
    for byte in ring { hear(byte, at: milliseconds) }
    ring = []
    var sink = InlineBytes<1024>()
    var driver = ChipDriver(chip: chip)
    _ = console.step(at: milliseconds, in: &driver, into: &sink)
    say(sink.span)
    defer { said = [] }
    return said
  }

  private func hear(_ byte: UInt8, at milliseconds: UInt32) {
    guard let line = reader.receive(byte) else { return }
    var sink = InlineBytes<1024>()
    var driver = ChipDriver(chip: chip)
    switch line {
    case .command(.update):
      lines.append(String(decoding: (0..<reader.line.count).map { reader.line[$0] }, as: UTF8.self))
      if !console.take(reader.line.span, at: milliseconds, in: &driver, into: &sink) {
        reader.countGarbage()
        reader.encodeGarbage(.argument, into: &sink)
      }
    case .garbage(let kind): reader.encodeGarbage(kind, into: &sink)
    case .command, .request: return
    }
    garbageLines = reader.garbageLines
    sink.append(0x0A)
    say(sink.span)
  }

  private func say(_ bytes: Span<UInt8>) { for place in bytes.indices { said.append(bytes[place]) } }
}

/// A line at 115,200 bit/s between a sender and a board, on virtual time: a byte in 87 µs each way.
struct SimulatedUpdateLine {
  var board: UpdatingBoard
  /// Milliseconds that a turn of the board's loop takes.
  var turn: (inout SeededRandom) -> Int64 = { random in Int64(random.next() % 20) }
  /// What becomes of a byte on its way to the board, and back.
  var there: (UInt8, inout SeededRandom) -> [UInt8] = { byte, _ in [byte] }
  var back: (UInt8, inout SeededRandom) -> [UInt8] = { byte, _ in [byte] }
  /// What becomes of a line of the board.
  var line: (String, inout SeededRandom) -> [String] = { line, _ in [line] }
  /// Called each millisecond, before anything else.
  var event: (Int64, UpdatingBoard) -> Void = { _, _ in }
  var timeout = Interval.seconds(3)

  /// The board hears so many bytes, and none after them.
  mutating func pullCable(after bytes: Int) {
    var count = 0
    there = { byte, _ in
      count += 1
      return count > bytes ? [] : [byte]
    }
  }

  /// Lets them talk until the sender is done, or for an hour.
  func run(_ image: FirmwareFile, seed: UInt64 = 1) -> (
    outcome: UpdateOutcome?, sender: UpdateSender, milliseconds: Int64
  ) {
    var random = SeededRandom(seed: seed)
    var sender = UpdateSender(image, timeout: timeout, at: .zero)
    var (outgoing, incoming, text): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    var (sentPlace, heardPlace) = (0, 0)
    var nextTurn: Int64 = 0
    var cut = BoardLines()
    for time in 0..<Int64(3_600_000) {
      event(time, board)
      let now = Instant(microseconds: time * 1000)
      sending: while true {
        switch sender.next(at: now) {
        case .send(let line): outgoing += Array((line + "\n").utf8)
        case .wait: break sending
        case .finish(let outcome): return (outcome, sender, time)
        }
      }
      // 11.52 bytes in a millisecond.
      let count = Int(time % 25 < 13 ? 12 : 11)
      for _ in 0..<count where sentPlace < outgoing.count {
        for byte in there(outgoing[sentPlace], &random) { board.receive(byte) }
        sentPlace += 1
      }
      if time >= nextTurn {
        incoming += board.turn(at: UInt32(truncatingIfNeeded: time))
        nextTurn = time + 1 + turn(&random)
      }
      text = []
      for _ in 0..<count where heardPlace < incoming.count {
        text += back(incoming[heardPlace], &random)
        heardPlace += 1
      }
      for whole in cut.take(text) {
        for line in line(whole, &random) { sender.hear(line, at: now) }
      }
    }
    return (nil, sender, 3_600_000)
  }
}
