import Quantities
import SIM7000
import Telemetry
import TrackerRuntime

/// Servers that can't be reached: while the modem connects it takes no command, for half a minute to a minute where nobody answers.
///
/// No command ends such an attempt, and to start the modem anew takes longer, with a search for a network of which nobody knows how long it
/// lasts. So an alert waits for the attempt that is under way, and for nothing else: it goes before another to a server that was not
/// reached, the attempt is not repeated before it, and nothing is tried against a trouble that is not its own. And where other servers
/// are reached, one that is not is left alone for a while, longer each time (`TransportStanding`): most of the time no attempt is under way.
extension CellularUplink {
  /// How a packet goes.
  func transport(of packet: OutgoingPacket) -> ModemTransport {
    packet.channel.flatMap { ModemTransport(rawValue: $0) } ?? settings.transport
  }

  static var unreached: String { "the server can't be reached, while others behind the same modem are" }

  /// Hands a packet back at once whose server is left alone for a while.
  func isLeftAlone(_ packet: OutgoingPacket, at now: Instant) -> Bool {
    let isAlert = packet.kind.priority == .alert
    guard let until = standing.rest(of: transport(of: packet), forAlert: isAlert, at: now) else { return false }
    tell(
      .undelivered(
        sequence: packet.sequence, way: packet.way,
        reason: CellularUplink.unreached + "; tried again in \((until - now).microseconds / 1_000_000 + 1) s"))
    return true
  }

  /// A server could not be reached.
  func noteUnreached(_ server: ModemTransport, at now: Instant) {
    guard standing.failed(by: server, at: now) else { return }
    // All that waits for it goes another way, or later.
    var packets = waiting.packets.filter { transport(of: $0) == server }
    if let packet = current, transport(of: packet) == server, way.yield(on: &modem, at: time(now)) {
      current = nil
      packets.insert(packet, at: 0)
    }
    for packet in packets {
      waiting.remove(packet.sequence, way: packet.way)
      tell(.undelivered(sequence: packet.sequence, way: packet.way, reason: CellularUplink.unreached))
    }
  }

  /// Takes an alert back whose server was not reached, so that one can go whose was; false when there is none, or when it is too late.
  func letsPreferredGo(_ packet: OutgoingPacket, at now: Instant) -> Bool {
    guard standing.isFailing(transport(of: packet)), modem.connecting == nil,
      waiting.packets.contains(where: { $0.kind.priority == .alert && !standing.isFailing(transport(of: $0)) })
    else { return false }
    return way.yield(on: &modem, at: time(now))
  }

  /// Starts or wakes the modem, and has network, bearer and session ready for a minute: most suspicions are over by then.
  package func expectAlert(at now: Instant) {
    guard settings.expectsAlerts, port != nil else { return }
    // The way that the last packet went, or the preferred one.
    let transport = lastDelivered.map { self.transport(of: $0) } ?? settings.transport
    modem.prepare(for: transport, lasting: .seconds(60), at: time(now))
    pass(at: now)
  }
}
