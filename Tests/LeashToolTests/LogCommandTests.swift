import Quantities
import Recording
import Testing
import TrackerCore
import TrackerRuntime

@testable import LeashTool

/// `leash log --only` takes every type that the JSON of a log has, those of all sensors included.
@Test func everyTypeOfARecordCanBeSelected() throws {
  let folder = try TemporaryFolder()
  let path = folder.path("all.leash")
  // Some number is in the range of each.
  let readings = (UInt8(1)...255).compactMap { kind in
    [1, 100_000].lazy.compactMap { number in Reading(kind: kind, time: .seconds(1)) { _ in number } }.first
  }
  #expect(readings.count >= 5 && readings.count == (UInt8(1)...255).count { Reading.name(ofKind: $0) != nil })
  let writer = try LeashLogWriter(path: path)
  try writer.append(configuration: Array(RunConfiguration().text.utf8).span)
  for reading in readings { try writer.append(.reading(reading), bytes: [UInt8]().span) }
  try writer.append(tick: .seconds(2))
  try writer.close()
  let all = ToolRun("log", path)
  let kinds = try all.objects().map { try #require($0["kind"] as? String) }
  #expect(kinds.count == readings.count + 2)
  for kind in kinds {
    let run = ToolRun("log", path, "--only", kind)
    #expect(run.code == .success && run.lines.count == 1, "\(kind): \(run.err)")
  }
  let wrong = ToolRun("log", path, "--only", "temprature")
  #expect(wrong.err.contains("'temprature' is not a record type, which are acknowledgement, "), "\(wrong.err)")
  #expect(wrong.err.contains("; did you mean 'temperature'?"), "\(wrong.err)")
}
