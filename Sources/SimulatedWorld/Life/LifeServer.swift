import Quantities
import Telemetry
import TrackerRuntime

/// What a server does to those who send it something.
package enum ServerFault: String, CaseIterable, Sendable {
  /// It answers that it is out of service.
  case refuses
  /// It takes the packet and says nothing.
  case hangs
  /// It has the packet, and its answer is lost.
  case losesAnswers
}

/// A second server on the world's clock, which a tracker reaches without its modem, and which outlives the tracker.
///
/// It answers at once, but for the times of a fault.
final class LifeServer: DeliveryPort {
  let name = "second server"
  let capacity = 4
  var onNews: () -> Void = {}
  /// Sees each packet that it gets, with the world's time.
  var onReceived: ([UInt8], Instant) -> Void = { _, _ in }

  /// How long a sender waits for an answer.
  static var patience: Interval { .seconds(20) }

  private var boot = Instant.zero
  @exclusivity(unchecked) private var now = Instant.zero
  private var fault: (what: ServerFault, until: Instant)?
  @exclusivity(unchecked) private var unanswered: [(sequence: UInt32, due: Instant)] = []
  @exclusivity(unchecked) private var news: [UplinkNews] = []
  @exclusivity(unchecked) private var isOff = false

  /// It has a fault until an instant of the world.
  func begin(_ what: ServerFault, until end: Instant) { fault = (what, end) }

  /// The tracker has gone.
  func cut() {
    isOff = true
    unanswered = []
    news = []
  }

  /// A tracker begins.
  func begin(at time: Instant) {
    boot = time
    now = time
    isOff = false
  }

  /// True when it has a fault at an instant of the world.
  func isAway(at time: Instant) -> Bool { fault.map { $0.until > time } ?? false }

  private var present: ServerFault? { fault.flatMap { $0.until > now ? $0.what : nil } }

  var state: UplinkState { present == .refuses ? .failed(reason: "503 Service Unavailable", retryAt: nil) : .open }

  func take(_ packet: OutgoingPacket, at time: Instant) {
    guard !isOff else { return }
    now = boot + (time - .zero)
    let present = present
    if present == nil || present == .losesAnswers { onReceived(packet.bytes, now) }
    switch present {
    case nil: tell(.delivered(sequence: packet.sequence))
    case .refuses: tell(.undelivered(sequence: packet.sequence, reason: "503 Service Unavailable"))
    case .hangs, .losesAnswers: unanswered.append((packet.sequence, time + LifeServer.patience))
    }
  }

  func forget(_ sequence: UInt32, way: Int) { unanswered.removeAll { $0.sequence == sequence } }

  func pass(to time: Instant) {
    guard !isOff else { return }
    now = boot + (time - .zero)
    while let first = unanswered.first, first.due <= time {
      unanswered.removeFirst()
      tell(.undelivered(sequence: first.sequence, reason: "no answer"))
    }
  }

  var nextPass: Instant? { unanswered.first?.due }

  func nextNews() -> UplinkNews? { news.isEmpty ? nil : news.removeFirst() }

  private func tell(_ item: UplinkNews) {
    news.append(item)
    onNews()
  }
}
