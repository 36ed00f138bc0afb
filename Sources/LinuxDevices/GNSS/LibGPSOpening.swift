import CGPS
import CLinuxShim
import Glibc
import Synchronization

/// A connection to gpsd in the making by libgps, on a thread of its own.
///
/// `gps_open` resolves a name and connects, and either may take minutes. Whoever wants the connection no longer abandons it;
/// the thread then closes what it gets.
final class LibGPSOpening: GPSDOpening, Sendable {
  private enum State {
    case pending
    case over(GPSDOutcome)
    case abandoned
  }

  /// Readable when there is an outcome.
  let wakeUp: WakeUp
  private let state = Mutex(State.pending)

  /// - Throws: When the process has no descriptor or thread left.
  init(host: String, port: UInt16, name: String) throws(DeviceFailure) {
    wakeUp = try WakeUp()
    guard BackgroundThread.start({ [self] in finish(LibGPSOpening.connect(host: host, port: port)) }) else {
      throw DeviceFailure(.open, name, errorNumber: EAGAIN, .other)
    }
  }

  /// The outcome, once; nil before there is one.
  func take() -> GPSDOutcome? {
    wakeUp.clear()
    return state.withLock { state in
      guard case .over(let outcome) = state else { return nil }
      state = .abandoned
      return outcome
    }
  }

  /// Closes what came of it, or will come.
  func abandon() {
    let outcome = state.withLock { state in
      defer { state = .abandoned }
      if case .over(let outcome) = state { return outcome as GPSDOutcome? }
      return nil
    }
    if case .connected(let descriptor)? = outcome { close(descriptor) }
  }

  private func finish(_ outcome: GPSDOutcome) {
    let isWanted = state.withLock { state in
      guard case .pending = state else { return false }
      state = .over(outcome)
      return true
    }
    if isWanted {
      wakeUp.signal()
    } else if case .connected(let descriptor) = outcome {
      close(descriptor)
    }
  }

  private static func connect(host: String, port: UInt16) -> GPSDOutcome {
    // 24 KiB: too much for the stack of a small thread.
    let data = UnsafeMutablePointer<gps_data_t>.allocate(capacity: 1)
    memset(data, 0, MemoryLayout<gps_data_t>.size)
    defer { data.deallocate() }
    guard gps_open(host, String(port), data) == 0 else { return .failed(errno == 0 ? Int32(NL_NOCONNECT) : errno) }
    defer { gps_close(data) }
    guard gps_stream(data, UInt32(WATCH_ENABLE) | UInt32(WATCH_JSON), nil) == 0 else { return .failed(errno) }
    // libgps keeps its own descriptor until it is closed here; the reports are read by the loop, with its own rules.
    let descriptor = fcntl(data.pointee.gps_fd, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { return .failed(errno) }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    return .connected(descriptor)
  }
}
