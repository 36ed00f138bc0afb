import LinuxDevices
import ModemSimulation
import Quantities
import SIM7000
import Telemetry
import Testing
import TrackerRuntime

@testable import LinuxRuntime

/// Several ways through one modem on a board: each alert goes on each of them, and what does not work holds up nobody.
@Suite struct ModemWaysTests {
  private static let theft = VirtualBoard.hour(0.25)

  /// A board with ways through one modem, taken after a quarter of an hour.
  private func board(
    _ ways: [VirtualBoard.ModemWay], except outages: [(channel: NetworkChannel, times: Range<Instant>)] = []
  ) throws -> VirtualBoard {
    let board = VirtualBoard(try Folder(isInMemory: true))
    board.modem = VirtualModem(board.clock, outages: outages)
    board.modemWays = ways
    for way in ways where way.receiver > 0 {
      board.configuration.tracker.tracker.outbox.receivers.append(PacketKindSet(.movement))
    }
    board.thefts.times = [ModemWaysTests.theft..<ModemWaysTests.theft + .seconds(20)]
    return board
  }

  private func after(_ seconds: Int) -> Instant { ModemWaysTests.theft + .seconds(seconds) }

  /// When the first alert came on a channel, s after the theft began.
  private func delay(_ board: VirtualBoard, on channel: NetworkChannel) -> Double? {
    board.modem?.received(on: channel).first { $0.text.contains("movement") && $0.time >= ModemWaysTests.theft }
      .map { ($0.time - ModemWaysTests.theft).secondsDouble }
  }

  /// Whether nothing waits at some moment of the next two minutes; an alarm is told again each minute.
  private func settles(_ board: VirtualBoard) -> Bool {
    let end = board.clock.now + .seconds(120)
    while board.clock.now < end {
      if board.run?.unsentCount == 0 { return true }
      board.live(until: board.clock.now + .seconds(5))
    }
    return false
  }

  private func reports(_ board: VirtualBoard, on channel: NetworkChannel, from: Instant, to: Instant) -> Int {
    board.modem?.received(on: channel).filter { from <= $0.time && $0.time < to }.count ?? 0
  }

