import BoardHealth
import Foundation
import InlineStorage
import LinuxDevices
import Quantities
import SensorFrames
import Testing

@testable import LeashTool

/// A board at the other end of a pseudo-terminal, which answers lines as a test says; it has the firmware's reader of lines.
private final class BenchBoard: Sendable {
  let path: String
  private let wakeUp: WakeUp
  private let isDone = DispatchSemaphore(value: 0)
  private let lock = NSLock()
  nonisolated(unsafe) private var heard: [String] = []

  /// - Parameter answer: What the board sends for a line, and how often that came before.
  init(_ answer: @escaping @Sendable (String, Int) -> String) throws {
    let terminal = try PseudoTerminal()
    path = terminal.path
    wakeUp = try WakeUp()
    nonisolated(unsafe) let terminalOfThread = terminal
    let thread = Thread { [self] in
      serve(terminalOfThread, answer)
      isDone.signal()
    }
    thread.start()
  }

  func end() {
    wakeUp.signal()
    isDone.wait()
  }

  /// The lines that came.
  var lines: [String] { lock.withLock { heard } }

  private func serve(_ terminal: PseudoTerminal, _ answer: (String, Int) -> String) {
    var line: [UInt8] = []
    var wait = EventWait()
    wait.add(terminal.descriptor)
    wait.add(wakeUp.descriptor)
    while true {
      wait.wait(until: nil)
      if wait.isReadable(1) { return }
      for byte in (try? terminal.read()) ?? [] {
        guard byte == 0x0A else {
          line.append(byte)
          continue
        }
        let text = String(decoding: line, as: UTF8.self)
        line = []
        guard !text.isEmpty else { continue }
        let count = lock.withLock { heard.count { $0 == text } }
        lock.withLock { heard.append(text) }
        _ = try? terminal.write(Array(answer(text, count).utf8)[...])
      }
    }
  }
}

private let status =
  #"{"cause":"watchdog","restarts":2,"leftOut":["sensor"],"uptime":12.500,"ports":{"console":{"bytes":7,"lost":0}}}"#

/// A board that has a status, and else what a test says.
private func withBoard(
  _ answer: @escaping @Sendable (String, Int) -> String = { _, _ in "" }, _ body: (BenchBoard) throws -> Void
) throws {
  let board = try BenchBoard { line, count in
    line == "@status" ? "{\"event\":\"parked\"}\n@status \(status)\n" : answer(line, count)
  }
  defer { board.end() }
  try body(board)
}

private func encoded(_ bytes: [UInt8]) -> String {
  var line = InlineBytes<512>()
  ConsolePiece(bytes.span).encode(into: &line)
  return String(decoding: (0..<line.count).map { line[$0] }, as: UTF8.self)
}

