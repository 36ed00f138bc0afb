import JSON5
import Quantities

/// What a packet says, read from its JSON by a reader that is not the tracker's.
struct PacketFields {
  /// What it is.
  var kind = ""
  /// Its number.
  var sequence: UInt32?
  /// The number of the tracker's life.
  var boot: UInt32?
  /// The number of the request that it answers.
  var request: UInt64?
  /// Its reason.
  var reason: String?
  /// Distance travelled, m.
  var odometer: Double?
  /// Degrees; nil without a position.
  var latitude: Double?
  /// Degrees.
  var longitude: Double?
  /// Stated accuracy of the position, m.
  var accuracy: Double?
  /// Age of the position, s.
  var fixAge: Double?
  /// When it was made, on the clock of the tracker's life.
  var uptime: Interval?
  /// When it was made, UTC in ms since 1970.
  var utc: Int64?
  /// A time that is UTC, in ms since 1970, or s of the tracker's clock while UTC is unknown.
  enum Moment: Equatable {
    case utc(Int64)
    case uptime(Double)

    init?(_ value: JSON5Value) {
      switch value.content {
      case .string(let text):
        guard let utc = PacketFields.milliseconds(text) else { return nil }
        self = .utc(utc)
      case .number(let number): self = .uptime(number.value)
      default: return nil
      }
    }
  }

  /// Start and end of the ride that it tells.
  var ride: (start: Moment, end: Moment)?
  /// Number of the alert.
  var alert: UInt32?
  /// How often the alert was told before.
  var repetition: UInt32?

  /// Nil when these bytes are no JSON object.
  init?(_ bytes: [UInt8]) {
    guard let value = try? JSON5Value(reading: bytes), case .object(let members) = value.content else { return nil }
    for member in members {
      switch (member.key, member.value.content) {
      case ("type", .string(let text)): kind = text
      case ("status", .object(let inner)), ("alert", .object(let inner)):
        for member in inner {
          switch (member.key, member.value.content) {
          case ("reason", .string(let text)): reason = text
          case ("request", .number(let number)): request = number.exactly(UInt64.self)
          case ("id", .number(let number)): alert = number.exactly(UInt32.self)
          case ("repetition", .number(let number)): repetition = number.exactly(UInt32.self)
          default: break
          }
        }
      case ("ride", .object(let inner)):
        let start = inner.first { $0.key == "start" }.flatMap { Moment($0.value) }
        let end = inner.first { $0.key == "end" }.flatMap { Moment($0.value) }
        if let start, let end { ride = (start, end) }
      case ("boot", .number(let number)): boot = number.exactly(UInt32.self)
      case ("sequence", .number(let number)): sequence = number.exactly(UInt32.self)
      case ("distance", .number(let number)): odometer = number.value
      case ("uptime", .number(let number)):
        uptime = number.value.isFinite ? Interval(microseconds: Int64((number.value * 1e6).rounded())) : nil
      case ("utc", .string(let text)): utc = PacketFields.milliseconds(text)
      case ("latitude", .number(let number)): latitude = number.value
      case ("longitude", .number(let number)): longitude = number.value
      case ("accuracy", .number(let number)): accuracy = number.value
      case ("fixAge", .number(let number)): fixAge = number.value
      default: break
      }
    }
  }

  /// True when the members of an object, and of those in it, are members of another one with the same values.
  static func isPart(_ bytes: [UInt8], of whole: [UInt8]) -> Bool {
    guard let part = try? JSON5Value(reading: bytes), let whole = try? JSON5Value(reading: whole) else { return false }
    return isPart(part, of: whole)
  }

  private static func isPart(_ part: JSON5Value, of whole: JSON5Value) -> Bool {
    switch (part.content, whole.content) {
    case (.object(let members), .object(let all)):
      return members.allSatisfy { member in all.contains { $0.key == member.key && isPart(member.value, of: $0.value) }
      }
    case (.array(let values), .array(let all)):
      return values.count == all.count && zip(values, all).allSatisfy { isPart($0, of: $1) }
    case (.number(let number), .number(let other)): return number.text == other.text
    case (.array, _), (.object, _), (.number, _): return false
    default: return part.content == whole.content
    }
  }

  /// `2026-06-01T04:05:06.789Z` in ms since 1970; nil for anything else.
  ///
  /// - Source: our derivation; days from the first of March, as leap days end a year then.
  static func milliseconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 24, bytes[23] == UInt8(ascii: "Z") else { return nil }
    func number(_ from: Int, _ count: Int) -> Int64? {
      var result: Int64 = 0
      for byte in bytes[from..<(from + count)] {
        guard byte >= 0x30, byte <= 0x39 else { return nil }
        result = 10 * result + Int64(byte - 0x30)
      }
      return result
    }
    guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2), let hour = number(11, 2),
      let minute = number(14, 2), let second = number(17, 2), let fraction = number(20, 3), 1...12 ~= month,
      1...31 ~= day
    else { return nil }
    let march = month > 2 ? year : year - 1
    let sinceMarch = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let days = 365 * march + march / 4 - march / 100 + march / 400 + sinceMarch - 719_468
    return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + fraction
  }
}
