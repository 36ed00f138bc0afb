import ASCIIText
import Quantities
import TrackerCore
import TrackerLog
import WASISupport

/// Standard input: the log.
struct InputFile: ByteFeed {
  mutating func read(into place: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
    Int(wasi_read(place, UInt32(truncatingIfNeeded: count)))
  }
}

/// A file that is open for writing: 1 for what the tracker does, 2 for what came of the run, 3 for its course.
struct OutputFile: ByteWriter, ByteSink {
  let number: UInt32

  mutating func write(_ byte: UInt8) { wasi_put(number, byte) }
  @discardableResult mutating func append(_ byte: UInt8) -> Bool {
    write(byte)
    return true
  }
}

/// The image's replay as a module of WebAssembly: the log is standard input, what the tracker does goes to standard output, what came
/// of the run to standard error, and its course to file 3, if there is one.
///
/// With an argument it only tells the hash of the arithmetic. The exit code is 0 when the log was read to its end.
@c(_start) public func start() {
  var report = OutputFile(number: 2)
  let argumentCount = wasi_argument_count()
  if argumentCount > 1 {
    write("arithmetic hash ", hexadecimal: arithmeticHash(UInt64(argumentCount / 0x1000_0000)), to: &report)
    wasi_exit(0)
  }
  let window = UnsafeMutableBufferPointer(start: wasi_window(), count: Int(wasi_window_size))
  var reader = LogReader(BufferWindow(InputFile(), window))
  var course = Course()
  let result = replay(&reader, to: OutputFile(number: 1)) { tracker, time in course.note(tracker, time) }
  course.end()
  write(result, to: &report)
  if let place = result.damage.truncatedAtByte {
    write("cut off at byte", UInt32(truncatingIfNeeded: place), to: &report)
  }
  wasi_exit(result.trouble == nil && result.damage.overlongCount == 0 ? 0 : 1)
}
