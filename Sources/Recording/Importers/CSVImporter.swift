import Quantities
public import TrackerCore
public import TrackerRuntime

/// Inertial and satellite rows from a CSV file with named columns.
///
/// Columns: `t_s` (s); `gx gy gz` (rad/s), `ax ay az` (m/s², specific force), `mx my mz` (µT); `utc` (ISO 8601),
/// `lat_deg` `lon_deg`, `alt_m` (above mean sea level), `speed_mps`, `course_deg` (from true north), `hacc_m`;
/// `wheel_pulses` (what the sensor of a wheel has counted so far). Any order; other columns are ignored; empty fields, NaN and
/// infinity count as missing.
///
/// - Complexity: constant memory, no allocation per row.
public final class CSVImporter: RecordingImporter {
  private enum Slot {
    static let time = 0
    static let angularRate = 1
    static let specificForce = 4
    static let magneticFluxDensity = 7
    static let utc = 10
    static let latitude = 11
    static let longitude = 12
    static let height = 13
    static let speed = 14
    static let course = 15
    static let accuracy = 16
    static let pulses = 17
  }

  private static let columnNames = [
    "t_s", "gx", "gy", "gz", "ax", "ay", "az", "mx", "my", "mz", "utc", "lat_deg", "lon_deg", "alt_m", "speed_mps",
    "course_deg", "hacc_m", "wheel_pulses",
  ]

  static let expectation =
    "t_s or utc, and gx,gy,gz (rad/s), ax,ay,az (m/s²), mx,my,mz (µT) or lat_deg,lon_deg (with alt_m, speed_mps, "
    + "course_deg, hacc_m), and wheel_pulses with either"

  private static let timeMask: UInt32 = 0b100_0000_0001
  private static let inertialMask: UInt32 = 0b11_1111_1110
  private static let satelliteMask: UInt32 = 0b1_1111_1000_0000_0000
  private static let positionMask: UInt32 = 0b1_1000_0000_0000

  /// `inertial CSV`, `GNSS CSV` or both.
  public let formatName: String
  /// Zero is that of `t_s`, or the first `utc`.
  public private(set) var timeline = Timeline(basis: .elapsed)

  private let table: TableReader
  private let hasInertial: Bool
  private let hasSatellite: Bool
  private let hasElapsedTime: Bool
  private var clock = RowClock()
  /// The columns of the rows that have the time of the last one.
  private var presentBefore: UInt32 = 0
  private var pendingReading: WheelReading?
  private var pendingFix: GNSSFix?
  private var firstInput: TrackerInput?
  private var firstUTC: Int64?

  /// Reads the header and the first usable row.
  ///
  /// - Throws: when the columns are not those of a recording, or no row is usable.
  convenience init(_ window: ByteWindow) throws(RecordingError) {
    try self.init(LineReader(window))
  }

  init(_ lines: LineReader) throws(RecordingError) {
    let columns = CSVImporter.columnNames.map { name in
      TableReader.Column(names: [name], kind: name == "utc" ? .utc : .number)
    }
    table = try TableReader(lines: lines, columns: columns, expectation: CSVImporter.expectation) { mask in
      let hasTime = mask & 1 != 0 || mask & (1 << UInt32(Slot.utc)) != 0
      let hasPosition = mask & CSVImporter.positionMask == CSVImporter.positionMask
      return hasTime && (hasPosition || CSVImporter.hasVector(mask))
    }
    hasInertial = CSVImporter.hasVector(table.columnMask)
    hasSatellite = table.columnMask & CSVImporter.positionMask == CSVImporter.positionMask
    hasElapsedTime = table.columnMask & 1 != 0
    formatName = hasInertial && hasSatellite ? "inertial and GNSS CSV" : hasInertial ? "inertial CSV" : "GNSS CSV"
    if !hasElapsedTime { timeline.basis = .firstTime }
    firstInput = try read()
    guard firstInput != nil else { throw emptyError() }
  }

