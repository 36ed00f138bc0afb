import Quantities
import Recording
import Telemetry
import Testing
import TrackerCore
import TrackerRuntime

private func lock(_ isOn: Bool, at second: Int) -> TrackerInput {
  var contacts = Contacts()
  contacts[.lock] = isOn
  return .reading(.contacts(ContactReading(time: .seconds(second), contacts)))
}

private func seen(at second: Int) -> TrackerInput {
  .reading(.presence(PresenceReading(time: .seconds(second), isNear: true, token: 2)))
}

/// Sightings, words, what is held back, told and withdrawn: all of it follows from the log.
@Test func aRecordingWithTheOwnersPresenceReplaysToTheSameBytes() throws {
  var told: [String] = []
  let bytes = try writeLog(TemporaryDirectory()) { writer in
    let run = try TrackerRun(RunConfiguration(), log: writer) { _, bytes in
      told.append(bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
    }
    try run.feed(lock(true, at: 1))
    try run.advance(to: .seconds(400))
    try run.feed(seen(at: 400))
    try run.feed(lock(false, at: 402))
    // Nothing moves any more, and nobody is near: withdrawn.
    try run.feed(lock(true, at: 450))
    _ = try run.hear(Array("near 600".utf8), from: .console, at: .seconds(600))
    try run.feed(lock(false, at: 610))
    _ = try run.hear(Array("away".utf8), from: .console, at: .seconds(612))
    try run.advance(to: .seconds(900))
  }
  let reasons = ["pending", "withdrawn", "near", "away"].map { reason in
    told.count { $0.contains("\"reason\":\"\(reason)\"") }
  }
  #expect(reasons == [2, 1, 1, 1])
  #expect(told.count { $0.contains(#""type":"movement""#) && $0.contains(#""alert":{"id":2,"#) } >= 1)
  #expect(told.contains { $0.contains(#""event":"presence""#) && $0.contains(#""token":2"#) })
  let verdict = try ReplayVerifier.check([LeashLogReader(ByteSource(bytes: bytes, name: "log"))])
  #expect(verdict.difference == nil && verdict.matchCount >= told.count)
}
