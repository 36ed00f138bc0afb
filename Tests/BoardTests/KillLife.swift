import Foundation
import LinuxDevices
import Quantities
import ServerSupport

/// One life of `leash run`, with what it says on standard output, until it is killed.
///
/// Everything that is said wakes whoever waits in `wait`; so does `poke`. The instant of death is looked at there, too, so that
/// whoever plays the scene stops when its audience is gone.
final class KillLife: @unchecked Sendable {
  /// The life ended while something was waited for.
  struct Over: Error {}

  private let condition = NSCondition()
  private var process: pid_t
  private var lines: [String] = []
  private var deathAt: Instant?
  private var hasEnded = false
  private var isReaped = false

  /// Starts the program beside these tests; standard error goes to a file.
  init(configuration: String, errors: String) throws {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "leash").path
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SetUpFailure("no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (out, its) = (ends[0], ends[1])
    defer { close(its) }
    do throws(DeviceFailure) {
      process = try ChildProcess.start(
        [program, "run", configuration, "--json"],
        files: [
          .path(0, "/dev/null", flags: O_RDONLY), .copy(1, of: its),
          .path(2, errors, flags: O_WRONLY | O_CREAT | O_APPEND),
        ])
    } catch {
      close(out)
      throw SetUpFailure("\(program): \(error.systemText)")
    }
    guard BackgroundThread.start({ [self] in listen(to: out) }) else { throw SetUpFailure("no thread") }
  }

  private func listen(to out: Int32) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(out, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
      condition.lock()
      while let end = bytes.firstIndex(of: 0x0A) {
        lines.append(String(decoding: bytes[..<end], as: UTF8.self))
        bytes.removeFirst(end + 1)
      }
      condition.broadcast()
      condition.unlock()
    }
    close(out)
    condition.lock()
    hasEnded = true
    condition.broadcast()
    condition.unlock()
  }

  // MARK: What it says

  /// How often it told an event of that name.
  func count(of event: String) -> Int {
    condition.withLock { lines.count { $0.hasPrefix("{\"type\":\"event\",\"event\":\"\(event)\"") } }
  }

  /// All it said.
  var said: [String] { condition.withLock { lines } }

  /// Packets of earlier lives that waited when it began, as it told.
  var waitingAtStart: Int {
    guard let line = said.first(where: { $0.contains("\"event\":\"restored\"") }),
      let mark = line.range(of: "\"packets\":")
    else { return 0 }
    return Int(line[mark.upperBound...].prefix { $0.isNumber }) ?? 0
  }

  /// Waits until something is so.
  ///
  /// - Throws: `Over` when its death came first, or a failure when it did not come about within 90 s.
  func wait(for what: String, until isSo: () -> Bool) throws {
    let limit = MonotonicClock.now + .seconds(90)
    while true {
      try live()
      if isSo() { return }
      guard MonotonicClock.now < limit else { throw SetUpFailure("waited 90 s for \(what)") }
      condition.lock()
      // Some of what is waited for does not tell: it is looked at again and again.
      let due = min(deathAt ?? limit, MonotonicClock.now + .milliseconds(2))
      _ = condition.wait(until: Date(timeIntervalSinceNow: max(0, (due - MonotonicClock.now).secondsDouble)))
      condition.unlock()
    }
  }

  /// Waits for its death.
  func waitForDeath() throws {
    while true { try wait(for: "death", until: { false }) }
  }

  // MARK: Death

  /// Sets the time of its death, unless an earlier one is set.
  func die(at time: Instant) {
    condition.lock()
    deathAt = min(deathAt ?? time, time)
    condition.broadcast()
    condition.unlock()
  }

  /// Kills it now, from any thread.
  func kill() {
    condition.lock()
    if !isReaped { Glibc.kill(process, SIGKILL) }
    deathAt = MonotonicClock.now
    condition.broadcast()
    condition.unlock()
  }

  private func live() throws {
    let (due, isGone) = condition.withLock { (deathAt, hasEnded) }
    if isGone { throw Over() }
    if let due, MonotonicClock.now >= due {
      kill()
      throw Over()
    }
  }

  /// Ends it with a signal and waits until it is gone and has been heard to the end.
  ///
  /// - Returns: The signal that ended it, or its exit code below zero less one.
  @discardableResult func end(with signal: Int32) -> Int32 {
    condition.lock()
    if !isReaped { Glibc.kill(process, signal) }
    condition.unlock()
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    condition.lock()
    isReaped = true
    while !hasEnded { condition.wait() }
    condition.unlock()
    return status & 0x7F == 0 ? -1 - (status >> 8 & 0xFF) : status & 0x7F
  }
}
