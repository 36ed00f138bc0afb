import ASCIIText
import Glibc
import Quantities
public import TrackerCore
public import TrackerRuntime

/// The bytes of an NMEA 0183 log, line by line as they stand in the file, with times taken from the sentences.
///
/// A sentence with the time sets it for itself and for those that follow until the next; what comes before the
/// first time has time zero. Times never go back: an older time is counted and held, and midnight is passed with or
/// without dates. Comment lines (`#`) at the top are passed over. Nothing else is dropped: junk is for the tracker's
/// own parser to reject.
public final class NMEAImporter: RecordingImporter {
  /// `NMEA log`.
  public let formatName = "NMEA log"
  /// Zero is the first time in the log.
  public private(set) var timeline = Timeline(basis: .firstTime)
  /// The bytes of the last line, with its end.
  public private(set) var payload: [UInt8] = []

  private let window: ByteWindow
  private let port: UInt8
  private var report: ImportReport
  private var clock = SentenceClock()
  private var line = 0

  /// A longer line (junk without line ends) is handed out in pieces.
  static let maximumChunk = 1024
  /// How far the first date is looked for before the log is read.
  private static let lookAhead = 64 * 1024

  init(_ window: ByteWindow, port: UInt8) throws(RecordingError) {
    self.window = window
    self.port = port
    report = ImportReport(file: window.source.name)
    if window.require(3), window.pointer[0] == 0xEF, window.pointer[1] == 0xBB, window.pointer[2] == 0xBF {
      window.consume(3)
    }
    while let length = chunkLength(), window.pointer[0] == 0x23 || isLineEnd(window.pointer[0]) {
      window.consume(length)
      line += 1
    }
    findOrigin()
    if timeline.timeOfDayAtZero == nil { report.remark("no sentence has a time: all bytes have time zero") }
  }

  /// What was passed over.
  public var reports: [ImportReport] { [report] }

  /// The next line.
  public func next() throws(RecordingError) -> TrackerInput? {
    guard let length = chunkLength() else {
      if let failure = window.failure { throw failure }
      return nil
    }
    let bytes = UnsafeBufferPointer(start: window.pointer, count: length)
    line += 1
    if let told = SentenceTime(bytes) {
      if let problem = clock.advance(to: told) { report.count(problem, line: line) }
    }
    payload.removeAll(keepingCapacity: true)
    payload.append(contentsOf: bytes)
    window.consume(length)
    report.inputCount += 1
    return .bytes(port: port, time: Instant(microseconds: clock.elapsed))
  }

  private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// Length of the next line with its end, or of a piece of an over-long one; nil at the end.
  private func chunkLength() -> Int? {
    while true {
      let available = min(window.count, NMEAImporter.maximumChunk)
      // No more than one line is waited for: the log may come down a slow pipe.
      if memchr(window.pointer, 0x0A, available) != nil || available == NMEAImporter.maximumChunk || !window.fill() {
        return available > 0 ? lineLength(window.pointer, available) : nil
      }
    }
  }

  private func lineLength(_ start: UnsafePointer<UInt8>, _ available: Int) -> Int {
    var length = available
    if let found = memchr(start, 0x0A, available) { length = found - UnsafeMutableRawPointer(mutating: start) + 1 }
    // A lone CR ends a line too; CR LF belongs together.
    if let found = memchr(start, 0x0D, length) {
      let place = found - UnsafeMutableRawPointer(mutating: start)
      if place + 1 < length, start[place + 1] != 0x0A { return place + 1 }
    }
    return length
  }

