import Glibc
import Synchronization

/// Numbered jobs done by a few threads, while the caller watches.
final class WorkerPool<Output: Sendable>: Sendable {
  /// How far it is.
  struct Progress {
    /// Jobs that are done.
    var done: Int
    /// Those being done, with the microseconds since their start.
    var running: [(job: Int, microseconds: Int64)]
  }

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
  ///   - watch: Called a few times a second on the caller's thread; false gives up, and leaves the threads to the end of
  ///     the process.
  /// - Returns: What came of each job; nil for those that were not done.
  func run(threads: Int, watch: (Progress) -> Bool = { _ in true }) throws(CommandFailure) -> [Output?] {
    for _ in 0..<min(threads, max(1, count)) { try startThread() }
    var pause: UInt32 = 500
    while true {
      usleep(pause)
      pause = min(50_000, pause * 2)
      let now = ProgressLine.monotonicMicroseconds()
      let progress = state.withLock { state in
        Progress(done: state.done, running: state.started.map { ($0.key, now - $0.value) })
      }
      if progress.done == count || !watch(progress) { return state.withLock { $0.outputs } }
    }
  }

  private func startThread() throws(CommandFailure) {
    let body = Unmanaged.passRetained(ThreadBody { [self] in workOn() })
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, body.toOpaque())
    guard code == 0 else {
      body.release()
      throw .environment("a thread: \(String(cString: strerror(code)))")
    }
    pthread_detach(thread)
  }

  private func workOn() {
    while let job = take() {
      let output = work(job)
      state.withLock { state in
        state.outputs[job] = output
        state.done += 1
        state.started[job] = nil
      }
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

/// What a thread runs.
private final class ThreadBody {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Processors of this machine.
func processorCount() -> Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
