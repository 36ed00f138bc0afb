import Foundation
import LinuxRuntime
import Testing

@testable import StatusPage

/// What the page shows under an id, or an attribute of the element that has it.
func content(of id: String, attribute: String? = nil, in document: String) -> String? {
  guard let place = document.range(of: "id=\"\(id)\"") else { return nil }
  guard let start = document[..<place.lowerBound].lastIndex(of: "<"),
    let end = document[place.upperBound...].firstIndex(of: ">")
  else { return nil }
  let tag = document[start..<end]
  guard let attribute else { return String(document[document.index(after: end)...].prefix { $0 != "<" }) }
  guard let named = tag.range(of: " \(attribute)=\"") else { return nil }
  return String(tag[named.upperBound...].prefix { $0 != "\"" })
}

@Test func theMadeStatusIsOneThatABoardGives() throws {
  let ride = try MadeRide()
  for text in [ride.content.status, emptyStatus] {
    let status = try JSONDecoder().decode(BoardStatus.self, from: Data(text.utf8))
    #expect(try JSONDecoder().decode(BoardStatus.self, from: JSONEncoder().encode(status)) == status)
  }
}

// The browser takes much of a small machine: one at a time.
@Suite(.serialized) struct PageInBrowserTests {
  @Test func anAlarmAfterARideIsShownInFull() throws {
    guard let browser = Browser() else { return }
    let ride = try MadeRide()
    let page = try ServedPage(ride.content)
    let document = try browser.document(of: page.link)
    #expect(document.contains("data-errors=\"0\""), "\(document.prefix(900))")
    #expect(document.contains("data-link=\"live\"") && document.contains("data-overflow=\"0\""))
    #expect(content(of: "phase", in: document) == "alarmed")
    #expect(content(of: "phase", attribute: "aria-live", in: document) == "polite")
    #expect(content(of: "armed", in: document) == "Armed")
    #expect(content(of: "evidence-now", in: document) == "1.62 × threshold")
    #expect(content(of: "position", in: document)?.contains("° N, ") == true)
    #expect(content(of: "position-age", in: document) == "Fresh: just now")
    #expect(content(of: "map", attribute: "data-points", in: document) == "\(ride.history.track.count)")
    #expect(content(of: "map", attribute: "data-fences", in: document) == "2")
    for curve in ["curve-evidence", "curve-rate", "curve-force"] {
      #expect(Int(content(of: curve, attribute: "data-points", in: document) ?? "") ?? 0 > 300, "\(curve)")
    }
    for row in ["<td>412</td><td>Movement alert</td><td>2 times</td><td>31 s</td>", "<td>409</td><td>Ride</td>"] {
      #expect(document.contains(row))
    }
    #expect(document.contains("failed, retry in 43 s"))
    #expect(document.contains("the broker refused the user name or password"))
    #expect(document.contains("ALERT movement: tilt at 3.9 × its threshold, tilted by 12°"))
    for words in [
      "Outside: alert 3 is repeated until it is back, or found", "circle of 50 m, must not be left: outside",
      "polygon of 3 corners, off: unknown",
      "at 07:30 every day, inside garden &lt;b&gt;; next 2026-05-05 07:30, in 21 h",
      "quiet: other alarms do not sound, 22:00 to 06:00 every day; off", "secure place, 60 m around it; parked here",
      "Time zone: CET-1CEST,M3.5.0,M10.5.0/3",
      "Refused: fence 9 of the configuration: the table of fences is full; delete one first",
      "1 garden &lt;b&gt;",
    ] { #expect(document.contains(words), "\(words)") }
    // Without the token nothing of it can be asked.
    for id in [
      "outside-found", "place-buttons", "alarm-buttons", "new-rules", "zone-buttons", "shape-form", "alarm-form",
    ] {
      #expect(content(of: id, attribute: "hidden", in: document) == "", "\(id)")
    }
    // Text stays text.
    #expect(document.contains("&lt;img src=x onerror=alert(1)&gt;") && !document.contains("<img"))
    #expect(document.contains("&lt;b&gt;new&lt;/b&gt;"))
    #expect(document.contains("samples late or twice"))
  }

  @Test func aTrackerThatHasFoundNothingIsShownWithoutGaps() throws {
    guard let browser = Browser() else { return }
    let page = try ServedPage(PageContentParts(status: emptyStatus))
    let document = try browser.document(of: page.link)
    #expect(document.contains("data-errors=\"0\"") && document.contains("data-link=\"live\""))
    #expect(content(of: "phase", in: document) == "starting")
    #expect(content(of: "position", in: document) == "No position yet")
    #expect(content(of: "map", attribute: "aria-label", in: document) == "Map: no position yet")
    for id in ["no-rules", "no-curves", "no-dialogue", "no-outbox", "no-uplinks", "no-happenings"] {
      #expect(content(of: id, attribute: "hidden", in: document) == nil, "\(id)")
    }
    for id in ["curves", "dialogue", "outbox", "happenings", "lost"] {
      #expect(content(of: id, attribute: "hidden", in: document) == "", "\(id)")
    }
    _ = try browser.screenshot(of: page.link, named: "empty", width: 1280, height: 1200, dark: false)
  }

  @Test func aTrackerThatIsGoneIsTold() throws {
    guard let browser = Browser() else { return }
    let page = try ServedPage(MadeRide().content, answers: 2)
    let document = try browser.document(of: page.link, after: 9000)
    #expect(document.contains("data-errors=\"0\"") && document.contains("data-link=\"lost\""))
    #expect(content(of: "link", in: document) == "No answer")
    #expect(content(of: "lost", attribute: "hidden", in: document) == nil)
    #expect(content(of: "lost", in: document)?.hasPrefix("The tracker has not answered since ") == true)
    // What was known stays.
    #expect(content(of: "phase", in: document) == "alarmed")
  }

  @Test(arguments: [("desktop", 1280, 1600), ("phone", 390, 1800)], [false, true])
  func picturesAreTaken(size: (name: String, width: Int, height: Int), dark: Bool) throws {
    guard let browser = Browser() else { return }
    let page = try ServedPage(MadeRide().content)
    let picture = try browser.screenshot(
      of: page.link, named: "\(size.name)-\(dark ? "dark" : "light")", width: size.width, height: size.height,
      dark: dark)
    let bytes = [UInt8](try Data(contentsOf: picture))
    // PNG: signature, then width and height.
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && bytes.count > 40_000)
    let number = { (place: Int) in bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    #expect(number(16) == size.width && number(20) == size.height)
  }
}
