import LinuxDevices
import Quantities
import TrackerRuntime
import ServerSupport
import Telemetry
import Testing
import Uplinks

/// An uplink in a loop, with everything it told.
final class RunningUplink<Way: Uplink> {
  let loop: EventLoop
  let uplink: Way
  private(set) var news: [UplinkNews] = []
  /// States as they were shown.
  private(set) var states: [UplinkState] = []

  init(_ uplink: Way) throws {
    self.uplink = uplink
    loop = try EventLoop(clock: MachineClock())
    uplink.onNews = { [unowned self] in
      while let item = uplink.nextNews() { news.append(item) }
      if states.last != uplink.state { states.append(uplink.state) }
    }
    try uplink.start(in: loop, at: MonotonicClock.now)
  }

  deinit { uplink.stop() }

  /// Gives it a packet.
  func take(_ sequence: UInt32, _ kind: PacketKind = .location, _ text: String? = nil) {
    let packet = OutgoingPacket(sequence: sequence, kind: kind, bytes: Array((text ?? "packet \(sequence)").utf8))
    uplink.take(packet, at: MonotonicClock.now)
  }

  /// Turns the loop until something holds.
  func turns(
    within limit: Interval = .seconds(20), until holds: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let came = turn(loop, within: limit, until: holds)
    #expect(came, "not in time; state \(uplink.state), news \(news)", sourceLocation: sourceLocation)
  }

  /// The numbers of what was delivered, in order.
  var delivered: [UInt32] {
    news.compactMap { if case .delivered(let sequence, _) = $0 { sequence } else { nil } }
  }

  /// The requests that came, answers of servers included.
  var requests: [String] {
    news.compactMap {
      switch $0 {
      case .request(let bytes, _), .answer(let bytes, _, _, _), .textMessage(let bytes, _):
        String(decoding: bytes, as: UTF8.self)
      default: nil
      }
    }
  }

  /// Why it does not work; nil when it does.
  var failure: String? { if case .failed(let reason, _) = uplink.state { reason } else { nil } }

  /// True when a packet would go at once.
  var isOpen: Bool { uplink.state == .open }
}
