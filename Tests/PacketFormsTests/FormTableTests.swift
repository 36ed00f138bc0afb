import Foundation
import OwnTracks
@testable import PacketDecoding
import PacketForms
import Telemetry
import Testing
import Traccar

/// What each form carries.
@Suite(.serialized) struct FormTableTests {
  private func carries(_ name: String, _ form: PacketFormat) throws -> Bool {
    let content = try #require(FormTable.contents.first { $0.name == name })
    return FormTable.carries(content, form)
  }

  @Test func ourOwnFormCarriesEverything() {
    for content in FormTable.contents { #expect(FormTable.carries(content, PacketFormat.json), "\(content.name)") }
  }

  /// A new field has its row without a line there, unless it has a place of its own in a packet.
  @Test func everyFieldButThePartsOfACellHasARow() {
    #expect(PacketField.allCases.filter { FormTable.content($0) == nil } == [.country, .network, .area])
  }

  @Test func aServerCanAcknowledgeWhatHasTheNumberOfItsPacket() throws {
    for form in PacketFormat.allCases { #expect(try carries("sequence", form) == form.tellsSequence, "\(form.name)") }
  }

  @Test func everyFieldOfAPacketIsExplainedInEveryForm() throws {
    func decoded(_ form: PacketFormat) throws -> DecodedMessage {
      let bytes = try #require(message(full(.location), as: form))
      return try PacketDecoder().decode(bytes)[0]
    }
    for form in [PacketFormat.json, .ownTracks, .osmAnd, .traccar] {
      let message = try decoded(form)
      #expect(message.fields.count > 15, "\(form.name)")
      for field in message.fields {
        #expect(
          !field.meaning.isEmpty && field.meaning != "an attribute of the position", "\(form.name): \(field.name)")
      }
      #expect(message.missing.isEmpty, "\(form.name): \(message.missing)")
    }
    let fences = try decoded(.ownTracks).fields.first { $0.name == "inrids" }
    #expect(fences?.meaning == "numbers of the fences it is in")
    let signal = try decoded(.traccar).fields.first { $0.name == "location.extras.rssi" }
    #expect(signal?.meaning == "signal" && signal?.unit == "dBm")
  }

  @Test func aValueBeyondTheLimitOfAFieldIsMarkedInEveryForm() throws {
    func marked(_ text: String) throws -> Set<String> {
      let message = try PacketDecoder().decode(Array(text.utf8))[0]
      return Set(message.fields.filter { $0.problem != nil }.map(\.name))
    }
    func wrong(_ field: PacketField) -> String {
      switch field.limit {
      case .flag: return "\"perhaps\""
      case .list: return "[0,300]"
      case .number(let low, _), .whole(let low, _): return "\(low - 1)"
      }
    }
    let fields = PacketField.allCases
    let own = fields.map { "\"\($0.name)\":\(wrong($0))" }.joined(separator: ",")
    #expect(try marked("{\"type\":\"location\",\"trackerId\":\"b\",\(own)}") == Set(fields.map { "\($0.name)" }))
    let extras = fields.filter { $0.traccarName != nil }
    let traccar = extras.compactMap { field in field.traccarName.map { "\"\($0)\":\(wrong(field))" } }
      .joined(separator: ",")
    let traccarText = #"{"device_id":"b","location":{"timestamp":"2024-01-01T00:00:00Z","extras":{\#(traccar)}}}"#
    let expected = Set(extras.compactMap { field in field.traccarName.map { "location.extras.\($0)" } })
    #expect(try marked(traccarText) == expected)
    let query = fields.compactMap { field in field.osmAndName.map { "&\($0)=\(wrong(field))" } }.joined()
    #expect(try marked("id=b" + query) == Set(fields.compactMap { field in field.osmAndName.map { "\($0)" } }))
    // The largest that there can be are none of these.
    #expect(try marked(#"{"type":"ride","trackerId":"b","topSpeed":515,"movingTime":4294967295,"fences":[]}"#).isEmpty)
  }

  @Test func everyFieldOfAPacketHasARow() {
    for field in PacketField.allCases where ![.country, .network, .area].contains(field) {
      let name = FormTable.content(field)?.name
      #expect(FormTable.contents.contains { $0.name == name }, "\(field.name)")
    }
  }

  @Test func fieldsOfAppsAndOtherTrackersAreExplained() throws {
    let text =
      #"{"_type":"location","tst":1700000000,"lat":1,"lon":2,"inregions":["home"],"motionactivities":["cycling"],"#
      + #""rty":3,"mst":1,"don":5,"anum":1,"adda-00":"28","temp_c-00":21.5}"#
    let fields = try PacketDecoder().decode(Array(text.utf8))[0].fields
    #expect(fields.filter { $0.meaning.isEmpty }.map(\.name) == [])
    #expect(fields.first { $0.name == "temp_c-00" }?.unit == "°C")
    let wide = #"{"_type":"location","tst":1700000000,"lat":1,"lon":2,"temp_c-0x":1}"#
    #expect(try PacketDecoder().decode(Array(wide.utf8))[0].fields.last?.meaning == "")
  }

  @Test func noFencesAreNoParameterOfTheirOwn() {
    var packet = full(.location)
    packet.readings[.fences] = 0
    #expect(text(message(packet, as: OsmAndForm()))?.contains("fences") == false)
    packet.readings[.fences] = 3
    #expect(text(message(packet, as: OsmAndForm()))?.contains("&fences=3&") == true)
  }

  /// What a form has no word for is not made up without being told.
  @Test func whatStandsForAnUnknownValueIsInTheTable() throws {
    for (value, forms) in [
      ("accuracy", [PacketFormat.json, .osmAnd, .traccar]), ("altitude", [.json, .ownTracks, .osmAnd]),
      ("speed", [.json, .ownTracks, .osmAnd, .traccar]), ("course", [.json, .ownTracks, .osmAnd, .traccar]),
    ] {
      let carrying = try PacketFormat.allCases.filter { try carries("\(value): that it is unknown", $0) && $0 != .text }
      #expect(Set(carrying) == Set(forms), "\(value)")
    }
  }

  @Test func theMinimalFormCarriesAPlaceAndNothingElse() {
    let carried = FormTable.contents.filter { FormTable.carries($0, PacketFormat.minimal) }.map(\.name)
    #expect(carried == ["latitude, longitude"])
    #expect(!FormTable.carriesWithoutPosition(.location, PacketFormat.minimal))
  }

  @Test func anAlarmToldAgainIsAnotherForReceiversThatDropEqualOnes() throws {
    for form in [PacketFormat.json, .ownTracks, .osmAnd, .traccar] {
      #expect(try carries("alert: repetition", form), "\(form.name)")
    }
  }

  @Test func everyAlarmOfTheTableIsReadBackFromItsName() {
    for meaning in PacketMeaning.allCases {
      guard let name = meaning.words.traccar else { continue }
      let bytes = Array("\(name)".utf8)
      // Two meanings may have one name; the first in the table is read then.
      let read = PacketMeaning(traccar: bytes.span)
      #expect(read == (meaning == .outside ? .geofenceExit : meaning))
      #expect(PacketMeaning(traccar: Array(bytes.dropLast()).span) == nil)
      #expect(PacketMeaning(traccar: (bytes + [0x73]).span) == nil)
    }
  }

  /// `!` is a tow there: who drives too fast is not carried off.
  @Test func drivingHasLettersOfItsOwnInOwnTracks() {
    for (reason, letter) in [
      (StatusReason.overspeed, "s"), (.hardAcceleration, "h"), (.hardBraking, "h"), (.hardCornering, "h"), (.pong, "r"),
    ] {
      var packet = full(.status)
      packet.status = PacketStatus(reason: reason, alertsEnabled: true)
      #expect(text(message(packet, as: OwnTracksForm()))?.contains("\"t\":\"\(letter)\"") == true, "\(reason.name)")
    }
  }

  @Test func powerHasItsOwnLettersAndAlarms() {
    for (reason, letter, alarm) in [
      (StatusReason.batteryLow, "9", "lowBattery"), (.powerLost, "e", "powerCut"),
      (.powerRestored, "E", "powerRestored"), (.lastPosition, "9", "lowBattery"),
    ] {
      var packet = full(.status)
      packet.status = PacketStatus(reason: reason, alertsEnabled: true)
      #expect(text(message(packet, as: OwnTracksForm()))?.contains("\"t\":\"\(letter)\"") == true, "\(reason.name)")
      #expect(text(message(packet, as: OsmAndForm()))?.contains("&alarm=\(alarm)&") == true, "\(reason.name)")
      #expect(text(message(packet, as: TraccarForm()))?.contains("\"\(alarm)\"") == true, "\(reason.name)")
    }
  }

  @Test func anAlertOfAFenceIsAnAlertEverywhere() {
    #expect(text(message(full(.fence), as: OwnTracksForm()))?.contains(#""t":"!""#) == true)
    #expect(text(message(full(.fence), as: OsmAndForm()))?.contains("&alarm=geofenceExit&") == true)
    #expect(full(.fence).kind.priority == .alert)
  }

  @Test(arguments: ["forms", "alarms"])
  func theTablesAreThoseOfTheDocs(mark: String) throws {
    let text = mark == "forms" ? FormTable.text : FormTable.alarms
    let place = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/servers.md")
    let page = try String(contentsOf: place, encoding: .utf8)
    let begin = try #require(page.range(of: "<!-- begin \(mark) -->\n"))
    let end = try #require(page.range(of: "<!-- end \(mark) -->"))
    guard String(page[begin.upperBound..<end.lowerBound]) != text else { return }
    if ProcessInfo.processInfo.environment["LEASH_UPDATE_SNAPSHOTS"] == "1" {
      let renewed = page.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: text)
      try renewed.write(to: place, atomically: true, encoding: .utf8)
    } else {
      Issue.record("docs/servers.md is behind: LEASH_UPDATE_SNAPSHOTS=1 swift test --filter FormTableTests")
    }
  }
}
