import Glibc

/// One line on the terminal that says how far a long command is; nothing at all when standard error is no terminal.
package struct ProgressLine {
  private let console: Console
  private let clock: () -> Int64
  private var nextUpdate: Int64 = .min
  private var isShown = false

  /// Microseconds between two updates.
  package static var interval: Int64 { 100_000 }

  /// - Parameters:
  ///   - console: Its standard error shows the line.
  ///   - delay: Microseconds of quiet: what is done by then needs no line.
  ///   - clock: Microseconds that only grow.
  package init(
    _ console: Console, delay: Int64 = 0, clock: @escaping () -> Int64 = ProgressLine.monotonicMicroseconds
  ) {
    self.console = console
    self.clock = clock
    if delay > 0 { nextUpdate = clock() + delay }
  }

  /// Shows the text when the last update is long enough ago; the text is not even made otherwise.
  package mutating func update(_ text: @autoclosure () -> String) {
    guard console.errIsTerminal else { return }
    let now = clock()
    guard now >= nextUpdate else { return }
    nextUpdate = now + ProgressLine.interval
    isShown = true
    // The last column stays free: some terminals go to the next line when it is written.
    console.err.write("\r\u{1B}[2K" + text().prefix(max(0, console.width - 1)))
    console.err.flush()
  }

  /// Takes the line away, for other text or at the end; the next update shows it again.
  package mutating func clear() {
    guard isShown else { return }
    isShown = false
    nextUpdate = .min
    console.err.write("\r\u{1B}[2K")
    console.err.flush()
  }

  /// The clock of the machine that never jumps.
  package static func monotonicMicroseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