  /// What was passed over.
  public var reports: [ImportReport] { [table.report] }

  /// The next sample, reading or fix; a row with several gives them in this order.
  public func next() throws(RecordingError) -> TrackerInput? {
    let input: TrackerInput?
    if let first = firstInput {
      input = first
      firstInput = nil
    } else {
      input = try read()
    }
    if input != nil { table.report.inputCount += 1 }
    return input
  }

  private static func hasVector(_ mask: UInt32) -> Bool {
    mask >> 1 & 0b111 == 0b111 || mask >> 4 & 0b111 == 0b111 || mask >> 7 & 0b111 == 0b111
  }

  private func emptyError() -> RecordingError {
    let name = table.report.file
    guard let entry = table.report.firstEntry else {
      return RecordingError(
        kind: .malformed, file: name, line: table.lines.lineNumber, found: "a header but no rows",
        expected: "at least one row of values")
    }
    return RecordingError(
      kind: .malformed, file: name, line: entry.firstLine,
      found: "no usable row (first problem: \(entry.problem.summary))", expected: "rows that match the header")
  }

  private func read() throws(RecordingError) -> TrackerInput? {
    if let pending = takePending() { return pending }
    while try table.next() {
      guard let told = rowTime(), let time = passesClock(told) else { continue }
      noteUTC(told)
      let instant = Instant(microseconds: time)
      let present = table.present
      var sample: InertialSample?
      if hasInertial, present & CSVImporter.inertialMask != 0 {
        sample = inertialSample(at: instant)
      }
      pendingReading = wheelReading(at: instant)
      // In a table with both kinds of columns most rows have no fix; in one of fixes alone an empty row is a lost fix.
      let isOther = hasInertial || pendingReading != nil
      if hasSatellite, !isOther || present & CSVImporter.satelliteMask != 0 {
        guard let fix = fix(at: instant) else {
          pendingReading = nil
          continue
        }
        pendingFix = fix
      }
      if let sample { return .inertial(sample) }
      if let pending = takePending() { return pending }
    }
    return nil
  }

  /// What else the last row has, in the order of `next`.
  private func takePending() -> TrackerInput? {
    if let reading = pendingReading {
      pendingReading = nil
      return .reading(.wheel(reading))
    }
    guard let fix = pendingFix else { return nil }
    pendingFix = nil
    return .fix(fix)
  }

  private func wheelReading(at time: Instant) -> WheelReading? {
    value(Slot.pulses) { $0 >= 0 && $0 <= Double(UInt32.max) }.map { WheelReading(time: time, pulses: UInt32($0)) }
  }

  private func rowTime() -> Int64? {
    let hasUTC = table.present & (1 << UInt32(Slot.utc)) != 0
    if hasElapsedTime {
      guard table.present & 1 != 0 else {
        table.report.count(.missingTime, line: table.line)
        return nil
      }
      guard let time = CSVImporter.microseconds(table.values[Slot.time]) else {
        table.report.count(.unreadableField, line: table.line)
        return nil
      }
      return time
    }
    guard hasUTC else {
      table.report.count(.missingTime, line: table.line)
      return nil
    }
    return table.integers[Slot.utc] - (firstUTC ?? table.integers[Slot.utc])
  }

  /// The first row whose time counts says what UTC it is at zero.
  private func noteUTC(_ time: Int64) {
    guard table.present & (1 << UInt32(Slot.utc)) != 0, timeline.utcAtZero == nil else { return }
    if !hasElapsedTime { firstUTC = table.integers[Slot.utc] }
    timeline.utcAtZero = UTCTime(microseconds: table.integers[Slot.utc] &- time)
  }

  /// Whole microseconds; nil beyond a hundred thousand years.
  static func microseconds(_ seconds: Double) -> Int64? {
    guard seconds > -RowClock.limitSeconds / 10, seconds < RowClock.limitSeconds / 10 else { return nil }
    let scaled = seconds * 1e6
    return Int64(scaled < 0 ? scaled - 0.5 : scaled + 0.5)
  }

