import CGPS
import Glibc
public import Quantities

/// Positions from gpsd.
///
/// A connection that gpsd closes, a gpsd that is silent, and one without a receiver are failures; starting again is the
/// owner's work. A receiver that is plugged in later is heard without that.
///
/// - Source: [gpsd-json] for what is said, [gps-h] for how libgps gives it.
public final class GPSDSensor: SensorSource {
  /// How long a connection may take, with the resolution of the host's name.
  static let connectionPatience = Interval.seconds(10)
  /// How long gpsd may take to give its version; it does at once.
  static let greetingPatience = Interval.seconds(5)
  /// How long there may be nothing of a receiver. gpsd gives an epoch without a fix, too, so one a second is usual; a
  /// receiver that is only just opened may take ten seconds until gpsd knows its speed.
  static let silencePatience = Interval.seconds(15)
  /// The most bytes read in one call, so that a flood leaves time for the others.
  static let maximumBytes = 65_536

  private enum State {
    case stopped
    case connecting(any GPSDOpening, deadline: Instant)
    case connected(Int32, hasGreeted: Bool, deadline: Instant)
  }

  /// `gnss gpsd at HOST:PORT`.
  public let name: String
  /// Takes the fixes.
  public var sink: (SensorInput) -> Void = { _ in }
  /// Why it gives nothing any more.
  public private(set) var failure: DeviceFailure?
  /// True: gpsd lets go of a receiver that nobody listens to, unless it was started with `-n`. [gpsd-man]
  public var savesWhenStopped: Bool { true }
  /// 20 s: its own time-out, which can say why, comes first.
  public var patience: Interval? { Self.silencePatience + .seconds(5) }

  private let host: String
  private let port: UInt16
  private let open: Opener
  private let clock: any LoopClock
  private var state = State.stopped
  private var loop: EventLoop?
  private var lines = GPSDLines()
  private var decoder = GPSDDecoder()
  private var epochs: GPSDEpochs
  private var buffer = [UInt8](repeating: 0, count: 16_384)

  /// - Parameters:
  ///   - host: Name or address of the machine that gpsd runs on.
  ///   - port: gpsd's port; 2947 unless gpsd was given another.
  ///   - device: The only receiver to listen to, by its path at gpsd; nil for whichever has a fix.
  ///   - clock: The clock of the loop that it will be in.
  public convenience init(
    host: String = "127.0.0.1", port: UInt16 = 2947, device: String? = nil, clock: any LoopClock
  ) {
    self.init(host: host, port: port, device: device, clock: clock, open: GPSDSensor.libgps)
  }

  /// As the other, with the connection made by `open`.
  package init(host: String, port: UInt16, device: String?, clock: any LoopClock, open: @escaping Opener) {
    self.clock = clock
    self.host = host
    self.port = port
    self.open = open
    name = "gnss gpsd at \(host):\(port)"
    epochs = GPSDEpochs(device: device)
  }

  deinit { stop() }

  /// Begins a connection to a host and port; the name is for failures.
  package typealias Opener = (_ host: String, _ port: UInt16, _ name: String) throws(DeviceFailure) -> any GPSDOpening

  /// Connections by libgps.
  package static func libgps(host: String, port: UInt16, name: String) throws(DeviceFailure) -> any GPSDOpening {
    try LibGPSOpening(host: host, port: port, name: name)
  }

  private var place: String { "gpsd at \(host):\(port)" }

