import Foundation
import LinuxDevices
import Quantities
import SkippedTests
import Testing

@testable import StatusPage

@Test(arguments: [
  ("/", "text/html; charset=utf-8", "<!doctype html>"), ("/page.css", "text/css; charset=utf-8", "--back"),
  ("/page.js", "text/javascript; charset=utf-8", "import {"), ("/icon.svg", "image/svg+xml", "<svg"),
  ("/status.json", "application/json", "parked"), ("/history.json", "application/json", "{\"after\":0}"),
  ("/history.json?after=17", "application/json", "{\"after\":17}"),
  ("/dialogue.json?after=4", "application/json", "{\"dialogueAfter\":4}"),
  ("/fences.json", "application/json", "FeatureCollection"),
])
func everyPathGivesItsContentAndStaysInNoCache(path: String, type: String, part: String) throws {
  let answer = try #require(try PageInLoop().answer(path))
  #expect(answer.status == 200)
  #expect(answer.header("Content-Type") == type)
  #expect(answer.text.contains(part))
  #expect(answer.header("Cache-Control") == "no-store")
  #expect(answer.header("X-Content-Type-Options") == "nosniff")
  #expect(answer.header("Access-Control-Allow-Origin") == nil)
  let policy = try #require(answer.header("Content-Security-Policy"))
  #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"))
  #expect(!policy.contains("unsafe"))
}

@Test func whatTheScriptImportsIsThereAndTheProgramHoldsTheFilesOfTheFolder() throws {
  let folder = URL(fileURLWithPath: #filePath).appending(path: "../../../Sources/StatusPage/Page").standardized
  for file in PageFile.all {
    #expect(try Data(contentsOf: folder.appending(path: file.name)) == Data(file.built), "\(file.name)")
    for match in String(decoding: file.built, as: UTF8.self).matches(of: /(?:from|src=|href=) ?"(?:\.\/)?([\w.]+)"/) {
      #expect(PageFile.at("/\(match.1)") != nil, "\(file.name) needs \(match.1)")
    }
  }
  let inFolder = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { name in
    [".js", ".html", ".css", ".svg"].contains { name.hasSuffix($0) }
  }
  #expect(inFolder.sorted() == PageFile.all.map(\.name).sorted())
}

@Test func aFolderOfFilesIsReadWithEachRequest() throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "leash-page-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let page = try PageInLoop(files: folder.path)
  for text in ["one", "two"] {
    try Data(text.utf8).write(to: folder.appending(path: "page.html"))
    #expect(try page.answer("/")?.text == text)
  }
  let missing = try #require(try page.answer("/page.js"))
  #expect(missing.status == 404 && missing.text.contains("page.js can't be read"))
  // Only files of the page, whatever else lies there.
  try Data("secret".utf8).write(to: folder.appending(path: "other.js"))
  #expect(try page.answer("/other.js")?.status == 404)
}

@Test func nothingOfARequestComesBack() throws {
  let page = try PageInLoop()
  for path in ["/<script>alert(1)</script>", "/%3Cscript%3E", "/status.json/", "//", "/../etc/passwd", "/page.js%2F"] {
    let answer = try #require(try page.answer(path), "\(path)")
    #expect(answer.status == 404)
    #expect(answer.text == "There is no such page.\n")
    #expect(!answer.head.contains("script>") && answer.header("Content-Type") == "text/plain; charset=utf-8")
  }
}

@Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"])
func onlyReadingIsKnown(method: String) throws {
  let answer = try #require(try PageInLoop().answer("/", method: method, more: "Content-Length: 5\r\n"))
  #expect(answer.status == 405)
  #expect(answer.header("Allow") == "GET, HEAD")
}

@Test func headGivesTheHeadAlone() throws {
  let page = try PageInLoop()
  for path in ["/", "/status.json", "/nothing"] {
    let whole = try #require(try page.answer(path))
    let head = try #require(try page.answer(path, method: "HEAD"))
    #expect(head.status == whole.status)
    #expect(head.header("Content-Length") == "\(whole.body.count)")
    #expect(head.body.isEmpty)
  }
}

