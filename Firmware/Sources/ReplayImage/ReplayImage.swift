import CPUSupport
import Quantities
import TrackerCore
import TrackerLog

/// The log, by the debugger.
extension Debugger.File: ByteFeed {}

/// The console of the board: what a tracker does.
struct Console: ByteWriter {
  mutating func write(_ byte: UInt8) { Board.write(byte) }
}

/// The debugger's console: what came of the run.
struct Report: ByteWriter {
  mutating func write(_ byte: UInt8) { cpu_write(byte) }
}

/// Replays the log that the argument names, and writes what the tracker does to the board's console; with the argument `arithmetic`
/// it only tells the hash of that. The exit code is 0 when the log was read to its end.
func runImage() {
  var name = InlineArray<256, UInt8>(repeating: 0)
  var report = Report()
  let count = withUnsafeMutablePointer(to: &name) { place in
    place.withMemoryRebound(to: UInt8.self, capacity: 256) { Debugger.arguments(into: $0, 256) }
  }
  if count == 10, name[0] == 0x61, name[9] == 0x63 {
    write("arithmetic hash ", hexadecimal: arithmeticHash(UInt64(count - 10)), to: &report)
    cpu_exit(0)
  }
  let file = withUnsafePointer(to: &name) { place in
    place.withMemoryRebound(to: UInt8.self, capacity: 256) { Debugger.File(name: $0, count: count) }
  }
  guard let file else {
    write("trouble: no such file\n", to: &report)
    cpu_exit(1)
  }
  var buffer = InlineArray<32768, UInt8>(repeating: 0)
  var longest: UInt32 = 0
  var begin: UInt64 = 0
  var timer = Timer()
  let result = withUnsafeMutablePointer(to: &buffer) { place in
    place.withMemoryRebound(to: UInt8.self, capacity: 32768) { start in
      var reader = LogReader(BufferWindow(file, UnsafeMutableBufferPointer(start: start, count: 32768)))
      return replay(&reader, to: Console()) { _, _ in
        let passed = timer.lap()
        if begin == 0 { begin = timer.cycles } else if passed > longest { longest = passed }
      }
    }
  }
  write(result, to: &report)
  write("start kilocycles", UInt32(truncatingIfNeeded: begin / 1000), to: &report)
  write("kilocycles", UInt32(truncatingIfNeeded: (timer.cycles - begin) / 1000), to: &report)
  write("most cycles of an input", longest, to: &report)
  write("stack used", cpu_stack_mark(), to: &report)
  write("stack room", cpu_stack_room(), to: &report)
  cpu_exit(result.trouble == nil && result.damage.overlongCount == 0 ? 0 : 1)
}
