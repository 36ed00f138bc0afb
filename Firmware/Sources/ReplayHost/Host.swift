import Glibc
import TrackerLog

/// A file of this machine.
struct HostFile: ByteFeed {
  fileprivate let stream: UnsafeMutablePointer<FILE>

  mutating func read(into place: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int { fread(place, 1, count, stream) }
}

/// Standard output, or standard error.
struct HostStream: ByteWriter {
  fileprivate let stream: UnsafeMutablePointer<FILE>

  mutating func write(_ byte: UInt8) { putc(Int32(byte), stream) }
}

/// What the image does, on this machine: what the tracker does goes to standard output, what came of the run to standard error.
@main enum Host {
  static func main() {
    guard let output = fdopen(1, "w"), let errors = fdopen(2, "w") else { exit(1) }
    var report = HostStream(stream: errors)
    guard CommandLine.arguments.count > 1 else {
      write("arithmetic hash ", hexadecimal: arithmeticHash(UInt64(CommandLine.arguments.count - 1)), to: &report)
      fflush(errors)
      exit(0)
    }
    guard let stream = fopen(CommandLine.arguments[1], "rb") else { exit(1) }
    // As much as the image has, so that both treat what is too long alike.
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 32768)
    var reader = LogReader(BufferWindow(HostFile(stream: stream), buffer))
    let result = replay(&reader, to: HostStream(stream: output)) { _, _ in }
    write(result, to: &report)
    fflush(output)
    fflush(errors)
    exit(result.trouble == nil && result.damage.overlongCount == 0 ? 0 : 1)
  }
}
