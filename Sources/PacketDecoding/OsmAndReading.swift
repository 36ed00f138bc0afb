import ASCIIText
import Quantities
import Telemetry

/// Messages that are parameters.
enum OsmAndReading {
  static func message(_ query: QueryText, _ now: UTCTime?) throws(DecodingFailure) -> DecodedMessage {
    guard let tracker = query.value("id") ?? query.value("deviceid"), !tracker.isEmpty else {
      throw DecodingFailure("no 'id': a server refuses it")
    }
    let fields = query.parameters.map { parameter in
      let row = FieldTables.row(parameter.name, of: .osmAnd, type: "")
      return DecodedField(
        parameter.name, parameter.value, unit: row?.unit ?? "", meaning: row?.meaning ?? "an attribute of the position",
        trap: row?.trap ?? nil,
        problem: FieldLimits.problem(parameter.name, parameter.value, of: .osmAnd, type: "", now: now))
    }
    var facts = DecodedFacts()
    facts.tracker = tracker
    facts.time = query.value("timestamp").flatMap { time($0) }
    if let told = facts.time, let age = query.value("fixAge").flatMap({ scanFixed(Array($0.utf8).span, decimals: 6) }) {
      facts.time = UTCTime(microseconds: told.microseconds &- age)
    }
    let pair = query.value("location").map { $0.split(separator: ",") } ?? []
    let isPair = pair.count == 2
    if let place = JSONReading.place(
      number(isPair ? String(pair[0]) : query.value("lat")), number(isPair ? String(pair[1]) : query.value("lon")))
    {
      (facts.latitude, facts.longitude) = place
    }
    facts.altitude = number(query.value("altitude"))
    facts.accuracy = number(query.value("accuracy"))
    facts.speed = number(query.value("speed")).map { $0 * 1852 / 3600 }
    facts.course = number(query.value("bearing") ?? query.value("heading"))
    facts.battery = number(query.value("batt"))
    facts.isMoving = query.value("motion").flatMap { $0 == "true" ? true : $0 == "false" ? false : nil }
    facts.odometer = number(query.value("odometer"))
    facts.meaning = query.value("alarm").flatMap { PacketMeaning(traccarList: $0) }
    return DecodedMessage(
      form: .osmAnd, type: query.value("event") ?? "position", fields: fields.markedRepetitions(but: ["cell", "wifi"]),
      facts: facts)
  }

  private static func number(_ text: String?) -> Double? {
    guard let text, let scaled = scanFixed(Array(text.utf8).span, decimals: 9) else { return nil }
    return Double(scaled) / 1e9
  }

  /// Seconds below 2147483647, milliseconds from there; or ISO 8601.
  private static func time(_ text: String) -> UTCTime? {
    guard let value = scanFixed(Array(text.utf8).span, decimals: 0) else { return UTCTime(iso8601: text) }
    let (product, overflow) = value.multipliedReportingOverflow(by: value >= 2_147_483_647 ? 1000 : 1_000_000)
    return overflow ? nil : UTCTime(microseconds: product)
  }
}
