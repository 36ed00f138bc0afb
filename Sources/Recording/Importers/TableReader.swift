import Glibc
import Quantities
import TrackerRuntime

/// Rows of a CSV file with a header, as numbers in named slots; no allocation per row.
final class TableReader {
  /// How the text of a column is read.
  enum ColumnKind {
    case number
    /// ISO 8601, read into `integers` as microseconds since 1970.
    case utc
    /// Integer nanoseconds, read into `integers` rounded to microseconds.
    case nanoseconds
  }

  struct Column {
    /// Accepted header names, lower case.
    var names: [String]
    var kind: ColumnKind = .number
  }

  let lines: LineReader
  var report: ImportReport
  /// Header names as found.
  let headerNames: [String]
  /// Bit per slot: the header has it.
  let columnMask: UInt32
  /// Line of the current row.
  private(set) var line = 0
  /// Bit per slot: the current row has a value.
  private(set) var present: UInt32 = 0
  /// Values of the current row, by slot; meaningful where `present` says so.
  let values: UnsafeMutablePointer<Double>
  let integers: UnsafeMutablePointer<Int64>

  /// The text of slot 0 in the current row, valid until the next call to the reader; empty where there is none.
  private(set) var leadingText = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

  /// True to return bad rows too, with what is missing in them missing in `present`.
  private let keepsBadRows: Bool
  /// The last line with a field that can't be read.
  private var unreadableLine = 0
  private let slots: UnsafeMutablePointer<Int8>
  private let kinds: [ColumnKind]
  private let fieldCount: Int
  private let neededFieldCount: Int
  private let delimiter: UInt8

  /// Reads the header.
  ///
  /// - Parameters:
  ///   - keepsBadRows: Return every row that is not empty. A field that can't be read then counts as missing, and so do all
  ///     fields of a row that is too short.
  ///   - isEssential: tells from the mask of columns found whether the table is of use.
  init(
    lines: LineReader, columns: [Column], expectation: String, keepsBadRows: Bool = false,
    isEssential: (UInt32) -> Bool
  ) throws(RecordingError) {
    self.lines = lines
    self.keepsBadRows = keepsBadRows
    let name = lines.window.source.name
    report = ImportReport(file: name)
    var header: LineReader.Line?
    while let line = try lines.next() {
      guard let first = line.bytes.first(where: { $0 != 0x20 && $0 != 0x09 }), first != 0x23 else { continue }
      header = line
      break
    }
    guard let header else {
      throw RecordingError(
        kind: .malformed, file: name, line: 1, found: "no header line (nothing but empty lines)", expected: expectation)
    }
    if header.bytes.contains(0x2C) {
      delimiter = 0x2C
    } else {
      delimiter = header.bytes.contains(0x3B) ? 0x3B : header.bytes.contains(0x09) ? 0x09 : 0x2C
    }
    headerNames = splitHeader(header.text, delimiter: delimiter)
    fieldCount = headerNames.count
    slots = .allocate(capacity: max(fieldCount, 1))
    values = .allocate(capacity: columns.count)
    integers = .allocate(capacity: columns.count)
    values.initialize(repeating: 0, count: columns.count)
    integers.initialize(repeating: 0, count: columns.count)
    kinds = columns.map(\.kind)
    var mask: UInt32 = 0
    var needed = 0
    for (index, found) in headerNames.enumerated() {
      let slot = columns.firstIndex { $0.names.contains(found.lowercased()) }
      slots[index] = -1
      guard let slot, mask & (1 << UInt32(slot)) == 0 else { continue }
      slots[index] = Int8(slot)
      mask |= 1 << UInt32(slot)
      needed = index + 1
    }
    columnMask = mask
    neededFieldCount = needed
    guard isEssential(mask) else {
      let shown = headerNames.prefix(12).joined(separator: ",")
      throw RecordingError(
        kind: .malformed, file: name, line: lines.lineNumber,
        found: "columns \u{201C}\(shortened(shown))\u{201D}", expected: expectation)
    }
  }

  deinit {
    slots.deallocate()
    values.deallocate()
    integers.deallocate()
  }

  /// Reads the next usable row into the slots; false at the end. Unusable rows are counted and passed over.
  func next() throws(RecordingError) -> Bool {
    while true {
      guard let line = try lines.next() else {
        noteOverlongLines()
        return false
      }
      if line.count == 0 { continue }
      self.line = lines.lineNumber
      if read(line) { return true }
    }
  }

  /// The number in one slot of the row after the current one, without moving on; nil when there is none.
  func peek(slot wanted: Int) -> (number: Double, integer: Int64)? {
    guard let line = lines.peek() else { return nil }
    var start = line.start
    for index in 0..<neededFieldCount {
      let found = memchr(start, Int32(delimiter), line.end - start)
      let end = found.map { UnsafePointer($0.assumingMemoryBound(to: UInt8.self)) } ?? line.end
      if Int(slots[index]) == wanted {
        switch kinds[wanted] {
        case .number:
          if case .value(let value) = scanNumber(from: start, to: end) { return (value, 0) }
        case .nanoseconds:
          if let value = scanInteger(from: start, to: end) { return (0, microseconds(fromNanoseconds: value)) }
        case .utc:
          if let value = scanUTC(from: start, to: end) { return (0, value.microseconds) }
        }
        return nil
      }
      guard end < line.end else { return nil }
      start = end + 1
    }
    return nil
  }

