import CPacketPeer
import Quantities
import Telemetry

/// A packet, and the same for the peer.
struct Sample {
  let name: String
  let packet: Packet
  let peer: peer_packet

  /// A bike on its way, and a bike that is being taken away, as trackers with all their sensors tell it.
  static var all: [Sample] { [Sample("location", isAlert: false), Sample("alert", isAlert: true)] }

  private init(_ name: String, isAlert: Bool) {
    var fix = GNSSFix(time: .milliseconds(5_025_200))
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeE9: 50_234_567_800, longitudeE9: -5_876_543_200)
    (fix.heightAboveSeaLevel, fix.horizontalAccuracy) = (412.3, 3.4)
    (fix.speed, fix.course) = (isAlert ? 0.4 : 6.83, 271.25 * .pi / 180)
    fix.satellitesUsed = 14
    var packet = Packet(
      kind: isAlert ? .movement : .location, time: .milliseconds(5_025_600),
      utc: UTCTime(microseconds: 1_795_512_345_678_000), phase: isAlert ? .alarmed : .riding, isArmed: isAlert)
    packet.sequence = 1729
    packet.boot = 12
    packet.position = PacketPosition(fix)
    packet.distanceMetres = 47_312
    (packet.rollDecidegrees, packet.pitchDecidegrees) = (-23, 18)
    packet.supply = Supply(charge: 83, millivolts: 3981, isCharging: false, isExternal: false)
    packet.isOwnerNear = !isAlert
    packet.cell = NetworkCell(country: 206, network: 1, area: 4256, cell: 19_088_743)
    packet.readings[.dilution] = 92
    packet.readings[.signal] = -85
    packet.readings[.temperature] = 187
    if isAlert {
      packet.alert = PacketAlert(
        id: 7, repetition: 2,
        evidence: MovementEvidence(
          detector: .tilt, ratio: 3.27, onset: .milliseconds(5_023_450), duration: .milliseconds(1250), tilt: 0.31,
          displacement: 2.6))
    }
    self.name = name
    self.packet = packet
    peer = Sample.peer(of: packet)
  }

  private static func peer(of packet: Packet) -> peer_packet {
    var peer = peer_packet()
    var known: UInt32 = 0
    func take<Value>(_ value: Value?, _ bit: Int, _ body: (Value) -> Void) {
      guard let value else { return }
      known |= UInt32(bit)
      body(value)
    }
    peer.time = packet.time.microseconds
    (peer.kind, peer.phase, peer.armed) = (packet.kind.rawValue, packet.phase.rawValue, packet.isArmed ? 1 : 0)
    (peer.sequence, peer.boot, peer.distance) = (packet.sequence, packet.boot, packet.distanceMetres)
    peer.stale = packet.isStale ? 1 : 0
    take(packet.utc, 1) { peer.utc = $0.microseconds }
    take(packet.position, 2) {
      (peer.latitude, peer.longitude, peer.fix_time) = ($0.latitudeE7, $0.longitudeE7, $0.fixTime.microseconds)
    }
    take(packet.position?.accuracyDecimetres, 4) { peer.accuracy = $0 }
    take(packet.position?.altitudeDecimetres, 8) { peer.altitude = $0 }
    take(packet.position?.speedCentimetres, 16) { peer.speed = $0 }
    take(packet.position?.courseCentidegrees, 32) { peer.course = $0 }
    take(packet.position?.satellites, 64) { peer.satellites = $0 }
    take(packet.rollDecidegrees, 128) { peer.roll = $0 }
    take(packet.pitchDecidegrees, 128) { peer.pitch = $0 }
    take(packet.readings[.dilution], 256) { peer.dilution = UInt16(clamping: $0) }
    take(packet.supply?.charge, 512) { peer.charge = $0 }
    take(packet.supply?.millivolts, 1024) { peer.voltage = $0 }
    take(packet.supply?.isCharging, 2048) { peer.charging = $0 ? 1 : 0 }
    take(packet.supply?.isExternal, 4096) { peer.external = $0 ? 1 : 0 }
    take(packet.isOwnerNear, 8192) { peer.near = $0 ? 1 : 0 }
    take(packet.readings[.signal], 1 << 14) { peer.signal = Int16(clamping: $0) }
    take(packet.readings[.temperature], 1 << 15) { peer.temperature = Int16(clamping: $0) }
    take(packet.cell, 1 << 16) {
      (peer.country, peer.network, peer.area, peer.cell) = ($0.country, $0.network, $0.area, $0.cell)
    }
    take(packet.alert, 1 << 17) {
      (peer.alert, peer.repetition, peer.detector) = ($0.id, $0.repetition, $0.evidence.detector.rawValue)
      (peer.ratio, peer.onset) = ($0.evidence.ratio, $0.evidence.onset.microseconds)
      peer.duration = $0.evidence.duration.microseconds
    }
    take(packet.alert?.evidence.tilt, 1 << 18) { peer.tilt = $0 }
    take(packet.alert?.evidence.displacement, 1 << 19) { peer.displacement = $0 }
    peer.known = known
    return peer
  }
}
