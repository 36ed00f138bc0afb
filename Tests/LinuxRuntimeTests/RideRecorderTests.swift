import Glibc
import Quantities
import Recording
import TrackerRuntime
import Testing

@testable import LinuxRuntime

/// A run with packets, samples and fixes into a recorder.
private func record(_ recorder: RideRecorder, seconds: Int, store: (any TrackerStore)? = nil) throws -> Int {
  var configuration = RunConfiguration()
  configuration.tracker.motion.armAfter = .seconds(5)
  var outputs = 0
  let run = try TrackerRun(configuration, log: recorder) { _, _ in outputs += 1 }
  for step in 0..<(seconds * 50) {
    let time = Instant.milliseconds(20 * step)
    let wobble = Float(step % 7) * 0.003
    try run.feed(
      .inertial(
        InertialSample(
          time: time, angularRate: Vector3(wobble, 0, 0), specificForce: Vector3(0, wobble, 9.8))))
    if step % 50 == 0 {
      var fix = GNSSFix(time: time)
      fix.mode = .threeDimensional
      fix.position = GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 4 + Double(step) * 1e-6)
      try run.feed(.fix(fix))
    }
  }
  recorder.close()
  return outputs
}

private func readers(_ folder: String) throws -> [LeashLogReader] {
  try RideRecorder.files(in: folder).map { try LeashLogReader(path: "\(folder)/\($0.name)") }
}

@Test func aRunInManyFilesReplaysAsOne() throws {
  let folder = try Folder()
  var settings = RecordingSettings(folder: folder("rides"))
  settings.segmentBytes = 8000
  let outputs = try record(RideRecorder(settings) { .zero }, seconds: 120)
  let files = RideRecorder.files(in: folder("rides"))
  #expect(files.count >= 3)
  var status = stat()
  #expect(stat("\(folder("rides"))/\(files[0].name)", &status) == 0 && status.st_mode & 0o007 == 0)
  #expect(files.map(\.segment) == Array(1...files.count) && files.allSatisfy { $0.run == 1 })
  let verdict = try ReplayVerifier.check(try readers(folder("rides")))
  #expect(verdict.difference == nil && verdict.matchCount == outputs && outputs > 3)
  // One file missing, or the first, is no whole run.
  for missing in [0, 1] {
    var some = try readers(folder("rides"))
    some.remove(at: missing)
    #expect(throws: RecordingError.self) { try ReplayVerifier.check(some) }
  }
}

@Test func theOldestFilesMakeRoom() throws {
  let folder = try Folder()
  var settings = RecordingSettings(folder: folder("rides"))
  settings.segmentBytes = 8000
  settings.totalBytes = 30_000
  for _ in 0..<3 { _ = try record(RideRecorder(settings) { .zero }, seconds: 60) }
  let files = RideRecorder.files(in: folder("rides"))
  #expect(files.reduce(0) { $0 + $1.size } <= 30_000 + 2000)
  #expect(files.last?.run == 3 && files.first?.run != 1)
}

@Test func aFolderThatCannotBeWrittenDoesNotDisturbTheRun() throws {
  let folder = try Folder()
  let file = fopen(folder("rides"), "w")
  fclose(file)
  var now = Instant.zero
  let recorder = RideRecorder(RecordingSettings(folder: folder("rides"))) { now }
  #expect(try record(recorder, seconds: 20) > 0)
  #expect(recorder.problem?.isEmpty == false && recorder.lostCount > 100)
  // Room again: a new file begins, and says that it begins in the middle.
  unlink(folder("rides"))
  mkdir(folder("rides"), 0o755)
  now = .seconds(5)
  recorder.append(tick: now)
  #expect(recorder.file == nil, "not before it is time")
  now = .seconds(11)
  recorder.append(tick: now)
  #expect(recorder.file != nil && recorder.problem == nil)
  recorder.close()
  do throws(RecordingError) {
    _ = try ReplayVerifier.check([
      try LeashLogReader(path: "\(folder("rides"))/\(RideRecorder.files(in: folder("rides"))[0].name)")
    ])
    Issue.record("half a run was checked")
  } catch {
    #expect(error.description.contains("in the middle of a run"), "\(error)")
  }
}

@Test func whatWasRecordedIsInTheFileAfterASecond() throws {
  let folder = try Folder()
  var now = Instant.zero
  let recorder = RideRecorder(RecordingSettings(folder: folder("rides"))) { now }
  let run = try TrackerRun(RunConfiguration(), log: recorder) { _, _ in }
  for step in 0..<10 {
    try run.feed(.inertial(InertialSample(time: .milliseconds(10 * step), angularRate: .zero, specificForce: nil)))
  }
  let due = try #require(recorder.nextDeadline)
  #expect(due == .seconds(1))
  now = due
  recorder.advance(to: due)
  #expect(recorder.nextDeadline == nil, "nothing to do while nothing comes")
  // The process is killed now.
  let reader = try #require(try readers(folder("rides")).first)
  var samples = 0
  while let record = try reader.next() { if case .input(.inertial) = record { samples += 1 } }
  #expect(samples == 10)
}

/// A checkpoint's note and picture are nowhere else: the request must be in the file when it is answered.
@Test func aRequestIsInTheFileBeforeItIsAnswered() throws {
  let folder = try Folder()
  let recorder = RideRecorder(RecordingSettings(folder: folder("rides"))) { .zero }
  var kept: [[String]] = []
  var isAsked = false
  let run = try TrackerRun(RunConfiguration(), log: recorder) { _, _ in
    guard isAsked else { return }
    // What a process that is killed now leaves.
    var requests: [String] = []
    if let reader = (try? readers(folder("rides")))?.first {
      while let record = try? reader.next() {
        if case .input(.command) = record { requests.append(String(decoding: reader.payload, as: UTF8.self)) }
      }
    }
    kept.append(requests)
  }
  var fix = GNSSFix(time: .zero)
  fix.mode = .threeDimensional
  fix.position = GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 4)
  try run.feed(.fix(fix))
  isAsked = true
  let request = "checkpoint bridge note steep picture p7"
  try run.feed(.command(.seconds(1)), payload: Array(request.utf8))
  try run.feed(.tick(.seconds(2)))
  #expect(!kept.isEmpty && kept.allSatisfy { $0 == [request] }, "\(kept)")
}