  /// Begins to connect; what becomes of it shows in `failure`.
  public func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    stop()
    failure = nil
    lines = GPSDLines()
    decoder = GPSDDecoder()
    epochs = GPSDEpochs(device: epochs.configuredDevice)
    let opening = try open(host, port, place)
    do throws(DeviceFailure) {
      loop.add(self)
      try loop.watch(opening.wakeUp.descriptor, for: .reading, by: self)
    } catch {
      opening.abandon()
      loop.remove(self)
      throw error
    }
    self.loop = loop
    state = .connecting(opening, deadline: now + Self.connectionPatience)
  }

  /// Leaves the loop and closes the connection.
  public func stop() {
    loop?.remove(self)
    loop = nil
    switch state {
    case .stopped: break
    case .connecting(let opening, _): opening.abandon()
    case .connected(let descriptor, _, _): close(descriptor)
    }
    state = .stopped
  }

  private func fail(_ text: String) {
    stop()
    failure = DeviceFailure(.read, place, .explained(text))
  }

  /// When it loses patience.
  public var nextDeadline: Instant? {
    switch state {
    case .stopped: nil
    case .connecting(_, let deadline), .connected(_, _, let deadline): deadline
    }
  }

  /// Gives up what takes too long.
  public func advance(to now: Instant) {
    switch state {
    case .connecting(_, let deadline) where now >= deadline:
      fail("no answer for \(Self.connectionPatience.microseconds / 1_000_000) s; check the host name")
    case .connected(_, hasGreeted: false, let deadline) where now >= deadline:
      fail("accepts connections but sends nothing; is it gpsd?")
    case .connected(_, hasGreeted: true, let deadline) where now >= deadline: fail(epochs.reasonForSilence)
    default: break
    }
  }

  /// Takes the connection, or what gpsd says.
  public func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {
    switch state {
    case .stopped: break
    case .connecting(let opening, _): takeConnection(opening, at: now)
    case .connected(let descriptor, _, _): read(descriptor, at: now)
    }
  }

  private func takeConnection(_ opening: any GPSDOpening, at now: Instant) {
    guard let outcome = opening.take() else { return }
    loop?.forget(opening.wakeUp.descriptor)
    switch outcome {
    case .failed(let code): fail(Self.reason(code))
    case .connected(let descriptor):
      state = .connected(descriptor, hasGreeted: false, deadline: now + Self.greetingPatience)
      do throws(DeviceFailure) {
        try loop?.watch(descriptor, for: .reading, by: self)
      } catch {
        stop()
        failure = error
      }
    }
  }

  /// What a number of `gps_open` means for the user.
  private static func reason(_ code: Int32) -> String {
    switch code {
    case Int32(NL_NOHOST): "no such host; check its name, or use its address"
    case Int32(NL_NOCONNECT): "nothing listens there; start gpsd with 'sudo systemctl start gpsd.socket'"
    case Int32(NL_NOSERVICE): "no such port"
    case ..<0: String(cString: gps_errstr(code))
    default: String(cString: strerror(code))
    }
  }

  private func read(_ descriptor: Int32, at now: Instant) {
    var whole: [ArraySlice<UInt8>] = []
    var total = 0
    var end: String?
    while end == nil, total < Self.maximumBytes {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 {
        total += count
        lines.receive(buffer[..<count]) { whole.append($0) }
      } else if count == 0 || errno == ECONNRESET {
        end = "closed the connection; it has ended or was restarted"
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        end = String(cString: strerror(errno))
      }
    }
    for line in whole {
      guard let report = decoder.decode(line, at: now) else { continue }
      // The sink may stop this.
      guard case .connected(descriptor, let hasGreeted, let deadline) = state else { return }
      if case .version = report, !hasGreeted {
        state = .connected(descriptor, hasGreeted: true, deadline: now + Self.silencePatience)
      }
      if let fix = epochs.receive(report, at: now) {
        // Some stand-ins for gpsd skip the greeting.
        state = .connected(descriptor, hasGreeted: true, deadline: max(deadline, now + Self.silencePatience))
        sink(.fix(fix))
      }
    }
    guard case .connected(descriptor, _, _) = state else { return }
    if let end { fail(end) }
  }

  /// What is known of gpsd and its receivers.
  public var facts: [(name: String, value: String)] {
    var facts = epochs.facts(at: clock.now)
    let nonsense = decoder.unreadableCount + lines.overlongCount
    if nonsense > 0 { facts.append(("unreadable lines", "\(nonsense)")) }
    return facts
  }
}
