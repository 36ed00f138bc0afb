import Glibc
import LinuxDevices
import Quantities

/// Hands text on without ever waiting for whoever reads it: a pager that stands still, a terminal stopped with Ctrl-S, a dead
/// connection must not stop a tracker.
///
/// What is not read waits up to a limit; lines beyond it are lost and counted.
final class OutputSpool {
  /// Lines lost because nobody read those before them.
  private(set) var lostCount = 0

  private let descriptor: Int32
  private var waiting: [UInt8] = []
  private var isBroken = false

  /// Bytes that wait at most.
  static var limit: Int { 256 * 1024 }
  /// Bytes that a pipe or terminal with any room takes at once.
  private static var piece: Int { 512 }

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// True while something was not read yet.
  var isWaiting: Bool { !waiting.isEmpty && !isBroken }

  /// Takes text in and hands on what is taken.
  func write(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, !isBroken else { return }
    if waiting.count + bytes.count > OutputSpool.limit {
      flush()
      guard waiting.count + bytes.count <= OutputSpool.limit else {
        lostCount += bytes.count { $0 == 0x0A }
        return
      }
    }
    waiting += bytes
    flush()
  }

  /// Hands on what is taken now.
  func flush() {
    var start = 0
    while start < waiting.count, !isBroken {
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&request, 1, 0) > 0 else { break }
      let end = min(start + OutputSpool.piece, waiting.count)
      let count = waiting[start..<end].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        start += count
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        // The reader is gone for good.
        isBroken = true
      }
    }
    waiting.removeFirst(start)
  }

  /// Hands on the rest, for as long as `limit` allows.
  func drain(within limit: Interval) {
    let end = MonotonicClock.now + limit
    while isWaiting, MonotonicClock.now < end {
      var wait = EventWait()
      wait.add(descriptor, reading: false, writing: true)
      wait.wait(until: end)
      flush()
    }
  }
}

/// A console whose streams never wait.
///
/// Where both streams are the same terminal they are one stream: what is written first stands first there.
final class SpooledConsole {
  /// Write to this; then call `pass`.
  let console: Console
  private let spools: [(source: ByteOutput, spool: OutputSpool)]
  private var toldCount = 0

  init(like console: Console) {
    let out = ByteOutput()
    let err = SpooledConsole.isOneTerminal ? out : ByteOutput()
    self.console = Console(
      out: out, err: err, outIsTerminal: console.outIsTerminal, errIsTerminal: console.errIsTerminal,
      width: console.width, usesColour: console.usesColour)
    let spool = (out, OutputSpool(descriptor: 1))
    spools = err === out ? [spool] : [spool, (err, OutputSpool(descriptor: 2))]
  }

  /// True when standard output and standard error are the same terminal.
  private static var isOneTerminal: Bool {
    guard isatty(1) == 1, isatty(2) == 1 else { return false }
    var out = stat()
    var err = stat()
    return fstat(1, &out) == 0 && fstat(2, &err) == 0 && out.st_rdev == err.st_rdev
  }

  /// True while something was not read yet.
  var isWaiting: Bool { spools.contains { $0.spool.isWaiting } }

  /// Hands on what was written.
  func pass() {
    let lost = spools.reduce(0) { $0 + $1.spool.lostCount }
    if lost > toldCount, !isWaiting {
      console.err.writeLine("leash run: \(lost - toldCount) lines are lost: the output was not read")
      toldCount = lost
    }
    for (source, spool) in spools {
      spool.write(source.takeCaptured())
      if spool.isWaiting { spool.flush() }
    }
  }

  /// Hands on the rest, for a second at most.
  func finish() {
    pass()
    for (_, spool) in spools { spool.drain(within: .milliseconds(500)) }
  }
}
