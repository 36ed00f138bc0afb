import Glibc
import LinuxDevices
import OtherPrograms
import Quantities
import ServerSupport
import Synchronization

extension OtherProgram {
  /// Runs a program to its end; other tests go on meanwhile.
  static func run(_ words: [String]) async throws -> OtherProgram {
    let process = try OtherProgram(words, environment: [:])
    try await wait(for: "the end of \(words.joined(separator: " "))") { process.hasEnded }
    return process
  }
}

/// The text of a file of `/proc`, which comes in pieces of any size; nil when it can't be read.
func systemText(_ path: String) -> String? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
    bytes += buffer[..<count]
  }
}

/// Wakes waiting tasks fifty times a second, so that they need no thread of their own.
private final class Metronome: Sendable {
  static let shared = Metronome()
  private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

  /// Returns at the next beat.
  func beat() async {
    await withCheckedContinuation { continuation in
      let isFirst = waiting.withLock { waiting in
        waiting.append(continuation)
        return waiting.count == 1
      }
      guard isFirst else { return }
      let hasBegun = BackgroundThread.start { [self] in
        EventWait.pause(until: MonotonicClock.now + .milliseconds(20))
        release()
      }
      if !hasBegun { release() }
    }
  }

  private func release() {
    let all = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for continuation in all { continuation.resume() }
  }
}

extension EventWait {
  /// Lets time pass.
  fileprivate static func pause(until time: Instant) {
    var wait = EventWait()
    wait.wait(until: time)
  }
}

/// Waits until something holds; other tests go on meanwhile.
///
/// - Parameter limit: Only for a machine that is stuck; nothing is timed by it. A test that had no processor for long looks
///   at what it waits for a hundred times more.
func wait(
  for what: @autoclosure () -> String, within limit: Interval = .seconds(90), detail: () -> String = { "" },
  until holds: () throws -> Bool
) async throws {
  let deadline = MonotonicClock.now + limit
  var looks = 0
  while try !holds() {
    looks += 1
    guard looks <= 100 || MonotonicClock.now < deadline else {
      throw SetUpFailure("not in time: \(what())\n\(detail())")
    }
    await Metronome.shared.beat()
  }
}

/// So many boards run at a time: more would only make each other late.
actor BoardPlaces {
  static let shared = BoardPlaces()
  private var free = 5
  private var queue: [CheckedContinuation<Void, Never>] = []

  /// Waits for a place.
  func take() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { queue.append($0) }
    }
  }

  /// Gives it back.
  func giveBack() {
    if queue.isEmpty { free += 1 } else { queue.removeFirst().resume() }
  }
}
