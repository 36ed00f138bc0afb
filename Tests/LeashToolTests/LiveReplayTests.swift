import Foundation
import Quantities
import Recording
import TrackerRuntime
import Testing

@testable import LeashTool

/// A server that has what it was told only when the test says so.
private final class SlowServer: DeliveryPort {
  let name = "slow"
  let state = UplinkState.open
  let capacity = 32
  var onNews: () -> Void = {}
  private(set) var texts: [String] = []
  private var held: [UInt32] = []
  private var news: [UplinkNews] = []

  func take(_ packet: OutgoingPacket, at now: Instant) {
    texts.append(String(decoding: packet.bytes, as: UTF8.self))
    held.append(packet.sequence)
  }
  func forget(_ sequence: UInt32, way: Int) { held.removeAll { $0 == sequence } }
  func nextNews() -> UplinkNews? { news.isEmpty ? nil : news.removeFirst() }

  /// Has the oldest packet now.
  func acknowledge() {
    guard !held.isEmpty else { return }
    news.append(.delivered(sequence: held.removeFirst()))
    onNews()
  }
}

/// What a live run sent is what a replay of its recording shows, also when the machine was late.
@Suite struct LiveReplayTests {
  /// The bike stands for 15 s and is then turned about.
  private func sample(_ number: Int) -> InertialSample {
    let isMoved = number >= 1500
    // A sensor at rest has some noise; one that has none is taken for stuck.
    let noise = Float((number * 7919) % 13 - 6) * 0.0005
    return InertialSample(
      time: .milliseconds(number * 10), angularRate: Vector3(noise, -noise, noise + (isMoved ? 0.8 : 0)),
      specificForce: Vector3(noise * 10, noise * 5, 9.81 - noise * 10))
  }

  /// Runs the scene to a recording; gives the packets as the server got them.
  ///
  /// - Parameter lateness: When the sample that raises the alert is taken, the server's acknowledgement of an earlier packet has
  ///   been taken already, so much later than the sample was measured. Nil for a server that says nothing.
  private func live(_ lateness: Interval?, alertAt alert: Instant? = nil, to path: String) throws -> [String] {
    var configuration = RunConfiguration()
    try configuration.set("motion.armAfter", to: "5")
    let server = SlowServer()
    let delivery = PacketDelivery([PacketDelivery.Way(server)], parameters: configuration.tracker.outbox, seed: 1)
    let log = try LeashLogWriter(path: path)
    let run = try TrackerRun(configuration, log: log, delivery: delivery) { _, _ in }
    try run.feed(.tick(.zero))
    try run.feed(.command(.milliseconds(5)), payload: Array("locate".utf8))
    for number in 1..<1800 {
      let sample = sample(number)
      if let lateness, sample.time == alert {
        server.acknowledge()
        try run.attend(at: sample.time + lateness)
      }
      try run.feed(.inertial(sample))
    }
    try log.close()
    return server.texts
  }

  private func uptimeOfTheAlert(_ packets: [String]) throws -> Double {
    let alerts = try packets.filter { $0.contains("\"alert\":") }.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    // It is turned so quickly that nothing of it was told before as work.
    #expect(alerts.map { ($0["alert"] as? [String: Any])?["detector"] as? String } == ["heading"], "\(packets)")
    return try #require(alerts.first?["uptime"] as? Double)
  }

  private func replayed(_ paths: String...) -> [String] {
    let check = ToolRun(["replay", "--check"] + paths)
    #expect(check.code == .success, "\(check.out)\(check.err)")
    return ToolRun(["replay", "--json"] + paths).lines.filter { !$0.contains("\"type\":\"event\"") }
  }

  /// The recording of a run in which an acknowledgement overtakes the sample that raises the alert, with what was sent.
  private func overtaken(_ folder: TemporaryFolder) throws -> (path: String, sent: [String]) {
    let onTime = try uptimeOfTheAlert(live(nil, to: folder.path("on-time.leash")))
    let alert = Instant(microseconds: Int64((onTime * 1_000_000).rounded()))
    let path = folder.path("live.leash")
    let sent = try live(.milliseconds(102), alertAt: alert, to: path)
    let late = try uptimeOfTheAlert(sent)
    // The tracker decides when it is told, which is late by then.
    #expect(abs(late - onTime - 0.102) < 1e-6)
    return (path, sent)
  }

  /// An acknowledgement tells the tracker the time, too: samples that come after it count as late, live and in the replay.
  @Test func anAcknowledgementThatOvertakesASampleDoesSoInTheReplay() throws {
    let folder = try TemporaryFolder()
    let (path, sent) = try overtaken(folder)
    #expect(replayed(path) == sent)
  }

  /// A recorder begins a new file whenever the one at hand is full, also between an acknowledgement and a late sample.
  @Test func filesOfOneRunAreReplayedOneAfterTheOther() throws {
    let folder = try TemporaryFolder()
    let (path, sent) = try overtaken(folder)
    let reader = try LeashLogReader(path: path)
    var writer = try LeashLogWriter(path: folder.path("one.leash"))
    var configuration: [UInt8] = []
    var files = 1
    while let record = try reader.next() {
      let bytes = reader.payload
      switch record {
      case .configuration:
        configuration = bytes
        try writer.append(configuration: bytes.span)
      case .input(let input): try writer.append(input, bytes: bytes.span)
      case .action(let time): try writer.append(action: bytes.span, at: time)
      case .output(let port, let time): try writer.append(output: bytes.span, to: port, at: time)
      case .note, .continuation: break
      }
      guard case .input(.settlement) = record else { continue }
      try writer.close()
      writer = try LeashLogWriter(path: folder.path("two.leash"))
      try writer.append(configuration: configuration.span)
      try writer.append(continuationOf: "one.leash")
      files += 1
    }
    try writer.close()
    #expect(files == 2)
    #expect(replayed(folder.path("one.leash"), folder.path("two.leash")) == sent)
  }

  /// A run that ends within an epoch of its receiver has not seen the epoch, and its replay does not see it either.
  @Test func aReplayDoesNotGoOnWhereTheRunEnded() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("live.leash")
    let server = SlowServer()
    let configuration = RunConfiguration()
    let delivery = PacketDelivery([PacketDelivery.Way(server)], parameters: configuration.tracker.outbox, seed: 1)
    let log = try LeashLogWriter(path: path)
    let run = try TrackerRun(configuration, log: log, delivery: delivery) { _, _ in }
    try run.feed(.command(.seconds(1)), payload: Array("locate".utf8))
    let sentence = "$GPRMC,120000,A,5200.0000,N,00400.0000,E,0.0,0.0,010120,,\r\n"
    try run.feed(.bytes(port: 0, time: .seconds(2)), payload: Array(sentence.utf8))
    try log.close()
    #expect(server.texts.count == 1 && replayed(path) == server.texts)
    // With the silence that a receiver alone would be given there is a place to report.
    #expect(ToolRun("replay", "--json", "--then", "0.5", path).out.contains("\"latitude\":52"))
  }
}
