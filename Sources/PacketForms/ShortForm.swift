public import ASCIIText
import Quantities
public import Telemetry

/// What is left out of a packet on a transport that is too narrow for all of it, from nothing to all that can be.
public enum PacketCut: CaseIterable, Sendable {
  /// Nothing.
  case nothing
  /// What sensors beside the receiver and the detectors have read.
  case readings
  /// That, what a position tells beside where it is, how the vehicle leans, and by how much it was moved.
  case details

  /// The packet without it.
  public func cut(_ packet: inout Packet) {
    guard self != .nothing else { return }
    packet.readings = PacketReadings()
    packet.supply = nil
    guard self == .details else { return }
    packet.rollDecidegrees = nil
    packet.pitchDecidegrees = nil
    packet.position?.altitudeDecimetres = nil
    packet.position?.speedCentimetres = nil
    packet.position?.courseCentidegrees = nil
    packet.position?.satellites = nil
    packet.alert?.evidence.tilt = nil
    packet.alert?.evidence.displacement = nil
    packet.alert?.evidence.turn = nil
  }

  /// What is left out, for people.
  public var words: StaticString {
    switch self {
    case .nothing: return "nothing"
    case .readings: return "readings of sensors"
    case .details: return "readings of sensors, height, speed, course, lean and what detectors measured"
    }
  }
}

/// A form of packets that leaves something out.
public struct ShortForm<Base: PacketForm>: PacketForm {
  private let base: Base
  private let cut: PacketCut

  /// A form without what is cut.
  public init(_ base: Base, _ cut: PacketCut) { (self.base, self.cut) = (base, cut) }

  /// As of the form.
  public var needs: FormNeeds { base.needs }

  /// Writes one of the messages of the packet without what is cut.
  public func encode(
    _ packet: borrowing Packet, part: Int, trackerID: Span<UInt8>, into sink: inout some ByteSink
  ) -> MessageHead? {
    var short = copy packet
    cut.cut(&short)
    return base.encode(short, part: part, trackerID: trackerID, into: &sink)
  }

  /// Writes one of the messages of the packet without what is cut, with what its answer is about.
  public func encode(
    _ packet: borrowing Packet, part: Int, trackerID: Span<UInt8>, of source: borrowing some AnswerSource & ~Copyable,
    into sink: inout some ByteSink
  ) -> MessageHead? {
    var short = copy packet
    cut.cut(&short)
    return base.encode(short, part: part, trackerID: trackerID, of: source, into: &sink)
  }

  /// As of the form.
  public func nextRequest(in bytes: Span<UInt8>, at place: inout Int, into sink: inout some ByteSink) -> Bool {
    base.nextRequest(in: bytes, at: &place, into: &sink)
  }
}
