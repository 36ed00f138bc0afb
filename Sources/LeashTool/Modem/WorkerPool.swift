import Glibc
import LinuxDevices
import Synchronization

/// Numbered jobs done by a few threads, while the caller watches.
final class WorkerPool<Output: Sendable>: Sendable {
  private struct State {
    var next = 0
    var outputs: [Output?]
    var done = 0
    var started: [Int: Int64] = [:]
  }

  private let state: Mutex<State>
  private let count: Int
  private let work: @Sendable (Int) -> Output

  /// - Parameters:
  ///   - count: How many jobs.
  ///   - work: Does the job of a number, from 0.
  init(count: Int, work: @escaping @Sendable (Int) -> Output) {
    self.count = count
    self.work = work
    state = Mutex(State(outputs: [Output?](repeating: nil, count: count)))
  }

  /// Does all jobs.
  ///
  /// - Parameters:
  ///   - threads: How many at once.
  ///   - patience: Seconds after which a job is given up; its thread is left to the end of the process, and another takes
  ///     its place.
  ///   - watch: Called a few times a second on the caller's thread with the number of jobs that are over.
  /// - Returns: What came of each job; nil for those that were given up.
  func run(
    threads: Int, patience: Int64 = .max / 1_000_000, watch: (Int) -> Void = { _ in }
  ) throws(CommandFailure) -> [Output?] {
    for _ in 0..<min(threads, max(1, count)) { try startThread() }
    var pause: UInt32 = 500
    while true {
      usleep(pause)
      pause = min(50_000, pause * 2)
      let late = ProgressLine.monotonicMicroseconds() - patience * 1_000_000
      let (done, lost) = state.withLock { state in
        let lost = state.started.filter { $0.value < late }.map(\.key)
        for job in lost { state.started[job] = nil }
        state.done += lost.count
        return (state.done, lost.count)
      }
      watch(done)
      if done == count { return state.withLock { $0.outputs } }
      for _ in 0..<lost { try startThread() }
    }
  }

  private func startThread() throws(CommandFailure) {
    guard BackgroundThread.start({ [self] in workOn() }) else {
      throw .environment("can't start a thread: the limit is reached")
    }
  }

  private func workOn() {
    while let job = take() {
      let output = work(job)
      let isWanted = state.withLock { state in
        // One that was given up is over already, and so is its thread.
        guard state.started.removeValue(forKey: job) != nil else { return false }
        state.outputs[job] = output
        state.done += 1
        return true
      }
      guard isWanted else { return }
    }
  }

  private func take() -> Int? {
    let now = ProgressLine.monotonicMicroseconds()
    return state.withLock { state in
      guard state.next < count else { return nil }
      state.next += 1
      state.started[state.next - 1] = now
      return state.next - 1
    }
  }
}

/// Processors of this machine.
func processorCount() -> Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
