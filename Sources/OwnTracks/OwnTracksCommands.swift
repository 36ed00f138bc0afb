import ASCIIText
import InlineStorage

/// Commands of OwnTracks as requests of the tracker, which decides who may ask what: `cmd` objects, alone or in the array that a server
/// answers over HTTP.
///
/// | action | request |
/// |---|---|
/// | `reportLocation`, `status` | `status` |
/// | `dump` | `status settings` |
/// | `reportSteps` | `status steps FROM TO`, or `status steps` without both times |
/// | `waypoints` | `status fences` |
/// | `clearWaypoints` | `fence clear` |
/// | `setWaypoints` | `fence set "desc" circle lat,lon rad` for each, `fence NUMBER set …` for one that this tracker told |
/// | `setConfiguration` | `set reports.ridingInterval … reports.distance …` |
///
/// Any other command, and one that can't be done, is handed on as `cmd ACTION`, which the tracker refuses and counts. What is no `cmd` is
/// passed over. The number of a fence is its `rid` where that is one, or else its `tst`, as the tracker itself tells them. Others, whose
/// `tst` is the time at which a person made them, have none: the fence is that of the same name, or a new one, as on iOS. One whose place
/// is nowhere is refused: there it would delete the region of that name.
///
/// - Source: booklet of OwnTracks, "JSON", `cmd`.
enum OwnTracksCommands {
  /// The next request; the place counts requests.
  ///
  /// - Parameter hasAnswers: Whether the form has messages for settings, fences and steps.
  static func next(
    in text: Span<UInt8>, at place: inout Int, hasAnswers: Bool, into sink: inout some ByteSink
  ) -> Bool {
    guard let whole = JSONValue(text) else {
      // A text that is no JSON may be a request as it is, from whoever knows them.
      guard place == 0, !text.isEmpty, text[0] != 0x7B, text[0] != 0x5B else { return false }
      place = 1
      sink.append(bytes: text)
      return true
    }
    var left = place
    place += 1
    if whole.kind == .object { return request(whole, text, &left, hasAnswers, into: &sink) }
    var elements = JSONValue.Elements(of: whole)
    while let element = elements.next(in: text) {
      if request(element, text, &left, hasAnswers, into: &sink) { return true }
    }
    return false
  }

  /// Writes the request of an object when `left` of them were passed over; counts it down otherwise.
  private static func request(
    _ value: JSONValue, _ text: Span<UInt8>, _ left: inout Int, _ hasAnswers: Bool, into sink: inout some ByteSink
  ) -> Bool {
    guard value.member("_type", in: text)?.equals("cmd", in: text) == true else { return false }
    let action = value.member("action", in: text)
    if let action, action.equals("setWaypoints", in: text) { return fence(value, action, text, &left, into: &sink) }
    if left > 0 {
      left -= 1
      return false
    }
    guard let action else {
      sink.append("cmd")
      return true
    }
    if action.equals("reportLocation", in: text) || action.equals("status", in: text) {
      sink.append("status")
    } else if hasAnswers, action.equals("dump", in: text) {
      sink.append("status settings")
    } else if hasAnswers, action.equals("waypoints", in: text) {
      sink.append("status fences")
    } else if hasAnswers, action.equals("reportSteps", in: text), let times = Times(value, text) {
      sink.append("status steps")
      append(" ", times.from, to: &sink)
      append(" ", times.to, to: &sink)
    } else if action.equals("clearWaypoints", in: text) {
      sink.append("fence clear")
    } else if action.equals("setConfiguration", in: text), let changes = Changes(value, text) {
      sink.append("set")
      append(" reports.ridingInterval ", changes.interval, to: &sink)
      append(" reports.distance ", changes.distance, to: &sink)
    } else {
      refuse(action, text, into: &sink)
    }
    return true
  }

  /// What there is no request for, under its name as far as that is one.
  private static func refuse(_ action: JSONValue, _ text: Span<UInt8>, into sink: inout some ByteSink) {
    sink.append("cmd ")
    var name = InlineBytes<24>()
    action.appendText(of: text, to: &name)
    var place = 0
    while place < name.count {
      switch name[place] {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: sink.append(name[place])
      default: sink.append(0x5F)
      }
      place += 1
    }
  }

  /// The time that steps are asked about; nil for one that is none. Both are nil where the command has neither.
  private struct Times {
    var from: Int64?
    var to: Int64?

    init?(_ command: JSONValue, _ text: Span<UInt8>) {
      let (start, end) = (command.member("from", in: text), command.member("to", in: text))
      from = start?.number(decimals: 0, in: text)
      to = end?.number(decimals: 0, in: text)
      guard (start == nil && end == nil) || (from != nil && to != nil) else { return nil }
      guard let from, let to else { return }
      guard from >= 0, to > 0, from <= to, to <= 0xFFFF_FFFF, to - from <= 99_999_999 else { return nil }
    }
  }

  /// The settings of a configuration that there are words for; nil when it has none of them.
  private struct Changes {
    var interval: Int64?
    var distance: Int64?

    init?(_ command: JSONValue, _ text: Span<UInt8>) {
      guard let settings = command.member("configuration", in: text) else { return nil }
      interval = settings.member("locatorInterval", in: text)?.number(decimals: 0, in: text)
      distance = settings.member("locatorDisplacement", in: text)?.number(decimals: 0, in: text)
      guard interval != nil || distance != nil else { return nil }
    }
  }

  private static func fence(
    _ command: JSONValue, _ action: JSONValue, _ text: Span<UInt8>, _ left: inout Int, into sink: inout some ByteSink
  ) -> Bool {
    guard let list = command.member("waypoints", in: text)?.member("waypoints", in: text), list.kind == .array else {
      if left > 0 {
        left -= 1
        return false
      }
      refuse(action, text, into: &sink)
      return true
    }
    var elements = JSONValue.Elements(of: list)
    while let waypoint = elements.next(in: text) {
      if left > 0 {
        left -= 1
        continue
      }
      // A beacon has no place, and what is nowhere is no fence.
      guard let latitude = waypoint.member("lat", in: text)?.number(decimals: 7, in: text),
        let longitude = waypoint.member("lon", in: text)?.number(decimals: 7, in: text),
        latitude.magnitude <= 900_000_000, longitude.magnitude <= 1_800_000_000
      else {
        refuse(action, text, into: &sink)
        return true
      }
      sink.append("fence")
      append(" ", key(waypoint.member("rid", in: text), text) ?? key(waypoint.member("tst", in: text), text), to: &sink)
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
    let count = countOfWholeCharacters(name, upTo: 32)
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
