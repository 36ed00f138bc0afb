import BoardHealth
import Glibc
import InlineStorage
import ASCIIText
import JSON5
import LinuxDevices
import Quantities

/// The questions of `leash bench-board`, one after the other.
struct BoardBench {
  let session: BoardSession
  let console: Console
  let path: String
  let isJSON: Bool

  /// Prints an answer: as it came, or its members in lines.
  ///
  /// - Parameter nothing: What to say where the board has nothing to tell.
  func show(_ question: String, _ nothing: String) throws(CommandFailure) -> ExitCode {
    show(try answer(question), nothing)
    return .success
  }

  private func show(_ answer: (text: String, value: JSON5Value), _ nothing: String) {
    if isJSON { return console.out.writeLine(answer.text) }
    guard answer.value.content != .null else { return console.out.writeLine(nothing) }
    var table = TextTable(("", .left), ("", .left))
    BoardBench.add(answer.value, named: "", to: &table)
    console.out.write(table.text())
  }

  private func answer(_ question: String) throws(CommandFailure) -> (text: String, value: JSON5Value) {
    let text = try session.ask(question, answeredBy: question)
    do throws(JSON5Problem) {
      return (text, try JSON5Value(reading: text))
    } catch {
      throw .environment("\(path): the answer to \(question) is no JSON: \(error)")
    }
  }

  private static func add(_ value: JSON5Value, named name: String, to table: inout TextTable) {
    switch value.content {
    case .object(let members):
      for member in members {
        add(member.value, named: name.isEmpty ? member.key : "\(name).\(member.key)", to: &table)
      }
    case .array(let values): table.add(name, values.isEmpty ? "nothing" : values.map(text).joined(separator: ", "))
    default: table.add(name, text(value))
    }
  }

  private static func text(_ value: JSON5Value) -> String {
    switch value.content {
    case .null: "nothing"
    case .boolean(let flag): flag ? "yes" : "no"
    case .number(let number): number.text
    case .string(let text): text
    case .array, .object: "…"
    }
  }

  /// The checks of the board; they have failed when one is not `ok`.
  func selfTest() throws(CommandFailure) -> ExitCode {
    let answer = try answer("@self-test")
    show(answer, "the board leaves out its tracker, and with it the self-test")
    guard case .object(let members) = answer.value.content else { return .checkFailed }
    return members.contains { $0.key == "passed" && $0.value.content == .boolean(true) } ? .success : .checkFailed
  }

  /// The last events and packets, and those that come.
  func tail(follows: Bool) throws(CommandFailure) -> ExitCode {
    var line = try session.ask("@tail", answeredBy: "@tail")
    while !line.hasPrefix("end ") {
      console.out.writeLine(line)
      guard let next = try session.nextLine(until: MonotonicClock.now + .seconds(3)) else {
        throw .environment("\(path): the answer to @tail has no end")
      }
      line = next.hasPrefix("@tail ") ? String(next.dropFirst(6)) : next
    }
    console.out.flush()
    while follows, let line = try session.nextLine(until: nil) {
      console.out.writeLine(line)
      console.out.flush()
    }
    return .success
  }

  /// Fetches the log as long as it is now, which ends with a whole record.
  func fetchLog(into name: String) throws(CommandFailure) -> ExitCode {
    guard let length = UInt64(try session.ask("@log", answeredBy: "@log")) else {
      throw .environment("\(path): the board leaves out its tracker, and with it the log")
    }
    let descriptor = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .environment("\(name): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    let out = ByteOutput(descriptor: descriptor, flushesLines: false)
    var place: UInt64 = 0
    while place < length {
      let bytes = try piece(at: place)
      guard !bytes.isEmpty else { throw .environment("\(path): the board can't read its log at byte \(place)") }
      let taken = Array(bytes.prefix(Int(length - place)))
      out.append(bytes: taken.span)
      place += UInt64(taken.count)
    }
    out.flush()
    if let failure = out.failure { throw .environment("\(name): \(String(cString: strerror(failure)))") }
    console.out.writeLine(isJSON ? "{\"bytes\":\(length)}" : "\(name): \(length) bytes")
    return .success
  }

  /// Some bytes of the log; a piece that a line has damaged is asked for again.
  private func piece(at place: UInt64) throws(CommandFailure) -> [UInt8] {
    for _ in 0..<3 {
      let answer = Array(try session.ask("@log \(place)", answeredBy: "@log \(place)").utf8)
      // Nothing is no word.
      if answer == Array(" 00000000".utf8) { return [] }
      var words = TextWords()
      if let piece = ConsolePiece(reading: &words, in: answer.span) {
        return (0..<piece.bytes.count).map { piece.bytes[$0] }
      }
    }
    throw .environment("\(path): the piece of the log at byte \(place) came damaged three times")
  }

  /// Plays a recording into the ports of the board, each piece at its time.
  func inject(_ recording: BoardRecording?) throws(CommandFailure) -> ExitCode {
    guard let recording else { return .usage }
    let start = MonotonicClock.now
    var counts: [InjectedPort: Int] = [:]
    var late = Interval.zero
    for piece in recording.pieces {
      try session.sleep(until: start + piece.due)
      late = max(late, MonotonicClock.now - (start + piece.due))
      var line = InlineBytes<416>()
      line.append("@inject ")
      line.append(piece.port.name)
      line.append(" ")
      ConsolePiece(piece.bytes.span).encode(into: &line)
      let text = String(decoding: (0..<line.count).map { line[$0] }, as: UTF8.self)
      let answer = try session.ask(text, answeredBy: "@inject", isRepeated: false)
      guard answer.contains("\"bytes\":\(piece.bytes.count),") else {
        throw .environment("\(path): the board leaves out its \(piece.port.name), so nothing can stand in for it")
      }
      counts[piece.port, default: 0] += piece.bytes.count
    }
    let receiver = counts[.receiver] ?? 0
    let sensor = counts[.sensor] ?? 0
    let seconds = (MonotonicClock.now - start).secondsDouble
    if isJSON {
      console.out.writeLine(
        "{\"receiver\":\(receiver),\"sensor\":\(sensor),\"leftOut\":\(recording.leftOutCount),"
          + "\"seconds\":\(TimeText.decimal(seconds, 3)),\"late\":\(TimeText.decimal(late.secondsDouble, 3))}")
    } else {
      console.out.writeLine(
        "\(receiver) bytes for the receiver, \(sensor) for the sensor, in \(TimeText.decimal(seconds, 1)) s; "
          + "the latest came \(TimeText.decimal(late.secondsDouble, 3)) s after its time"
          + (recording.leftOutCount > 0 ? "; \(recording.leftOutCount) records of the log are for neither" : ""))
    }
    return .success
  }

  /// Lets the board restart, and waits until it has.
  func restart() throws(CommandFailure) -> ExitCode {
    _ = try session.ask("@restart", answeredBy: "@restart", isRepeated: false)
    let deadline = MonotonicClock.now + .seconds(10)
    while let line = try session.nextLine(until: deadline) {
      guard line.hasPrefix("@start ") else { continue }
      console.out.writeLine(isJSON ? String(line.dropFirst(7)) : "the board has restarted")
      return .success
    }
    throw .environment("\(path): the board has not started within 10 s")
  }
}
