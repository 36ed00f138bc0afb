import Glibc
import Quantities
import Testing
import TrackerCore

/// A tracker whose outbox changes from step to step: packets come, and some are acknowledged.
struct ChangingTracker: ~Copyable {
  var tracker = Tracker()
  private var step = 0

  init() {
    tracker.advance(to: .seconds(1))
    drain()
  }

  /// What a store that keeps it now has to give back.
  var bytes: [UInt8] { tracker.keptBytes() }
  /// The same without the mark, which is a file of its own.
  var stateBytes: [UInt8] { tracker.keptBytes(mark: false) }

  /// One or two new packets; from time to time the oldest are acknowledged, first or last of the row.
  mutating func change() {
    step += 1
    let now = Instant.seconds(step + 1)
    for _ in 0..<(1 + step % 2) {
      tracker.submit(.locate, at: now)
      drain()
    }
    while tracker.outbox.count > 3 {
      tracker.acknowledge(tracker.outbox.packet(at: step % 2 == 0 ? 0 : 1).sequence, at: now)
      drain()
    }
  }

  private mutating func drain() { while tracker.nextAction() != nil {} }
}

func writeFile(_ path: String, _ bytes: [UInt8]) {
  let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o640)
  #expect(write(file, bytes, bytes.count) == bytes.count)
  close(file)
}

func readFile(_ path: String) -> [UInt8] {
  let file = open(path, O_RDONLY)
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 21)
  bytes.removeLast(bytes.count - max(0, read(file, &bytes, bytes.count)))
  return bytes
}
