import Glibc
import LinuxDevices
import LinuxRuntime
import Quantities
import ServerSupport
import Synchronization

/// A program as a process of its own, with its output line by line; it ends with the value.
final class BoardProcess: Sendable {
  /// What came from the process so far.
  private struct Output {
    var out: [UInt8] = []
    var err: [UInt8] = []
    var openEnds = 2
    var status: Int32?
  }

  /// Its number.
  let number: pid_t
  private let output = Mutex(Output())

  /// `leash`, as it was built beside these tests.
  static let leash: String = {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    let program = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return program.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/leash"
  }()

  /// Starts a program; no signal is blocked or ignored in it.
  init(_ words: [String], environment: [String: String] = [:]) throws {
    var out: [Int32] = [-1, -1]
    var err: [Int32] = [-1, -1]
    // Sockets are closed in other programs from the beginning, which pipes are not: those would hold them open.
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &out) == 0, socketpair(AF_UNIX, kind, 0, &err) == 0 else {
      throw SetUpFailure("no pair of sockets")
    }
    let settings = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"] + environment.map { "\($0.key)=\($0.value)" }
    defer {
      close(out[1])
      close(err[1])
    }
    do throws(DeviceFailure) {
      number = try ChildProcess.start(
        words, environment: settings,
        files: [.path(0, "/dev/null", flags: O_RDONLY), .copy(1, of: out[1]), .copy(2, of: err[1])])
    } catch {
      close(out[0])
      close(err[0])
      throw SetUpFailure("\(words[0]): \(error.systemText)")
    }
    let ends = (out[0], err[0])
    _ = BackgroundThread.start { [self] in collect(ends.0) { $0.out += $1 } }
    _ = BackgroundThread.start { [self] in collect(ends.1) { $0.err += $1 } }
  }

  deinit { kill() }

  private func collect(_ descriptor: Int32, _ keep: (inout Output, ArraySlice<UInt8>) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      output.withLock { keep(&$0, buffer[..<count]) }
    }
    close(descriptor)
    output.withLock { $0.openEnds -= 1 }
  }

  /// Lines on standard output so far.
  var lines: [String] { output.withLock { text($0.out) }.split(separator: "\n").map(String.init) }
  /// Lines on standard error so far.
  var problems: [String] { output.withLock { text($0.err) }.split(separator: "\n").map(String.init) }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// Sends it a signal.
  func send(_ signal: Int32) { if exitStatus == nil { Glibc.kill(number, signal) } }

  /// Ends it as a power cut would, and waits until it is gone.
  func kill() {
    send(SIGKILL)
    output.withLock { _ = collectStatus(&$0, options: 0) }
  }

  /// How it ended, as a shell tells it: 128 and more is a signal; nil while it runs.
  var exitStatus: Int32? { output.withLock { collectStatus(&$0, options: WNOHANG) } }

  private func collectStatus(_ output: inout Output, options: Int32) -> Int32? {
    if let status = output.status { return status }
    var status: Int32 = 0
    var found: pid_t = -1
    repeat { found = waitpid(number, &status, options) } while found < 0 && errno == EINTR
    guard found == number else { return nil }
    output.status = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    return output.status
  }

  /// True when it has ended and everything it wrote is here.
  var hasEnded: Bool { exitStatus != nil && output.withLock { $0.openEnds == 0 } }

  /// Runs a program to its end.
  static func run(_ words: [String]) async throws -> BoardProcess {
    let process = try BoardProcess(words)
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
