import ASCIIText
import FlashStorage
import InlineStorage

/// Takes an image over the console of a board: lines that begin with `@update`, each answered by one that does, too.
///
/// `@update` alone asks what it takes and how far it is, `@update next` only for the place of the next piece. `@update header BASE64 CRC` offers an image by its header, `@update PLACE BASE64 CRC` brings a
/// piece of it. The checksum of a piece goes on from that of its header, with the place as four bytes, the lowest first, before its
/// own bytes: a piece of another image, and one whose place was damaged, are as wrong as damaged bytes.
package struct UpdateConsole: Sendable {
  private let target: ImageTarget
  private let running: ImageSlot
  private var receiver: UpdateReceiver
  /// The checksum of the header that was taken last.
  private var headerSum: UInt32 = 0
  /// When a header or a piece came last, in milliseconds.
  private var lastHeard: UInt32 = 0
  /// True when nothing has come of an image for so long that another may be offered.
  private var isBrokenOff = false
  private var lastRefusal: UpdateRefusal?
  private var counts = Counts()
  /// The longest that a step has taken, in microseconds: whoever has a clock notes it.
  package var longestStep: UInt32 = 0

  /// What has come, ever.
  private struct Counts: BitwiseCopyable, Sendable {
    var pieces: UInt32 = 0
    /// Pieces that were there already.
    var repeated: UInt32 = 0
    var refused: UInt32 = 0
    var brokenOff: UInt32 = 0
  }

  /// The most bytes of a piece.
  package static var pieceSize: Int { 256 }
  /// Milliseconds without a piece, after which a transfer counts as broken off.
  package static var patience: UInt32 { 30_000 }

  package init(_ target: ImageTarget, running: ImageSlot) {
    self.target = target
    self.running = running
    receiver = UpdateReceiver(target, running: running)
  }

  /// True when an image is whole, and starts when the board does next.
  package var isReceived: Bool { receiver.phase == .received }

  /// Takes a line, and answers it.
  ///
  /// - Parameters:
  ///   - line: It begins with `@update`.
  ///   - now: The time in milliseconds; it may wrap.
  /// - Returns: False, without an answer, when its words make no sense.
  @inline(never) package mutating func take<Memory: FlashMemory & ~Copyable>(
    _ line: Span<UInt8>, at now: UInt32, in memory: inout Memory, into sink: inout some ByteSink
  ) -> Bool {
    var words = TextWords()
    _ = words.next(in: line)
    guard let first = words.next(in: line) else {
      tellState(in: &memory, into: &sink)
      return true
    }
    if first.equals("next", in: line), words.next(in: line) == nil {
      tellProgress(into: &sink)
      return true
    }
    var bytes = InlineBytes<256>()
    guard let text = words.next(in: line), let digits = words.next(in: line), words.next(in: line) == nil,
      decodeBase64(text.bytes(of: line), into: &bytes), !bytes.isEmpty, !bytes.isTruncated,
      let sum = UpdateConsole.checksum(digits.bytes(of: line))
    else { return false }
    if first.equals("header", in: line) {
      guard bytes.count == FirmwareHeader.size, CRC32.extend(0, bytes.span) == sum else { return false }
      offer(bytes.span, sum, at: now, in: &memory, into: &sink)
      return true
    }
    guard let number = scanUnsigned(first.bytes(of: line)), let place = UInt32(exactly: number),
      UpdateConsole.checksum(of: bytes.span, at: place, behind: headerSum) == sum
    else { return false }
    take(bytes.span, Int(place), at: now, in: &memory, into: &sink)
    return true
  }

  /// The checksum of a piece.
  ///
  /// - Parameter header: The checksum of the header.
  package static func checksum(of bytes: Span<UInt8>, at place: UInt32, behind header: UInt32) -> UInt32 {
    var number = InlineBytes<4>()
    for index in 0..<UInt32(4) { number.append(UInt8(truncatingIfNeeded: place >> (8 * index))) }
    return CRC32.extend(CRC32.extend(header, number.span), bytes)
  }

  /// Does a little of what is to be done, and tells what has come of it. Pieces of work are short: whoever owns it does something else
  /// between two.
  ///
  /// - Returns: True when there is more.
  @inline(never) package mutating func step<Memory: FlashMemory & ~Copyable>(
    at now: UInt32, in memory: inout Memory, into sink: inout some ByteSink
  ) -> Bool {
    let phase = receiver.phase
    switch phase {
    case .idle, .received: return false
    case .receiving:
      guard !isBrokenOff, now &- lastHeard >= UpdateConsole.patience else { return false }
      isBrokenOff = true
      counts.brokenOff &+= 1
      sink.append("@update {\"brokenOff\":")
      sink.append(decimal: UInt64(counts.brokenOff))
      tellNext(into: &sink)
      sink.append("}\n")
      return false
    case .verifying, .searching, .clearing, .checking:
      if let refusal = receiver.step(in: &memory) {
        refuse(refusal, into: &sink)
        sink.append(0x0A)
        return false
      }
      lastHeard = now
      if receiver.phase == .receiving || receiver.phase == .received {
        tellProgress(into: &sink)
        sink.append(0x0A)
      }
      return true
    }
  }

  // MARK: In

  private mutating func offer<Memory: FlashMemory & ~Copyable>(
    _ header: Span<UInt8>, _ sum: UInt32, at now: UInt32, in memory: inout Memory, into sink: inout some ByteSink
  ) {
    if sum == headerSum, receiver.phase != .idle {
      // Whoever sends it has begun anew: it goes on where it was.
      heard(at: now)
      return tellProgress(into: &sink)
    }
    switch receiver.phase {
    case .idle, .received: break
    case .receiving where isBrokenOff: break
    // Another one is on its way.
    case .verifying, .searching, .clearing, .receiving, .checking: return refuse(.order, into: &sink)
    }
    heard(at: now)
    lastRefusal = nil
    headerSum = sum
    if let refusal = receiver.begin(header, in: &memory) { return refuse(refusal, into: &sink) }
    tellProgress(into: &sink)
  }

  private mutating func take<Memory: FlashMemory & ~Copyable>(
    _ piece: Span<UInt8>, _ place: Int, at now: UInt32, in memory: inout Memory, into sink: inout some ByteSink
  ) {
    heard(at: now)
    if receiver.phase != .idle, place + piece.count <= receiver.nextPlace {
      // Its answer was lost.
      counts.repeated &+= 1
      return tellProgress(into: &sink)
    }
    if let refusal = receiver.receive(piece, at: place, in: &memory) { return refuse(refusal, into: &sink) }
    counts.pieces &+= 1
    tellProgress(into: &sink)
  }

  private mutating func heard(at now: UInt32) {
    lastHeard = now
    isBrokenOff = false
  }

  private mutating func refuse(_ refusal: UpdateRefusal, into sink: inout some ByteSink) {
    counts.refused &+= 1
    lastRefusal = refusal
    sink.append("@update {\"refused\":\"")
    sink.append(refusal.name)
    sink.append("\",\"phase\":\"")
    sink.append(receiver.phase.name)
    sink.append("\"")
    tellNext(into: &sink)
    sink.append("}")
  }

  // MARK: Out

  /// Where it is: as short as can be while pieces come.
  private func tellProgress(into sink: inout some ByteSink) {
    switch receiver.phase {
    case .receiving:
      sink.append("@update {\"next\":")
      sink.append(decimal: UInt64(receiver.nextPlace))
    case .received:
      sink.append("@update {\"received\":\"")
      sink.append(running.other.name)
      sink.append("\",\"version\":")
      UpdateConsole.tell(receiver.version, into: &sink)
    case .idle, .verifying, .searching, .clearing, .checking:
      sink.append("@update {\"phase\":\"")
      sink.append(receiver.phase.name)
      sink.append("\"")
    }
    sink.append("}")
  }

  private func tellNext(into sink: inout some ByteSink) {
    sink.append(",\"next\":")
    sink.append(decimal: UInt64(receiver.nextPlace))
  }

  @inline(never) private func tellState<Memory: FlashMemory & ~Copyable>(
    in memory: inout Memory, into sink: inout some ByteSink
  ) {
    let own = target.slots.state(of: running, in: &memory)
    tellBoard(own.version, own.isConfirmed, into: &sink)
    tellTransfer(into: &sink)
  }

  @inline(never) private func tellBoard(
    _ version: FirmwareVersion?, _ isConfirmed: Bool, into sink: inout some ByteSink
  ) {
    sink.append("@update {\"board\":\"")
    sink.append(target.board)
    sink.append("\",\"key\":\"")
    for place in 0..<8 { sink.append(hexadecimal: target.key.bytes[place]) }
    sink.append("\",\"running\":\"")
    sink.append(running.name)
    sink.append("\",\"version\":")
    UpdateConsole.tell(version, into: &sink)
    sink.append(isConfirmed ? ",\"confirmed\":true" : ",\"confirmed\":false")
    sink.append(",\"slot\":\"")
    sink.append(running.other.name)
    sink.append("\"")
    UpdateConsole.tell(",\"place\":", target.slots.address(of: running.other), into: &sink)
    UpdateConsole.tell(",\"room\":", UInt32(truncatingIfNeeded: target.slots.longestImage), into: &sink)
  }

  @inline(never) private func tellTransfer(into sink: inout some ByteSink) {
    let isIdle = receiver.phase == .idle
    sink.append(",\"phase\":\"")
    sink.append(receiver.phase.name)
    sink.append("\"")
    tellNext(into: &sink)
    UpdateConsole.tell(",\"length\":", isIdle ? 0 : UInt32(truncatingIfNeeded: receiver.length), into: &sink)
    sink.append(",\"offered\":")
    UpdateConsole.tell(isIdle ? nil : receiver.version, into: &sink)
    sink.append(",\"refused\":")
    if let lastRefusal {
      sink.append("\"")
      sink.append(lastRefusal.name)
      sink.append("\"")
    } else {
      sink.append("null")
    }
    UpdateConsole.tell(",\"pieces\":", counts.pieces, into: &sink)
    UpdateConsole.tell(",\"repeated\":", counts.repeated, into: &sink)
    UpdateConsole.tell(",\"refusals\":", counts.refused, into: &sink)
    UpdateConsole.tell(",\"brokenOff\":", counts.brokenOff, into: &sink)
    UpdateConsole.tell(",\"longestStep\":", longestStep, into: &sink)
    sink.append("}")
  }

  private static func tell(_ name: StaticString, _ number: UInt32, into sink: inout some ByteSink) {
    sink.append(name)
    sink.append(decimal: UInt64(number))
  }

  @inline(never) private static func tell(_ version: FirmwareVersion?, into sink: inout some ByteSink) {
    guard let version else { return sink.append("null") }
    sink.append("\"")
    sink.append(decimal: UInt64(version.major))
    sink.append(".")
    sink.append(decimal: UInt64(version.minor))
    sink.append(".")
    sink.append(decimal: UInt64(version.patch))
    sink.append("\"")
  }

  /// A checksum of eight hexadecimal digits.
  private static func checksum(_ digits: Span<UInt8>) -> UInt32? {
    guard digits.count == 8 else { return nil }
    var sum: UInt32 = 0
    for place in 0..<8 {
      let digit = digits[place]
      let letter = digit | 0x20
      if digit &- 0x30 < 10 {
        sum = sum << 4 | UInt32(digit &- 0x30)
      } else if letter &- 0x61 < 6 {
        sum = sum << 4 | UInt32(letter &- 0x57)
      } else {
        return nil
      }
    }
    return sum
  }
}

extension ImageSlot {
  /// As consoles write it.
  package var name: StaticString { self == .a ? "a" : "b" }
}

extension UpdateReceiver.Phase {
  /// As consoles write it.
  package var name: StaticString {
    switch self {
    case .idle: "idle"
    case .verifying: "verifying"
    case .searching: "searching"
    case .clearing: "clearing"
    case .receiving: "receiving"
    case .checking: "checking"
    case .received: "received"
    }
  }
}
