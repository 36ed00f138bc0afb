public import InlineStorage
public import Positioning
public import Quantities

/// Why a fence was not taken.
public enum FenceError: Error, Equatable, Sendable {
  /// As many fences as there is room for.
  case tableFull
  /// There is no fence of this number.
  case unknownFence
  /// A number that is not 1 to 255.
  case badNumber
  /// A name that is empty, longer than 32 bytes, or no UTF-8 without control characters and quotes.
  case badName
  /// An outline that is none.
  case outline(RegionError)
  /// Bytes that are no fence.
  case unreadable
}

/// A named region of the owner's, and whether somebody is there.
public struct Fence<let corners: Int>: ~Copyable {
  /// The number the owner gave it, 1 to 255; 0 for none.
  public internal(set) var number: UInt8 = 0
  /// What the owner calls it, UTF-8.
  public internal(set) var name = InlineBytes<32>()
  /// True when it is one of those that must not be left.
  public internal(set) var isActive = false
  /// Where it is.
  public internal(set) var region = GeodeticRegion<corners, 0>()
  /// Whether somebody is there.
  public var presence: PresenceState { follower.state }
  /// Since when, as far as that is known.
  public var since: Instant { follower.since }

  var follower = Presence()

  init() {}

  mutating func copy(_ other: borrowing FenceDraft<corners>) {
    number = other.number
    name = other.name
    region.copy(other.region)
  }
}

/// A fence that is being told: nobody is there yet.
struct FenceDraft<let corners: Int>: ~Copyable {
  var number: UInt8 = 0
  var name = InlineBytes<32>()
  var region = GeodeticRegion<corners, 0>()
}

/// Fences by number, each with room for so many corners.
///
/// A fence is given whole: `begin`, `append`, `finish`. What is wrong changes nothing.
public struct FenceTable<let capacity: Int, let corners: Int>: ~Copyable {
  /// How often a fence was refused because the table was full.
  public private(set) var rejectedCount: UInt32 = 0

  private var rows: InlineArray<capacity, Fence<corners>>
  private var draft = FenceDraft<corners>()
  private var draftError: FenceError?
  /// True when the fence that was taken last has another outline than before.
  private(set) var hasNewOutline = false

  /// An empty table.
  public init() { rows = InlineArray { _ in Fence<corners>() } }

  /// Number of fences.
  public var count: Int { rows.usedCount }

  /// The row of a fence; nil when there is none.
  public func row(of number: UInt8) -> Int? { rows.row(of: number) }

  /// What stands in a row, where it lies; its number is 0 when nothing does.
  /// - Precondition: `0 ≤ row < capacity`.
  public subscript(row: Int) -> Fence<corners> {
    @inline(__always) _read { yield rows[row] }
    @inline(__always) _modify { yield &rows[row] }
  }

  /// The number of the fence that was begun last; 0 for one that is none.
  var draftNumber: UInt8 { draft.number }

  // MARK: Telling

  /// Begins a fence that will replace the one of its number.
  ///
  /// - Parameter width: Radius of a circle or half width of a corridor, m.
  public mutating func begin(_ number: Int, name: Span<UInt8>, _ shape: RegionShape, width: Double = 0) {
    draftError = nil
    draft.number = UInt8(exactly: number) ?? 0
    if draft.number == 0 { draftError = .badNumber }
    draft.name.removeAll()
    draft.name.append(contentsOf: name)
    if !isRuleName(name) { draftError = draftError ?? .badName }
    draft.region.begin(shape, width: width)
  }

  /// The next corner.
  public mutating func append(latitudeE9: Int64, longitudeE9: Int64) {
    draft.region.append(latitudeE9: latitudeE9, longitudeE9: longitudeE9)
  }

  /// What comes is a hole.
  public mutating func beginHole() { draft.region.beginHole() }

