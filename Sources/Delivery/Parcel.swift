import Quantities
import Telemetry

/// A packet on its way to a receiver.
struct Parcel: BitwiseCopyable {
  enum Outcome: UInt8 { case none, acknowledged, gaveUp, told }
  var sequence: UInt32
  var priority: PacketPriority
  var receiver: UInt8
  var outcome = Outcome.none
  /// Ways that have it in hand.
  var holders = WaySet()
  /// Of these, ways that shall get its next part when they have delivered this one.
  var unfinished = WaySet()
  /// Ways on which it takes several messages: what they tell late is of no use.
  var inParts = WaySet()
  /// Ways that handed it back; none when a new round begins.
  var refusers = WaySet()
  /// Ways whose format can't carry it.
  var incapable = WaySet()
  /// Ways that are to get the part of now.
  var due = WaySet()
  /// Tries before the end of its wait, because a way had come back.
  var earlyRetries: UInt8 = 0
  /// The part each way is at, four bits each.
  var parts: UInt32 = 0
  var round: UInt8 = 0
  var attempts: UInt16 = 0
  /// When another way may get it, or those that handed it back again.
  var deadline: Instant?

  /// True while a way may still get it.
  var isActive: Bool { outcome == .none }

  func part(_ way: Int) -> UInt8 { UInt8(truncatingIfNeeded: parts >> UInt32(way * 4) & 0xF) }
  mutating func setPart(_ way: Int, _ part: UInt8) {
    parts = parts & ~(0xF << UInt32(way * 4)) | UInt32(part & 0xF) << UInt32(way * 4)
  }
}
