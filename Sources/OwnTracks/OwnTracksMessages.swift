public import ASCIIText
import InlineStorage
public import Quantities
public import Telemetry

/// Messages of OwnTracks that are no packets: who the tracker is, that it is gone, its fences, and answers to commands.
///
/// - Source: booklet of OwnTracks, "JSON".
public enum OwnTracksMessages {
  /// What a broker publishes when the tracker is gone. It must not be retained: it would stand in the place of the position (trap 8).
  public static func encodeWill(connectedAt time: UTCTime, into sink: inout some ByteSink) {
    sink.append("{\"_type\":\"lwt\",\"tst\":")
    sink.append(decimal: max(0, time.microseconds) / 1_000_000)
    sink.append(0x7D)
  }

  /// Who it is, for friends; retained on `/info`.
  public static func encodeCard(trackerID: Span<UInt8>, into sink: inout some ByteSink) {
    sink.append("{\"_type\":\"card\",\"tid\":")
    sink.append(jsonString: shortName(of: trackerID))
    sink.append(",\"name\":")
    sink.append(jsonString: trackerID)
    sink.append(0x7D)
  }

  /// The steps between two times; -1 where nothing counts them.
  public static func encodeSteps(
    _ steps: UInt32?, from start: UTCTime, to end: UTCTime, at time: UTCTime, into sink: inout some ByteSink
  ) {
    openSteps(steps, from: start, to: end, at: time, into: &sink)
    sink.append(0x7D)
  }

  /// The same without the end of the object.
  static func openSteps(
    _ steps: UInt32?, from start: UTCTime, to end: UTCTime, at time: UTCTime, into sink: inout some ByteSink
  ) {
    sink.append("{\"_type\":\"steps\",\"tst\":")
    sink.append(decimal: max(0, time.microseconds) / 1_000_000)
    sink.append(",\"steps\":")
    sink.append(decimal: steps.map { Int64($0) } ?? -1)
    sink.append(",\"from\":")
    sink.append(decimal: max(0, start.microseconds) / 1_000_000)
    sink.append(",\"to\":")
    sink.append(decimal: max(0, end.microseconds) / 1_000_000)
  }

  /// One fence; one that is no circle has a name and no place, as this form has no other shape. Its number is its key: `rid`, and
  /// `tst`, as no time is kept at which it was made.
  public static func encodeWaypoint(_ fence: AnsweredFence, into sink: inout some ByteSink) {
    sink.append("{\"_type\":\"waypoint\",\"desc\":")
    sink.append(jsonString: fence.name.span)
    sink.append(",\"tst\":")
    sink.append(decimal: Int64(fence.number))
    if let middle = fence.middle {
      sink.append(",\"lat\":")
      sink.append(fixed: Int64(middle.latitudeE7), decimals: 7)
      sink.append(",\"lon\":")
      sink.append(fixed: Int64(middle.longitudeE7), decimals: 7)
      sink.append(",\"rad\":")
      sink.append(decimal: Int64(fence.radius))
    }
    sink.append(",\"rid\":\"")
    sink.append(decimal: Int64(fence.number))
    sink.append("\"}")
  }

  /// All fences, without the end of the object.
  ///
  /// - Parameters:
  ///   - source: The tracker that has them.
  ///   - trackerID: Its name, UTF-8.
  ///   - withoutPlaces: Tells their names only: the owner wants no places told.
  ///   - sink: Takes the message.
  static func openWaypoints(
    of source: borrowing some AnswerSource & ~Copyable, trackerID: Span<UInt8>, withoutPlaces: Bool,
    into sink: inout some ByteSink
  ) {
    sink.append("{\"_type\":\"waypoints\",\"_creator\":")
    sink.append(jsonString: trackerID)
    sink.append(",\"waypoints\":[")
    var isFirst = true
    var row = 0
    while row < source.answeredFenceRows {
      if var fence = source.answeredFence(in: row) {
        if withoutPlaces { fence.middle = nil }
        if !isFirst { sink.append(0x2C) }
        isFirst = false
        encodeWaypoint(fence, into: &sink)
      }
      row += 1
    }
    sink.append(0x5D)
  }

  /// Its settings, for `/dump`, of those that there is a word for, without the end of the object: the key for encryption is never among them.
  ///
  /// - Parameters:
  ///   - interval: Time between positions when riding.
  ///   - distance: Distance between positions when riding, m.
  static func openDump(
    trackerID: Span<UInt8>, interval: Interval, distance: UInt32, into sink: inout some ByteSink
  ) {
    sink.append("{\"_type\":\"dump\",\"configuration\":{\"_type\":\"configuration\",\"deviceId\":")
    sink.append(jsonString: trackerID)
    sink.append(",\"tid\":")
    sink.append(jsonString: shortName(of: trackerID))
    sink.append(",\"locatorInterval\":")
    sink.append(decimal: interval.microseconds / 1_000_000)
    sink.append(",\"locatorDisplacement\":")
    sink.append(decimal: Int64(distance))
    sink.append(",\"extendedData\":true,\"cmd\":true}")
  }

  /// The last two characters of a name, UTF-8.
  @_lifetime(copy trackerID)
  static func shortName(of trackerID: Span<UInt8>) -> Span<UInt8> {
    var start = trackerID.count
    var characters = 0
    while start > 0, characters < 2 {
      start -= 1
      // What goes on a character of several bytes.
      if trackerID[start] & 0xC0 != 0x80 { characters += 1 }
    }
    return trackerID.extracting(start..<trackerID.count)
  }
}
