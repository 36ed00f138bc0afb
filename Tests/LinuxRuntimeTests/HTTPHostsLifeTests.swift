import LinuxDevices
import Quantities
import Testing
import Uplinks

@testable import LinuxRuntime

private func hour(_ hours: Double) -> Instant { NetworkBoard.hour(hours) }

/// Several web servers for one receiver: the next is asked when one does not work, and the first again when it does.
@Suite struct HTTPHostsLifeTests {
  private static let first = "http://a.example:8080"
  private static let second = "http://b.example:8080"

  private func board(
    _ mood: @escaping (Instant) -> VirtualHTTPServer.Mood,
    second other: @escaping (Instant) -> VirtualHTTPServer.Mood = { _ in .works }
  ) throws -> NetworkBoard {
    let file = try BoardConfigurationFile(
      text: """
        { uplinks: [{ by: "http", url: "\(HTTPHostsLifeTests.first)/pub", otherHosts: ["b.example"] }] }
        """, name: "x")
    guard case .http(let settings)? = file.configuration.uplinks.first?.kind else { throw Missing() }
    let board = NetworkBoard(try Folder(isInMemory: true), .http(settings))
    board.server.moods = [(HTTPHostsLifeTests.first, mood), (HTTPHostsLifeTests.second, other)]
    return board
  }
  private struct Missing: Error {}

  /// Which server each request went to, with its time.
  private func asked(_ board: NetworkBoard, in time: Range<Instant>) -> [(time: Instant, isFirst: Bool)] {
    zip(board.server.requests, board.server.addresses).filter { time.contains($0.0) }.map {
      ($0, $1.hasPrefix(HTTPHostsLifeTests.first))
    }
  }

  private func fact(_ name: String, _ board: NetworkBoard) throws -> String? {
    try board.way.facts.first { $0.name == name }?.value
  }

  @Test(arguments: [
    (VirtualHTTPServer.Mood.refuses, "connection refused"), (.says(503), "status 503: server error"),
    (.says(404), "status 404: not found; check the path of the address"), (.talksNonsense, "not an HTTP server"),
  ])
  func theNextServerGetsAllAndTheFirstIsUsedAgainWhenItIsBack(mood: VirtualHTTPServer.Mood, reason: String) throws {
    let away = hour(1)..<hour(2)
    let board = try board { away.contains($0) ? mood : .works }
    board.wheelAway(at: hour(1.5))
    try board.start()
    board.live(until: hour(0.99))
    #expect(asked(board, in: hour(0)..<hour(1)).allSatisfy { $0.isFirst })
    #expect(try fact("server", board) == "a.example:8080" && fact("last switch", board) == nil)
    board.live(until: hour(1.98))
    #expect(try board.way.state == "open" && fact("server", board) == "b.example:8080")
    #expect(try fact("last switch", board) == reason)
    #expect(board.run?.unsentCount == 0)
    let alert = try #require(board.server.mail.alerts.first)
    #expect(hour(1.5) <= alert && alert < hour(1.5) + .seconds(60))
    // In an hour of trouble the first is asked once, and then each ten minutes and more.
    let tries = asked(board, in: away).filter(\.isFirst).map(\.time)
    #expect((2...4).contains(tries.count), "\(tries)")
    #expect(zip(tries.dropFirst(), tries.dropFirst(2)).allSatisfy { $1 - $0 >= .seconds(600) })
    board.live(until: hour(3.5))
    #expect(try fact("server", board) == "a.example:8080" && fact("last switch", board) == nil)
    #expect(Set(board.server.mail.sequences).count == board.server.mail.sequences.count, "each once")
    board.stop()
  }

  /// The first takes the connection and says nothing: an alert is at the other after ten seconds, and no alert is a trial of the first.
  @Test func anAlertDoesNotWaitForAServerThatIsMute() throws {
    let board = try board { $0 < hour(1) ? .works : .neverAnswers }
    board.wheelAway(at: hour(1.001))
    try board.start()
    board.live(until: hour(1.2))
    let alert = try #require(board.server.mail.alerts.first)
    let usual = try self.board { _ in .works }
    usual.wheelAway(at: hour(1.001))
    try usual.start()
    usual.live(until: hour(1.2))
    let delay = alert - (try #require(usual.server.mail.alerts.first))
    #expect(delay <= .seconds(13), "\(delay.secondsDouble) s later")
    board.stop()
    usual.stop()
  }

  @Test func whereNoneWorksEachIsAskedOnceAndThenThereIsAPause() throws {
    let down = hour(1)..<hour(3)
    let board = try board(
      { down.contains($0) ? .refuses : .works }, second: { down.contains($0) ? .says(500) : .works })
    try board.start()
    board.live(until: hour(2.9))
    let way = try board.way
    #expect(way.state == "failed" && way.reason == "none of 2 servers works, the last: status 500: server error")
    let tries = asked(board, in: hour(1.5)..<hour(2.9))
    #expect(tries.count(where: \.isFirst) == tries.count { !$0.isFirst } && tries.count > 60, "\(tries.count)")
    let firsts = tries.filter(\.isFirst).map(\.time)
    #expect(zip(firsts, firsts.dropFirst()).allSatisfy { $1 - $0 >= .seconds(60) && $1 - $0 < .seconds(80) })
    board.live(until: hour(3.5))
    #expect(board.run?.unsentCount == 0)
    #expect(try board.way.state == "open" && fact("server", board) == "a.example:8080")
    board.stop()
  }

  /// What is said of a packet is said by all of them: it is handed back, and the server stays.
  @Test func aPacketThatIsRefusedChangesNoServer() throws {
    let board = try board { hour(1) <= $0 && $0 < hour(1.1) ? .says(422) : .works }
    try board.start()
    board.live(until: hour(2.02))
    #expect(asked(board, in: hour(0)..<hour(2.02)).allSatisfy { $0.isFirst })
    #expect(board.run?.unsentCount == 0)
    board.stop()
  }
}
