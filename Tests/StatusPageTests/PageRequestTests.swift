import Foundation
import LinuxDevices
import LinuxRuntime
import Quantities
import Requests
import Testing
import Uplinks

@testable import StatusPage

let pageToken = "correct horse battery staple"

/// A tracker without sensors behind a page that takes requests, in a loop that the test turns.
final class PageOfBoard {
  let loop: EventLoop
  let board: BoardRun
  let server: StatusPageServer
  let port: UInt16
  /// JSON of what the tracker did.
  private(set) var told: [String] = []
  private let folder: URL
  private var counter = UInt64(Date().timeIntervalSince1970 * 1000)

  /// - Parameter token: nil for a page that only shows.
  init(token: String? = pageToken, files: String? = nil) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "leash-page-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var configuration = BoardConfiguration()
    configuration.stateFile = folder.appending(path: "state.db").path
    configuration.page = PageAddress(port: 0)
    configuration.pageToken = token.map { Secret($0) }
    loop = try EventLoop(clock: MachineClock())
    board = try BoardRun(
      configuration, parts: BoardParts(sensors: [], uplinks: []),
      storage: BoardStorage(configuration, clock: MachineClock()), loop: loop,
      at: MonotonicClock.now)
    server = StatusPageServer(PageAddress(port: 0), content: board.pageContent(version: "test"), files: files)
    try server.start(in: loop, at: MonotonicClock.now)
    port = server.port ?? 0
    board.onOutput = { [unowned self] _, bytes in told.append(String(decoding: bytes, as: UTF8.self)) }
    try board.start()
  }

  deinit {
    server.stop()
    board.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  /// A request as the page signs it.
  func signed(_ text: String, by token: String = pageToken) throws -> String {
    counter += 1
    let key = try #require(RequestKey(token: token))
    let id = Array("leash".utf8)
    let made = key.signed(Array(text.utf8).span, for: id.span, counter: counter)
    let bytes = try #require(made)
    return bytes.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// What the server says to a POST; headers that are nil are left out.
  func post(
    _ body: String, path: String = "/request", host: String = "localhost", origin: String? = "http://localhost",
    mark: String? = "1", type: String? = "text/plain;charset=UTF-8", more: String = "", length: Int? = nil
  ) throws -> LoopClient.Answer? {
    let client = try LoopClient(port, in: loop)
    defer { client.leave() }
    let headers = [
      "Host: \(host)", origin.map { "Origin: \($0)" }, mark.map { "Leash-Request: \($0)" },
      type.map { "Content-Type: \($0)" },
      "Content-Length: \(length ?? body.utf8.count)",
    ].compactMap { $0 }.joined(separator: "\r\n")
    client.send("POST \(path) HTTP/1.1\r\n\(headers)\r\n\(more)\r\n\(body)")
    return client.answer()
  }

  var status: BoardStatus { board.status(version: "test") }
  func count(_ name: String) -> Int { status.counters.first { $0.name == name }.flatMap { Int($0.value) } ?? 0 }
}

@Suite struct PageRequestTests {
  @Test func aSignedRequestOfThePageIsObeyedAndAPacketShowsIt() throws {
    let page = try PageOfBoard()
    let answer = try #require(try page.post(page.signed("#17 alerts off")))
    #expect(answer.status == 200 && answer.text == "{\"answer\":\"alertsOff\"}")
    #expect(answer.header("Access-Control-Allow-Origin") == nil && answer.header("Set-Cookie") == nil)
    #expect(answer.header("Cache-Control") == "no-store")
    // Kept before it was called done: the packet has left the tracker.
    let packet = page.told.last { $0.contains("\"type\":\"status\"") } ?? ""
    #expect(packet.contains("\"alertsEnabled\":false") && packet.contains("\"request\":17"), "\(page.told)")
    #expect(!page.status.alertsEnabled)
    #expect(try page.post(page.signed("alerts on"))?.text == "{\"answer\":\"alertsOn\"}")
    #expect(page.status.alertsEnabled)
    #expect(try page.post(page.signed("locate"))?.text == "{}")
    #expect(page.told.contains { $0.contains("\"type\":\"location\"") })
    #expect(page.count("requestsRefused") == 0 && page.count("pageRequestsRefused") == 0)
  }

  /// What a form or a script of another page can send without asking first, and what a proxy or an old browser leaves out.
  @Test func nothingButThePageItselfIsHeard() throws {
    let page = try PageOfBoard()
    let good = try page.signed("alerts off")
    let forms = ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"]
    var tries: [(LoopClient.Answer?, String)] = []
    for type in forms {
      tries.append((try page.post(good, origin: "https://evil.example", mark: nil, type: type), "a form of \(type)"))
      tries.append((try page.post(good, origin: "null", mark: nil, type: type), "a form of a file, \(type)"))
      tries.append((try page.post(good, mark: nil, type: type), "a form of its own"))
    }
    for origin in [
      nil, "null", "https://evil.example", "http://localhost.evil.example", "http://localhost:1", "http://127.0.0.1",
      "localhost", "http://localhost/", "ftp://localhost",
    ] { tries.append((try page.post(good, origin: origin), "origin \(origin ?? "none")")) }
    for site in ["cross-site", "same-site", "none"] {
      tries.append((try page.post(good, more: "Sec-Fetch-Site: \(site)\r\n"), "Sec-Fetch-Site \(site)"))
    }
    tries.append((try page.post(good, mark: "0"), "another mark"))
    for host in ["evil.example", "localhost.evil.example"] {
      tries.append((try page.post(good, host: host, origin: "http://\(host)"), "host \(host)"))
    }
    for (answer, what) in tries {
      #expect(answer?.status == 403, "\(what)")
      #expect(answer?.header("Access-Control-Allow-Origin") == nil, "\(what)")
    }
    #expect(page.status.alertsEnabled && page.status.requests.isEmpty)
    #expect(page.count("pageRequestsRefused") == tries.count && page.count("requestsRefused") == 0)
    // The same bytes from the page itself: none of those used its counter up.
    #expect(try page.post(good, more: "Sec-Fetch-Site: same-origin\r\n")?.status == 200)
    #expect(!page.status.alertsEnabled)
  }

  @Test func aQuestionBeforehandIsRefused() throws {
    let page = try PageOfBoard()
    let client = try LoopClient(page.port, in: page.loop)
    defer { client.leave() }
    client.send(
      "OPTIONS /request HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n"
        + "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: leash-request\r\n\r\n")
    let answer = try #require(client.answer())
    #expect(answer.status == 405 && !answer.head.lowercased().contains("access-control"))
  }

  @Test func unsignedForgedAndReplayedRequestsAreRefusedAndCounted() throws {
    let page = try PageOfBoard()
    let good = try page.signed("track 10 600")
    #expect(try page.post(good)?.status == 200)
    let tries = [
      (try page.post("alerts off"), "notAllowed"), (try page.post("status"), "notAllowed"),
      (try page.post(page.signed("alerts off", by: "correct horse battery stable")), "forged"),
      (try page.post(String(page.signed("alerts off").dropLast(40))), "unreadable"), (try page.post(good), "replayed"),
      (try page.post(good.replacing("track 10 600", with: "alerts off")), "forged"),
      (try page.post(page.signed("reboot")), "notAllowed"), (try page.post("", length: 0), "unreadable"),
    ]
    for (answer, word) in tries {
      #expect(answer?.status == 403)
      #expect(answer?.text == "{\"refused\":\"\(word)\"}")
    }
    #expect(page.count("requestsRefused") == tries.count && page.status.alertsEnabled)
    #expect(page.status.requests.contains { $0.refused == "replayed" && $0.channel == "local page" })
  }

  @Test func aRequestThatIsTooLongIsNotRead() throws {
    let page = try PageOfBoard()
    let good = try page.signed("alerts off")
    let filled = good + String(repeating: " ", count: PageUpload.longest - good.utf8.count)
    #expect(try page.post(filled + " ")?.status == 413)
    #expect(try page.post("", length: 1 << 40)?.status == 413)
    #expect(try page.post("", more: "Transfer-Encoding: chunked\r\n")?.status != 200)
    #expect(page.status.alertsEnabled)
    #expect(try page.post(filled)?.status == 200)
  }

  @Test func withoutATokenNothingIsTaken() throws {
    let page = try PageOfBoard(token: nil)
    let answer = try #require(try page.post(page.signed("alerts off")))
    #expect(answer.status == 405 && answer.header("Allow") == "GET, HEAD")
    #expect(page.status.alertsEnabled && !page.status.pageTakesRequests)
    let other = try PageOfBoard()
    for path in ["/", "/status.json", "/request/", "/request.json"] {
      #expect(try other.post(other.signed("alerts off"), path: path)?.status == 405, "\(path)")
    }
    #expect(other.status.alertsEnabled)
  }

  @Test func theServerStopsWhileARequestWaits() throws {
    var content = PageContent.small
    var waiting: [(PageRequests.Reply) -> Void] = []
    content.requests = PageRequests(take: { waiting.append($1) }, noteRefused: {})
    let page = try PageInLoop(content)
    let head = "POST /request HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nLeash-Request: 1\r\n"
    let first = try page.client()
    first.send(head + "Content-Length: 4\r\n\r\nping")
    #expect(first.turn { waiting.count == 1 })
    // Others are answered meanwhile.
    #expect(try page.answer("/status.json")?.status == 200)
    #expect(first.received.isEmpty)
    waiting[0](.obeyed("pong"))
    #expect(first.answer()?.text == "{\"answer\":\"pong\"}")
    let second = try page.client()
    second.send(head + "Content-Length: 4\r\n\r\nping")
    #expect(second.turn { waiting.count == 2 })
    page.server.stop()
    #expect(second.turn { second.isClosed })
    waiting[1](.obeyed("pong"))
    waiting[0](.refused("flooded"))
  }

  /// The same request stands in the tests of the page's scripts.
  @Test func theTokenMakesTheKeyThatTheScriptsMake() throws {
    let key = try #require(RequestKey(token: pageToken))
    let id = Array("leash".utf8)
    let text = Array("#17 alerts off".utf8)
    let made = key.signed(text.span, for: id.span, counter: 1_764_000_000_000)
    let signed = try #require(made)
    #expect(
      signed.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        == "#17 alerts off !1764000000000:21a2548b7a4f8934460d4ba6f36fca37")
  }
}