@Test(arguments: ["x", "-1", "1e3", "99999999999999999999", "1;2", "%3C"])
func anAfterThatIsNoNumberIsRefused(after: String) throws {
  let answer = try #require(try PageInLoop().answer("/history.json?after=\(after)"))
  #expect(answer.status == 400)
  #expect(answer.text == "after: expected a whole number, 0 or more.\n")
}

@Test func onlyNamesOfThisMachineAreAnsweredOnLoopback() throws {
  let page = try PageInLoop()
  for host in ["localhost", "LocalHost:8080", "127.0.0.1", "127.0.0.1:\(page.port)", "127.3.2.1:1", "[::1]:8080"] {
    #expect(try page.answer("/status.json", host: host)?.status == 200, "\(host)")
  }
  let strangers = [
    "example.org", "localhost.example.org", "127.0.0.1.example.org", "192.168.1.4", "[::2]", "[::1", "localhost:x",
    "localhost:99999", "", "0x7f.1", "2130706433",
  ]
  for host in strangers {
    let answer = try page.answer("/status.json", host: host)
    #expect(answer?.status == 403, "\(host)")
    #expect(answer?.text.contains("parked") == false)
  }
  #expect(try page.answer("/status.json", host: nil)?.status != 200)
}

@Test func onOtherAddressesNumbersAndTheNameGivenAreAnswered() {
  let check = HostCheck(host: "tracker.home.arpa", isLoopback: false)
  #expect(check.allows("192.168.1.4:8080"))
  #expect(check.allows("[fe80::1]"))
  #expect(check.allows("tracker.home.arpa:8080"))
  #expect(check.allows("localhost:1"))
  #expect(!check.allows("attacker.example"))
  #expect(!check.allows(nil))
}

@Test func aTakenPortAndAForeignAddressAreToldInOneLine() throws {
  let page = try PageInLoop()
  let loop = try EventLoop(clock: MachineClock())
  let second = StatusPageServer(PageAddress(port: page.port), content: .small)
  let busy = #expect(throws: DeviceFailure.self) { try second.start(in: loop, at: MonotonicClock.now) }
  #expect(
    busy?.message
      == "127.0.0.1:\(page.port): busy: another program listens there; choose another port, or 0 for any free one")
  #expect(second.port == nil && loop.nextDeadline == nil)

  // An address for documentation, which no machine has.
  let foreign = StatusPageServer(PageAddress(host: "192.0.2.1", port: 8080), content: .small)
  let failure = #expect(throws: DeviceFailure.self) { try foreign.start(in: loop, at: MonotonicClock.now) }
  #expect(failure?.message == "192.0.2.1:8080: this machine has no such address; 127.0.0.1 always exists")

  let nameless = StatusPageServer(PageAddress(host: "", port: 8080), content: .small)
  let unnamed = #expect(throws: DeviceFailure.self) { try nameless.start(in: loop, at: MonotonicClock.now) }
  #expect(
    unnamed?.message
      == ":8080: no such name or address; expected one of this machine, such as 127.0.0.1:8080 or [::1]:8080")
  #expect(page.server.link == "http://127.0.0.1:\(page.port)/")
}

@Test func portsOfTheSystemNeedRights() throws {
  guard geteuid() != 0 else { return noteSkipped("root may listen on every port") }
  let loop = try EventLoop(clock: MachineClock())
  let server = StatusPageServer(PageAddress(port: 1), content: .small)
  let failure = #expect(throws: DeviceFailure.self) { try server.start(in: loop, at: MonotonicClock.now) }
  #expect(failure?.message.hasPrefix("127.0.0.1:1: no permission: ports below 1024") == true)
}

@Test func aNameOfThisMachineIsListenedOn() throws {
  let page = try PageInLoop(host: "localhost")
  #expect(page.server.link == "http://localhost:\(page.port)/")
  #expect(page.port != 0)
}

