import Quantities
public import TrackerCore
public import TrackerRuntime

/// Track points of a GPX file (1.0 and 1.1), with the extensions bike computers and phones write.
///
/// Tracks and segments follow each other as in the file; a new segment shows as a gap in time. Speed and course are
/// those of the file and stay nil where it has none. Points without a time are counted and passed over.
public final class GPXImporter: RecordingImporter {
  /// `GPX track`.
  public let formatName = "GPX track"
  /// Zero is the first point's time.
  public private(set) var timeline = Timeline(basis: .firstTime)

  private var scanner: XMLScanner
  private let window: ByteWindow
  private var report: ImportReport
  private var clock = RowClock()
  private var firstTime: Int64?
  private var firstInput: TrackerInput?
  private var pointCount = 0
  private var isFinished = false

  /// The point being read.
  private struct Point {
    var latitude: Double?
    var longitude: Double?
    var utc: UTCTime?
    var fix = GNSSFix(time: .zero)
    var isUnreadable = false
    var saysNoFix = false
  }

  init(_ window: ByteWindow) throws(RecordingError) {
    self.window = window
    scanner = XMLScanner(window)
    report = ImportReport(file: window.source.name)
    firstInput = try read()
    guard firstInput == nil else { return }
    let found: String
    if pointCount == 0 {
      found = "no track point"
    } else if let entry = report.firstEntry {
      found = "no usable track point among \(pointCount) (first problem: \(entry.problem.summary))"
    } else {
      found = "no usable track point"
    }
    throw RecordingError(
      kind: .malformed, file: report.file, line: scanner.line, found: found,
      expected: "<trkpt lat= lon=> elements with <time>")
  }

  /// What was passed over.
  public var reports: [ImportReport] { [report] }

  /// The next track point.
  public func next() throws(RecordingError) -> TrackerInput? {
    let input: TrackerInput?
    if let first = firstInput {
      input = first
      firstInput = nil
    } else {
      input = try read()
    }
    if input != nil { report.inputCount += 1 }
    return input
  }

  private func read() throws(RecordingError) -> TrackerInput? {
    var point: Point?
    while !isFinished {
      switch scanner.next() {
      case .start(let isEmpty):
        guard scanner.name.elementsEqual("trkpt".utf8) else { continue }
        pointCount += 1
        var started = Point()
        started.latitude = degrees("lat", &started)
        started.longitude = degrees("lon", &started)
        if isEmpty {
          if let fix = finish(started) { return .fix(fix) }
        } else {
          point = started
        }
      case .end:
        if scanner.name.elementsEqual("gpx".utf8) {
          isFinished = true
        } else if scanner.name.elementsEqual("trkpt".utf8) {
          if let finished = point, let fix = finish(finished) { return .fix(fix) }
          point = nil
        } else if point != nil {
          take(&point)
        }
      case .finished:
        isFinished = true
        if let failure = window.failure { throw failure }
        throw RecordingError(
          kind: .truncated, file: report.file, line: scanner.line, found: "the file ends before </gpx>",
          expected: "a complete GPX file (the points before were used)")
      }
    }
    return nil
  }

  private func degrees(_ name: String, _ point: inout Point) -> Double? {
    guard let text = scanner.attribute(name), case .value(let value) = number(text) else {
      point.isUnreadable = true
      return nil
    }
    return value
  }

  private func number(_ text: [UInt8]) -> ScannedNumber {
    text.withUnsafeBufferPointer { bytes in
      var bytes = bytes[...]
      while let first = bytes.first, first <= 0x20 { bytes = bytes.dropFirst() }
      while let last = bytes.last, last <= 0x20 { bytes = bytes.dropLast() }
      guard let start = UnsafeBufferPointer(rebasing: bytes).baseAddress else { return .empty }
      return scanNumber(from: start, to: start + bytes.count)
    }
  }

  private func value(_ accepts: (Double) -> Bool) -> Double? {
    switch number(scanner.text) {
    case .value(let value):
      if accepts(value) { return value }
      report.count(.valueOutOfRange, line: scanner.line)
    case .notFinite: report.count(.notFinite, line: scanner.line)
    case .empty: break
    case .unreadable: report.count(.unreadableField, line: scanner.line)
    }
    return nil
  }

  /// Takes the text of an element inside a point.
  private func take(_ point: inout Point?) {
    guard var current = point else { return }
    switch String(decoding: scanner.name, as: UTF8.self) {
    case "time":
      current.utc = scanner.text.withUnsafeBufferPointer { bytes in
        var bytes = bytes[...]
        while let first = bytes.first, first <= 0x20 { bytes = bytes.dropFirst() }
        while let last = bytes.last, last <= 0x20 { bytes = bytes.dropLast() }
        guard let start = UnsafeBufferPointer(rebasing: bytes).baseAddress else { return nil }
        return scanUTC(from: start, to: start + bytes.count)
      }
      if current.utc == nil { current.isUnreadable = true }
    case "ele": current.fix.heightAboveSeaLevel = value { $0 > -20_000 && $0 < 1e7 }
    case "speed": current.fix.speed = value { $0 >= 0 && $0 < 1e5 }
    case "course": current.fix.course = value { $0 >= 0 && $0 <= 360 }.map(courseRadians)
    case "hdop": current.fix.dilution.horizontal = value { $0 > 0 && $0 < 1e4 }.map { Float($0) }
    case "vdop": current.fix.dilution.vertical = value { $0 > 0 && $0 < 1e4 }.map { Float($0) }
    case "pdop": current.fix.dilution.position = value { $0 > 0 && $0 < 1e4 }.map { Float($0) }
    case "sat": current.fix.satellitesUsed = value { $0 >= 0 && $0 < 256 }.map { UInt8($0) }
    case "accuracy", "hacc": current.fix.horizontalAccuracy = value { $0 > 0 && $0 < 1e8 }
    case "fix":
      switch String(decoding: scanner.text.filter { $0 > 0x20 }, as: UTF8.self) {
      case "none": current.saysNoFix = true
      case "dgps": current.fix.quality = .differential
      case "pps": current.fix.quality = .precise
      default: break
      }
    default: break
    }
    point = current
  }

  private func finish(_ point: Point) -> GNSSFix? {
    let line = scanner.line
    guard !point.isUnreadable, let latitude = point.latitude, let longitude = point.longitude else {
      report.count(.unreadableField, line: line)
      return nil
    }
    guard let utc = point.utc else {
      report.count(.missingTime, line: line)
      return nil
    }
    guard let position = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude) else {
      report.count(.positionOutOfRange, line: line)
      return nil
    }
    let elapsed = utc.microseconds - (firstTime ?? utc.microseconds)
    if case .rejected(let problem) = clock.judge(elapsed, line: line, report: &report, following: { nil }) {
      report.count(problem, line: line)
      return nil
    }
    if firstTime == nil {
      firstTime = utc.microseconds
      timeline.utcAtZero = utc
    }
    var fix = point.fix
    fix.time = Instant(microseconds: clock.last ?? elapsed)
    fix.utc = utc
    fix.position = position
    fix.mode = point.saysNoFix ? .none : fix.heightAboveSeaLevel == nil ? .twoDimensional : .threeDimensional
    return fix
  }
}
