import InlineStorage
import PacketForms
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

private func alert(_ number: UInt32, _ detector: MovementDetector = .heading) -> PacketAlert {
  PacketAlert(id: number, evidence: MovementEvidence(detector: detector, ratio: 2, onset: .zero, duration: .zero))
}

@Test func anAlertHasTheNumberThatItsAnswerNames() {
  var theft = packet(1, 1)
  theft.alert = alert(3)
  #expect(message(theft).hasPrefix("bike-7: movement 3 (heading), 2023"))
  theft.kind = .fence
  theft.rule = PacketRule(.fence, 1, name: Array("garden".utf8).span)
  #expect(message(theft).hasPrefix("bike-7: outside garden (alert 3), 2023"))
  // Repetitions differ by how far it has come.
  for (metres, words) in [(Float(0.4), "by 0 m "), (149.9, "by 149 m "), (1e6, "by 1000000 m "), (-1, ""), (.nan, "")] {
    theft.alert?.evidence.displacement = metres
    #expect(message(theft).hasPrefix("bike-7: outside garden \(words)(alert 3), 2023"), "\(metres) m")
  }
}

/// Whatever is left out, it is not the number of an alert of a movement.
@Test func theLongestAlertFitsOneOfTheNetwork() {
  for detector in MovementDetector.allCases {
    for (number, name) in [(UInt32.max, 0), (UInt32.max, 19), (9, 19), (99_999, 19), (9, 18)] {
      var longest = packet(-89.999_999, -179.999_999)
      longest.sequence = .max
      longest.isStale = true
      longest.alert = alert(number, detector)
      if name > 0 {
        longest.kind = .fence
        longest.rule = PacketRule(.fence, 1, name: [UInt8](repeating: 0x78, count: name).span)
      }
      for count in [1, 12, 32] {
        longest.alert?.evidence.displacement = count == 12 ? 1e6 : 9
        let text = message(longest, id: String(repeating: "x", count: count))
        #expect(text.utf8.count <= Packet.messageCapacity)
        #expect(name > 0 || text.contains(": movement \(number)"))
      }
    }
  }
}

/// Whoever can't read the number can't answer: it is left out only where it would not fit.
@Test func theNumberOfAnAlertIsLeftOutOnlyWhereThereIsNoRoom() {
  let id = String(repeating: "x", count: 32)
  for (latitude, longitude) in [(1.0, 1.0), (-33.868820, 151.209290), (-89.999_999, -179.999_999), (0, -0.5)] {
    for sequence in [UInt32(1), 99, 12_345, .max] {
      for isStale in [false, true] {
        for length in 1...20 {
          var fence = packet(latitude, longitude)
          (fence.sequence, fence.isStale, fence.kind) = (sequence, isStale, .fence)
          fence.rule = PacketRule(.fence, 1, name: [UInt8](repeating: 0x78, count: length).span)
          fence.alert = alert(4)
          fence.alert?.evidence.displacement = nil
          let text = message(fence, id: id)
          let hasNumber = text.contains(" (alert 4)")
          #expect(text.utf8.count <= Packet.messageCapacity)
          #expect(hasNumber || text.utf8.count + 10 > Packet.messageCapacity, "\(text.utf8.count): \(text)")
          // The distance comes after that.
          fence.alert?.evidence.displacement = 150
          let far = message(fence, id: id)
          #expect(far.utf8.count <= Packet.messageCapacity && far.contains(" (alert 4)") == hasNumber)
          #expect(far.contains(" by 150 m") || text.utf8.count + (hasNumber ? 9 : 19) > Packet.messageCapacity)
        }
      }
    }
  }
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
    (.setting, "1234567890123456789", "setting 1234567890123456789"), (.profile, "Ä{", "profile A?"),
    // No message of the network has more room.
    (.odometerMeasured, "1234567890 12345678", "odometerMeasured"),
    (.odometerMeasured, "12000 31", "odometerMeasured 12000 31"),
  ] as [(StatusReason, String, String)] {
    answer.status = PacketStatus(reason: reason, alertsEnabled: true)
    answer.value = value.isEmpty ? nil : PacketText(Array(value.utf8).span)
    #expect(message(answer) == "bike-7: \(words), 2023-11-14 22:13 UTC, place unknown #42")
  }
}

private func text(_ packet: Packet, id: String) -> String {
  var bytes = InlineBytes<400>()
  _ = packet.encode(part: 0, as: PacketFormat.text, trackerID: Array(id.utf8).span, into: &bytes)
  return String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self)
}

/// A text message has the alphabet of the network; ntfy and Telegram have any.
@Test func namesAreToldAsTheWayCarriesThem() {
  var left = packet(1, 1)
  left.kind = .transition
  for (name, plain, whole) in [
    ("Café & 100%", "Cafe & 100%", "Café & 100%"), ("Großmutter's \"Hof\"!", "Grosmutter's \"Hof\"!", nil),
    ("日本語の庭", "?????", nil), ("a_[b]{c}~", "a??b??c??", nil), ("ÀÉÎÕÜŸ ßÿ×÷Þñ", "AEIOU? sy???n", nil),
    ("\u{1}\u{7F}\n", "???", "???"), ("č🚲", "??", nil),
  ] as [(String, String, String?)] {
    // A packet has 19 bytes of a name.
    let short = String(decoding: Array(name.utf8).prefix(19), as: UTF8.self).filter { $0 != "\u{FFFD}" }
    left.rule = PacketRule(.fence, 1, name: Array(short.utf8).span)
    let isWhole = short == name
    for (told, expected) in [(message(left, id: name), plain), (text(left, id: name), whole ?? name)] {
      #expect(told.hasPrefix("\(expected): left "), "\(told)")
      if isWhole { #expect(told.hasPrefix("\(expected): left \(expected), 2023"), "\(told)") }
    }
  }
  // What is cut is cut in whole characters, and what is no UTF-8 is nothing else.
  #expect(text(left, id: String(repeating: "ü", count: 20)).hasPrefix(String(repeating: "ü", count: 16) + ": "))
  var bytes = InlineBytes<400>()
  _ = left.encode(part: 0, as: PacketFormat.text, trackerID: ([0x61, 0xFF, 0xC3, 0x62] as [UInt8]).span, into: &bytes)
  #expect((0..<7).map { bytes[$0] } == Array("a??b: l".utf8))
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
