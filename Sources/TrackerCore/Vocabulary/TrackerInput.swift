public import Quantities
import Telemetry

/// One input of a tracker, as runs give it, logs keep it and recordings hold it.
///
/// Bytes are not part of the value: they come beside it, as `payload`, so that nothing is allocated per input.
@frozen public enum TrackerInput: Equatable, BitwiseCopyable, Sendable {
  /// A reading of the inertial sensor.
  case inertial(InertialSample)
  /// What a satellite receiver knew at one epoch.
  case fix(GNSSFix)
  /// A reading of a slow sensor.
  case reading(Reading)
  /// Bytes that arrived at a port; they are in `payload`.
  case bytes(port: UInt8, time: Instant)
  /// Time moved on without anything else.
  case tick(Instant)
  /// A command from the owner; its encoding is in `payload`.
  case command(Instant)
  /// Everybody who wants a packet has it.
  case acknowledgement(Instant, sequence: UInt32)
  /// A receiver has a packet, or will never have it because none of its ways can carry it.
  case settlement(Instant, sequence: UInt32, receiver: UInt8, isDelivered: Bool)
  /// The spool took a packet, or could not.
  case spooled(Instant, sequence: UInt32, isKept: Bool)
  /// A packet came back from the spool, for those who do not have it; its section is in `payload`.
  case recalled(Instant, pending: UInt8)
  /// So many packets are in the spool.
  case spoolCount(Instant, UInt32)
  /// The tracker goes on where an earlier life was; its state is in `payload`.
  case restoration(Instant)

  /// When it happened.
  public var time: Instant {
    switch self {
    case .inertial(let sample): sample.time
    case .fix(let fix): fix.time
    case .reading(let reading): reading.time
    case .bytes(_, let time), .tick(let time), .command(let time), .restoration(let time),
      .acknowledgement(let time, _), .settlement(let time, _, _, _), .spooled(let time, _, _), .recalled(let time, _),
      .spoolCount(let time, _):
      time
    }
  }

  /// The same input, later by `shift`.
  public func shifted(by shift: Interval) -> TrackerInput {
    guard shift != .zero else { return self }
    switch self {
    case .inertial(var sample):
      sample.time = sample.time + shift
      return .inertial(sample)
    case .fix(var fix):
      fix.time = fix.time + shift
      return .fix(fix)
    case .reading(var reading):
      reading.time = reading.time + shift
      return .reading(reading)
    case .bytes(let port, let time): return .bytes(port: port, time: time + shift)
    case .tick(let time): return .tick(time + shift)
    case .command(let time): return .command(time + shift)
    case .acknowledgement(let time, let sequence): return .acknowledgement(time + shift, sequence: sequence)
    case .settlement(let time, let sequence, let receiver, let isDelivered):
      return .settlement(time + shift, sequence: sequence, receiver: receiver, isDelivered: isDelivered)
    case .spooled(let time, let sequence, let isKept):
      return .spooled(time + shift, sequence: sequence, isKept: isKept)
    case .recalled(let time, let pending): return .recalled(time + shift, pending: pending)
    case .spoolCount(let time, let count): return .spoolCount(time + shift, count)
    case .restoration(let time): return .restoration(time + shift)
    }
  }

  /// Place among inputs of the same instant when recordings are merged: the sensor first, as its reading is the oldest
  /// news by the time it arrives, then fixes, then bytes and the rest.
  public var mergeRank: UInt8 {
    switch self {
    case .restoration, .inertial: 0
    case .fix, .reading: 1
    case .bytes: 2
    case .tick: 3
    case .acknowledgement, .settlement, .spooled, .recalled, .spoolCount: 4
    case .command: 5
    }
  }
}

/// A request without the number that logs of before have before it.
@_lifetime(copy text)
private func unnumbered(_ text: Span<UInt8>) -> Span<UInt8> {
  guard !text.isEmpty, text[0] == 0x23 else { return text }
  var place = 0
  while place < text.count, text[place] != 0x20 { place += 1 }
  return text.extracting(place..<text.count)
}

extension Request {
  /// Reads a request as logs of before have it, and whoever replays one.
  package init?(logged text: Span<UInt8>) { self.init(unnumbered(text)) }
}

extension Tracker {
  /// Takes an input through the door it belongs to. Requests that are none are ignored.
  ///
  /// - Parameters:
  ///   - input: What.
  ///   - payload: The bytes of an input that has some.
  public mutating func take(_ input: TrackerInput, payload: Span<UInt8>) {
    switch input {
    case .inertial(let sample): process(sample)
    case .fix(let fix): process(fix)
    case .reading(let reading): process(reading)
    case .bytes(let port, let time):
      if let port = Port(rawValue: port) { receive(payload, from: port, at: time) }
    case .tick(let time): advance(to: time)
    case .command(let time):
      if let verdict = RequestVerdict(payload) {
        take(verdict, at: time)
      } else if let request = Request(logged: payload) {
        submit(request, at: time)
      }
    case .acknowledgement(let time, let sequence): acknowledge(sequence, at: time)
    case .settlement(let time, let sequence, let receiver, true): acknowledge(sequence, by: Int(receiver), at: time)
    case .settlement(let time, let sequence, let receiver, false): giveUp(sequence, for: Int(receiver), at: time)
    case .spooled(_, let sequence, let isKept): spooled(sequence, isKept: isKept)
    case .recalled(_, let pending): recall(payload, pending: ReceiverSet(rawValue: pending))
    case .spoolCount(_, let count): noteSpool(count: Int(count))
    case .restoration(let time): restore(payload, at: time)
    }
  }
}