  @Test func twoReceiversBehindOneModemBothGetTheAlertAndReportsGoOn() throws {
    let board = try board([.init(.http), .init(.sms, receiver: 1, format: .text)])
    try board.start()
    board.live(until: after(120))
    let (web, phone) = (try #require(delay(board, on: .http)), try #require(delay(board, on: .sms)))
    #expect(web < 15 && phone < 25, "\(web) and \(phone) s")
    board.live(until: VirtualBoard.hour(1))
    #expect(reports(board, on: .http, from: VirtualBoard.hour(0.5), to: VirtualBoard.hour(1)) > 0)
    #expect(settles(board))
    board.stop()
  }

  /// The tracker suspects something before it is sure: by then the modem has begun to start.
  @Test func anAlertFindsAModemThatHasBegunToStart() throws {
    var delays: [Double] = []
    for expectsAlerts in [false, true] {
      let board = try board([.init(.mqtt)])
      board.modem?.adjust = {
        $0.driver.idle = .off
        $0.expectsAlerts = expectsAlerts
      }
      try board.start()
      // Somebody touches the bike, and comes back.
      board.live(until: after(-25))
      board.run?.uplinks.first?.expectAlert(at: board.clock.now)
      board.live(until: after(120))
      delays.append(try #require(delay(board, on: .mqtt)))
      board.stop()
    }
    #expect(delays[1] < delays[0] - 5, "\(delays) s")
  }

  /// A suspicion that comes to nothing costs one start, and the modem is off again a minute and a half later.
  @Test func aSuspicionThatComesToNothingStartsTheModemOnce() throws {
    for expectsAlerts in [true, false] {
      let board = try board([.init(.mqtt)])
      board.modem?.adjust = {
        $0.driver.idle = .off
        $0.expectsAlerts = expectsAlerts
      }
      board.thefts.times = []
      try board.start()
      board.live(until: after(0))
      let commands = board.modem?.count(of: "AT+SMCONN") ?? 0
      #expect(board.modem?.facts["phase"] == "off")
      board.run?.uplinks.first?.expectAlert(at: board.clock.now)
      board.live(until: after(50))
      #expect(board.modem?.facts["phase"] == (expectsAlerts ? "running" : "off"))
      #expect(board.modem?.count(of: "AT+SMCONN") == commands + (expectsAlerts ? 1 : 0))
      board.live(until: after(110))
      #expect(board.modem?.facts["phase"] == "off")
      board.stop()
    }
  }

  @Test func threeTransportsOfOneModemEachCarryTheAlertToTheirReceiver() throws {
    let board = try board([.init(.mqtt), .init(.http, receiver: 1), .init(.sms, receiver: 2, format: .text)])
    try board.start()
    board.live(until: after(120))
    for channel in [NetworkChannel.mqtt, .http, .sms] {
      #expect((delay(board, on: channel) ?? .infinity) < 30, "\(channel)")
    }
    board.live(until: VirtualBoard.hour(1))
    #expect(reports(board, on: .mqtt, from: VirtualBoard.hour(0.5), to: VirtualBoard.hour(1)) > 0)
    #expect(settles(board))
    board.stop()
  }

  /// The server takes each request and says nothing: the driver would wait for it alone.
  @Test func theTextMessageGoesInstead() throws {
    let board = try board([.init(.http), .init(.sms, format: .text)])
    board.modem?.loseRequests(on: .http)
    try board.start()
    board.live(until: VirtualBoard.hour(1))
    let phone = try #require(delay(board, on: .sms))
    // A quarter of `fallbackAfter`, behind the moment in which the theft is noticed, and the message's own time.
    #expect(phone > 5 && phone < 20, "\(phone) s")
    #expect(settles(board))
    board.stop()
  }

  @Test func aServerThatIsAwayKeepsNothingFromTheOtherReceiver() throws {
    let away = ModemWaysTests.theft - .seconds(300)..<VirtualBoard.hour(0.75)
    let board = try board([.init(.http), .init(.mqtt, receiver: 1)], except: [(.http, away)])
    board.configuration.tracker.tracker.outbox.receivers[1] = .all
    try board.start()
    board.live(until: VirtualBoard.hour(0.75))
    // Behind one attempt for the other alert.
    let alert = try #require(delay(board, on: .mqtt))
    #expect(alert < 33, "\(alert) s")
    #expect(reports(board, on: .mqtt, from: VirtualBoard.hour(0.4), to: VirtualBoard.hour(0.75)) > 0)
    board.live(until: VirtualBoard.hour(1.5))
    #expect(settles(board))
    board.stop()
  }

  /// The server of the reports is away, and the bike is followed: at most moments the modem tries to connect, and listens to nothing until
  /// that has failed, after 30 s. Whenever the theft begins, the other receiver has the alert when the attempt under way is over: there is
  /// no second one before it, and nothing is tried against the trouble.
  @Test(arguments: Array(stride(from: 0, to: 180, by: 5)))
  func anAlertWaitsForTheAttemptUnderWayAtMost(second: Int) throws {
    let theft = ModemWaysTests.theft + .seconds(second)
    let away = ModemWaysTests.theft - .seconds(60)..<VirtualBoard.hour(2)
    let board = try board([.init(.http), .init(.mqtt, receiver: 1)], except: [(.http, away)])
    board.thefts.times = [theft..<theft + .seconds(20)]
    try board.start()
    board.live(until: VirtualBoard.hour(0.2))
    #expect(board.run?.request("track 5 1800") == true)
    board.live(until: theft + .seconds(120))
    let alert = try #require(board.modem?.received(on: .mqtt).first { $0.text.contains("movement") })
    let delay = (alert.time - theft).secondsDouble
    #expect(delay < 33, "\(delay) s")
    board.stop()
  }

  /// Killed while the alert is under way, at every second of its first half minute: both have it at the end.
  @Test(arguments: [1, 4, 7, 10, 13, 16, 19, 22, 25, 28])
  func aCutWhileTheAlertIsUnderWayKeepsItFromNobody(second: Int) throws {
    let board = try board([.init(.http), .init(.sms, receiver: 1, format: .text)])
    try board.start()
    board.live(until: after(second))
    board.cut()
    try board.start()
    board.live(until: after(240))
    #expect(delay(board, on: .http) != nil && delay(board, on: .sms) != nil)
    #expect(settles(board))
    board.stop()
  }
}
