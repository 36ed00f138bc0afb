import ASCIIText
import InlineStorage

/// Commands of OwnTracks as requests of the tracker, which decides who may ask what: `cmd` objects, alone or in the array that a server
/// answers over HTTP.
///
/// | action | request |
/// |---|---|
/// | `reportLocation` | `locate` |
/// | `status`, `dump`, `reportSteps` | `status` |
/// | `waypoints` | `fence list` |
/// | `clearWaypoints` | `fence clear` |
/// | `setWaypoints` | `fence NUMBER set "desc" circle lat,lon rad` for each, `fence NUMBER delete` for a place that is nowhere |
/// | `setConfiguration` | `set reports.ridingInterval … reports.distance …` |
///
/// Anything else is no request. The number of a fence is its `rid` where that is one, or else its `tst`, or else its place in the list.
///
/// - Source: booklet of OwnTracks, "JSON", `cmd`.
enum OwnTracksCommands {
  /// The next request; the place counts requests.
  static func next(in text: Span<UInt8>, at place: inout Int, into sink: inout some ByteSink) -> Bool {
    guard let whole = JSONValue(text) else {
      // A text that is no JSON may be a request as it is, from whoever knows them.
      guard place == 0, !text.isEmpty, text[0] != 0x7B, text[0] != 0x5B else { return false }
      place = 1
      sink.append(bytes: text)
      return true
    }
    var left = place
    place += 1
    if whole.kind == .object { return request(whole, text, &left, into: &sink) }
    var elements = JSONValue.Elements(of: whole)
    while let element = elements.next(in: text) {
      if request(element, text, &left, into: &sink) { return true }
    }
    return false
  }

  /// Writes the request of an object when `left` of them were passed over; counts it down otherwise.
  private static func request(
    _ value: JSONValue, _ text: Span<UInt8>, _ left: inout Int, into sink: inout some ByteSink
  ) -> Bool {
    guard value.member("_type", in: text)?.equals("cmd", in: text) == true,
      let action = value.member("action", in: text)
    else { return false }
    if action.equals("setWaypoints", in: text) { return fence(value, text, &left, into: &sink) }
    var plain: StaticString?
    if action.equals("reportLocation", in: text) { plain = "locate" }
    if action.equals("status", in: text) || action.equals("dump", in: text) || action.equals("reportSteps", in: text) {
      plain = "status"
    }
    if action.equals("waypoints", in: text) { plain = "fence list" }
    if action.equals("clearWaypoints", in: text) { plain = "fence clear" }
    if let plain {
      if left > 0 {
        left -= 1
        return false
      }
      sink.append(plain)
      return true
    }
    guard action.equals("setConfiguration", in: text), let settings = value.member("configuration", in: text) else {
      return false
    }
    let interval = settings.member("locatorInterval", in: text)?.number(decimals: 0, in: text)
    let distance = settings.member("locatorDisplacement", in: text)?.number(decimals: 0, in: text)
    guard interval != nil || distance != nil else { return false }
    if left > 0 {
      left -= 1
      return false
    }
    sink.append("set")
    append(" reports.ridingInterval ", interval, to: &sink)
    append(" reports.distance ", distance, to: &sink)
    return true
  }

  private static func fence(
    _ command: JSONValue, _ text: Span<UInt8>, _ left: inout Int, into sink: inout some ByteSink
  ) -> Bool {
    guard let list = command.member("waypoints", in: text)?.member("waypoints", in: text) else { return false }
    var elements = JSONValue.Elements(of: list)
    var count: Int64 = 0
    while let waypoint = elements.next(in: text) {
      count += 1
      guard let latitude = waypoint.member("lat", in: text)?.number(decimals: 7, in: text),
        let longitude = waypoint.member("lon", in: text)?.number(decimals: 7, in: text)
      else { continue }
      if left > 0 {
        left -= 1
        continue
      }
      let number =
        key(waypoint.member("rid", in: text), text) ?? key(waypoint.member("tst", in: text), text) ?? count
      sink.append("fence ")
      sink.append(decimal: number)
      guard latitude.magnitude <= 900_000_000, longitude.magnitude <= 1_800_000_000 else {
        sink.append(" delete")
        return true
      }
      sink.append(" set \"")
      var name = InlineBytes<64>()
      waypoint.member("desc", in: text)?.appendText(of: text, to: &name)
      appendName(name.span, to: &sink)
      sink.append("\" circle ")
      sink.append(fixed: latitude, decimals: 7)
      sink.append(0x2C)
      sink.append(fixed: longitude, decimals: 7)
      append(" ", waypoint.member("rad", in: text)?.number(decimals: 0, in: text) ?? 0, to: &sink)
      return true
    }
    return false
  }

  /// A name as requests can have it: nothing that would end its quotes or the line, and no more than a fence keeps, in whole characters.
  private static func appendName(_ name: Span<UInt8>, to sink: inout some ByteSink) {
    var count = min(name.count, 32)
    if count < name.count { while count > 0, name[count] & 0xC0 == 0x80 { count -= 1 } }
    var place = 0
    while place < count {
      let byte = name[place]
      sink.append(byte < 0x20 || byte == 0x22 || byte == 0x7F ? 0x20 : byte)
      place += 1
    }
  }

  private static func key(_ value: JSONValue?, _ text: Span<UInt8>) -> Int64? {
    guard let number = value?.number(decimals: 0, in: text), number >= 1, number <= 255 else { return nil }
    return number
  }

  private static func append(_ words: StaticString, _ value: Int64?, to sink: inout some ByteSink) {
    guard let value else { return }
    sink.append(words)
    sink.append(decimal: value)
  }
}