  /// Puts the fence into the table, in the place of the one of its number, which stays active if it was. Who is there stays known when
  /// only its name changes.
  ///
  /// - Returns: Why it was not taken; the table is as before then.
  public mutating func finish(_ limits: RegionLimits = .simple) -> FenceError? {
    if let error = check(limits) { return error }
    guard let row = rows.place(for: draft.number) else {
      rejectedCount &+= 1
      return .tableFull
    }
    hasNewOutline = rows[row].number != draft.number || !rows[row].region.isSame(as: draft.region)
    if hasNewOutline { put(in: row) } else { rows[row].name = draft.name }
    return nil
  }

  /// What is wrong with the fence that was begun.
  mutating func check(_ limits: RegionLimits) -> FenceError? {
    if let error = draft.region.finish(limits) { draftError = draftError ?? .outline(error) }
    return draftError
  }

  mutating func put(in row: Int) {
    rows[row].copy(draft)
    rows[row].follower = Presence()
  }

  /// Takes a fence out.
  public mutating func delete(_ number: UInt8) -> FenceError? {
    guard let row = row(of: number) else { return .unknownFence }
    rows[row].number = 0
    rows[row].isActive = false
    return nil
  }

  /// Takes all out.
  public mutating func removeAll() {
    for row in 0..<capacity {
      rows[row].number = 0
      rows[row].isActive = false
    }
  }

  /// True when these fences, and no others, must not be left.
  func areActive(_ numbers: Span<UInt8>) -> Bool {
    for row in 0..<capacity where rows[row].number != 0 {
      var isListed = false
      for place in numbers.indices where numbers[place] == rows[row].number { isListed = true }
      if isListed != rows[row].isActive { return false }
    }
    return true
  }

  /// Makes these fences the ones that must not be left, and no others; all of them or none.
  public mutating func activate(_ numbers: Span<UInt8>) -> FenceError? {
    for place in numbers.indices where row(of: numbers[place]) == nil { return .unknownFence }
    for row in 0..<capacity { rows[row].isActive = false }
    for place in numbers.indices {
      if let row = row(of: numbers[place]) { rows[row].isActive = true }
    }
    return nil
  }

  /// Where somebody was in an earlier life is where they are from `time` on, until fixes tell otherwise.
  mutating func date(at time: Instant) {
    for row in 0..<capacity { rows[row].follower = Presence(rows[row].presence, since: time) }
  }

  /// True when at least one fence must not be left.
  var hasActive: Bool {
    for row in 0..<capacity where rows[row].isActive { return true }
    return false
  }
}

/// True for what a rule may be called: 1 to 32 bytes of UTF-8 without control characters.
public func isRuleName(_ name: Span<UInt8>) -> Bool {
  name.count >= 1 && name.count <= 32 && isPrintableUTF8(name)
}

/// True for well-formed UTF-8 without control characters and quotes.
///
/// - Source: The Unicode Standard, table 3-7.
package func isPrintableUTF8(_ bytes: Span<UInt8>) -> Bool {
  var place = 0
  while place < bytes.count {
    let first = bytes[place]
    // Names stand between quotes.
    if first == 0x22 { return false }
    var low: UInt8 = 0x80
    var high: UInt8 = 0xBF
    let more: Int
    switch first {
    case 0x20...0x7E: more = 0
    case 0xC2: (more, low) = (1, 0xA0)
    case 0xC3...0xDF: more = 1
    case 0xE0: (more, low) = (2, 0xA0)
    case 0xED: (more, high) = (2, 0x9F)
    case 0xE1...0xEF: more = 2
    case 0xF0: (more, low) = (3, 0x90)
    case 0xF1...0xF3: more = 3
    case 0xF4: (more, high) = (3, 0x8F)
    default: return false
    }
    guard place + more < bytes.count else { return false }
    for step in 0..<more {
      let byte = bytes[place + 1 + step]
      guard byte >= (step == 0 ? low : 0x80), byte <= (step == 0 ? high : 0xBF) else { return false }
    }
    place += 1 + more
  }
  return true
}
