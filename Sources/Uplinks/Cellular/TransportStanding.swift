import Quantities
import SIM7000

/// What is known of the servers behind the transports of one modem, by what became of the last attempts to connect.
///
/// While a modem connects it listens to nothing, for up to a minute where a server can't be reached. So an alert goes first where a
/// server was reached last, and where others are reached a server that is not is left alone for a while, longer each time.
struct TransportStanding {
  private struct Entry {
    /// A packet was delivered, and no attempt to connect has failed since.
    var works = false
    /// Attempts in a row that have failed.
    var failures = 0
    var lastFailure = Instant.zero
    var restsUntil: Instant?
  }

  private var entries: [ModemTransport: Entry] = [:]

  /// Attempts before a server is left alone: with these the driver has closed the session and the bearer, and tried the other way to
  /// the same server, if there is one.
  static let patience = 4
  /// How long it is left alone then: after each attempt the next of these.
  static let rests: [Interval] = [.seconds(60), .seconds(120), .seconds(240), .seconds(300)]
  /// An alert has its own: for it the server is tried each minute.
  static let alertRest: Interval = .seconds(60)

  /// A server has a packet.
  mutating func delivered(by transport: ModemTransport) { entries[transport] = Entry(works: true) }

  /// A server could not be reached.
  ///
  /// - Returns: True when it is left alone from now on.
  mutating func failed(by transport: ModemTransport, at now: Instant) -> Bool {
    var entry = entries[transport] ?? Entry()
    entry.works = false
    entry.failures += 1
    entry.lastFailure = now
    let step = entry.failures - TransportStanding.patience
    let others = entries.contains { $0 != transport && $0 != .sms && $1.works }
    entry.restsUntil = step >= 0 && others ? now + TransportStanding.rests[min(step, 3)] : nil
    entries[transport] = entry
    // Where no server is reached it is the modem or the network, and all is tried until one is.
    if !others { for other in entries.keys { entries[other]?.restsUntil = nil } }
    return entry.restsUntil != nil
  }

  /// True when the last attempt to connect has failed.
  func isFailing(_ transport: ModemTransport) -> Bool { (entries[transport]?.failures ?? 0) > 0 }

  /// Until when a server is left alone; nil when it may be tried.
  func rest(of transport: ModemTransport, forAlert isAlert: Bool, at now: Instant) -> Instant? {
    guard let entry = entries[transport], var until = entry.restsUntil else { return nil }
    if isAlert { until = min(until, entry.lastFailure + TransportStanding.alertRest) }
    return until > now ? until : nil
  }
}
