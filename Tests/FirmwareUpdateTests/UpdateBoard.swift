import FirmwareUpdate
import FlashStorage
import FlashSupport
import InlineStorage
import TestSupport

/// An image as a file has it, header and bytes.
struct TestImage {
  var header: [UInt8]
  var content: [UInt8]
  var version: FirmwareVersion

  /// - Parameters:
  ///   - seed: What its bytes are drawn from.
  ///   - blank: A stretch of it that has the bits of erased memory.
  init(
    _ patch: UInt16, for slot: ImageSlot, length: Int = 1300, board: StaticString = "test", signer: Signer = Signer(1),
    slots: ImageSlots = UpdateBoard.slots(), place: UInt32? = nil, seed: UInt64? = nil, blank: Range<Int> = 0..<0
  ) {
    var random = SeededRandom(seed: seed ?? UInt64(patch))
    content = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    for index in blank { content[index] = 0xFF }
    version = FirmwareVersion(1, 0, patch)
    header = TestImage.header(
      board: (0..<board.utf8CodeUnitCount).map { board.utf8Start[$0] }, version: version,
      place: place ?? slots.address(of: slot), content: content, length: length, signer: signer)
  }

  static func header(
    board: [UInt8], version: FirmwareVersion, place: UInt32, content: [UInt8], length: Int, signer: Signer
  ) -> [UInt8] {
    guard
      var header = FirmwareHeader(
        board: board.span, version: version, place: place, length: UInt32(length))
    else { return [] }
    header.set(digest: ourDigest(content), key: signer.key)
    let signed = (0..<FirmwareHeader.signedSize).map { header.bytes[$0] }
    let signature = signer.sign(signed)
    guard header.set(signature: signature.span) else { return [] }
    return (0..<FirmwareHeader.size).map { header.bytes[$0] }
  }
}

/// A board with two slots, whose power may go at any moment.
final class UpdateBoard {
  let chip: FlashChip
  let target: ImageTarget
  /// What the running image is; nil when none could be started.
  private(set) var started: StartedImage?
  /// The one that ran last.
  private(set) var lastVersion: UInt16 = 0

  /// Slots of three kibibytes.
  static func slots(unit: Int = 4, page: Int = 256, base: UInt32 = 0x0800_0000) -> ImageSlots {
    ImageSlots(
      base: base, geometry: FlashGeometry(blockSize: 1024, blockCount: 8, pageSize: page, unit: unit), firstA: 1,
      firstB: 4, blockCount: 3)
  }

  init(_ chip: FlashChip, _ slots: ImageSlots = UpdateBoard.slots(), signer: Signer = Signer(1)) {
    self.chip = chip
    target = ImageTarget(board: "test", key: signer.key, slots: slots)
  }

  /// With an image in slot A that has delivered, as it leaves the factory.
  convenience init(_ image: TestImage, slots: ImageSlots = UpdateBoard.slots(), seed: UInt64 = 1) {
    self.init(FlashChip(slots.geometry, seed: seed), slots)
    put(image, into: .a)
    _ = write(.whole, to: .a)
    _ = write(.confirmed, to: .a)
  }

  func put(_ image: TestImage, into slot: ImageSlot) {
    var driver = ChipDriver(chip: chip)
    _ = driver.programChecked(image.header.span, at: target.slots.start(of: slot))
    _ = driver.programChecked(image.content.span, at: target.slots.start(of: slot) + ImageSlots.imageStart)
  }

  func write(_ mark: SlotMark, to slot: ImageSlot) -> Bool {
    var driver = ChipDriver(chip: chip)
    return target.slots.write(mark, to: slot, in: &driver)
  }

  func state(_ slot: ImageSlot) -> SlotState {
    var driver = ChipDriver(chip: chip)
    return target.slots.state(of: slot, in: &driver)
  }

  /// Gets power, and starts what it chooses.
  @discardableResult func start() -> StartedImage? {
    chip.powerOn()
    return restart()
  }

  /// Starts what it chooses, unless the power goes.
  @discardableResult func restart() -> StartedImage? {
    var driver = ChipDriver(chip: chip)
    started = target.start(in: &driver) {}
    if let version { lastVersion = version }
    return started
  }

  var version: UInt16? { started.map { $0.header.version.patch } }

  /// A packet has got through.
  @discardableResult func confirm() -> Bool {
    guard let started, started.isTrial else { return true }
    return write(.confirmed, to: started.slot)
  }

  /// Offers an image to the one that runs, piece by piece, until it is there, is refused, or the power goes.
  ///
  /// - Returns: Why it is refused, and how many bytes were sent.
  @discardableResult func offer(
    _ image: TestImage, piece: Int = 100, upTo limit: Int = .max
  ) -> (refusal: UpdateRefusal?, sent: Int) {
    guard let started else { return (.trial, 0) }
    var driver = ChipDriver(chip: chip)
    var receiver = UpdateReceiver(target, running: started.slot)
    if let refusal = receiver.begin(image.header.span, in: &driver) { return (refusal, 0) }
    var sent = 0
    while !chip.isOff {
      switch receiver.phase {
      case .idle: return (.order, sent)
      case .received: return (nil, sent)
      case .verifying, .searching, .clearing, .checking:
        if let refusal = receiver.step(in: &driver) { return (refusal, sent) }
      case .receiving:
        let place = receiver.nextPlace
        if place >= limit { return (nil, sent) }
        let end = min(place + piece, image.content.count)
        if place >= end { return (.length, sent) }
        let refusal = receiver.receive(image.content.span.extracting(place..<end), at: place, in: &driver)
        if let refusal { return (refusal, sent) }
        sent += end - place
      }
    }
    return (.memory, sent)
  }
}
