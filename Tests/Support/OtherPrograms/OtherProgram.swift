import Glibc
import LinuxDevices
import Quantities
import Synchronization

/// Why a program of a test is of no use.
package struct ProgramFailure: Error, CustomStringConvertible {
  /// In words.
  package let description: String

  /// From its words.
  package init(description: String) { self.description = description }
}

/// A program as a process of its own, with what it has written; it ends with the value, and what it has started with it.
///
/// No wait for it is without a limit: neither its end nor that of its output is waited for when a program that it has started, or
/// that began at the same time, holds its output open.
package final class OtherProgram: Sendable {
  /// What came from one of its descriptors so far; read by a thread of its own, so that the program never waits for a reader.
  private final class Output: Sendable {
    private let state = Mutex((bytes: [UInt8](), isOpen: true))

    var bytes: [UInt8] { state.withLock { $0.bytes } }
    var isOpen: Bool { state.withLock { $0.isOpen } }

    init(_ descriptor: Int32) {
      if !BackgroundThread.start({ [self] in collect(descriptor) }) { collect(descriptor) }
    }

    private func collect(_ descriptor: Int32) {
      var buffer = [UInt8](repeating: 0, count: 16_384)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { break }
        state.withLock { $0.bytes += buffer[..<count] }
      }
      close(descriptor)
      state.withLock { $0.isOpen = false }
    }
  }

  private struct State {
    var status: Int32?
    var input: Int32 = -1
  }

  /// Its number; it leads a group of its own.
  package let number: pid_t
  private let name: String
  private let outputs: [Output]
  private let state = Mutex(State())

  /// Starts a program; no signal is blocked or ignored in it.
  ///
  /// - Parameters:
  ///   - words: Its path and its arguments.
  ///   - environment: In addition to a search path; nil for the environment of this process.
  ///   - folder: Where it runs; nil for the folder of this process.
  ///   - takesInput: Whether it is given input by `write`; else there is none.
  ///   - terminal: The path of what is its standard input and output instead, a terminal or a file.
  package init(
    _ words: [String], environment: [String: String]? = nil, folder: String? = nil, takesInput: Bool = false,
    terminal: String? = nil
  ) throws {
    // Sockets are closed in other programs from the beginning, which pipes are not: those would hold them open.
    var pairs: [(own: Int32, its: Int32)] = []
    defer { for pair in pairs { close(pair.its) } }
    for _ in 0..<(takesInput ? 3 : 2) {
      var pair: [Int32] = [-1, -1]
      guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
        for pair in pairs { close(pair.own) }
        throw ProgramFailure(description: "no pair of sockets")
      }
      pairs.append((pair[0], pair[1]))
    }
    var settings: [String]?
    if let environment {
      settings =
        (environment["PATH"] == nil ? ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"] : [])
        + environment.map { "\($0.key)=\($0.value)" }
    }
    var input = ChildProcess.File.path(0, "/dev/null", flags: O_RDONLY)
    if takesInput { input = .copy(0, of: pairs[2].its) }
    var output = ChildProcess.File.copy(1, of: pairs[0].its)
    if let terminal {
      input = .path(0, terminal, flags: O_RDWR | O_NOCTTY)
      output = .path(1, terminal, flags: O_RDWR | O_NOCTTY)
    }
    name = words[0]
    do throws(DeviceFailure) {
      number = try ChildProcess.start(
        (folder.map { ["/usr/bin/env", "-C", $0] } ?? []) + words, environment: settings,
        files: [input, output, .copy(2, of: pairs[1].its)], isGroup: true)
    } catch {
      for pair in pairs { close(pair.own) }
      throw ProgramFailure(description: "\(words[0]): \(error.systemText)")
    }
    outputs = [Output(pairs[0].own), Output(pairs[1].own)]
    if takesInput {
      let own = pairs[2].own
      state.withLock { $0.input = own }
    }
  }

  deinit {
    kill()
    closeInput()
  }

  /// What it has written on standard output so far.
  package var out: String { String(decoding: outputs[0].bytes, as: UTF8.self) }
  /// What it has written on standard error so far.
  package var err: String { String(decoding: outputs[1].bytes, as: UTF8.self) }
  /// Lines on standard output so far.
  package var lines: [String] { out.split(separator: "\n").map(String.init) }
  /// Lines on standard error so far.
  package var problems: [String] { err.split(separator: "\n").map(String.init) }

  /// Gives it input.
  package func write(_ text: String) {
    let input = state.withLock { $0.input }
    // It may be gone: no signal for that.
    _ = Array(text.utf8).withUnsafeBytes { Glibc.send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  /// There is no more input for it.
  package func closeInput() {
    state.withLock { state in
      if state.input >= 0 { close(state.input) }
      state.input = -1
    }
  }

  /// Sends it a signal.
  package func send(_ signal: Int32) { if exitStatus == nil { Glibc.kill(number, signal) } }

  /// Ends it as a power cut would, with all that it has started, and waits until it is gone.
  package func kill() {
    if exitStatus == nil { Glibc.kill(-number, SIGKILL) }
    state.withLock { _ = collectStatus(&$0, options: 0) }
  }

  /// How it ended, as a shell tells it: 128 and more is a signal; nil while it runs.
  package var exitStatus: Int32? { state.withLock { collectStatus(&$0, options: WNOHANG) } }

  private func collectStatus(_ state: inout State, options: Int32) -> Int32? {
    if let status = state.status { return status }
    var status: Int32 = 0
    var found: pid_t = -1
    repeat { found = waitpid(number, &status, options) } while found < 0 && errno == EINTR
    guard found == number else { return nil }
    state.status = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    return state.status
  }

  /// True when it has ended and everything it wrote is here.
  package var hasEnded: Bool { exitStatus != nil && !outputs.contains { $0.isOpen } }

  /// Waits until something is so; false when it is not so in time, or the program ended before.
  ///
  /// - Parameter limit: Only for a program that is stuck; nothing is timed by it.
  package func waits(within limit: Interval = .seconds(60), for isSo: () -> Bool) -> Bool {
    let deadline = MonotonicClock.now + limit
    while !isSo() {
      if hasEnded { return isSo() }
      guard MonotonicClock.now < deadline else { return false }
      pause(.milliseconds(2))
    }
    return true
  }

  /// Waits until it has ended, and for all that it wrote.
  ///
  /// - Returns: Its exit status, as a shell tells it.
  /// - Throws: `ProgramFailure` when it does not end in time; it is killed then.
  @discardableResult package func end(within limit: Interval = .seconds(120)) throws -> Int32 {
    let deadline = MonotonicClock.now + limit
    while exitStatus == nil {
      guard MonotonicClock.now < deadline else {
        kill()
        throw ProgramFailure(
          description: "\(name) did not end within \(limit.microseconds / 1_000_000) s; it wrote: \(out)\(err)")
      }
      pause(.milliseconds(2))
    }
    // What it wrote is here at once, if nobody else holds its output open.
    let last = MonotonicClock.now + .seconds(2)
    while !hasEnded, MonotonicClock.now < last { pause(.milliseconds(1)) }
    return exitStatus ?? -1
  }

  private func pause(_ time: Interval) {
    var wait = EventWait()
    wait.wait(until: MonotonicClock.now + time)
  }

  /// Runs a program to its end.
  ///
  /// - Parameter input: What it is given; nil for nothing.
  /// - Returns: Its exit status, as a shell tells it, and what it wrote.
  /// - Throws: `ProgramFailure` when it can't be started or does not end in time.
  package static func output(
    of words: [String], environment: [String: String]? = nil, folder: String? = nil, input: String? = nil,
    terminal: String? = nil, within limit: Interval = .seconds(120)
  ) throws -> (status: Int32, out: String, err: String) {
    let program = try OtherProgram(
      words, environment: environment, folder: folder, takesInput: input != nil, terminal: terminal)
    if let input { program.write(input) }
    program.closeInput()
    let status = try program.end(within: limit)
    return (status, program.out, program.err)
  }

  /// The same for a program whose output is no text: the bytes of its standard output.
  package static func bytes(of words: [String]) throws -> [UInt8] {
    let program = try OtherProgram(words)
    try program.end()
    return program.outputs[0].bytes
  }

  /// Where a program of the system is; nil when it is not installed.
  package static func path(of program: String) -> String? {
    ["/usr/sbin/", "/usr/bin/", "/usr/local/sbin/", "/usr/local/bin/"].map { $0 + program }
      .first { access($0, X_OK) == 0 }
  }

  /// `leash`, as it was built beside these tests.
  package static let leash = besideTests("leash")

  /// A program that was built beside these tests.
  package static func besideTests(_ name: String) -> String {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    let program = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return program.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/" + name
  }
}
