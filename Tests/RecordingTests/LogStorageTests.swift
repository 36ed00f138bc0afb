import Glibc
import Quantities
import StorageSupport
import Testing
import TrackerLog

@testable import Recording
@testable import TrackerRuntime

/// What reaches the storage, judged on the system calls.
@Suite struct LogStorageTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path + "/log.leash"
  }

  private static let line = [UInt8](repeating: 0x41, count: 3000)

  /// Notes and samples, flushed now and then, so that the file is written in many pieces.
  private func fill(_ writer: LeashLogWriter, _ count: Int = 60) throws {
    for index in 0..<count {
      try writer.append(note: Self.line.span, at: .milliseconds(index))
      for part in 0..<3 {
        try writer.append(
          InertialSample(time: .milliseconds(index * 10 + part), angularRate: Vector3(1, 2, Float(part))))
      }
      if index % 7 == 6 { try writer.flush() }
    }
  }

  private func whole() throws -> [UInt8] {
    try writeLog(directory) { try fill($0) }
  }

  @Test func writesThatAreShortOrInterruptedLeaveTheSameFile() throws {
    let expected = try whole()
    let trace = StorageTrace(directory.path)
    trace.fail(.write, .shortened)
    #expect(try whole() == expected)
    #expect(trace.failureCount > 20)
    for call in 1...4 {
      trace.fail(.write, from: call, through: call, with: EINTR)
      #expect(try whole() == expected)
      #expect(trace.failureCount == 1)
    }
  }

  /// A disk that fails at any write: the error is told there and at every later call, and what is in the file is good.
  @Test(arguments: [ENOSPC, EIO], [StorageTrace.Failure.refused, .torn])
  func aWriteThatFailsIsToldAndLeavesAGoodBeginning(error: Int32, failure: StorageTrace.Failure) throws {
    let expected = try whole()
    let records = try readLog(expected).records
    var failures = 0
    for call in 1...40 {
      let trace = StorageTrace(directory.path)
      trace.fail(.write, from: call, through: call, with: error, failure)
      let writer = try LeashLogWriter(path: path)
      var told: RecordingError?
      do {
        try fill(writer)
        try writer.flush()
      } catch {
        told = error as? RecordingError
      }
      guard trace.failureCount > 0 else {
        #expect(told == nil)
        break
      }
      failures += 1
      #expect(told?.kind == .system(code: error) && told?.description.contains("can't write") == true)
      // The disk is well again, but bytes are missing: nothing may follow them.
      trace.heal()
      #expect(throws: RecordingError.self) { try writer.append(tick: .zero) }
      #expect(throws: RecordingError.self) { try writer.append(InertialSample(time: .zero, angularRate: .zero)) }
      #expect(throws: RecordingError.self) { try writer.flush() }
      #expect(throws: RecordingError.self) { try writer.synchronize() }
      #expect(throws: RecordingError.self) { try writer.close() }
      #expect(trace.openFileCount == 0, "the file is closed nevertheless")
      let left = try contents(path)
      #expect(expected.starts(with: left) && left.count < expected.count)
      if left.count >= 16 { #expect(records.starts(with: try readLog(left).records)) }
    }
    #expect(failures > 5)
  }

  /// Whatever was synchronised is there after a power cut at any later call.
  @Test func whatWasSynchronisedIsThereAfterAPowerCut() throws {
    let trace = StorageTrace(directory.path)
    let writer = try LeashLogWriter(path: path)
    var safe = 0
    var safeCounts = [0]
    for round in 1...3 {
      try fill(writer, 10)
      try writer.synchronize()
      safe += 40
      safeCounts.append(safe)
      trace.mark(round)
    }
    try writer.close()
    let records = try readLog(try contents(path)).records
    #expect(records.count == safe)
    var image = StorageImage()
    var round = 0
    for call in trace.calls {
      image.apply(call)
      if case .mark(let number) = call { round = number }
      for loss in StorageImage.Loss.allCases {
        let left = image.files(after: loss)[path] ?? []
        guard left.starts(with: LogFormat.magic), left.count >= 16 else {
          #expect(round == 0)
          continue
        }
        let found = try readLog(left).records
        #expect(records.starts(with: found) || loss == .allButTheLast || loss == .theFirst)
        #expect(
          Array(found.prefix(safeCounts[round])) == Array(records.prefix(safeCounts[round])),
          "\(loss) in round \(round)")
      }
    }
    #expect(round == 3)
  }

  @Test func whatWasFlushedIsThereWhenTheProgramDies() throws {
    let trace = StorageTrace(directory.path)
    let writer = try LeashLogWriter(path: path)
    for index in 0..<20 {
      try writer.append(InertialSample(time: .milliseconds(index), angularRate: .zero))
      try writer.flush()
      #expect(try readLog(try contents(path)).records.count == index + 1)
    }
    // Without being asked it waits until the buffer of 64 KiB is full.
    let calls = trace.calls.count
    for index in 0..<21 { try writer.append(note: Self.line.span, at: .milliseconds(index)) }
    #expect(trace.calls.count == calls)
    try writer.append(note: Self.line.span, at: .zero)
    #expect(trace.calls.count == calls + 1)
    #expect(!trace.calls.contains { if case .synchronize = $0 { true } else { false } })
  }

  @Test func aStorageThatDoesNotTakeTheBytesIsTold() throws {
    for error in [EIO, ENOSPC] {
      let trace = StorageTrace(directory.path)
      let writer = try LeashLogWriter(path: path)
      try writer.append(tick: .zero)
      trace.fail(.synchronize, with: error)
      let told = #expect(throws: RecordingError.self) { try writer.synchronize() }
      #expect(told?.kind == .system(code: error) && told?.description.contains("can't synchronise") == true)
      trace.heal()
      #expect(throws: RecordingError.self) { try writer.append(tick: .zero) }
    }
    // A pipe has no storage, which is no failure.
    for error in [EINVAL, EROFS] {
      let trace = StorageTrace(directory.path)
      let writer = try LeashLogWriter(path: path)
      trace.fail(.synchronize, with: error)
      try writer.append(tick: .zero)
      try writer.synchronize()
      try writer.append(tick: .zero)
      try writer.close()
      #expect(trace.openFileCount == 0)
    }
  }

  @Test func aCloseThatFailsIsToldAndOneDescriptorOfTheOwnerStaysOpen() throws {
    let trace = StorageTrace(directory.path)
    let writer = try LeashLogWriter(path: path)
    trace.fail(.close, with: EIO)
    let told = #expect(throws: RecordingError.self) { try writer.close() }
    #expect(told?.description.contains("can't close") == true && trace.openFileCount == 0)
    trace.heal()
    try writer.close()
    let descriptor = open(path, O_WRONLY)
    let other = LeashLogWriter(descriptor: descriptor, name: "given", ownsDescriptor: false)
    try other.close()
    #expect(trace.openFileCount == 1)
    close(descriptor)
    do { _ = try LeashLogWriter(path: path) }
    #expect(trace.openFileCount == 0, "one that is forgotten is closed")
  }

  // MARK: Files that appear whole

  /// At any call of a power cut there is the old file or the whole new one.
  @Test(arguments: ["table.csv", "table.csv.gz"]) func aFileIsNeverSeenHalf(name: String) throws {
    let path = directory.path + "/" + name
    let old = Array("before".utf8)
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 9) }
    let trace = StorageTrace(directory.path)
    // The old one is on the storage.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    #expect(write(descriptor, old, old.count) == old.count)
    fdatasync(descriptor)
    close(descriptor)
    trace.mark(0)
    let target = try ByteTarget(path: path)
    for start in stride(from: 0, to: bytes.count, by: 1000) {
      try target.append(Array(bytes[start..<start + 1000]).span)
    }
    try target.close()
    trace.mark(1)
    let new = try contents(path)
    var image = StorageImage()
    var mark = -1
    for call in trace.calls {
      image.apply(call)
      if case .mark(let number) = call { mark = number }
      guard mark >= 0 else { continue }
      for loss in StorageImage.Loss.allCases {
        let found = image.files(after: loss)[path]
        #expect(found == (mark == 1 ? new : old) || found == new, "\(call): \(loss)")
      }
    }
    #expect(mark == 1 && trace.openFileCount == 0)
  }

  /// Any call that fails is told, and leaves what was there and nothing else.
  @Test(arguments: ["table.csv", "table.csv.gz"]) func aFileThatCannotBeWrittenLeavesWhatWasThere(name: String) throws {
    let path = try directory.write(name, "before")
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 9) }
    var failures = 0
    for call in 1...40 {
      let trace = StorageTrace(directory.path)
      trace.fail([.open, .write, .close, .rename, .synchronize], from: call, through: call, with: ENOSPC)
      var told: RecordingError?
      do {
        let target = try ByteTarget(path: path)
        for start in stride(from: 0, to: bytes.count, by: 5000) {
          try target.append(Array(bytes[start..<start + 5000]).span)
        }
        try target.close()
      } catch {
        told = error
      }
      guard trace.failureCount > 0 else { break }
      failures += 1
      #expect(told?.kind == .system(code: ENOSPC) && told?.file == path)
      #expect(trace.openFileCount == 0)
      #expect(try contents(path) == Array("before".utf8))
      #expect(files(in: directory.path, suffix: "").filter { !$0.hasPrefix(".") } == [name])
    }
    #expect(failures >= 6)
    // Short and interrupted writes are no failures.
    let trace = StorageTrace(directory.path)
    for (error, failure) in [(EINTR, StorageTrace.Failure.refused), (0, .shortened)] {
      trace.fail(.write, from: 1, through: error == EINTR ? 1 : .max, with: error, failure)
      let target = try ByteTarget(path: path)
      try target.append(bytes.span)
      try target.close()
      let source = try ByteSource(path: path)
      var read = [UInt8](repeating: 0, count: 300_000)
      var count = 0
      try read.withUnsafeMutableBufferPointer { buffer in
        let base = try #require(buffer.baseAddress)
        while case let part = try source.read(into: base + count, capacity: 300_000 - count), part > 0 { count += part }
      }
      #expect(Array(read[..<count]) == bytes)
    }
  }
}
