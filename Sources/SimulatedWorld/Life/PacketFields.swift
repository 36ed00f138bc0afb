import JSON5
import Quantities

/// What a packet says, read from its JSON by a reader that is not the tracker's.
struct PacketFields: Equatable {
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
      case ("boot", .number(let number)): boot = number.exactly(UInt32.self)
      case ("sequence", .number(let number)): sequence = number.exactly(UInt32.self)
      case ("distance", .number(let number)): odometer = number.value
      case ("uptime", .number(let number)):
        uptime = number.value.isFinite ? Interval(microseconds: Int64((number.value * 1e6).rounded())) : nil
      case ("latitude", .number(let number)): latitude = number.value
      case ("longitude", .number(let number)): longitude = number.value
      case ("accuracy", .number(let number)): accuracy = number.value
      case ("fixAge", .number(let number)): fixAge = number.value
      default: break
      }
    }
  }
}
