import CLinuxShim
import Glibc
import LinuxDevices
import Quantities
import ServerSupport
import Synchronization

/// A program on a terminal of its own, which sees what the program writes; the program ends with the value.
final class TerminalProcess: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var isClosing = false
    var isClosed = false
    var status: Int32?
  }

  /// `POSIX_SPAWN_SETSID` of spawn.h, which is not imported.
  private static var newSession: Int32 { 0x80 }

  /// Its number; it leads its session, as a shell's job does that was started with `exec`.
  let number: pid_t
  private let state = Mutex(State())

  /// Starts a program whose input, output and errors are one terminal.
  init(_ words: [String], columns: Int, environment: [String: String] = [:]) throws {
    var name = [CChar](repeating: 0, count: 128)
    let master = leash_make_pseudo_terminal(&name, name.count)
    guard master >= 0 else { throw SetUpFailure("no pseudo-terminal") }
    var size = winsize()
    size.ws_col = UInt16(columns)
    size.ws_row = 24
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    // A session of its own: the terminal it opens first becomes the one that can hang up.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | Self.newSession))
    var arguments = words.map { strdup($0) }
    let settings = environment.map { "\($0.key)=\($0.value)" } + ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "TERM=xterm"]
    var variables = settings.map { strdup($0) }
    defer { for text in arguments + variables { free(text) } }
    arguments.append(nil)
    variables.append(nil)
    var number: pid_t = -1
    let code = posix_spawn(&number, words[0], &actions, &attributes, arguments, variables)
    guard code == 0 else {
      close(master)
      throw SetUpFailure("\(words[0]): \(String(cString: strerror(code)))")
    }
    self.number = number
    _ = BackgroundThread.start { [self] in collect(master) }
  }

  deinit {
    if exitStatus == nil { kill(number, SIGKILL) }
    var status: Int32 = 0
    if state.withLock({ $0.status == nil }) { waitpid(number, &status, 0) }
  }

  private func collect(_ master: Int32) {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while !state.withLock({ $0.isClosing }) {
      var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, 20) > 0 else { continue }
      let count = read(master, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      state.withLock { $0.bytes += buffer[..<count] }
    }
    close(master)
    state.withLock { $0.isClosed = true }
  }

  /// True when it has ended and all that it wrote is in `bytes`.
  var isOver: Bool { exitStatus != nil && state.withLock { $0.isClosed } }

  /// What it has written so far.
  var bytes: [UInt8] { state.withLock { $0.bytes } }

  func send(_ signal: Int32) { if exitStatus == nil { kill(number, signal) } }

  /// Closes the terminal, as a window is closed.
  func hangUp() { state.withLock { $0.isClosing = true } }

  /// How it ended, as a shell tells it; nil while it runs.
  var exitStatus: Int32? {
    state.withLock { state in
      if let status = state.status { return status }
      var status: Int32 = 0
      guard waitpid(number, &status, WNOHANG) == number else { return nil }
      state.status = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
      return state.status
    }
  }
}
