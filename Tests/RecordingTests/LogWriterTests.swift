import Quantities
import Testing

@testable import Recording
@testable import TrackerRuntime
import TrackerCore

@Suite struct LogWriterTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Marker after marker as the manual asks for them, and none else.
  @Test func markersStandWhereTheyAreDueAndNowhereElse() throws {
    let minute: Int64 = 60_000_000
    var random = Xorshift(state: 5)
    var time: Int64 = 0
    let log = try writeLog(directory) { writer in
      try writer.append(configuration: Array("x".utf8).span)
      // Either side of a minute, in both directions.
      for step in [0, minute - 1, 1, minute, -(minute - 1), -1, -minute, minute - 1, minute, 2 * minute, 5] {
        time += step
        try writer.append(tick: Instant(microseconds: time))
      }
      try writer.append(continuationOf: "late")
      for _ in 0..<1500 {
        time += 1000
        let note = [UInt8](repeating: 0x41, count: Int(random.next() % 400))
        try writer.append(note: note.span, at: Instant(microseconds: time))
      }
    }
    let records = try #require(walk(log))
    var last: WalkedRecord?
    var isPending = false
    var byTime = 0
    var byBytes = 0
    for record in records {
      if record.type == 0x6D {
        #expect(!isPending, "two markers in a row")
        isPending = true
        last = record
        continue
      }
      guard let time = record.time else {
        #expect(!isPending, "a marker stands before a record with a time")
        continue
      }
      defer { isPending = false }
      if isPending {
        #expect(record.base == time, "its instant is that of the record behind it")
        continue
      }
      let marker = try #require(last, "no marker before the first time")
      #expect(record.start - marker.start < 65_536 && abs(time - record.base) < minute, "a marker is missing")
    }
    // None too early: without it the record behind would have been out of reach.
    var previous: WalkedRecord?
    for marker in records where marker.type == 0x6D {
      if let previous {
        let isFar = marker.start - previous.start >= 65_536
        let isLate = abs(marker.base - previous.base) >= minute
        #expect(isFar || isLate, "at \(marker.start)")
        if isFar { byBytes += 1 } else { byTime += 1 }
      }
      previous = marker
    }
    #expect(byTime == 6 && byBytes >= 3, "\(byTime) \(byBytes)")
  }

  /// A marker is due at exactly 65,536 bytes, and not a byte before.
  @Test(arguments: [(65_535, false), (65_536, true)]) func aMarkerIsDueAtItsNumberOfBytes(distance: Int, isDue: Bool)
    throws
  {
    let log = try writeLog(directory) { writer in
      // The marker is 42 bytes long; the note has type, three bytes of length, time, checksum.
      let note = [UInt8](repeating: 0x41, count: distance - 42 - 9)
      try writer.append(note: note.span, at: .zero)
      try writer.append(tick: .zero)
    }
    let records = try #require(walk(log))
    #expect(records.map(\.type) == (isDue ? [0x6D, 0x0A, 0x6D, 0x05] : [0x6D, 0x0A, 0x05]))
    #expect(records.last?.start == 16 + distance + (isDue ? 42 : 0))
  }

  /// Blocks end with 64 samples, with a second, and before any other record.
  @Test func blocksEndWhereTheManualSays() throws {
    func counts(_ times: [Int64], then other: (LeashLogWriter) throws -> Void = { _ in }) throws -> [Int] {
      let log = try writeLog(directory) { writer in
        for time in times {
          try writer.append(InertialSample(time: Instant(microseconds: time), angularRate: .zero))
        }
        try other(writer)
        try writer.append(InertialSample(time: Instant(microseconds: times.last ?? 0), specificForce: .zero))
        #expect(writer.sampleCount == times.count + 1)
      }
      let records = try #require(walk(log))
      return records.filter { $0.type == 0x02 }.map { Int($0.payload[0]) }
    }
    #expect(try counts((0..<63).map { $0 * 1000 }) == [64])
    #expect(try counts((0..<64).map { $0 * 1000 }) == [64, 1])
    #expect(try counts((0..<200).map { $0 * 1000 }) == [64, 64, 64, 9])
    #expect(try counts([0, 500_000, 999_999]) == [4])
    #expect(try counts([0, 500_000, 1_000_000]) == [2, 2])
    #expect(try counts([0, -999_999]) == [3])
    #expect(try counts([0, -1_000_000]) == [1, 2])
    #expect(try counts([.min, .max, .max]) == [1, 3])
    let bytes: [UInt8] = [1]
    let others: [(LeashLogWriter) throws -> Void] = [
      { try $0.append(configuration: bytes.span) }, { try $0.append(GNSSFix(time: .zero)) },
      { try $0.append(bytes: bytes.span, from: 1, at: .zero) }, { try $0.append(tick: .zero) },
      { try $0.append(command: bytes.span, at: .zero) }, { try $0.append(acknowledgement: 1, at: .zero) },
      { try $0.append(restoration: bytes.span, at: .zero) }, { try $0.append(continuationOf: "x") },
      { try $0.append(action: bytes.span, at: .zero) }, { try $0.append(output: bytes.span, to: 1, at: .zero) },
      { try $0.append(note: bytes.span, at: .zero) }, { try $0.flush() }, { try $0.synchronize() },
    ]
    for other in others { #expect(try counts([0, 1], then: other) == [2, 1]) }
  }

  /// What it says of itself is what stands in the file.
  @Test func itsCountsAreThoseOfTheFile() throws {
    var random = Xorshift(state: 9)
    let path = directory.path + "/counted.leash"
    let writer = try LeashLogWriter(path: path)
    #expect(writer.byteCount == 16 && writer.sampleCount == 0 && writer.inertialByteCount == 0)
    for style in 0..<7 {
      for sample in samples(style: style, count: 100, &random) { try writer.append(sample) }
      let note = [UInt8](repeating: 0x41, count: 20_000)
      try writer.append(note: note.span, at: .seconds(style))
    }
    try writer.close()
    let log = try contents(path)
    let records = try #require(walk(log))
    #expect(writer.name == path && writer.byteCount == log.count && writer.sampleCount == 700)
    let inertial = records.filter { $0.type == 0x02 }
    #expect(writer.inertialByteCount == inertial.reduce(0) { $0 + $1.length })
    #expect(inertial.reduce(0) { $0 + Int($1.payload[0]) } == 700)
  }

  /// The whole of a log with everything in it, by its length and checksum: the same calls give the same bytes, always.
  @Test func theBytesOfALogStayTheSame() throws {
    let rich = try SecondReaderTests().richLog()
    #expect(walk(rich) != nil)
    #expect(rich.count == 156_734)
    #expect(checksum(rich) == 670_106_279)
  }

  /// Bytes of a block for each sort of sample: a recording is not to grow.
  @Test func eachSortOfSampleTakesTheBytesItTakes() throws {
    var sizes: [Int] = []
    for style in 0..<7 {
      var random = Xorshift(state: 77)
      let writer = try LeashLogWriter(path: directory.path + "/size.leash")
      for sample in samples(style: style, count: 1280, &random) { try writer.append(sample) }
      try writer.close()
      sizes.append(writer.inertialByteCount)
    }
    #expect(sizes == [14990, 13776, 36416, 28232, 8338, 34372, 1974])
  }

  @Test func everyInputGoesToTheRecordOfItsKind() throws {
    let bytes: [UInt8] = [7, 8]
    let time = Instant.seconds(3)
    let inputs: [TrackerInput] = [
      .inertial(InertialSample(time: time, angularRate: .zero)), .fix(GNSSFix(time: time)), .bytes(port: 3, time: time),
      .tick(time), .command(time), .acknowledgement(time, sequence: 9), .restoration(time),
    ]
    let log = try writeLog(directory) { writer in for input in inputs { try writer.append(input, bytes: bytes.span) } }
    #expect(try readLog(log).records.map(\.record) == inputs.map { .input($0) })
    let records = try #require(walk(log))
    #expect(records.dropFirst().map(\.type) == [0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0B])
    #expect([2, 4, 6].map { records[$0 + 1].payload.suffix(2) == [7, 8] } == [true, true, true])
  }

  @Test func theLongestRecordIsWrittenAndOneThatIsLongerIsRefused() throws {
    for (count, isTaken) in [(1_048_575, true), (1_048_576, false)] {
      let note = [UInt8](repeating: 0x41, count: count)
      let log = try writeLog(directory) { writer in
        do throws(RecordingError) {
          try writer.append(note: note.span, at: .zero)
          #expect(isTaken)
        } catch {
          #expect(!isTaken && error.kind == .unsupported)
          #expect(error.description.hasSuffix("a record of 1048577 bytes; expected at most 1048576"))
        }
        try writer.append(tick: .zero)
      }
      let (records, report) = try readLog(log)
      #expect(records.count == (isTaken ? 2 : 1) && report.entries.isEmpty)
    }
  }

  @Test func aPrivateFileIsHiddenFromOthersAndAnExistingOneIsEmptied() throws {
    func mode(_ path: String) throws -> UInt32 { try fileMode(path) }
    let hidden = directory.path + "/hidden"
    try LeashLogWriter(path: hidden, isPrivate: true).close()
    #expect(try mode(hidden) & 0o007 == 0)
    let path = try directory.write("old", bytes: [UInt8](repeating: 1, count: 1000))
    try LeashLogWriter(path: path).close()
    #expect(try contents(path).count == 16)
    let error = #expect(throws: RecordingError.self) { try LeashLogWriter(path: directory.path + "/none/log") }
    #expect(error?.description == "\(directory.path)/none/log: can't create: No such file or directory")
  }
}
