import OwnTracks
import PacketForms
import Quantities
import Telemetry
import Testing
import TrackerCore

@testable import Recording
@testable import TrackerRuntime

/// A port that keeps the messages it gets, and whose server has them at once.
private final class KeepingPort: DeliveryPort {
  let name = "keeping"
  let state = UplinkState.open
  let capacity = 32
  var onNews: () -> Void = {}
  private(set) var messages: [[UInt8]] = []
  private var news: [UplinkNews] = []
  func take(_ packet: OutgoingPacket, at now: Instant) {
    messages.append(packet.bytes)
    news.append(.delivered(sequence: packet.sequence))
    onNews()
  }
  func forget(_ sequence: UInt32, way: Int) {}
  func nextNews() -> UplinkNews? { news.isEmpty ? nil : news.removeFirst() }
}

/// Transports that take only so many bytes, as the modem's MQTT takes 512.
@Suite struct NarrowWayTests {
  /// An answer with a position and readings, over ways of these limits to one receiver.
  private func run(
    _ limits: [Int?], topic: String? = nil, _ check: (PacketDelivery, [KeepingPort], TrackerRun) throws -> Void
  ) throws -> ReplayVerdict {
    let bytes = try writeLog(TemporaryDirectory()) { writer in
      let configuration = RunConfiguration()
      let ports = limits.map { _ in KeepingPort() }
      let ways = zip(ports, limits).map { port, limit in
        var way = PacketDelivery.Way(port, format: topic == nil ? .json : .ownTracks)
        way.byteLimit = limit
        way.topicForm = topic.map { OwnTracksTopicForm(topic: Array($0.utf8).span) }
        return way
      }
      let delivery = PacketDelivery(ways, parameters: configuration.tracker.outbox, seed: 1)
      let run = try TrackerRun(configuration, log: writer, delivery: delivery) { _, _ in }
      var fix = GNSSFix(time: .seconds(1))
      fix.mode = .threeDimensional
      fix.position = GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 4)
      (fix.speed, fix.heightAboveSeaLevel) = (3, 35)
      try run.feed(.fix(fix))
      try run.feed(.reading(.supply(SupplyReading(time: .seconds(1), Supply(charge: 67, millivolts: 3950)))))
      try run.feed(.command(.seconds(2)), payload: Array("locate".utf8))
      try run.attend(at: .seconds(6))
      try check(delivery, ports, run)
    }
    return try ReplayVerifier.check([LeashLogReader(ByteSource(bytes: bytes, name: "log"))])
  }

  @Test func whatIsTooLongGoesWithoutItsReadingsAndIsTold() throws {
    var whole = 0
    _ = try run([nil]) { delivery, ports, _ in
      let message = String(decoding: try #require(ports[0].messages.last), as: UTF8.self)
      whole = message.utf8.count
      #expect(message.contains("\"battery\":67") && message.contains("\"speed\":"), "\(message)")
      #expect(delivery.shortenings == [nil])
    }
    for (limit, hasReadings, hasSpeed) in [(whole, true, true), (whole - 1, false, true), (whole - 50, false, false)] {
      let verdict = try run([limit]) { delivery, ports, run in
        let message = String(decoding: try #require(ports[0].messages.last), as: UTF8.self)
        #expect(message.utf8.count <= limit && message.contains("\"latitude\":52"), "\(message)")
        #expect(
          message.contains("\"battery\"") == hasReadings && message.contains("\"speed\"") == hasSpeed, "\(message)")
        #expect(run.look { $0.outbox.count } == 0 && delivery.refusals == [nil])
        let told = delivery.shortenings[0]
        #expect((told == nil) == hasReadings, "\(told ?? "")")
        #expect(told?.contains("of \(whole) bytes, \(limit) at most: without readings of sensors") != false)
      }
      // A check of the log knows that a message may be shorter.
      #expect(verdict.difference == nil, "\(limit)")
    }
  }

  @Test func whatIsTooLongInAnyCaseGoesAnotherWayAndNeverWaitsForEver() throws {
    _ = try run([20, nil]) { delivery, ports, run in
      #expect(ports[0].messages.isEmpty && !ports[1].messages.isEmpty && run.look { $0.outbox.count } == 0)
      #expect(delivery.refusals[0]?.contains("bytes, and this transport takes 20") == true, "\(delivery.refusals)")
    }
    _ = try run([20]) { delivery, ports, run in
      #expect(ports[0].messages.isEmpty && run.look { $0.outbox.count } == 0, "given up, and told")
      #expect(run.look { $0.outbox.uncarriedCount } > 0 && delivery.refusals[0] != nil)
    }
  }

  @Test func aMessageThatSaysItsTopicIsOneOfAPacketThatWaited() throws {
    let verdict = try run([nil], topic: "owntracks/me/bike") { _, ports, _ in
      #expect(ports[0].messages.allSatisfy { String(decoding: $0, as: UTF8.self).contains("owntracks/me/bike") })
    }
    #expect(verdict.difference == nil, "\(verdict)")
  }

  @Test(arguments: PacketFormat.allCases, [1, 32]) func theLargestAlertFitsTheModemsMQTT(format: PacketFormat, id: Int)
    throws
  {
    var packet = Packet(
      kind: .movement, time: .seconds(10_000_000), utc: UTCTime(microseconds: 1_795_248_927_750_000),
      phase: .suspicious,
      isArmed: true)
    (packet.sequence, packet.boot) = (.max, .max)
    var fix = GNSSFix(time: .seconds(9_000_000))
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeE9: -33_868_820_000, longitudeE9: -151_209_290_100)
    (fix.heightAboveSeaLevel, fix.speed, fix.course, fix.horizontalAccuracy) = (-1234.5, 123.45, 6, 12_345.6)
    fix.satellitesUsed = 39
    packet.position = PacketPosition(fix)
    (packet.distanceMetres, packet.isStale, packet.isOwnerNear) = (.max, true, true)
    (packet.rollDecidegrees, packet.pitchDecidegrees) = (-1799, -899)
    packet.supply = Supply(charge: 100, millivolts: 13_950, isCharging: false, isExternal: false)
    packet.cell = NetworkCell(country: 262, network: 101, area: 0xFFFF, cell: 0x0FFF_FFFF)
    packet.readings[.fences] = 0x0504_0302_01
    packet.alert = PacketAlert(
      id: .max, repetition: .max,
      evidence: MovementEvidence(
        detector: .displacement, ratio: 123.456, onset: .seconds(9_999_000), duration: .seconds(1000), tilt: 3,
        displacement: 12_345,
        turn: -3))
    let name = [UInt8](repeating: 0x77, count: id)
    let counts = PacketCut.allCases.map { cut in
      var sink = ByteBuffer()
      _ = ShortForm(format, cut).encode(packet, part: 0, trackerID: name.span, into: &sink)
      return sink.bytes.count
    }
    #expect(counts[2] <= 512 && counts[0] >= counts[1] && counts[1] >= counts[2], "\(format.name): \(counts)")
  }
}
