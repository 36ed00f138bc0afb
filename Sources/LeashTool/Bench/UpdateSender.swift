import FirmwareUpdate
import Foundation
import InlineStorage
import JSON5
import Quantities

/// What came of an image that was offered to a board.
enum UpdateOutcome: Equatable {
  /// All of it is there, and is what was signed; it starts now, or when the board does next.
  case received(slot: String, restarts: Bool)
  /// The board does not take it.
  case refused(UpdateRefusal)
  /// The image that runs is in no slot.
  case noSlots
  /// The board has not answered.
  case silent
  /// It answers, and yet nothing goes on.
  case stuck
}

/// The dialogue that brings an image to a board over its console, without a port and without a clock.
///
/// Never is more than one piece on its way: the next one goes when the board has said that it has the one before, so that its ring needs
/// room for one line only, however long its loop is busy. What is not answered in time, or answered by `@garbage`, is not sent again
/// at once: the short question `@update next` comes first, and its answer says what is missing.
struct UpdateSender {
  /// What is to be done next.
  enum Instruction: Equatable {
    /// A line goes to the board.
    case send(String)
    /// Until then nothing but lines of the board matters.
    case wait(until: Instant)
    case finish(UpdateOutcome)
  }

  /// What the board is expected to answer.
  private enum Expected {
    case state
    case place
    case header
    /// Where the next piece begins.
    case piece(end: Int)
    /// News: it erases, or reads again what has come.
    case work
    /// Whether it restarts.
    case restart(slot: String)
  }

  /// Questions without an answer, after which the board counts as silent.
  static var mostSilent: Int { 3 }
  /// Answers that lead nowhere, after which it is given up.
  static var mostIdle: Int { 50 }
  /// Questions during one piece of work of the board, after which it is given up.
  static var mostWorking: Int { 200 }

  private let header: [UInt8]
  private let content: [UInt8]
  private let headerSum: UInt32
  /// What the header tells.
  private let declaredLength: Int
  private let timeout: Interval
  private var expected = Expected.state
  private var line: String?
  private var outcome: UpdateOutcome?
  private var deadline: Instant
  /// True when the board may know the header.
  private var isOffered = false
  private var silentCount = 0
  private var idleCount = 0
  private var workingCount = 0

  /// What the board has told of itself and of what it has; nil before it did.
  private(set) var state: UpdateState?
  /// The phase that it told last.
  private(set) var phase = "" {
    didSet { if phase != oldValue { workingCount = 0 } }
  }
  /// Bytes that the board has.
  private(set) var place = 0
  /// Bytes that were sent, and pieces that were sent again.
  private(set) var sentCount = 0
  private(set) var repeatedCount = 0
  private var furthest = 0

  init(_ image: FirmwareFile, timeout: Interval, at now: Instant) {
    let bytes = (0..<FirmwareHeader.size).map { image.header.bytes[$0] }
    header = bytes
    headerSum = CRC32.extend(0, bytes.span)
    content = image.content
    declaredLength = Int(image.header.length)
    self.timeout = timeout
    deadline = now + timeout
    ask(at: now)
  }

  /// What is to be done now.
  mutating func next(at now: Instant) -> Instruction {
    if let outcome { return .finish(outcome) }
    if line == nil, now >= deadline { pass(at: now) }
    if let outcome { return .finish(outcome) }
    guard let sent = line else { return .wait(until: deadline) }
    line = nil
    deadline = now + timeout
    return .send(sent)
  }

  /// Takes a line of the board.
  mutating func hear(_ text: String, at now: Instant) {
    guard outcome == nil else { return }
    if text.hasPrefix("@") { silentCount = 0 }
    // What it did not understand may have been ours; and a board that has restarted knows nothing of us.
    if text.hasPrefix("@garbage ") || text.hasPrefix("@start ") {
      if case .restart(let slot) = expected {
        if text.hasPrefix("@start ") { outcome = .received(slot: slot, restarts: true) }
        return
      }
      return doubt(at: now)
    }
    guard text.hasPrefix("@update "), let answer = try? JSON5Value(reading: String(text.dropFirst(8))) else { return }
    if answer.content == .null {
      outcome = .noSlots
      return
    }
    take(UpdateAnswer(answer), at: now)
  }

  // MARK: Answers

  private mutating func take(_ answer: UpdateAnswer, at now: Instant) {
    if case .restart(let slot) = expected {
      if answer.text("restart") != nil { outcome = .received(slot: slot, restarts: true) }
      return
    }
    if let slot = answer.text("received") {
      place = content.count
      phase = "received"
      expected = .restart(slot: slot)
      deadline = now + timeout
      line = nil
    } else if let state = UpdateState(answer) {
      self.state = state
      phase = state.phase
      // Which image it has is not said: its header is offered, which is not taken twice.
      if case .state = expected { offer(at: now) }
    } else if let word = answer.text("refused") {
      let refusal = UpdateRefusal.allCases.first { "\($0.name)" == word } ?? .order
      guard refusal == .order else { return finish(.refused(refusal)) }
      if case .header = expected { return finish(.refused(.order)) }
      doubt(at: now)
    } else if let phase = answer.text("phase") {
      self.phase = phase
      // A board that has restarted knows no header any more.
      if phase == "idle" { return offer(at: now) }
      work(at: now)
    } else if answer.text("brokenOff") == nil, let next = answer.number("next") {
      acknowledge(next, at: now)
    }
  }