@Suite struct BenchBoardTests {
  @Test func theStatusOfABoardIsShownInLinesOrAsJSON() throws {
    try withBoard { board in
      let run = ToolRun("bench-board", board.path)
      #expect(run.code == .success && run.err.isEmpty)
      #expect(
        run.lines == [
          "cause                watchdog", "restarts             2", "leftOut              sensor",
          "uptime               12.500",
          "ports.console.bytes  7", "ports.console.lost   0",
        ])
      let asJSON = ToolRun("bench-board", board.path, "status", "--json")
      #expect(asJSON.out == status + "\n")
    }
  }

  @Test func aBoardThatHasHeardGarbageIsAskedAgain() throws {
    try withBoard({ line, count in
      line != "@fault"
        ? "" : count < 2 ? "@garbage {\"reason\":\"command\",\"lines\":1,\"bytes\":5}\n" : "@fault null\n"
    }) { board in
      let run = ToolRun("bench-board", board.path, "fault")
      #expect(run.code == .success && run.out == "no crash is known since the board got power\n", "\(run.err)")
      #expect(board.lines.count { $0 == "@fault" } == 3)
    }
  }

  @Test func whereNoBoardAnswersOneLineSaysWhatWasTried() throws {
    let board = try BenchBoard { _, _ in "\u{1}noise\n" }
    defer { board.end() }
    let run = ToolRun("bench-board", board.path, "--timeout", "0.1")
    #expect(run.code == .environment && run.out.isEmpty)
    #expect(
      run.err
        == "leash bench-board: \(board.path): no board answers (sent @status 3 times at 115200 bit/s, 21 bytes came); "
        + "is it the console of a live image, are TX and RX crossed?\n")
    try withBoard { board in
      let run = ToolRun("bench-board", board.path, "fault", "--timeout", "0.1")
      #expect(run.code == .environment)
      #expect(run.err == "leash bench-board: \(board.path): the board does not answer @fault within 0.1 s\n")
    }
  }

  @Test func aCheckThatFailsIsTheExitCode() throws {
    for (passed, code) in [(true, ExitCode.success), (false, .checkFailed)] {
      try withBoard({ line, _ in
        line == "@self-test"
          ? "@self-test {\"passed\":\(passed),\"checks\":{\"flash\":\"\(passed ? "ok" : "failed")\"}}\n" : ""
      }) { board in
        let run = ToolRun("bench-board", board.path, "self-test")
        #expect(run.code == code && run.lines.last == "checks.flash  \(passed ? "ok" : "failed")")
      }
    }
    try withBoard({ line, _ in line == "@self-test" ? "@self-test null\n" : "" }) { board in
      #expect(ToolRun("bench-board", board.path, "self-test").code == .checkFailed)
    }
  }

  @Test func theTailIsWhatTheBoardHasUpToItsEnd() throws {
    try withBoard({ line, _ in
      line == "@tail" ? "@tail {\"a\":1}\n@tail {\"b\":2}\n@tail end 2\n{\"c\":3}\n" : ""
    }) { board in
      #expect(ToolRun("bench-board", board.path, "tail").out == "{\"a\":1}\n{\"b\":2}\n")
    }
  }

  @Test func theLogIsFetchedPieceByPieceAndADamagedOneAgain() throws {
    let log = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 3) }
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "fetched.leash").path
    try withBoard({ line, count in
      if line == "@log" { return "@log 1000\n" }
      guard let place = Int(line.dropFirst(5)) else { return "" }
      let piece = encoded(Array(log[place..<min(place + 128, 1000)]))
      // Each third piece comes with a changed digit first; events come in between.
      return "{\"event\":1}\n@log \(place) \(place % 3 == 0 && count == 0 ? "F" + piece.dropFirst() : piece)\n"
    }) { board in
      let run = ToolRun("bench-board", board.path, "log", file)
      #expect(run.code == .success && run.out == "\(file): 1000 bytes\n", "\(run.err)")
      let fetched = try Data(contentsOf: URL(filePath: file))
      #expect(Array(fetched) == log)
    }
    try withBoard({ line, _ in line == "@log" ? "@log 10\n" : "@log 0  00000000\n" }) { board in
      let run = ToolRun("bench-board", board.path, "log", file)
      #expect(run.code == .environment)
      #expect(run.err == "leash bench-board: \(board.path): the board can't read its log at byte 0\n")
    }
  }

  @Test func sentencesOfAFileGoToTheReceiverWhole() throws {
    let folder = try TemporaryFolder()
    let text = (0..<30).map { "$GPGGA,\($0),,,,,0,,,,,,,,*00\r\n" }.joined()
    let file = try folder.file("a.nmea", text.utf8)
    try withBoard({ line, _ in
      let words = line.split(separator: " ")
      guard words.count == 4, words[0] == "@inject" else { return "" }
      return "@inject {\"port\":\"\(words[1])\",\"bytes\":\(words[2].count / 2),\"total\":0}\n"
    }) { board in
      let run = ToolRun("bench-board", board.path, "inject", file, "--json", "--pace", "1000000")
      #expect(
        run.code == .success && run.out.hasPrefix("{\"receiver\":\(text.utf8.count),\"sensor\":0,\"leftOut\":0,"),
        "\(run.err)")
      var bytes: [UInt8] = []
      var reader = ConsoleReader()
      for line in board.lines {
        for byte in Array((line + "\n").utf8) {
          if case .command(.inject(.receiver, let piece)) = reader.receive(byte) {
            bytes += (0..<piece.bytes.count).map { piece.bytes[$0] }
          }
        }
      }
      #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
    try withBoard({ line, _ in
      line.hasPrefix("@inject") ? "@inject {\"port\":\"receiver\",\"bytes\":0,\"total\":0}\n" : ""
    }) {
      board in
      let run = ToolRun("bench-board", board.path, "inject", file)
      #expect(run.code == .environment)
      #expect(run.err.hasSuffix("the board leaves out its receiver, so nothing can stand in for it\n"), "\(run.err)")
    }
  }

  @Test func aRecordingIsPlayedAtItsOwnPaceOrAtThatOfItsDevice() throws {
    let folder = try TemporaryFolder()
    let frames = try folder.file("frames", [UInt8](repeating: 0x55, count: 2200))
    let sentences = try folder.file("sentences", String(repeating: "$GPRMC\n", count: 1646).utf8)
    let played = try BoardRecording(path: frames, bytesPerSecond: nil)
    #expect(played.pieces.allSatisfy { $0.port == .sensor } && played.pieces.map(\.bytes.count).reduce(0, +) == 2200)
    #expect(played.pieces.last?.due == Interval(microseconds: 1_978_181))
    let told = try BoardRecording(path: sentences, bytesPerSecond: nil)
    #expect(told.pieces.allSatisfy { $0.port == .receiver } && told.pieces[90].due == .seconds(1))
    #expect(try BoardRecording(path: sentences, bytesPerSecond: 128).pieces[90].due == .seconds(90))
    let log = folder.url.appending(path: "a.leash").path
    let nmea = Places.fixtures.appending(path: "nmea/bt451.log")
    #expect(ToolRun("replay", "--json", "--record", log, nmea.path).code == .success)
    let recorded = try BoardRecording(path: log, bytesPerSecond: nil)
    let sent = recorded.pieces.filter { $0.port == .receiver }.flatMap(\.bytes)
    let original = try Data(contentsOf: nmea)
    // The remarks at its head are no sentences.
    #expect(sent.count > 7000 && Data(sent) == original.suffix(sent.count))
    #expect(zip(recorded.pieces, recorded.pieces.dropFirst()).allSatisfy { $0.due <= $1.due })
  }

  @Test func aSampleBecomesFramesThatAreReadAsTheSample() {
    for number in 0..<2000 {
      let part = Float(number - 1000) / 1000
      let sample = InertialSample(
        time: .zero, angularRate: Vector3(30 * part, -20 * part, 0.001),
        specificForce: Vector3(100 * part, 9.8, -50 * part))
      var frames = WitMotionFrames()
      let found = BoardRecording.frames(of: sample).compactMap { frames.receive($0) }
      #expect(frames.junkCount == 0 && found.count == 2)
      for frame in found {
        switch frame {
        case .specificForce(let force):
          #expect((force - Vector3(100 * part, 9.8, -50 * part)).length < 0.005)
        case .angularRate(let rate): #expect((rate - Vector3(30 * part, -20 * part, 0.001)).length < 0.0012)
        default: Issue.record("\(frame)")
        }
      }
    }
    // What a sensor can't say is said as the end of its range.
    var frames = WitMotionFrames()
    let wild = InertialSample(time: .zero, angularRate: Vector3(1e9, -.infinity, .nan), specificForce: nil)
    let found = BoardRecording.frames(of: wild).compactMap { frames.receive($0) }
    let end = Float(WitMotionFrames.angularRateEnd)
    guard case .angularRate(let rate)? = found.first, found.count == 1 else {
      Issue.record("\(found)")
      return
    }
    #expect(abs(rate.x - end) < 0.002 && abs(rate.y + end) < 0.002 && rate.z == 0)
  }

  @Test func anImageIsSentToABoardOrRefusedInOneLine() throws {
    nonisolated(unsafe) let updating = try UpdatingBoard()
    nonisolated(unsafe) var time: UInt32 = 0
    let folder = try TemporaryFolder()
    let good = try folder.file("good", SignedImage().file.fileBytes)
    let other = try folder.file("other", SignedImage(board: "other").file.fileBytes)
    try withBoard({ line, _ in
      for byte in Array((line + "\n").utf8) { updating.receive(byte) }
      var said: [UInt8] = []
      for _ in 0..<60 {
        time += 1
        said += updating.turn(at: time)
      }
      return String(decoding: said, as: UTF8.self)
    }) { board in
      let refused = ToolRun("bench-board", board.path, "update", other, "--timeout", "0.5")
      #expect(refused.code == .checkFailed && refused.out.isEmpty)
      #expect(
        refused.err
          == "leash bench-board: \(board.path): the board refuses the image: board: it is for the board 'other'; expected one for 'test'\n"
      )
      let sent = ToolRun("bench-board", board.path, "update", good, "--timeout", "0.5", "--json")
      #expect(sent.code == .success && sent.err.isEmpty)
      #expect(
        sent.out.hasPrefix(
          "{\"outcome\":\"received\",\"reason\":null,\"slot\":\"b\",\"version\":\"1.0.2\",\"bytes\":3000,\"place\":3000,\"sent\":3000,"
            + "\"repeated\":0,\"seconds\":") && sent.out.hasSuffix(",\"restarts\":false}\n"), "\(sent.out)")
      #expect(updating.hasWhole)
      let again = ToolRun(["bench-board", board.path, "update", good, "--timeout", "0.5"], isTerminal: true)
      #expect(
        again.code == .success && again.out.contains("version 1.0.2 is whole in slot b: 0 bytes sent in"),
        "\(again.out)")
      #expect(again.err.contains("\u{1B}[2Kthe board is"), "\(again.err)")
    }
    try withBoard({ line, _ in line == "@update" ? "@update null\n" : "" }) { board in
      let run = ToolRun("bench-board", board.path, "update", good)
      #expect(
        run.code == .checkFailed && run.err.hasSuffix("is in no slot and takes no other; expected one such as live-a\n")
      )
    }
    try withBoard { board in
      let run = ToolRun("bench-board", board.path, "update", good, "--timeout", "0.1", "--json")
      #expect(run.code == .environment && run.out.hasPrefix("{\"outcome\":\"silent\","))
      #expect(
        run.err.hasSuffix("the board has become silent at byte 0 of 3000; the same command goes on where it is\n"))
    }
  }

  @Test func mistakesAreToldInOneLineBeforeThePortIsOpened() throws {
    let folder = try TemporaryFolder()
    let nothing = try folder.file("nothing", "hello\n".utf8)
    let cases: [([String], ExitCode, String)] = [
      ([], .usage, "PORT is missing"),
      (
        ["/dev/none", "sttus"], .usage,
        "'sttus' is no question: status, tail, log, inject, self-test, fault, restart, update; did you mean 'status'?"
      ),
      (["/dev/none", "log"], .usage, "log needs a file: leash bench-board PORT log FILE"),
      (["/dev/none", "update"], .usage, "update needs a file: leash bench-board PORT update IMAGE"),
      (
        ["/dev/none", "update", nothing], .environment,
        "\(nothing): 6 bytes; expected a signed image, which begins with a header of 192"
      ),
      (["/dev/none", "status", "file"], .usage, "unexpected argument 'file'"),
      (["/dev/none", "--rate", "0"], .usage, "option '--rate': '0' is not a number of bits per second"),
      (["/dev/none", "--pace", "-1"], .usage, "option '--pace': '-1' is not a number of bytes per second"),
      (["/dev/none", "--timeout", "0"], .usage, "option '--timeout': '0.0' is not a number of seconds above 0"),
      (
        ["/dev/none", "inject", nothing], .environment,
        "\(nothing): neither a Leash log, nor sentences of a receiver, nor frames of a WitMotion sensor; "
          + "leash replay --record makes a log of any recording"
      ),
    ]
    for (arguments, code, message) in cases {
      let run = ToolRun(["bench-board"] + arguments)
      #expect(run.code == code && run.err == "leash bench-board: \(message)\n", "\(run.err)")
    }
    let run = ToolRun("bench-board", "/dev/no-such-port")
    #expect(
      run.code == .environment && run.err.split(separator: "\n").count == 1 && run.err.contains("/dev/no-such-port"))
  }
}