@Test func aClientThatStallsHindersNobodyAndIsClosedInTheEnd() throws {
  let page = try PageInLoop()
  let slow = try page.client()
  slow.send("GET /status.json HTTP/1.1\r\nHost: local")
  #expect(try page.answer("/status.json")?.status == 200)
  #expect(!slow.isClosed)
  // It costs no turns while it is silent.
  let now = MonotonicClock.now
  #expect(try #require(page.server.nextDeadline) > now + .seconds(1))
  // A byte now and then does not keep it either.
  slow.send("h")
  page.server.advance(to: now + StatusPageServer.Limits.requestAfter + .seconds(1))
  #expect(slow.turn { slow.isClosed })
  #expect(page.server.connectionCount == 0)
}

@Test func clientsThatTakeNothingFillNoMemory() throws {
  var content = PageContent.small
  content.history = { _ in [UInt8](repeating: 0x20, count: 5 << 20) }
  let page = try PageInLoop(content)
  var lazy: [LoopClient] = []
  for _ in 0..<12 {
    let client = try page.client(reads: false)
    client.send("GET /history.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
    lazy.append(client)
  }
  #expect(try page.answer("/status.json")?.status == 200)
  let refused = try #require(try page.answer("/history.json"))
  #expect(refused.status == 503)
  #expect(refused.header("Retry-After") == "5")
  #expect(page.server.outgoingCount <= StatusPageServer.Limits.outgoing)
  lazy.forEach { $0.leave() }
  lazy = []
  let after = try page.client()
  #expect(after.turn { page.server.connectionCount == 1 })
  #expect(page.server.outgoingCount == 0)
  #expect(try page.answer("/history.json")?.body.count == 5 << 20)
}

@Test func aHundredConnectionsAreAnsweredOfWhichABoundedNumberAtATime() throws {
  let page = try PageInLoop()
  var most = 0
  // What the server does not take yet waits in the kernel, which holds few.
  let clients = try (0..<100).map { _ in
    let client = try page.client()
    page.loop.turn(until: MonotonicClock.now)
    most = max(most, page.server.connectionCount)
    return client
  }
  #expect(most == Int(StatusPageServer.Limits.connections))
  for client in clients {
    client.send("GET /status.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
  }
  for client in clients {
    #expect(client.answer()?.status == 200)
    most = max(most, page.server.connectionCount)
  }
  #expect(most <= Int(StatusPageServer.Limits.connections))
  #expect(clients[99].turn { clients.allSatisfy(\.isClosed) })
}

@Test func aRequestWithoutEndIsRefused() throws {
  let page = try PageInLoop()
  let client = try page.client()
  client.send("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + String(repeating: "x", count: 60_000))
  let answer = client.answer()
  #expect(answer == nil || (400..<500).contains(answer?.status ?? 0))
  #expect(client.turn { client.isClosed })
}

@Test func stoppingClosesEverythingAndFreesThePort() throws {
  let page = try PageInLoop()
  let client = try page.client()
  client.send("GET /status.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
  #expect(client.answer()?.status == 200)
  page.server.stop()
  #expect(page.server.port == nil && page.server.nextDeadline == nil)
  #expect(client.turn { client.isClosed })
  #expect(throws: POSIXError.self) { try page.client() }
  page.server.stop()

  let again = StatusPageServer(PageAddress(port: page.port), content: .small)
  try again.start(in: page.loop, at: MonotonicClock.now)
  #expect(try page.answer("/status.json")?.status == 200)
  again.stop()
}

@Test func stoppingFromInsideAnAnswerWaitsForIt() throws {
  var stop: () -> Void = {}
  let page = try PageInLoop(
    PageContent(
      status: {
        stop()
        return Array("{}".utf8)
      }, history: { _ in [] }))
  stop = { [unowned server = page.server] in server.stop() }
  let client = try page.client()
  client.send("GET /status.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
  #expect(client.turn { client.isClosed })
  #expect(page.server.port == nil)
}