  /// The board has so much of the image.
  private mutating func acknowledge(_ next: Int, at now: Instant) {
    phase = "receiving"
    switch expected {
    case .header, .work, .place: send(from: next, at: now)
    // One that says what was said before is late: it moves nothing.
    case .piece(let end) where next >= end: send(from: next, at: now)
    case .piece, .state, .restart: break
    }
  }

  /// Something was lost or damaged, or the board is elsewhere than was thought.
  private mutating func doubt(at now: Instant) {
    idleCount += 1
    guard idleCount <= UpdateSender.mostIdle else { return finish(.stuck) }
    ask(at: now)
  }

  /// Nothing has come in time.
  private mutating func pass(at now: Instant) {
    if case .restart(let slot) = expected { return finish(.received(slot: slot, restarts: false)) }
    silentCount += 1
    workingCount += 1
    guard silentCount <= UpdateSender.mostSilent else { return finish(.silent) }
    guard workingCount <= UpdateSender.mostWorking else { return finish(.stuck) }
    ask(at: now)
  }

  // MARK: Lines

  private mutating func finish(_ outcome: UpdateOutcome) { self.outcome = outcome }

  private mutating func ask(at now: Instant) {
    expected = isOffered ? .place : .state
    // What is left of a line that was cut ends first.
    line = isOffered ? "\n@update next" : "\n@update"
    deadline = now
  }

  private mutating func offer(at now: Instant) {
    // Nor would a board ever have all of it.
    guard declaredLength == content.count else { return finish(.refused(.length)) }
    expected = .header
    isOffered = true
    line = "@update header \(Data(header).base64EncodedString()) \(UpdateSender.digits(headerSum))"
  }

  private mutating func work(at now: Instant) {
    expected = .work
    line = nil
    deadline = now + timeout
  }

  private mutating func send(from start: Int, at now: Instant) {
    guard start >= 0, start < content.count else {
      // All is there, and what it makes of that comes by itself.
      if start == content.count { place = start }
      return start == content.count ? work(at: now) : doubt(at: now)
    }
    if start > place { idleCount = 0 }
    place = start
    let end = min(start + UpdateConsole.pieceSize, content.count)
    if end <= furthest { repeatedCount += 1 }
    furthest = max(furthest, end)
    sentCount += end - start
    let piece = content[start..<end]
    let sum = Array(piece).withUnsafeBufferPointer {
      UpdateConsole.checksum(of: $0.span, at: UInt32(start), behind: headerSum)
    }
    expected = .piece(end: end)
    line = "@update \(start) \(Data(piece).base64EncodedString()) \(UpdateSender.digits(sum))"
  }

  private static func digits(_ sum: UInt32) -> String {
    let text = String(sum, radix: 16, uppercase: true)
    return String(repeating: "0", count: 8 - text.count) + text
  }

  /// Bytes of the whole image.
  var length: Int { content.count }
}

/// The members of an answer.
struct UpdateAnswer {
  private let members: [JSON5Member]

  init(_ value: JSON5Value) {
    if case .object(let members) = value.content { self.members = members } else { members = [] }
  }

  func text(_ name: String) -> String? {
    guard case .string(let text)? = content(name) else { return nil }
    return text
  }

  func number(_ name: String) -> Int? {
    guard case .number(let number)? = content(name) else { return nil }
    return Int(number.text)
  }

  func flag(_ name: String) -> Bool? {
    guard case .boolean(let flag)? = content(name) else { return nil }
    return flag
  }

  private func content(_ name: String) -> JSON5Value.Content? { members.first { $0.key == name }?.value.content }
}

/// What a board answers to `@update`.
struct UpdateState: Equatable {
  var board: String
  /// The first bytes of its key, in hexadecimal digits.
  var key: String
  /// The version of the image that runs, and whether it is confirmed.
  var version: String
  var isConfirmed: Bool
  /// The slot that an image goes to, where that begins, and how many bytes it has room for.
  var slot: String
  var place: Int
  var room: Int
  var phase: String
  var next: Int

  init?(_ answer: UpdateAnswer) {
    guard let board = answer.text("board"), let key = answer.text("key"), let isConfirmed = answer.flag("confirmed"),
      let slot = answer.text("slot"), let place = answer.number("place"), let room = answer.number("room"),
      let phase = answer.text("phase"), let next = answer.number("next")
    else { return nil }
    self.board = board
    self.key = key
    version = answer.text("version") ?? "unknown"
    self.isConfirmed = isConfirmed
    self.slot = slot
    self.place = place
    self.room = room
    self.phase = phase
    self.next = next
  }
}
