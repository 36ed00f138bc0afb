import Glibc
import Quantities

/// Writes what went over a line to a file, byte for byte, so that it can be read, compared and sent again.
final class TranscriptWriter {
  private let out: ByteOutput
  private let descriptor: Int32
  private let path: String
  private let origin: Instant
  /// What the modem has said of a line that is not over, and when it began.
  private var pending: [UInt8] = []
  private var pendingTime = Instant.zero

  /// The first words of the file.
  static let title = "# leash modem transcript 1"

  /// Begins a file, in place of what it held.
  init(path: String, port: String, bitsPerSecond: Int, origin: Instant) throws(CommandFailure) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .environment("\(path): \(String(cString: strerror(errno)))") }
    self.path = path
    self.origin = origin
    out = ByteOutput(descriptor: descriptor, flushesLines: true)
    out.writeLine("\(TranscriptWriter.title), port \(port), \(bitsPerSecond) bit/s")
    out.writeLine("# seconds, > host or < modem, bytes")
  }

  deinit {
    writePending()
    out.flush()
    close(descriptor)
  }

  /// Adds bytes as they went over the line. What the modem says is put together to lines: a slow line gives a byte a time.
  func add(_ speaker: TalkSpeaker, _ bytes: [UInt8], at now: Instant) {
    guard !bytes.isEmpty else { return }
    guard speaker == .modem else {
      writePending()
      write(speaker, bytes, at: now)
      return
    }
    if pending.isEmpty { pendingTime = now }
    pending += bytes
    if pending.last == 0x0A { writePending() }
  }

  private func writePending() {
    if !pending.isEmpty { write(.modem, pending, at: pendingTime) }
    pending = []
  }

  private func write(_ speaker: TalkSpeaker, _ bytes: [UInt8], at time: Instant) {
    out.writeLine(
      "\(TimeText.decimal((time - origin).secondsDouble, 6)) \(speaker.sign) \(EscapedBytes.escaped(bytes))")
  }

  /// Fails when the file could not be written to its end.
  func finish() throws(CommandFailure) {
    writePending()
    out.flush()
    if let failure = out.failure { throw .environment("\(path): \(String(cString: strerror(failure)))") }
  }
}

/// A transcript, read again.
struct Transcript {
  /// One line of it.
  struct Entry: Equatable {
    /// Microseconds since the beginning.
    var time: Interval
    /// True for what the host sent.
    var isHost: Bool
    /// The bytes.
    var bytes: [UInt8]
  }

  var entries: [Entry] = []

  /// Reads a transcript; a line that makes no sense is told with its number.
  init(text: String, path: String) throws(CommandFailure) {
    guard text.hasPrefix(TranscriptWriter.title) else {
      throw .environment("\(path): not a log of leash modem talk --log; expected '\(TranscriptWriter.title)' first")
    }
    for (place, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      guard words.count == 3, let time = Double(words[0]), abs(time) < 1e9, words[1] == ">" || words[1] == "<",
        let bytes = EscapedBytes.bytes(words[2])
      else {
        throw .environment("\(path):\(place + 1): expected 'SECONDS > BYTES' or 'SECONDS < BYTES'")
      }
      entries.append(
        Entry(time: Interval(microseconds: Int64(time * 1_000_000)), isHost: words[1] == ">", bytes: bytes))
    }
    guard entries.contains(where: \.isHost) else {
      throw .environment("\(path): contains no lines sent by the host")
    }
  }
}
