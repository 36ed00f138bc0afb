import Telemetry

/// The seconds since 1970 that positions were told of, so that no two have one.
///
/// Each position has its own second while that is free, else the next that is, by as many seconds later as its priority allows. Where
/// all of those are used it has none, and forms with such times leave the position out: whatever comes how fast, two positions never
/// have one second. The last 64 s are known; what is older is told apart from others that are older.
struct ToldSeconds {
  // In an order without gaps: the tracker has no bytes to spare.
  /// Bit n is set when the second n before the latest was told.
  private var used: UInt64 = 0
  /// The latest second told; 0 for none.
  private(set) var latest: UInt32 = 0
  /// The latest told of those that lie before all that `used` has.
  private var late: UInt32 = 0

  /// How many seconds later a position may be told than it was measured. An alert has room where reports have used up theirs.
  static func room(_ priority: PacketPriority) -> UInt8 {
    switch priority {
    case .report: return 4
    case .notice: return 5
    case .alert: return PacketPosition.mostAddedSeconds
    }
  }

  /// True when a position of that second would have no time within so many seconds.
  func isFull(_ second: UInt32, room: UInt8) -> Bool {
    var trial = self
    return trial.note(second, room: room) > room
  }

  /// A position is about to be told, in a packet of its own.
  ///
  /// - Parameters:
  ///   - second: When it was measured, in seconds since 1970; of a packet with an old position, when it was made.
  ///   - room: By how many seconds later it may be told.
  /// - Returns: By how many it is; more than `PacketPosition.mostAddedSeconds` where no second is free.
  mutating func note(_ second: UInt32, room: UInt8) -> UInt8 {
    guard second <= latest else {
      used = used << UInt64(second - latest) | 1
      latest = second
      return 0
    }
    let behind = latest - second
    // Time does not run back, as far as there is room.
    if behind < UInt32(room) {
      latest += 1
      used = used << 1 | 1
      return UInt8(behind) + 1
    }
    if behind < 64 {
      // An older position that comes late is told as it is.
      var added: UInt8 = 0
      while added <= room, UInt32(added) <= behind {
        let bit: UInt64 = 1 << UInt64(behind - UInt32(added))
        if used & bit == 0 {
          used |= bit
          return added
        }
        added += 1
      }
      return PacketPosition.noSecond
    }
    // Of one that is an hour back the clock was wrong.
    if behind > 3600 {
      self = ToldSeconds(after: 0)
      return note(second, room: room)
    }
    if second > late || late - second > 3600 {
      late = second
      return 0
    }
    let added = late - second + 1
    guard added <= UInt32(room) else { return PacketPosition.noSecond }
    late += 1
    // Once it has come up to those that are known it is one of them.
    return latest - late < 64 ? PacketPosition.noSecond : UInt8(added)
  }

  /// Goes on where an earlier life was.
  init(after latest: UInt32) {
    self.latest = latest
    // Those just before it may be told.
    used = latest == 0 ? 0 : 0x7F
  }
}
