import Glibc
public import TrackerRuntime

/// Opens a recording of any known format; the content decides which, not the name.
///
/// - Parameters:
///   - path: A file (gzip allowed), `-` for standard input, or the folder of a phone's export.
///   - port: The port at which the bytes of an NMEA log arrive.
/// - Throws: when nothing can be read from it, with what was found and what would be right.
public func openRecording(_ path: String, port: UInt8 = 0) throws(RecordingError) -> any RecordingImporter {
  var status = stat()
  if path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
    return try PhoneExportImporter(folder: path)
  }
  return try openRecording(ByteSource(path: path), port: port)
}

/// Opens a recording from a byte source.
public func openRecording(_ source: ByteSource, port: UInt8 = 0) throws(RecordingError) -> any RecordingImporter {
  let window = ByteWindow(source)
  switch try contentKind(of: window, expectation: recordingFormats) {
  case .leashLog: return try LeashLogImporter(window)
  case .gpx: return try GPXImporter(window)
  case .nmea: return try NMEAImporter(window, port: port)
  case .text: return try CSVImporter(window)
  case .unknown(let found):
    throw RecordingError(kind: .malformed, file: source.name, line: 1, found: found, expected: recordingFormats)
  }
}

/// What the bytes at the beginning of a window look like; they stay in it.
///
/// - Throws: When there are none.
func contentKind(of window: ByteWindow, expectation: String) throws(RecordingError) -> ContentKind {
  _ = window.require(4096)
  let bytes = UnsafeBufferPointer(start: window.pointer, count: min(window.count, 4096))
  if bytes.isEmpty {
    if let failure = window.failure { throw failure }
    throw RecordingError(
      kind: .malformed, file: window.source.name, found: "the file is empty", expected: expectation)
  }
  return ContentKind(bytes)
}

private let recordingFormats = "a Leash log, NMEA 0183 log, GPX, inertial or GNSS CSV, or a phone export's folder"

/// What the first bytes of a file look like.
enum ContentKind: Equatable {
  case leashLog
  case gpx
  case nmea
  case text
  case unknown(String)

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    if LeashLogReader.recognizes(bytes) {
      self = .leashLog
      return
    }
    if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      self = .unknown("a zip archive, which must be unpacked first")
      return
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      self = .unknown("text in UTF-16, which must be saved as UTF-8 first")
      return
    }
    if bytes.count >= 16, bytes.prefix(16).allSatisfy({ $0 == 0 }) {
      self = .unknown("zeros, as a power cut may leave them")
      return
    }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let first = bytes.dropFirst(start).first { $0 > 0x20 }
    if first == 0x3C {
      let looksLikeGPX = ContentKind.contains("<gpx", in: bytes) || ContentKind.contains(":gpx", in: bytes)
      self = looksLikeGPX ? .gpx : .unknown("XML or HTML without <gpx>")
      return
    }
    if ContentKind.containsSentence(bytes) {
      self = .nmea
      return
    }
    let controls = bytes.count { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    if bytes.contains(0) || controls * 20 > bytes.count {
      self = .unknown("binary data")
      return
    }
    self = .text
  }

  private static func contains(_ text: StaticString, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let length = text.utf8CodeUnitCount
    guard bytes.count >= length, let base = bytes.baseAddress else { return false }
    for place in 0...(bytes.count - length) where memcmp(base + place, text.utf8Start, length) == 0 { return true }
    return false
  }

  /// `$` or `!`, five or more capital letters or digits (three or more after `P`), a comma.
  private static func containsSentence(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var place = 0
    var isComment = bytes.first == 0x23
    while place < bytes.count {
      let byte = bytes[place]
      if byte == 0x0A || byte == 0x0D {
        isComment = place + 1 < bytes.count && bytes[place + 1] == 0x23
      } else if !isComment, byte == 0x24 || byte == 0x21 {
        var end = place + 1
        while end < bytes.count, isDigitOrCapital(bytes[end]) { end += 1 }
        if end < bytes.count, bytes[end] == 0x2C, end - place >= 5, end - place <= 12 { return true }
      }
      place += 1
    }
    return false
  }

  private static func isDigitOrCapital(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || byte &- 0x41 < 26 }
}
