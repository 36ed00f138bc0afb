import Glibc
import Quantities
import Recording
import StorageSupport
import Testing

@testable import LinuxRuntime

/// A recorder on a clock of the test.
private final class Recording {
  let folder: Folder
  let path: String
  var now = Instant.zero
  private(set) var recorder: RideRecorder
  private(set) var appended = 0

  init(segmentBytes: Int = 4000, totalBytes: Int = 1 << 20, in folder: Folder? = nil) throws {
    self.folder = try folder ?? Folder(isInMemory: true)
    path = self.folder("rides")
    var settings = RecordingSettings(folder: path)
    settings.segmentBytes = segmentBytes
    settings.totalBytes = totalBytes
    recorder = RideRecorder(settings) { .zero }
    recorder = RideRecorder(settings) { [unowned self] in now }
  }

  func begin() {
    let text = Array("seed=1\n".utf8)
    recorder.append(configuration: text.span)
  }

  /// Appends notes with rising numbers, ten a second; what is due is done.
  func append(_ count: Int, bytes: Int = 100) {
    for _ in 0..<count {
      let text = "\(appended) " + String(repeating: "x", count: bytes)
      recorder.append(note: text, at: now)
      appended += 1
      now = now + .milliseconds(100)
      if let due = recorder.nextDeadline, due <= now { recorder.advance(to: now) }
    }
  }

  var files: [RideRecorder.RecordedFile] { RideRecorder.files(in: path) }

  /// Numbers of the notes in a file, the name of the one it goes on from, and whether it is whole.
  func content(_ name: String) throws -> (notes: [Int], continuation: String?, isWhole: Bool, hasConfiguration: Bool) {
    let reader = try LeashLogReader(path: "\(path)/\(name)")
    var notes: [Int] = []
    var continuation: String?
    var hasConfiguration = false
    while let record = try reader.next() {
      let text = String(decoding: reader.payload, as: UTF8.self)
      switch record {
      case .configuration: hasConfiguration = notes.isEmpty && text == "seed=1\n"
      case .continuation: continuation = text
      case .note: notes.append(Int(text.prefix { $0 != " " }) ?? -1)
      default: Issue.record("\(record)")
      }
    }
    return (
      notes, continuation, reader.report.entries.isEmpty && reader.report.truncatedAtByte == nil, hasConfiguration
    )
  }

  /// All notes that can be read, in the order of the files.
  func notes() throws -> [Int] { try files.flatMap { try content($0.name).notes } }
}

