/// A reading of whether the owner is near: one of the owner's tags was seen, or a switch says so.
@frozen public struct PresenceReading: ReadingContent {
  /// When it was seen, on the monotonic clock.
  public var time: Instant
  /// Whether the owner is near.
  public var isNear: Bool
  /// Which of the owner's tags was seen, as the owner has numbered them, from 1; 0 when that is not known.
  public var token: UInt8

  /// A reading.
  @inlinable public init(time: Instant, isNear: Bool, token: UInt8 = 0) {
    self.time = time
    self.isNear = isNear
    self.token = token
  }

  /// Its name in the JSON of a log.
  public static var name: StaticString { "presence" }

  /// What the number at a place is; nil beyond the last.
  public static func field(at place: Int) -> ReadingField? {
    switch place {
    case 0: return ReadingField("near", .flag)
    case 1: return ReadingField("token", .fixed(decimals: 0))
    default: return nil
    }
  }

  /// The number at a place; nil when it is unknown.
  public func number(at place: Int) -> Int64? {
    switch place {
    case 0: return isNear ? 1 : 0
    case 1: return token == 0 ? nil : Int64(token)
    default: return nil
    }
  }

  /// A reading of numbers; nil when one of them is out of its range, or it does not say whether the owner is near.
  public init?(time: Instant, number: (Int) -> Int64?) {
    guard let flag = number(0), flag == 0 || flag == 1, let token = UInt8(exactly: number(1) ?? 0) else { return nil }
    self.init(time: time, isNear: flag == 1, token: token)
  }
}
