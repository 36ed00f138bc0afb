import CZlib
import Glibc
import Quantities
import SkippedTests
import Testing

@testable import Recording
import TrackerCore

/// Bytes packed with gzip.
func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
  var stream = z_stream()
  let size = Int32(MemoryLayout<z_stream>.size)
  try #require(deflateInit2_(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK)
  defer { deflateEnd(&stream) }
  var input = bytes
  var output = [UInt8](repeating: 0, count: bytes.count + 1024)
  let count = input.withUnsafeMutableBufferPointer { source in
    output.withUnsafeMutableBufferPointer { target in
      stream.next_in = source.baseAddress
      stream.avail_in = UInt32(source.count)
      stream.next_out = target.baseAddress
      stream.avail_out = UInt32(target.count)
      deflate(&stream, Z_FINISH)
      return target.count - Int(stream.avail_out)
    }
  }
  return Array(output[..<count])
}

/// A directory that lives as long as the value.
final class TemporaryDirectory {
  let path: String

  init() throws {
    var template = Array("/tmp/leash-recording-XXXXXX".utf8CString)
    path = try #require(mkdtemp(&template).map { String(cString: $0) })
  }

  func write(_ name: String, _ text: String) throws -> String { try write(name, bytes: Array(text.utf8)) }

  func write(_ name: String, bytes: [UInt8]) throws -> String {
    let file = path + "/" + name
    let stream = try #require(fopen(file, "wb"))
    fwrite(bytes, 1, bytes.count, stream)
    fclose(stream)
    return file
  }

  deinit {
    if let directory = opendir(path) {
      while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { unlink(path + "/" + name) }
      }
      closedir(directory)
    }
    rmdir(path)
  }
}

/// Every input of a recording, with the bytes of those that have some.
func collect(_ importer: some RecordingImporter) throws -> [(input: TrackerInput, bytes: [UInt8])] {
  var result: [(input: TrackerInput, bytes: [UInt8])] = []
  while let input = try importer.next() {
    let hasBytes =
      switch input {
      case .bytes, .command: true
      default: false
      }
    result.append((input, hasBytes ? importer.payload : []))
  }
  return result
}

/// The folder of recorded data, or nil (said on the console) where there is none.
func recordedData(_ folder: String) -> String? { outsideRecordings(folder) }

extension String {
  /// Where another string begins in this one.
  func range(of other: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(other) { return start..<index(start, offsetBy: other.count) }
      start = index(after: start)
    }
    return nil
  }
}

/// Names of the files in a folder that end so.
func files(in folder: String, suffix: String) -> [String] {
  guard let directory = opendir(folder) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name.hasSuffix(suffix) { names.append(name) }
  }
  return names.sorted()
}

/// The permissions of a file.
func fileMode(_ path: String) throws -> UInt32 {
  var status = stat()
  try #require(stat(path, &status) == 0)
  return status.st_mode & 0o7777
}
