import InlineStorage
import Quantities
import Telemetry
import Testing

private func message(_ packet: Packet, id: String = "bike-7") -> String {
  var bytes = InlineBytes<400>()
  let name = Array(id.utf8)
  packet.encodeMessage(trackerID: name.span, into: &bytes)
  return String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self)
}

private func packet(_ latitude: Double, _ longitude: Double) -> Packet {
  var fix = GNSSFix(time: .seconds(900))
  fix.mode = .threeDimensional
  fix.position = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude)
  let utc = UTCTime(microseconds: 1_700_000_000_000_000)
  var packet = Packet(kind: .movement, time: .seconds(900), utc: utc, phase: .alarmed, isArmed: true)
  packet.position = PacketPosition(fix)
  packet.sequence = 42
  return packet
}

@Test func aMessageSaysWhatWhenAndWhere() {
  #expect(
    message(packet(50.392_601_8, -5.900_229_3))
      == "bike-7: movement, 2023-11-14 22:13 UTC, https://osm.org/?mlat=50.392602&mlon=-5.900229 #42")
}

@Test func aMessageDoesNotInventAPlace() {
  var unknown = packet(1, 1)
  unknown.position = nil
  #expect(message(unknown).contains("place unknown"))
  var old = packet(1, 1)
  old.isStale = true
  #expect(message(old).contains("last seen https://"))
}

@Test func aMessageSaysWhatARequestWasAnswered() {
  var answer = packet(1, 1)
  answer.kind = .status
  answer.position = nil
  for (reason, value, words) in [
    (.ruleChanged, "fence 1", "ruleChanged fence 1"), (.ruleRefused, "tooFewPoints", "ruleRefused tooFewPoints"),
    (.rules, "1* 2 3", "rules 1* 2 3"), (.ruleChanged, "<-03>3", "ruleChanged <-03>3"), (.alertsOff, "", "alertsOff"),
    (.setting, "1234567890123456789", "setting 1234567890123456789"), (.profile, "Ä{", "profile ???"),
    // No message of the network has more room.
    (.odometerMeasured, "1234567890 12345678", "odometerMeasured"),
    (.odometerMeasured, "12000 31", "odometerMeasured 12000 31"),
  ] as [(StatusReason, String, String)] {
    answer.status = PacketStatus(reason: reason, alertsEnabled: true)
    answer.value = value.isEmpty ? nil : PacketText(Array(value.utf8).span)
    #expect(message(answer) == "bike-7: \(words), 2023-11-14 22:13 UTC, place unknown #42")
  }
}

@Test func theLongestAnswerFitsOneOfTheNetwork() {
  for reason in StatusReason.allCases {
    for count in 0...PacketText.capacity {
      var longest = packet(-89.999_999, -179.999_999)
      longest.kind = .status
      longest.sequence = .max
      longest.isStale = true
      longest.status = PacketStatus(reason: reason, alertsEnabled: true)
      longest.value = PacketText([UInt8](repeating: 0x31, count: count).span)
      #expect(message(longest, id: String(repeating: "x", count: 32)).utf8.count <= Packet.messageCapacity)
    }
  }
}

@Test func theLongestMessageFitsOneOfTheNetwork() {
  var longest = packet(-89.999_999, -179.999_999)
  longest.sequence = .max
  longest.isStale = true
  let text = message(longest, id: String(repeating: "Ä☂", count: 40))
  #expect(text.utf8.count <= Packet.messageCapacity)
  #expect(text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7B && $0 != 0x60 })
}
