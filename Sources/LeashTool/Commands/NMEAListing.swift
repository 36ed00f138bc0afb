import NMEA
import Quantities
import Recording
import TrackerRuntime
import Telemetry

/// Reads one NMEA log and lists its epochs.
struct NMEAListing: ~Copyable {
  private let path: String
  private let isJSON: Bool
  private let console: Console
  private var receiver = NMEAReceiver()
  private var encoder = TPVEncoder()
  private var epochs = 0
  private var progress: ProgressLine

  init(_ path: String, isJSON: Bool, console: Console) {
    self.path = path
    self.isJSON = isJSON
    self.console = console
    progress = ProgressLine(console)
  }

  /// Reads to the end.
  ///
  /// - Throws: When the file can't be read, or holds no NMEA sentence at all; what could be read is listed before.
  mutating func run() throws(CommandFailure) {
    var failure: RecordingError?
    do throws(RecordingError) {
      try read(from: ByteSource(path: path))
    } catch {
      failure = error
    }
    receiver.finish()
    listFixes()
    progress.clear()
    tellCounts()
    if let failure { throw CommandFailure(failure) }
    let counts = receiver.rejections
    // Noise may hold what looks like a sentence but for its address.
    if Int(counts.acceptedSentences) <= Int(counts.malformedAddress) {
      throw .environment("\(path): no NMEA 0183 sentence in it; expected lines such as $GPRMC,…*hh")
    }
  }

  private mutating func read(from source: ByteSource) throws(RecordingError) {
    let capacity = 65_536
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    defer { buffer.deallocate() }
    while true {
      let count = try source.read(into: buffer, capacity: capacity)
      guard count > 0 else { return }
      give(buffer, count)
    }
  }

  private mutating func give(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) {
    // Slices so small that the fixes of one can wait in the receiver.
    var place = 0
    while place < count {
      let length = min(128, count - place)
      let slice = UnsafeBufferPointer(start: bytes + place, count: length)
      receiver.receive(slice.span, at: .zero)
      listFixes()
      place += length
    }
  }

  private mutating func listFixes() {
    while let fix = receiver.nextFix() {
      if isJSON {
        var out = console.out
        encoder.encode(fix, into: &out)
        console.out.append(0x0A)
      } else {
        if epochs % 1_000_000 == 0 { writeTitles() }
        console.out.writeLine(row(fix))
      }
      epochs += 1
      progress.update("\(path): \(TimeText.count(epochs)) epochs")
    }
  }

  private func writeTitles() {
    console.out.writeLine(
      console.styled(
        "UTC                       mode     latitude     longitude  altitude m   m/s  course  used  HDOP  accuracy m",
        .bold))
  }

  private func row(_ fix: GNSSFix) -> String {
    var time = ByteBuffer()
    if let utc = fix.utc { time.append(iso8601: utc) }
    let mode =
      switch fix.mode {
      case .unknown: "?"
      case .none: "none"
      case .twoDimensional: "2D"
      case .threeDimensional: "3D"
      }
    let degrees = 180 / Double.pi
    let cells: [(String, Int)] = [
      (fixed(fix.position?.latitudeDegrees, 7), 13), (fixed(fix.position?.longitudeDegrees, 7), 14),
      (fixed(fix.heightAboveSeaLevel ?? fix.heightAboveEllipsoid, 1), 12), (fixed(fix.speed, 2), 6),
      (fixed(fix.course.map { $0 * degrees }, 1), 8), (fix.satellitesUsed.map { "\($0)" } ?? "-", 6),
      (fixed(fix.dilution.horizontal.map { Double($0) }, 1), 6), (fixed(fix.horizontalAccuracy, 1), 12),
    ]
    var text = String(decoding: time.bytes, as: UTF8.self)
    if text.isEmpty { text = "-" }
    text +=
      String(repeating: " ", count: max(1, 26 - text.count)) + mode + String(repeating: " ", count: 4 - mode.count)
    for (cell, width) in cells { text += String(repeating: " ", count: max(1, width - cell.count)) + cell }
    return text
  }

  private func fixed(_ value: Double?, _ decimals: Int) -> String {
    value.map { TimeText.decimal($0, decimals) } ?? "-"
  }

  private func tellCounts() {
    let counts = receiver.rejections
    var table = TextTable(("", .right), ("", .left))
    let rows: [(UInt64, String)] = [
      (UInt64(epochs), "epochs"),
      (UInt64(counts.acceptedSentences), "sentences with a valid checksum, or without one"),
      (UInt64(counts.missingChecksum), "of these without a checksum"),
      (UInt64(counts.wrongChecksum), "refused: wrong checksum"),
      (UInt64(counts.overLong), "refused: too long"),
      (UInt64(counts.binary), "refused: cut off by an invalid byte"),
      (UInt64(counts.interrupted), "refused: cut off by the next sentence"),
      (UInt64(counts.tooFewFields), "of these unused: too few fields"),
      (UInt64(counts.malformedAddress), "of these unused: malformed address"),
      (UInt64(counts.malformedField), "with an invalid field, treated as unknown"),
      (UInt64(counts.unknownSentence), "ignored: sentences without use for a tracker"),
      (UInt64(counts.proprietary), "ignored: manufacturer's own"),
      (UInt64(counts.encapsulated), "ignored: AIS and similar"),
      (counts.junkBytes, "bytes outside sentences, comments included"),
      (UInt64(counts.droppedFixes), "epochs lost"),
    ]
    for (count, what) in rows where count > 0 { table.add(TimeText.count(Int(clamping: count)), what) }
    let output = isJSON ? console.err : console.out
    output.write((isJSON || epochs == 0 ? "" : "\n") + "\(path)\n" + table.text(indent: 2))
  }
}
