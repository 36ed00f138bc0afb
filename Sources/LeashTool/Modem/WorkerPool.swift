import Glibc
import LinuxDevices
import Synchronization

/// Numbered jobs done by a few threads, while the caller watches.
final class WorkerPool<Output: Sendable>: Sendable {
  private struct State {
    var next = 0
    /// How many there are; fewer when no more are wanted.
    var count: Int
    var ended: [(job: Int, output: Output)] = []
    var done = 0
    var started: [Int: Int64] = [:]
  }

  private let state: Mutex<State>
  private let count: Int
  private let isOver: @Sendable () -> Bool
  private let work: @Sendable (Int) -> Output

  /// - Parameters:
  ///   - count: How many jobs.
  ///   - isOver: Asked before each job; from the first true on none is begun.
  ///   - work: Does the job of a number, from 0.
  init(count: Int, until isOver: @escaping @Sendable () -> Bool = { false }, work: @escaping @Sendable (Int) -> Output)
  {
    self.count = count
    self.isOver = isOver
    self.work = work
    state = Mutex(State(count: count))
  }

  /// Does all jobs.
  ///
  /// - Parameters:
  ///   - threads: How many at once.
  ///   - patience: Seconds after which a job is given up; its thread is left to the end of the process, and another takes
  ///     its place.
  ///   - watch: Called a few times a second on the caller's thread with the number of jobs that are over.
  /// - Returns: What came of each job; nil for those that were given up, or not begun.
  func run(
    threads: Int, patience: Int64 = .max / 1_000_000, watch: (Int) -> Void = { _ in }
  ) throws(CommandFailure) -> [Output?] {
    var outputs = [Output?](repeating: nil, count: count)
    try run(threads: threads, patience: patience, watch: watch) { job, output in outputs[job] = output }
    return outputs
  }

  /// Does all jobs, and keeps nothing of what comes of them.
  ///
  /// - Parameter each: Takes what came of a job soon after its end, on the caller's thread. If it throws, no more jobs are begun.
  func run(
    threads: Int, patience: Int64 = .max / 1_000_000, watch: (Int) -> Void = { _ in },
    each: (Int, Output) throws(CommandFailure) -> Void
  ) throws(CommandFailure) {
    for _ in 0..<min(threads, max(1, count)) { try startThread() }
    var pause: UInt32 = 500
    while true {
      usleep(pause)
      pause = min(50_000, pause * 2)
      let late = ProgressLine.monotonicMicroseconds() - patience * 1_000_000
      let (ended, done, lost, isDone) = state.withLock { state in
        let lost = state.started.filter { $0.value < late }.map(\.key)
        for job in lost { state.started[job] = nil }
        state.done += lost.count
        defer { state.ended = [] }
        return (state.ended, state.done, lost.count, state.done == state.count)
      }
      do throws(CommandFailure) {
        for (job, output) in ended { try each(job, output) }
      } catch {
        state.withLock { $0.count = $0.next }
        throw error
      }
      watch(done)
      if isDone { return }
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
        state.ended.append((job, output))
        state.done += 1
        return true
      }
      guard isWanted else { return }
    }
  }

  private func take() -> Int? {
    let now = ProgressLine.monotonicMicroseconds()
    let isOver = isOver()
    return state.withLock { state in
      if isOver { state.count = state.next }
      guard state.next < state.count else { return nil }
      state.next += 1
      state.started[state.next - 1] = now
      return state.next - 1
    }
  }
}

/// Processors of this machine.
func processorCount() -> Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
