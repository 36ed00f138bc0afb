import Foundation
import Testing

@testable import LeashTool

/// Every file that can be bad: a clear message, or a counted and reported skip, and never a crash.
@Suite struct BadFileTests {
  @Test func anEmptyDialogueIsAnError() throws {
    let folder = try TemporaryFolder()
    let run = ToolRun("modem", "play", try folder.file("empty.dialogue", "# nothing\n\n"))
    #expect(run.code == .environment && run.err.contains("empty.dialogue: no dialogue; "), "\(run.err)")
  }

  @Test func aDialogueThatCanNotBeReadIsAnErrorOfTheFile() throws {
    let folder = try TemporaryFolder()
    let run = ToolRun("modem", "play", try folder.file("bad.dialogue", "garbage\n"))
    #expect(run.code == .environment && run.err.contains("bad.dialogue:1: "), "\(run.err)")
  }

  /// What is read at once is read whole, or not at all: a dialogue that was cut would end in other words.
  @Test func aFileThatIsTooLongToBeReadAtOnceIsNamed() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("long.dialogue", "garbage\n")
    #expect(truncate(path, 64 << 20) == 0)
    #expect(try smallBytes(of: path).count == 64 << 20)
    #expect(truncate(path, (64 << 20) + 1) == 0)
    let run = ToolRun("modem", "play", path)
    #expect(run.code == .environment && run.err.contains("long.dialogue: longer than 64 MiB"), "\(run.err)")
  }

  @Test func aWrongSettingIsToldBeforeAWrongFile() throws {
    let folder = try TemporaryFolder()
    let run = ToolRun("replay", "--set", "a=1", try folder.file("bad.csv", "garbage\n"))
    #expect(run.code == .usage && run.err.contains("option '--set': there is no setting 'a'"), "\(run.err)")
  }

  @Test func aShortFileThatIsNoLogIsCalledSo() throws {
    let folder = try TemporaryFolder()
    let text = ToolRun("log", try folder.file("short.txt", "hello world\n"))
    #expect(text.code == .environment && text.err.hasSuffix("short.txt: not a Leash log\n"), "\(text.err)")
    let begun = ToolRun("log", try folder.file("cut.leash", [0x89, 0x4C, 0x53]))
    #expect(begun.err.contains("cut.leash: 3 bytes; expected a Leash log"), "\(begun.err)")
  }

  @Test func oneIsCountedInTheSingular() throws {
    let folder = try TemporaryFolder()
    let rows = "t_s,lat_deg,lon_deg\n0,52,4\nx,52,4\n2,52,4\n"
    let run = ToolRun("replay", try folder.file("one.csv", rows))
    #expect(run.err.contains("one.csv:3: skipped 1 row with a field that is not a number\n"), "\(run.err)")
    let two = ToolRun("replay", try folder.file("two.csv", rows + "y,52,4\n"))
    #expect(two.err.contains("skipped 2 rows with a field that is not a number, the first here"), "\(two.err)")
    let open = ToolRun("decode", #"{"_type":"lwt""#)
    #expect(open.err.hasPrefix("leash decode: ") && open.err.contains("1 bracket is not closed"), "\(open.err)")
  }

  private static let header = "t_s,utc,lat_deg,lon_deg,alt_m,speed_mps,course_deg,hacc_m"

  /// A ride of 40 s and a stop of 10 s as rows.
  private static let rows: [String] = (0..<50).map { second in
    let north = Double(min(second, 40)) * 5 / 111_267
    return "\(second),,\(52 + north),4.0,10,\(second < 40 ? 5 : 0),,5"
  }

  private func replay(_ text: String, _ arguments: String...) throws -> ToolRun {
    let folder = try TemporaryFolder()
    return ToolRun(["replay", "--json"] + arguments + [try folder.file("ride.csv", text)])
  }

  private func text(_ rows: [String], header: String = BadFileTests.header, end: String = "\n") -> String {
    ([header] + rows).joined(separator: end) + end
  }

  @Test func lineEndsMarksAndTheOrderOfColumnsChangeNothing() throws {
    let plain = try replay(text(BadFileTests.rows)).out
    #expect(plain.contains("rideStarted"))
    #expect(try replay(text(BadFileTests.rows, end: "\r\n")).out == plain)
    #expect(try replay("\u{FEFF}" + text(BadFileTests.rows)).out == plain)
    #expect(try replay(String(text(BadFileTests.rows).dropLast())).out == plain)
    let turned = BadFileTests.rows.map { row in
      let cells = row.split(separator: ",", omittingEmptySubsequences: false)
      return "x,\(cells[5]),\(cells[3]),\(cells[2]),\(cells[7]),\(cells[4]),\(cells[0])"
    }
    let other = try replay(text(turned, header: "note,speed_mps,lon_deg,lat_deg,hacc_m,alt_m,t_s"))
    #expect(other.out == plain)
  }

  @Test func badRowsAreSkippedAndCounted() throws {
    let plain = try replay(text(BadFileTests.rows)).out
    for (bad, words) in [
      ("13.2,,south,4,,,,", "not a number"), ("13.2,,95,4,,,,", "out of range"), ("13.2,,52", "fewer fields"),
      ("3,,52,4,10,5,,5", "backwards"), ("13,,52,4,10,5,,5", "time of the row before"),
    ] {
      var rows = BadFileTests.rows
      rows.insert(bad, at: 14)
      let run = try replay(text(rows))
      #expect(run.code == .success)
      #expect(run.out == plain, "\(bad)")
      #expect(run.problems.count == 1 && run.err.contains(words) && run.err.contains("ride.csv:16"), "\(run.err)")
    }
  }

  @Test func cellsThatAreNoNumbersCountAsMissing() throws {
    var rows = BadFileTests.rows
    rows[20] = "20,,NaN,NaN,NaN,inf,,5"
    let run = try replay(text(rows))
    #expect(run.code == .success && run.err.contains("NaN or infinite"))
    #expect(!run.out.contains("nan"))
  }

  @Test func gapsOfHoursAndDaysAreNoRide() throws {
    for gap in [3700.0, 864_000] {
      let late = BadFileTests.rows.map { row in
        let cells = row.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        return "\(100 + gap + (Double(cells[0]) ?? 0)),\(cells[1])"
      }
      let run = try replay(text(BadFileTests.rows + late))
      #expect(run.code == .success)
      let objects = try run.objects()
      let rides = objects.compactMap { $0["ride"] as? [String: Any] }
      #expect(rides.count == 1)
      #expect((rides.first?["duration"] as? Double ?? 0) < 60)
      #expect(objects.contains { $0["event"] as? String == "armed" })
    }
  }

  @Test(arguments: [
    ("empty", "", "is empty"), ("header only", header + "\n", "no row"),
    ("words", "This is no recording at all.\n", "expected"),
    ("other columns", "a,b,c\n1,2,3\n", "t_s"), ("web page", "<html><body>404</body></html>\n", "GPX"),
    ("all rows bad", header + "\nx,y,z,,,,,\nx,y,z,,,,,\n", "ride.csv"),
  ])
  func aFileThatIsNoneIsRefusedInOneLine(name: String, content: String, words: String) throws {
    let run = try replay(content)
    #expect(run.code == .environment, "\(name): \(run.err)")
    #expect(run.problems.count == 1 && run.err.contains("ride.csv") && run.err.contains(words), "\(name): \(run.err)")
  }

  @Test func binaryZipAndHugeNumbersDoNotCrash() throws {
    let folder = try TemporaryFolder()
    var noise: [UInt8] = []
    var state: UInt64 = 7
    for _ in 0..<20_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      noise.append(UInt8(truncatingIfNeeded: state >> 40))
    }
    for (name, bytes) in [
      ("noise", noise), ("archive.zip", [0x50, 0x4B, 3, 4] + noise), ("zeros", [UInt8](repeating: 0, count: 4000)),
    ] {
      for command in ["replay", "nmea"] {
        let run = ToolRun(command, try folder.file(name, bytes))
        #expect(run.code == .environment && run.err.contains(name), "\(command) \(name): \(run.err)")
      }
    }
    for time in ["1e300", "-1e300", "9223372036854775807", "-5", "1e15"] {
      let run = try replay(text(["\(time),,52,4,,,,"] + BadFileTests.rows))
      #expect(run.code == .success || run.problems.count >= 1, "\(time): \(run.err)")
    }
  }

  @Test func aPackedFileThatEndsTooEarlyGivesWhatWasThereAndSaysSo() throws {
    let folder = try TemporaryFolder()
    let packed = try Array(Data(contentsOf: URL(filePath: Places.ardennes)))
    let run = ToolRun("replay", "--json", try folder.file("ride.csv.gz", packed.prefix(packed.count / 2)))
    #expect(run.code == .environment && run.err.contains("ride.csv.gz"))
    #expect(run.out.contains("rideStarted"))
  }

  @Test func missingFilesAndFoldersAreNamed() throws {
    let folder = try TemporaryFolder()
    for path in [folder.path("none.csv"), folder.url.path, "/dev/null"] {
      for command in ["replay", "nmea", "log"] {
        let run = ToolRun(command, path)
        #expect(run.code == .environment && run.problems.count == 1, "\(command) \(path): \(run.err)")
        #expect(run.err.contains(path), "\(run.err)")
      }
    }
  }
}
