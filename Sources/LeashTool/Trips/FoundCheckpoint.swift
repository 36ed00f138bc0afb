import Foundation
import Quantities
import Telemetry
import TrackerCore
import TrackerRuntime

/// A place that was marked.
struct FoundCheckpoint {
  var time: Instant
  /// Of the tracker, whose clock begins anew with each.
  var life: Int
  var utc: UTCTime?
  var position: GeodeticPosition
  /// m; nil when unknown.
  var height: Double?
  /// Its title, its note and what names its picture; empty for what it has not.
  var title = ""
  var note = ""
  var picture = ""

  /// A place as the owner has marked it.
  ///
  /// - Parameter words: nil when the owner's button marked it, or the request is in another log.
  init(_ mark: MarkPacket, at time: Instant, life: Int, height: Double?, words: Checkpoint?) {
    (self.time, self.life, utc, position, self.height) = (time, life, mark.utc, mark.position, height)
    guard let words else {
      title = mark.title
      return
    }
    (title, note) = (FoundCheckpoint.text(words.title.span), FoundCheckpoint.text(words.note.span))
    picture = FoundCheckpoint.text(words.picture.span)
  }

  static func text(_ bytes: Span<UInt8>) -> String {
    bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// What a request to mark a place says; nil for another input.
  static func words(_ input: TrackerInput, _ payload: [UInt8]) -> Checkpoint? {
    guard case .command = input else { return nil }
    let request: Request?
    if case .admitted(let admitted, _, _, _)? = RequestVerdict(payload.span) {
      request = admitted
    } else {
      request = Request(logged: payload.span)
    }
    if case .checkpoint(let words)? = request { return words }
    return nil
  }
}

/// The packet that tells of a marked place.
struct MarkPacket {
  var sequence: UInt32
  var utc: UTCTime?
  var position: GeodeticPosition
  var title: String

  private struct Fields: Decodable {
    struct Status: Decodable {
      var reason: String
      var value: String?
    }
    var utc: String?
    var latitude: Double?
    var longitude: Double?
    var status: Status?
  }

  /// - Returns: nil for another packet, and for one without a position.
  init?(_ packet: Span<UInt8>, sequence: UInt32) {
    let bytes = packet.withUnsafeBufferPointer { Data($0) }
    guard let fields = try? JSONDecoder().decode(Fields.self, from: bytes), let status = fields.status,
      StatusReason(named: status.reason) == .checkpoint, let latitude = fields.latitude,
      let longitude = fields.longitude,
      let position = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else { return nil }
    (self.sequence, self.position, title) = (sequence, position, status.value ?? "")
    utc = fields.utc.flatMap { UTCTime(iso8601: $0) }
  }
}
