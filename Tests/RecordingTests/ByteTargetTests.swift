import Glibc
import Recording
import TrackerRuntime
import Testing

@Suite struct ByteTargetTests {
  private func content(_ path: String) throws -> [UInt8] {
    let source = try ByteSource(path: path)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 10_000)
    while true {
      let count = try chunk.withUnsafeMutableBufferPointer { buffer in
        try source.read(into: try #require(buffer.baseAddress), capacity: buffer.count)
      }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// Bytes that pack badly, so that more than one buffer comes out.
  private let noise: [UInt8] = (0..<300_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) }

  @Test(arguments: ["plain.bin", "packed.gz"]) func whatIsWrittenIsReadAgain(name: String) throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/" + name
    let target = try ByteTarget(path: path)
    for start in stride(from: 0, to: noise.count, by: 777) {
      try target.append(Array(noise[start..<min(noise.count, start + 777)]).span)
    }
    try target.append("end\n")
    try target.close()
    #expect(try content(path) == noise + Array("end\n".utf8))
  }

  @Test func anEmptyPackedFileIsAWholeOne() throws {
    let folder = try TemporaryDirectory()
    let target = try ByteTarget(path: folder.path + "/empty.gz")
    try target.close()
    #expect(try content(folder.path + "/empty.gz").isEmpty)
    #expect(try ByteSource(path: folder.path + "/empty.gz").isCompressed)
  }

  @Test func whatIsNotClosedLeavesWhatWasThere() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("file", "before")
    do {
      let target = try ByteTarget(path: path)
      try target.append(noise.span)
    }
    #expect(try content(path) == Array("before".utf8))
    #expect(try fileCount(folder.path) == 1)
    do { _ = try ByteTarget(path: folder.path + "/new") }
    #expect(try fileCount(folder.path) == 1)
  }

  @Test func aLinkStaysALinkAndPermissionsStay() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("file", "before")
    chmod(path, 0o640)
    symlink(path, folder.path + "/link")
    let target = try ByteTarget(path: folder.path + "/link")
    try target.append("after")
    try target.close()
    var status = stat()
    #expect(lstat(folder.path + "/link", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(try content(path) == Array("after".utf8))
  }

  @Test func whereNothingCanBeWrittenIsTold() throws {
    let folder = try TemporaryDirectory()
    #expect(throws: RecordingError.self) { try ByteTarget(path: folder.path) }
    #expect(throws: RecordingError.self) { try ByteTarget(path: folder.path + "/none/file") }
    #expect(throws: RecordingError.self) {
      let target = try ByteTarget(path: "/dev/full")
      try target.append("text")
      try target.close()
    }
  }

  private func fileCount(_ path: String) throws -> Int {
    let directory = try #require(opendir(path))
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return count - 2
  }
}