  /// Looks for the first time and date without moving on.
  private func findOrigin() {
    _ = window.require(NMEAImporter.lookAhead)
    var place = 0
    var clock = SentenceClock()
    var isVouched = false
    while place < window.count {
      let start = window.pointer + place
      let length = lineLength(start, min(window.count - place, NMEAImporter.maximumChunk))
      place += length
      guard let told = SentenceTime(UnsafeBufferPointer(start: start, count: length)) else { continue }
      _ = clock.advance(to: told)
      // The first time the receiver vouches for counts; until then whatever it says.
      guard !isVouched || told.date != nil else { continue }
      let isValid = told.isValid == true
      if timeline.timeOfDayAtZero == nil || (isValid && !isVouched) {
        let time = (told.timeOfDay - clock.elapsed) % UTCTime.microsecondsPerDay
        timeline.timeOfDayAtZero = time < 0 ? time + UTCTime.microsecondsPerDay : time
      }
      isVouched = isVouched || isValid
      if let date = told.date, timeline.utcAtZero == nil || isValid {
        let utc = UTCTime(date: date, microsecondsOfDay: told.timeOfDay)
        timeline.utcAtZero = UTCTime(microseconds: utc.microseconds - clock.elapsed)
        if isValid { return }
      }
    }
  }
}

/// The time a sentence tells.
struct SentenceTime {
  /// Microseconds since midnight UTC.
  var timeOfDay: Int64
  /// The date, from RMC and ZDA.
  var date: CivilDate?
  /// Whether the receiver vouches for its position, and so for its clock; nil where the sentence does not say.
  var isValid: Bool?

  /// Reads a line; nil when it is no sentence with a time, or its checksum is wrong.
  init?(_ line: UnsafeBufferPointer<UInt8>) {
    guard let base = line.baseAddress, line.count >= 16, let found = memchr(base, 0x24, line.count) else { return nil }
    let start = UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
    var end = base + line.count
    while end > start, end[-1] == 0x0A || end[-1] == 0x0D || end[-1] == 0x20 { end -= 1 }
    // `$`, two letters of talker, three of type, a comma.
    guard end - start > 14, start[6] == 0x2C, let layout = SentenceTime.layout(start + 3) else { return nil }
    if end[-3] == 0x2A {
      var sum: UInt8 = 0
      var place = start + 1
      while place < end - 3 {
        sum ^= place.pointee
        place += 1
      }
      guard let high = hexadecimalValue(end[-2]), let low = hexadecimalValue(end[-1]), sum == high << 4 | low else {
        return nil
      }
      end -= 3
    }
    var field = 1
    var place = start + 7
    var time: Int64?
    while true {
      let comma = memchr(place, 0x2C, end - place).map { UnsafePointer($0.assumingMemoryBound(to: UInt8.self)) }
      let fieldEnd = comma ?? end
      if field == layout.time { time = scanTimeOfDay(from: place, to: fieldEnd) }
      if field == layout.status, fieldEnd > place { isValid = SentenceTime.validity(layout.kind, place, fieldEnd) }
      if field == layout.date { date = SentenceTime.date(layout.kind, place, end) }
      guard let comma, field < max(layout.time, layout.status, layout.date) else { break }
      field += 1
      place = comma + 1
    }
    guard let time else { return nil }
    timeOfDay = time
  }

  private enum Kind { case timeOnly, status, quality, modes, recommendedMinimum, date }

  private struct Layout {
    var kind: Kind
    var time: Int
    var status = 0
    var date = 0
  }

  private static func layout(_ type: UnsafePointer<UInt8>) -> Layout? {
    switch (type[0], type[1], type[2]) {
    case (0x52, 0x4D, 0x43): Layout(kind: .recommendedMinimum, time: 1, status: 2, date: 9)  // RMC
    case (0x5A, 0x44, 0x41): Layout(kind: .date, time: 1, date: 2)  // ZDA
    case (0x47, 0x47, 0x41): Layout(kind: .quality, time: 1, status: 6)  // GGA
    case (0x47, 0x4E, 0x53): Layout(kind: .modes, time: 1, status: 6)  // GNS
    case (0x47, 0x4C, 0x4C): Layout(kind: .status, time: 5, status: 6)  // GLL
    case (0x47, 0x53, 0x54), (0x47, 0x42, 0x53): Layout(kind: .timeOnly, time: 1)  // GST GBS
    default: nil
    }
  }

