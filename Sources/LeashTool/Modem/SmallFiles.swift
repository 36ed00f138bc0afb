import Glibc
import Quantities
import Recording
import TrackerRuntime

/// The longest file that is read at once.
private let longestFile = 64 << 20

/// A file that fits in memory, up to 64 MiB; gzip allowed.
func smallBytes(of path: String) throws(CommandFailure) -> [UInt8] {
  let bytes = try reading { () throws(RecordingError) in
    let source = try ByteSource(path: path)
    var bytes: [UInt8] = []
    let capacity = 65_536
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    defer { buffer.deallocate() }
    while true {
      let count = try source.read(into: buffer, capacity: capacity)
      guard count > 0, bytes.count <= longestFile else { return bytes }
      bytes += UnsafeBufferPointer(start: buffer, count: count)
    }
  }
  guard bytes.count <= longestFile else { throw .environment("\(path): longer than 64 MiB") }
  return bytes
}

/// The same as text.
func smallText(of path: String) throws(CommandFailure) -> String {
  guard let text = String(validating: try smallBytes(of: path), as: UTF8.self) else {
    throw .environment("\(path): not a text file")
  }
  return text
}

/// True for a folder that may be written to.
func isFolder(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && access(path, W_OK | X_OK) == 0
}

/// The time of day of this machine.
var startTime: UTCTime {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return UTCTime(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
}
