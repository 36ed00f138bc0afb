import Foundation
import OwnTracks
import PacketDecoding
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

  @Test func everyFieldOfAPacketIsExplainedInEveryForm() throws {
    func decoded(_ form: PacketFormat) throws -> DecodedMessage {
      let bytes = try #require(message(full(.location), as: form))
      return try PacketDecoder().decode(bytes)[0]
    }
    for form in [PacketFormat.json, .ownTracks, .osmAnd, .traccar] {
      let message = try decoded(form)
      #expect(message.fields.count > 15, "\(form.name)")
      // What is not of this form's words is an attribute of a device with its own meaning.
      for field in message.fields where field.meaning.isEmpty {
        #expect(field.name.hasPrefix("location.extras."), "\(form.name): \(field.name)")
      }
    }
    let fences = try decoded(.ownTracks).fields.first { $0.name == "inrids" }
    #expect(fences?.meaning == "numbers of the fences it is in")
    let signal = try decoded(.traccar).fields.first { $0.name == "location.extras.rssi" }
    #expect(signal?.meaning == "signal" && signal?.unit == "dBm")
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
