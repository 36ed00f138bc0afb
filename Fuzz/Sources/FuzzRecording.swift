// modules: Quantities InlineStorage ASCIIText Requests SecretBox NMEA InertialFusion Positioning MotionDetection Telemetry OwnTracks Traccar PacketForms Delivery Rules TrackerCore TrackerLog JSON5 Gear Activity TrackerRuntime Recording
// libraries: z
// length: 4096
import Quantities
import Recording
import TrackerRuntime

/// A file of any content, of whichever format it looks like: it is read to its end, or refused with words, and neither crashes
/// nor goes on for ever; instants never go back, except in a Leash log; what comes out a tracker can take.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRecording(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let first = read(bytes)
  promise(first == read(bytes), "the same bytes gave something else")
  return 0
}

private func read(_ bytes: [UInt8]) -> Outcome {
  var outcome = Outcome()
  do throws(RecordingError) {
    let recording = try openRecording(ByteSource(bytes: bytes, name: "fuzz"))
    let isLog = recording.formatName == "Leash log"
    let run = try TrackerRun(RunConfiguration()) { _, output in
      outcome.outputCount += 1
      outcome.byteCount += output.count
    }
    var last: Instant?
    while let input = try recording.next() {
      outcome.inputCount += 1
      if let last, !isLog { promise(input.time >= last, "time goes back") }
      last = input.time
      if case .fix(let fix) = input { judge(fix, isLog: isLog) }
      try run.feed(input, payload: recording.payload)
      // Lines, samples in a compressed block and the like: a byte can't hold more than that.
      promise(outcome.inputCount <= bytes.count * 64 + 64, "more inputs than there can be")
    }
    try run.advance(to: run.now + .seconds(1))
    for report in recording.reports { outcome.skipped += report.skippedByteCount }
  } catch {
    outcome.error = error.description
    promise(!outcome.error.isEmpty, "an error without words")
  }
  return outcome
}

private func judge(_ fix: GNSSFix, isLog: Bool) {
  // A Leash log gives back what went in, good or bad.
  guard !isLog else { return }
  let numbers = [
    fix.heightAboveSeaLevel, fix.heightAboveEllipsoid, fix.speed, fix.course, fix.horizontalAccuracy,
    fix.verticalAccuracy,
  ]
  promise(numbers.allSatisfy { $0.map(\.isFinite) ?? true }, "a number that is none")
  promise((fix.speed ?? 0) >= 0, "a negative speed")
  promise((fix.horizontalAccuracy ?? 0) >= 0, "a negative accuracy")
  promise(fix.course.map { $0 >= 0 && $0 <= 2 * Double.pi } ?? true, "a course that is none")
}

private struct Outcome: Equatable {
  var inputCount = 0
  var outputCount = 0
  var byteCount = 0
  var skipped = 0
  var error = ""
}
