import Glibc
public import Quantities
public import TrackerRuntime

/// One row of an inertial recording: what there is in it, also when a filter can't use it.
public struct InertialRow: Equatable, Sendable {
  /// A quaternion of the reference: earth (x east, y north, z up) from sensor, in double precision, as written.
  public struct Reference: Equatable, Sendable {
    /// Scalar part.
    public var w: Double
    /// First component of the vector part.
    public var x: Double
    /// Second component of the vector part.
    public var y: Double
    /// Third component of the vector part.
    public var z: Double

    /// A quaternion of its components.
    public init(w: Double, x: Double, y: Double, z: Double) {
      self.w = w
      self.x = x
      self.y = y
      self.z = z
    }
  }

  /// Line of the file; the count of samples where a recording has no lines.
  public var line = 0
  /// The time as it is written in the file, without blanks; empty where there is none, or no column for it.
  public var timeText = ""
  /// The time, going on where a clock was set back; nil where it can't be read.
  public var time: Instant?
  /// The reading with whatever vectors are whole; nil when there is no time, no vector, or the time is one row's slip.
  public var sample: InertialSample?
  /// The attitude that a reference system measured.
  public var reference: Reference?
  /// Whether the reference system saw it move; nil without such a column or value.
  public var isMoving: Bool?

  /// A row without anything.
  public init() {}
}

/// The rows of an inertial recording, every one of them, bad ones included: for tools that give a row for a row.
///
/// `openRecording` passes over what a tracker can't use. Here nothing is passed over but empty lines and lines
/// longer than 64 KiB. A CSV file needs `t_s` (s) or `utc`, `gx gy gz` (rad/s) and `ax ay az` (m/s²); it may have
/// `mx my mz` (µT), a reference `qw qx qy qz` and `movement` (0 or 1). Of a Leash log and a phone's export the inertial
/// samples are the rows.
///
/// - Complexity: constant memory.
public final class InertialRows {
  /// The format in a few words.
  public let formatName: String
  /// True for a CSV with `t_s`, whose text can be given again as it was.
  public let hasTimeText: Bool
  /// True when there are columns of a magnetometer; nil where only the samples can tell.
  public let hasMagnetometer: Bool?
  /// True when there are columns of a reference.
  public let hasReference: Bool
  /// True when there is a column that shows movement.
  public let hasMovement: Bool

  /// What the settings of a log tell about its sensor; nil without such.
  package var sensor: SensorDescription? {
    guard case .recording(let recording) = source, let log = recording as? LeashLogImporter,
      let text = log.configurationText
    else { return nil }
    var configuration = RunConfiguration()
    // Other settings are no matter here, those of a later version included.
    for line in text.split(separator: "\n") where line.hasPrefix("sensor.") {
      guard let mark = line.firstIndex(of: "=") else { continue }
      try? configuration.set(String(line[..<mark]), to: String(line[line.index(after: mark)...]))
    }
    return configuration.tracker.sensor
  }

  private enum Source {
    case table(TableReader)
    case recording(any RecordingImporter)
  }

  private enum Slot {
    static let time = 0
    static let angularRate = 1
    static let specificForce = 4
    static let magneticFluxDensity = 7
    static let utc = 10
    static let reference = 11
    static let movement = 15
  }

  private static let columnNames = [
    "t_s", "gx", "gy", "gz", "ax", "ay", "az", "mx", "my", "mz", "utc", "qw", "qx", "qy", "qz", "movement",
  ]
  private static let formats =
    "inertial CSV (t_s, gx,gy,gz in rad/s, ax,ay,az in m/s², mx,my,mz in µT), a Leash log or a phone export's folder"

  private let source: Source
  private let hasElapsedTime: Bool
  private var clock = RowClock()
  private var firstUTC: Int64?
  private var rowCount = 0

