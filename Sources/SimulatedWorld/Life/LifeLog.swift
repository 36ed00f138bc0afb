import Quantities
import TrackerCore
import TrackerRuntime

/// A log that ends when the power goes, and ends a life whose tracker wakes again and again while no time passes.
final class LifeLog: RunLog {
  private let log: (any RunLog)?
  private let isCut: () -> Bool
  private var wakeTime = Instant.zero
  private var wakes = 0

  /// Times that a tracker may wake within a second of its own accord.
  static var wakesPerSecond: Int { 1000 }

  init(_ log: (any RunLog)?, isCut: @escaping () -> Bool) {
    self.log = log
    self.isCut = isCut
  }

  /// True when the tracker wakes without end.
  var isRestless: Bool { wakes > LifeLog.wakesPerSecond }

  func append(configuration: Span<UInt8>) throws(RecordingError) { try log?.append(configuration: configuration) }

  func append(_ input: TrackerInput, bytes: Span<UInt8>) throws(RecordingError) {
    if !isCut() { try log?.append(input, bytes: bytes) }
  }

  func append(tick time: Instant) throws(RecordingError) {
    if time - wakeTime >= .seconds(1) { (wakeTime, wakes) = (time, 0) }
    wakes += 1
    guard !isRestless else {
      throw RecordingError(
        kind: .unsupported, file: "the simulated life",
        found: "the tracker wakes without end at \(time.secondsDouble) s")
    }
    if !isCut() { try log?.append(tick: time) }
  }

  func append(acknowledgement sequence: UInt32, at time: Instant) throws(RecordingError) {
    if !isCut() { try log?.append(acknowledgement: sequence, at: time) }
  }

  func append(settlement sequence: UInt32, receiver: UInt8, isDelivered: Bool, at time: Instant) throws(RecordingError)
  {
    if !isCut() { try log?.append(settlement: sequence, receiver: receiver, isDelivered: isDelivered, at: time) }
  }

  func append(action: Span<UInt8>, at time: Instant) throws(RecordingError) {
    if !isCut() { try log?.append(action: action, at: time) }
  }

  func append(output: Span<UInt8>, to port: UInt8, at time: Instant) throws(RecordingError) {
    if !isCut() { try log?.append(output: output, to: port, at: time) }
  }
}
