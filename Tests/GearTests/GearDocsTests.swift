import Glibc
import Testing
import TrackerCore
import TrackerRuntime

/// Every example of docs/gear.md is asked, and answered as it says there.
@Test func everyExampleOfTheGearPageIsAnsweredAsItSays() throws {
  let path = String(#filePath.dropLast("Tests/GearTests/GearDocsTests.swift".count)) + "docs/gear.md"
  let file = try #require(fopen(path, "rb"), "\(path)")
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
  let bench = try GearBench()
  var hasRidden = false
  var verbs: Set<Substring> = []
  for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where line.hasPrefix("gear") {
    let parts = line.split(separator: "→").map { $0.drop { $0 == " " } }
    guard parts.count == 2 else { continue }
    var request = String(parts[0])
    while request.last == " " { request.removeLast() }
    if request.hasPrefix("gear reset"), !hasRidden {
      hasRidden = true
      let distance = try bench.ride(seconds: 300)
      #expect(distance > 1450 && distance < 1550 && bench.count("gearDue") == 1)
    }
    let read = try #require(Request(text: request), "\(request)")
    #expect(Request(text: read.text) == read)
    #expect(try bench.ask(request) == parts[1], "\(request)")
    verbs.insert(request.split(separator: " ").dropFirst().first ?? "")
  }
  #expect(verbs == ["", "add", "set", "use", "counter", "reset", "assign", "import", "show", "delete"])
}

/// A text that is none is told with the word that is wrong, and what is expected in its place.
@Test(arguments: [
  ("gear wash", "can't read 'wash' after 'gear'; expected add, set, use, show, import, counter, reset"),
  ("gear add road", "'gear add road' is not complete; expected what it is, as bike, shoes or climbing, 16 bytes"),
  ("gear counter road chain miles 5", "can't read 'miles' after 'gear counter road chain'; expected distance, moving"),
  ("gear counter road chain days 0", "can't read '0' after 'gear counter road chain days'; expected days, 1 to 36500"),
  ("gear use road now", "can't read 'now' after 'gear use road'; expected nothing more"),
  ("gear set \"road", "can't read '\"road' after 'gear set'; expected a closing quote"),
])
func whatIsNoRequestIsExplained(_ text: String, _ complaint: String) {
  #expect(Request(text: text) == nil)
  #expect(RequestKind.complaint(about: text).hasPrefix(complaint), "\(RequestKind.complaint(about: text))")
}