  /// Opens a file (gzip allowed), `-` for standard input, or the folder of a phone's export.
  ///
  /// - Throws: when it is none with inertial rows, with what was found and what would be right.
  public convenience init(path: String) throws(RecordingError) {
    var status = stat()
    if path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      self.init(try PhoneExportImporter(folder: path))
      return
    }
    try self.init(ByteSource(path: path))
  }

  /// Opens a byte source.
  public convenience init(_ bytes: ByteSource) throws(RecordingError) {
    let window = ByteWindow(bytes)
    switch try contentKind(of: window, expectation: InertialRows.formats) {
    case .leashLog: self.init(try LeashLogImporter(window))
    case .text:
      self.init(table: try InertialRows.table(window, needed: 0b111_1110, InertialRows.formats))
    case .gpx: throw InertialRows.refusal(bytes, "GPX, which has no inertial samples")
    case .nmea: throw InertialRows.refusal(bytes, "an NMEA log, which has no inertial samples")
    case .unknown(let found): throw InertialRows.refusal(bytes, found)
    }
  }

  /// Opens a CSV file of a reference alone: `t_s` or `utc`, `qw qx qy qz`, perhaps `movement`.
  public convenience init(referencePath path: String) throws(RecordingError) {
    let window = ByteWindow(try ByteSource(path: path))
    let expectation = "t_s (s), qw,qx,qy,qz (earth from sensor) and perhaps movement (0 or 1)"
    guard case .text = try contentKind(of: window, expectation: expectation) else {
      throw RecordingError(kind: .malformed, file: path, line: 1, found: "no CSV", expected: expectation)
    }
    self.init(table: try InertialRows.table(window, needed: 0b1111 << UInt32(Slot.reference), expectation))
  }

  private init(table: TableReader) {
    source = .table(table)
    let mask = table.columnMask
    formatName = "inertial CSV"
    hasElapsedTime = mask & 1 != 0
    hasTimeText = hasElapsedTime
    hasMagnetometer = mask >> UInt32(Slot.magneticFluxDensity) & 0b111 == 0b111
    hasReference = mask >> UInt32(Slot.reference) & 0b1111 == 0b1111
    hasMovement = mask >> UInt32(Slot.movement) & 1 != 0
  }

  private init(_ recording: any RecordingImporter) {
    source = .recording(recording)
    formatName = recording.formatName
    hasElapsedTime = true
    hasTimeText = false
    hasMagnetometer = nil
    hasReference = false
    hasMovement = false
  }

  private static func refusal(_ bytes: ByteSource, _ found: String) -> RecordingError {
    RecordingError(kind: .malformed, file: bytes.name, line: 1, found: found, expected: formats)
  }

  /// Opens the table and names the columns that are missing.
  private static func table(
    _ window: ByteWindow, needed: UInt32, _ expectation: String
  ) throws(RecordingError) -> TableReader {
    let columns = columnNames.map { name in
      TableReader.Column(names: [name], kind: name == "utc" ? .utc : .number)
    }
    let lines = LineReader(window)
    let table = try TableReader(
      lines: lines, columns: columns, expectation: expectation, keepsBadRows: true, isEssential: { _ in true })
    let mask = table.columnMask
    if let name = columnNames.first(where: { name in table.headerNames.count { $0 == name } > 1 }) {
      throw RecordingError(
        kind: .malformed, file: window.source.name, line: lines.lineNumber,
        found: "the column \(name) twice in the header", expected: "each column once")
    }
    var missing = (0..<columnNames.count).filter { needed & ~mask & (1 << UInt32($0)) != 0 }.map { columnNames[$0] }
    if mask & (1 | 1 << UInt32(Slot.utc)) == 0 { missing.insert("t_s", at: 0) }
    guard !missing.isEmpty else { return table }
    let shown = shortened(table.headerNames.prefix(20).joined(separator: ","))
    let noun = missing.count == 1 ? "column" : "columns"
    throw RecordingError(
      kind: .malformed, file: window.source.name, line: lines.lineNumber,
      found: "no \(noun) \(missing.joined(separator: ",")) in the header \u{201C}\(shown)\u{201D}",
      expected: expectation)
  }

  /// What could not be used, one report per file.
  public var reports: [ImportReport] {
    switch source {
    case .table(let table): [table.report]
    case .recording(let recording): recording.reports
    }
  }

  /// The next row; nil at the end.
  ///
  /// - Throws: when the file ends too early or can't be read further; everything before was delivered.
  public func next() throws(RecordingError) -> InertialRow? {
    switch source {
    case .table(let table): return try next(of: table)
    case .recording(let recording):
      while let input = try recording.next() {
        guard case .inertial(let sample) = input else { continue }
        rowCount += 1
        var row = InertialRow()
        row.line = rowCount
        row.time = sample.time
        row.sample = sample
        return row
      }
      return nil
    }
  }

  private func next(of table: TableReader) throws(RecordingError) -> InertialRow? {
    guard try table.next() else { return nil }
    table.report.inputCount += 1
    var row = InertialRow()
    row.line = table.line
    // The text goes before the look at the row ahead, which may move the bytes.
    row.timeText = InertialRows.trimmed(table.leadingText)
    let present = table.present
    if present >> UInt32(Slot.reference) & 0b1111 == 0b1111 {
      let values = table.values + Slot.reference
      row.reference = InertialRow.Reference(w: values[0], x: values[1], y: values[2], z: values[3])
    }
    if present >> UInt32(Slot.movement) & 1 != 0 { row.isMoving = table.values[Slot.movement] > 0.5 }
    guard let time = time(table) else {
      // A short row is told as one; that its time is missing too would be told twice.
      if present != 0 { table.report.count(.missingTime, line: table.line) }
      return row
    }
    row.time = Instant(microseconds: time)
    let sample = sample(table, at: Instant(microseconds: time))
    guard let place = place(of: time, table) else { return row }
    // Behind a clock that was set back time goes on.
    row.time = Instant(microseconds: place)
    row.sample = sample
    row.sample?.time = Instant(microseconds: place)
    return row
  }

  private func time(_ table: TableReader) -> Int64? {
    if hasElapsedTime {
      return table.present & 1 != 0 ? CSVImporter.microseconds(table.values[Slot.time]) : nil
    }
    guard table.present >> UInt32(Slot.utc) & 1 != 0 else { return nil }
    let utc = table.integers[Slot.utc]
    if firstUTC == nil { firstUTC = utc }
    return utc - (firstUTC ?? 0)
  }

  /// The time of a row among the others; nil when it is one row's slip: a filter would wait for it. A step back or none is for the
  /// filter to judge, until it is seen to be a clock that was set back.
  private func place(of time: Int64, _ table: TableReader) -> Int64? {
    let verdict = clock.judge(time, line: table.line, report: &table.report) {
      guard let next = table.peek(slot: hasElapsedTime ? Slot.time : Slot.utc) else { return nil }
      return hasElapsedTime ? CSVImporter.microseconds(next.number) : next.integer - (firstUTC ?? 0)
    }
    guard case .rejected(let problem) = verdict else { return clock.last }
    table.report.count(problem, line: table.line)
    if problem == .timeOutlier { return nil }
    return problem == .duplicateTime ? clock.last : time
  }

  private func sample(_ table: TableReader, at time: Instant) -> InertialSample? {
    var isIncomplete = false
    func vector(_ slot: Int) -> Vector3? {
      let bits = table.present >> UInt32(slot) & 0b111
      if bits == 0 { return nil }
      let values = table.values + slot
      let vector = Vector3(Float(values[0]), Float(values[1]), Float(values[2]))
      // A number beyond Float's range became infinite.
      guard bits == 0b111, vector.isFinite else {
        isIncomplete = true
        return nil
      }
      return vector
    }
    let sample = InertialSample(
      time: time, angularRate: vector(Slot.angularRate), specificForce: vector(Slot.specificForce),
      magneticFluxDensity: vector(Slot.magneticFluxDensity))
    if isIncomplete { table.report.count(.incompleteVector, line: table.line) }
    if sample.angularRate == nil, sample.specificForce == nil, sample.magneticFluxDensity == nil { return nil }
    return sample
  }

  private static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard !bytes.isEmpty else { return "" }
    var start = 0
    var end = bytes.count
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x22 }
    while start < end, isBlank(bytes[start]) { start += 1 }
    while start < end, isBlank(bytes[end - 1]) { end -= 1 }
    return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
  }
}
