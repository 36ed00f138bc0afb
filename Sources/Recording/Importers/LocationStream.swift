import Quantities
import TrackerRuntime

/// The fixes of a phone export's `Location.csv`, with a look at the one ahead. Times are microseconds since 1970.
final class LocationStream {
  private(set) var current: GNSSFix?
  private(set) var start: Int64?
  private let table: TableReader
  private var last: Int64 = .min

  private enum Slot {
    static let time = 0
    static let elapsed = 1
    static let latitude = 2
    static let longitude = 3
    static let ellipsoidHeight = 4
    static let seaHeight = 5
    static let speed = 6
    static let bearing = 7
    static let horizontalAccuracy = 8
    static let verticalAccuracy = 9
    static let speedAccuracy = 10
    static let bearingAccuracy = 11
  }

  init(path: String) throws(RecordingError) {
    let names = [
      "time", "seconds_elapsed", "latitude", "longitude", "altitude", "altitudeabovemeansealevel", "speed", "bearing",
      "horizontalaccuracy", "verticalaccuracy", "speedaccuracy", "bearingaccuracy",
    ]
    let columns = names.map { TableReader.Column(names: [$0], kind: $0 == "time" ? .nanoseconds : .number) }
    table = try TableReader(
      lines: LineReader(ByteWindow(try ByteSource(path: path))), columns: columns,
      expectation: "time (ns), latitude, longitude, altitude, speed, bearing, horizontalAccuracy"
    ) { mask in mask & 0b1101 == 0b1101 }
    try advance()
  }

  var report: ImportReport { table.report }

  func advance() throws(RecordingError) {
    while try table.next() {
      guard has(Slot.time) else {
        table.report.count(.missingTime, line: table.line)
        continue
      }
      let time = table.integers[Slot.time]
      if has(Slot.elapsed) {
        let elapsed = table.values[Slot.elapsed]
        if start == nil, abs(elapsed) < 1e9 { start = time - Elementary.roundedInteger(elapsed * 1e6) }
        // The phone's last known place from before the recording.
        if elapsed < 0 {
          table.report.count(.beforeStart, line: table.line)
          continue
        }
      }
      guard time > last else {
        table.report.count(time == last ? .duplicateTime : .timeBackwards, line: table.line)
        continue
      }
      guard let fix = fix(at: time) else { continue }
      last = time
      table.report.inputCount += 1
      current = fix
      return
    }
    current = nil
  }

  private func has(_ slot: Int) -> Bool { table.present & (1 << UInt32(slot)) != 0 }

  /// A value that is valid when not negative (that is how phones mark what they do not know).
  private func valid(_ slot: Int, below limit: Double = 1e8) -> Double? {
    guard has(slot), table.values[slot] >= 0, table.values[slot] < limit else { return nil }
    return table.values[slot]
  }

  private func fix(at time: Int64) -> GNSSFix? {
    var fix = GNSSFix(time: Instant(microseconds: time))
    fix.utc = UTCTime(microseconds: time)
    fix.mode = .none
    if has(Slot.latitude), has(Slot.longitude) {
      guard let position = table.position(latitude: Slot.latitude, longitude: Slot.longitude) else { return nil }
      fix.position = position
      fix.mode = .twoDimensional
    } else if has(Slot.latitude) || has(Slot.longitude) {
      table.report.count(.incompletePosition, line: table.line)
    }
    // A negative vertical accuracy says that the height is not known.
    let heightIsKnown = !has(Slot.verticalAccuracy) || table.values[Slot.verticalAccuracy] >= 0
    if heightIsKnown {
      if has(Slot.ellipsoidHeight) { fix.heightAboveEllipsoid = table.values[Slot.ellipsoidHeight] }
      if has(Slot.seaHeight) { fix.heightAboveSeaLevel = table.values[Slot.seaHeight] }
      let hasHeight = fix.heightAboveEllipsoid != nil || fix.heightAboveSeaLevel != nil
      if fix.position != nil, hasHeight { fix.mode = .threeDimensional }
    }
    fix.speed = valid(Slot.speed, below: 1e5)
    if fix.speed == 0, has(Slot.speedAccuracy), table.values[Slot.speedAccuracy] <= 0 { fix.speed = nil }
    fix.course = valid(Slot.bearing, below: 360.000001).map(courseRadians)
    // Android writes 0 for a bearing it does not have, and then 0 for its accuracy.
    if fix.course == 0, has(Slot.bearingAccuracy), table.values[Slot.bearingAccuracy] <= 0 { fix.course = nil }
    if has(Slot.bearingAccuracy), table.values[Slot.bearingAccuracy] < 0 { fix.course = nil }
    fix.horizontalAccuracy = valid(Slot.horizontalAccuracy).flatMap { $0 > 0 ? $0 : nil }
    fix.verticalAccuracy = valid(Slot.verticalAccuracy).flatMap { $0 > 0 ? $0 : nil }
    return fix
  }
}