  /// Copies what the line reader counted into the report.
  func noteOverlongLines() {
    let missing = lines.overlongCount - report.count(of: .overlongLine)
    for _ in 0..<max(0, missing) { report.count(.overlongLine, line: lines.firstOverlongLine) }
  }

  private func read(_ line: LineReader.Line) -> Bool {
    let end = line.end
    let delimiter = self.delimiter
    let needed = neededFieldCount
    let slots = self.slots
    let values = self.values
    var start = line.start
    var mask: UInt32 = 0
    var index = 0
    var hasEnded = false
    leadingText = UnsafeBufferPointer(start: nil, count: 0)
    while index < needed {
      var fieldEnd = start
      while fieldEnd < end, fieldEnd.pointee != delimiter {
        if fieldEnd.pointee == 0x22, fieldEnd == start { fieldEnd = endOfQuoted(fieldEnd, end) }
        if fieldEnd < end { fieldEnd += 1 }
      }
      let slot = Int(slots[index])
      if slot >= 0, fieldEnd > start {
        if slot == 0 { leadingText = UnsafeBufferPointer(start: start, count: fieldEnd - start) }
        switch kinds[slot] {
        case .number:
          switch scanNumber(from: start, to: fieldEnd) {
          case .value(let value):
            values[slot] = value
            mask |= 1 << UInt32(slot)
          case .notFinite: report.count(.notFinite, line: self.line)
          case .empty: break
          case .unreadable:
            noteUnreadableField()
            guard keepsBadRows else { return false }
          }
        case .utc, .nanoseconds:
          if readInteger(slot, from: start, to: fieldEnd) {
            mask |= 1 << UInt32(slot)
          } else {
            noteUnreadableField()
            guard keepsBadRows else { return false }
          }
        }
      }
      index += 1
      if fieldEnd == end {
        hasEnded = true
        break
      }
      start = fieldEnd + 1
    }
    // A row that ends early may be cut in the middle of a number: none of it is trusted.
    let seen = hasEnded ? index : index + countFields(from: start, to: end)
    if seen < fieldCount {
      report.count(.shortRow, line: self.line)
      present = 0
      return keepsBadRows
    }
    present = mask
    return true
  }

  /// Counts the row once, however many of its fields can't be read.
  private func noteUnreadableField() {
    guard unreadableLine != line else { return }
    unreadableLine = line
    report.count(.unreadableField, line: line)
  }

  private func countFields(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> Int {
    var count = 1
    var place = start
    while place < end {
      if place.pointee == delimiter { count += 1 }
      place += 1
    }
    return count
  }

  private func readInteger(_ slot: Int, from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> Bool {
    if kinds[slot] == .utc {
      guard let time = scanUTC(from: start, to: end) else { return false }
      integers[slot] = time.microseconds
      return true
    }
    if let value = scanInteger(from: start, to: end) {
      integers[slot] = microseconds(fromNanoseconds: value)
      return true
    }
    guard case .value(let value) = scanNumber(from: start, to: end), value > -9e18, value < 9e18 else { return false }
    integers[slot] = Elementary.roundedInteger(value / 1000)
    return true
  }
}

private func microseconds(fromNanoseconds value: Int64) -> Int64 {
  let quotient = value / 1000
  let rest = value % 1000
  return rest >= 500 ? quotient + 1 : rest < -500 ? quotient - 1 : quotient
}

/// The closing quote of a field that begins with one, or the end of the line.
private func endOfQuoted(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
  var place = start + 1
  while place < end, place.pointee != 0x22 { place += 1 }
  return place
}

/// Cuts long text from outside before it goes into a message, and replaces what is not printable.
func shortened(_ text: String, to limit: Int = 120) -> String {
  var result = ""
  for scalar in text.unicodeScalars.prefix(limit) {
    result.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? "\u{FFFD}" : scalar)
  }
  return text.unicodeScalars.count > limit ? result + "…" : result
}

private func splitHeader(_ text: String, delimiter: UInt8) -> [String] {
  text.utf8.split(separator: delimiter, omittingEmptySubsequences: false).map { field in
    var name = Substring(field)
    while let first = name.utf8.first, first == 0x20 || first == 0x09 || first == 0x22 { name = name.dropFirst() }
    while let last = name.utf8.last, last == 0x20 || last == 0x09 || last == 0x22 { name = name.dropLast() }
    return String(name)
  }
}

extension TableReader {
  /// The position in two slots of the row; nil, and reported, when there is no such place on earth.
  func position(latitude: Int, longitude: Int) -> GeodeticPosition? {
    let position = GeodeticPosition(latitudeDegrees: values[latitude], longitudeDegrees: values[longitude])
    if position == nil { report.count(.positionOutOfRange, line: line) }
    return position
  }
}