  private static func validity(_ kind: Kind, _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool? {
    switch kind {
    case .recommendedMinimum, .status: start.pointee == 0x41
    case .quality: start.pointee != 0x30
    case .modes: UnsafeBufferPointer(start: start, count: end - start).contains { $0 != 0x4E }
    case .timeOnly, .date: nil
    }
  }

  private static func date(_ kind: Kind, _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> CivilDate? {
    func number(_ place: UnsafePointer<UInt8>, _ count: Int) -> Int? {
      guard end - place >= count else { return nil }
      return scanInteger(from: place, to: place + count).map(Int.init)
    }
    switch kind {
    case .recommendedMinimum:
      guard let day = number(start, 2), let month = number(start + 2, 2), let year = number(start + 4, 2) else {
        return nil
      }
      return CivilDate(year: year < 80 ? 2000 + year : 1900 + year, month: month, day: day)
    case .date:
      guard end - start >= 10, start[2] == 0x2C, start[5] == 0x2C, let day = number(start, 2),
        let month = number(start + 3, 2), let year = number(start + 6, 4)
      else { return nil }
      return CivilDate(year: year, month: month, day: day)
    case .timeOnly, .status, .quality, .modes: return nil
    }
  }
}

/// Turns times of day, with a date now and then, into time elapsed since the first.
struct SentenceClock {
  /// Microseconds since the first time told.
  private(set) var elapsed: Int64 = 0
  private var lastTimeOfDay: Int64?
  private var lastUTC: Int64?
  private var lastStep: Int64 = 1_000_000
  private var wasVouchedFor = false
  private var isDoubtful = false

  private static let day = UTCTime.microsecondsPerDay
  /// Sentences of one epoch may be out of order by this much without the receiver's clock having been set back.
  private static let disorder: Int64 = 10_000_000
  /// A longer step is a correction of the clock as long as the receiver has not vouched for it.
  private static let longestDoubtfulStep: Int64 = 60_000_000
  /// A longer step between dates is a correction of the receiver's calendar, not a pause of the recording.
  private static let longestPause: Int64 = 7 * UTCTime.microsecondsPerDay

  /// A difference of times of day, taken the short way round midnight.
  static func wrapped(_ difference: Int64) -> Int64 {
    if difference > day / 2 { return difference - day }
    return difference <= -day / 2 ? difference + day : difference
  }

  /// Takes the time of a sentence; returns what was odd about it.
  mutating func advance(to told: SentenceTime) -> ImportReport.Problem? {
    let utc = told.date.map { UTCTime(date: $0, microsecondsOfDay: told.timeOfDay).microseconds }
    let wasDoubtful = isDoubtful
    if told.isValid == true {
      wasVouchedFor = true
      isDoubtful = false
    } else if told.isValid == false, !wasVouchedFor {
      isDoubtful = true
    }
    guard let lastTimeOfDay else {
      lastTimeOfDay = told.timeOfDay
      lastUTC = utc
      return nil
    }
    var step = SentenceClock.wrapped(told.timeOfDay - lastTimeOfDay)
    var isCorrection = false
    if let utc, let lastUTC {
      let dated = utc - lastUTC
      if dated > SentenceClock.longestPause || dated < -SentenceClock.disorder {
        isCorrection = dated != step
      } else {
        step = dated
      }
    }
    if wasDoubtful, step.magnitude > SentenceClock.longestDoubtfulStep.magnitude {
      // A cold receiver that found the time: the log went on at its usual pace.
      elapsed += lastStep
      self.lastTimeOfDay = told.timeOfDay
      lastUTC = utc
      return .timeOutlier
    }
    if step < 0 {
      // A little older: the epoch's sentences are out of order. Much older: the clock was set back.
      if step < -SentenceClock.disorder {
        self.lastTimeOfDay = told.timeOfDay
        // Without a date it may be the day after a long pause; the next date will tell.
        if let utc { lastUTC = utc }
      }
      return .timeBackwards
    }
    elapsed += step
    if step > 0, step <= 10_000_000 { lastStep = step }
    self.lastTimeOfDay = told.timeOfDay
    lastUTC = utc ?? lastUTC.map { $0 + step }
    if isCorrection { return .timeOutlier }
    return step > RowClock.gapMicroseconds ? .longGap : nil
  }
}