  /// The time of a row that is in its place; nil for another.
  private func passesClock(_ time: Int64) -> Int64? {
    let table = self.table
    let zero = firstUTC ?? table.integers[Slot.utc]
    let verdict = clock.judge(time, line: table.line, report: &table.report) {
      guard let next = table.peek(slot: hasElapsedTime ? Slot.time : Slot.utc) else { return nil }
      if hasElapsedTime { return CSVImporter.microseconds(next.number) }
      return next.integer - zero
    }
    let present = table.present & ~CSVImporter.timeMask
    guard case .rejected(let problem) = verdict else {
      presentBefore = present
      return clock.last
    }
    // Two sensors at one time, each with its row.
    if problem == .duplicateTime, present != 0, present & presentBefore == 0 {
      presentBefore |= present
      return clock.last
    }
    table.report.count(problem, line: table.line)
    return nil
  }

  @inline(__always)
  private func vector(_ slot: Int, _ isIncomplete: inout Bool) -> Vector3? {
    let bits = table.present >> UInt32(slot) & 0b111
    guard bits == 0b111 else {
      if bits != 0 { isIncomplete = true }
      return nil
    }
    let values = table.values + slot
    let vector = Vector3(Float(values[0]), Float(values[1]), Float(values[2]))
    // A number beyond Float's range became infinite.
    guard vector.isFinite else {
      isIncomplete = true
      return nil
    }
    return vector
  }

  private func inertialSample(at time: Instant) -> InertialSample? {
    var isIncomplete = false
    let sample = InertialSample(
      time: time, angularRate: vector(Slot.angularRate, &isIncomplete),
      specificForce: vector(Slot.specificForce, &isIncomplete),
      magneticFluxDensity: vector(Slot.magneticFluxDensity, &isIncomplete))
    if isIncomplete { table.report.count(.incompleteVector, line: table.line) }
    if sample.angularRate == nil, sample.specificForce == nil, sample.magneticFluxDensity == nil { return nil }
    return sample
  }

  private func value(_ slot: Int, _ accepts: (Double) -> Bool) -> Double? {
    guard table.present & (1 << UInt32(slot)) != 0 else { return nil }
    let value = table.values[slot]
    guard accepts(value) else {
      table.report.count(.valueOutOfRange, line: table.line)
      return nil
    }
    return value
  }

  private func fix(at time: Instant) -> GNSSFix? {
    var fix = GNSSFix(time: time)
    if table.present & (1 << UInt32(Slot.utc)) != 0 {
      fix.utc = UTCTime(microseconds: table.integers[Slot.utc])
    }
    fix.mode = .none
    switch table.present & CSVImporter.positionMask {
    case CSVImporter.positionMask:
      guard let position = table.position(latitude: Slot.latitude, longitude: Slot.longitude) else { return nil }
      fix.position = position
      fix.mode = .twoDimensional
    case 0: break
    default: table.report.count(.incompletePosition, line: table.line)
    }
    if let height = value(Slot.height, { $0 > -20_000 && $0 < 1e7 }) {
      fix.heightAboveSeaLevel = height
      if fix.position != nil { fix.mode = .threeDimensional }
    }
    fix.speed = value(Slot.speed) { $0 >= 0 && $0 < 1e5 }
    fix.course = value(Slot.course) { $0 >= 0 && $0 <= 360 }.map(courseRadians)
    fix.horizontalAccuracy = value(Slot.accuracy) { $0 > 0 && $0 < 1e8 }
    return fix
  }
}

/// Course in radians, 0 to below 2π, from degrees of 0 to 360.
func courseRadians(_ degrees: Double) -> Double { (degrees >= 360 ? degrees - 360 : degrees) * (Double.pi / 180) }
