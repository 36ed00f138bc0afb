import Quantities
import TrackerCore
import TrackerRuntime

/// A log that ends when the power goes.
final class LifeLog: RunLog {
  private let log: any RunLog
  private let isCut: () -> Bool

  init(_ log: any RunLog, isCut: @escaping () -> Bool) {
    self.log = log
    self.isCut = isCut
  }

  func append(configuration: Span<UInt8>) throws(RecordingError) { try log.append(configuration: configuration) }

  func append(_ input: TrackerInput, bytes: Span<UInt8>) throws(RecordingError) {
    if !isCut() { try log.append(input, bytes: bytes) }
  }

  func append(tick time: Instant) throws(RecordingError) {
    if !isCut() { try log.append(tick: time) }
  }

  func append(acknowledgement sequence: UInt32, at time: Instant) throws(RecordingError) {
    if !isCut() { try log.append(acknowledgement: sequence, at: time) }
  }

  func append(settlement sequence: UInt32, receiver: UInt8, isDelivered: Bool, at time: Instant) throws(RecordingError)
  {
    if !isCut() { try log.append(settlement: sequence, receiver: receiver, isDelivered: isDelivered, at: time) }
  }

  func append(action: Span<UInt8>, at time: Instant) throws(RecordingError) {
    if !isCut() { try log.append(action: action, at: time) }
  }

  func append(output: Span<UInt8>, to port: UInt8, at time: Instant) throws(RecordingError) {
    if !isCut() { try log.append(output: output, to: port, at: time) }
  }
}