@Suite struct RideRecorderFailureTests {
  @Test func filesFollowOneAnotherWithoutAGapAndSayFromWhichTheyGoOn() throws {
    let recording = try Recording()
    recording.begin()
    recording.append(300)
    recording.recorder.close()
    let files = recording.files
    #expect(files.count >= 8)
    #expect(try recording.notes() == Array(0..<300))
    for (place, file) in files.enumerated() {
      let digits = place + 1 < 10 ? "00\(place + 1)" : "0\(place + 1)"
      #expect(file.name == "run-000001-\(digits).leash")
      let content = try recording.content(file.name)
      #expect(content.isWhole && content.hasConfiguration)
      #expect(content.continuation == (place == 0 ? nil : files[place - 1].name))
      // It ends with the record that makes it full, and not a record before.
      if place < files.count - 1 { #expect(file.size >= 4000 && file.size < 4000 + 150) }
    }
    #expect(recording.recorder.byteCount == files.reduce(0) { $0 + $1.size })
    #expect(recording.recorder.lostCount == 0 && recording.recorder.removedCount == 0)
  }

  @Test func runsAreNumberedBehindAllThatAreThereAndForeignFilesAreLeftAlone() throws {
    let folder = try Folder(isInMemory: true)
    mkdir(folder("rides"), 0o755)
    let foreign = [
      "run-000041-002.leash", "run-9-1.leash", "walk-000099-001.leash", "run-000098-001.txt", "run-x-001.leash",
      "notes.leash", "run-000097-001.leash.gz",
    ]
    for name in foreign { fclose(fopen(folder("rides/\(name)"), "w")) }
    let recording = try Recording(segmentBytes: 2000, totalBytes: 5000, in: folder)
    recording.begin()
    #expect(recording.recorder.file == "run-000042-001.leash")
    #expect(RideRecorder.files(in: folder("rides")).map(\.run) == [9, 41, 42])
    recording.append(100)
    recording.recorder.close()
    for name in foreign.dropFirst(2) { #expect(access(folder("rides/\(name)"), F_OK) == 0, "\(name)") }
    #expect(access(folder("rides/\(foreign[0])"), F_OK) != 0, "the oldest run goes first")
  }

  @Test func theOldestFilesGoWhenTheNextWouldBeOneTooMany() throws {
    let recording = try Recording(segmentBytes: 4000, totalBytes: 16_400)
    recording.begin()
    var made = 1
    var last = recording.recorder.file
    for _ in 0..<400 {
      recording.append(1)
      guard recording.recorder.file != last else { continue }
      last = recording.recorder.file
      made += 1
      let files = recording.files
      // What is left and one more full file fit; without the last that was removed they would not have.
      let total = files.dropLast().reduce(0) { $0 + $1.size }
      #expect(total + 4000 <= 16_400)
      #expect(files.map(\.segment) == Array((made - files.count + 1)...made), "the oldest go, the newest stay")
      #expect(recording.recorder.removedCount == made - files.count)
      if recording.recorder.removedCount > 0 { #expect(total + 4000 + 4000 > 16_400) }
    }
    #expect(made > 8 && recording.recorder.removedCount >= made - 4)
  }

  @Test func whatIsRecordedIsHandedOverASecondAfterTheFirstRecordThatWaits() throws {
    let recording = try Recording(segmentBytes: 1 << 20)
    recording.begin()
    let name = try #require(recording.recorder.file)
    #expect(recording.recorder.nextDeadline == nil, "the beginning is handed over at once")
    #expect(try recording.content(name).hasConfiguration)
    for round in 0..<3 {
      recording.now = .seconds(10 * round + 10)
      let first = recording.now
      recording.recorder.append(note: "\(2 * round) x", at: first)
      recording.now = first + .milliseconds(500)
      recording.recorder.append(note: "\(2 * round + 1) x", at: first)
      #expect(recording.recorder.nextDeadline == first + .seconds(1))
      recording.recorder.advance(to: first + .milliseconds(999))
      #expect(try recording.content(name).notes.count == 2 * round)
      recording.recorder.advance(to: first + .seconds(1))
      #expect(try recording.content(name).notes == Array(0..<(2 * round + 2)))
      #expect(recording.recorder.nextDeadline == nil)
    }
    #expect(try recording.content(name).notes == [0, 1, 2, 3, 4, 5])
  }

  @Test func everythingIsOnTheStorageWhenItIsClosed() throws {
    let folder = try Folder(isInMemory: true)
    let trace = StorageTrace(folder.path)
    let recording = try Recording(in: folder)
    recording.begin()
    recording.append(200)
    recording.recorder.close()
    let safe = trace.image().files(after: .everything)
    #expect(recording.files.count >= 5 && trace.openFileCount == 0)
    for file in recording.files { #expect(safe["\(recording.path)/\(file.name)"]?.count == file.size, "\(file.name)") }
    #expect(recording.recorder.nextDeadline == nil)
  }

  /// Any call that fails ends the file at hand and nothing else; every record is in a file or counted as lost.
  @Test(arguments: [ENOSPC, EIO]) func aFailureAtAnyCallCostsWhatIsCountedAndNoMore(error: Int32) throws {
    var failures = 0
    for call in 1...60 {
      let folder = try Folder(isInMemory: true)
      let trace = StorageTrace(folder.path)
      let recording = try Recording(in: folder)
      trace.fail([.open, .write, .close], from: call, through: call, with: error)
      recording.begin()
      recording.append(200)
      let hasFailed = trace.failureCount > 0
      trace.heal()
      // More than ten seconds later there is room again.
      recording.append(120)
      recording.recorder.close()
      let recorder = recording.recorder
      let notes = try recording.notes()
      guard hasFailed else {
        #expect(notes == Array(0..<320) && recorder.lostCount == 0)
        break
      }
      failures += 1
      #expect(recorder.problem == nil, "it goes on by itself")
      #expect(notes == notes.sorted() && Set(notes).count == notes.count)
      // The configuration counts, too, when the first file can't be made.
      let isFirst = recording.files.first?.segment != 1
      #expect(notes.count + recorder.lostCount == 320 + (isFirst ? 1 : 0), "call \(call)")
      #expect(notes.contains(319), "what comes ten seconds later is recorded")
      #expect(trace.openFileCount == 0, "call \(call)")
      var hasGap = isFirst
      for (place, file) in recording.files.enumerated() {
        let content = try recording.content(file.name)
        #expect(content.isWhole && content.hasConfiguration)
        if content.continuation == "" {
          #expect(!hasGap || (isFirst && place == 0), "one gap")
          hasGap = true
        } else {
          #expect(content.continuation == (place == 0 ? nil : recording.files[place - 1].name))
        }
      }
      #expect(hasGap)
    }
    #expect(failures > 10)
  }

  @Test func waitsForRoomGrowToTenMinutesAndBeginAnewAfterASuccess() throws {
    let folder = try Folder(isInMemory: true)
    let trace = StorageTrace(folder.path)
    let recording = try Recording(in: folder)
    var lost = 1
    for _ in 0..<2 {
      trace.fail(.open, with: ENOSPC)
      if recording.recorder.file == nil {
        recording.begin()
      } else {
        // The file at hand is full.
        recording.recorder.append(note: "0 " + String(repeating: "x", count: 5000), at: recording.now)
        recording.recorder.append(note: "lost", at: recording.now)
        lost += 1
      }
      #expect(recording.recorder.problem?.contains("No space left on device") == true)
      for seconds in [10, 20, 40, 80, 160, 320, 600, 600] {
        let tries = trace.failureCount
        recording.now = recording.now + .seconds(seconds) - Interval(microseconds: 1)
        recording.recorder.append(note: "lost", at: recording.now)
        #expect(trace.failureCount == tries, "not before \(seconds) s")
        recording.now = recording.now + Interval(microseconds: 1)
        recording.recorder.append(note: "lost", at: recording.now)
        #expect(trace.failureCount == tries + 1)
        lost += 2
        #expect(recording.recorder.lostCount == lost)
        #expect(recording.recorder.file == nil && recording.recorder.nextDeadline == nil)
      }
      trace.heal()
      recording.now = recording.now + .seconds(600)
      recording.recorder.append(note: "1 found", at: recording.now)
      #expect(recording.recorder.problem == nil && recording.recorder.file != nil)
    }
  }

  /// A file that could not be begun is not left behind.
  @Test func aFileThatHoldsNothingIsRemoved() throws {
    let folder = try Folder(isInMemory: true)
    let trace = StorageTrace(folder.path)
    let recording = try Recording(in: folder)
    trace.fail(.write, with: ENOSPC)
    recording.begin()
    #expect(recording.recorder.problem != nil && recording.files.isEmpty && trace.openFileCount == 0)
  }
}
