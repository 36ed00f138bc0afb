import Glibc
import Testing

@testable import LeashTool

@Test func numbersStandOnTheRightAndLinesHaveNoSpacesAtTheirEnds() {
  var table = TextTable(("name", .left), ("count", .right), ("note", .left))
  table.add("checksum", "3", "")
  table.add("é", "1200", "largest")
  table.add("x")
  #expect(table.text(indent: 1) == " name      count  note\n checksum      3\n é          1200  largest\n x\n")
}

@Test func aTableWithoutTitlesHasNoTitleLine() {
  var table = TextTable(("", .left), ("", .right))
  table.add("a", "10")
  table.add("bcd", "9")
  #expect(table.text() == "a    10\nbcd   9\n")
}

@Test func styledTextIsPlainWithoutColour() {
  #expect(Console.captured().styled("x", .red) == "x")
  #expect(Console.captured(usesColour: true).styled("x", .red) == "\u{1B}[31mx\u{1B}[0m")
}

@Test func progressIsShownTenTimesASecondAtMostAndTakenAway() {
  let console = Console.captured(isTerminal: true, width: 8)
  var now: Int64 = 0
  var madeCount = 0
  withoutActuallyEscaping({ now }) { clock in
    var progress = ProgressLine(console, clock: clock)
    for millisecond in 0..<250 {
      now = Int64(millisecond) * 1000
      progress.update(
        {
          madeCount += 1; return "at \(millisecond) of 250"
        }())
    }
    progress.clear()
    progress.clear()
  }
  #expect(madeCount == 3)
  #expect(console.errText == "\r\u{1B}[2Kat 0 of\r\u{1B}[2Kat 100 \r\u{1B}[2Kat 200 \r\u{1B}[2K")
}

@Test func progressIsSilentWithoutATerminal() {
  let console = Console.captured()
  var progress = ProgressLine(console)
  progress.update("nobody sees this")
  progress.clear()
  #expect(console.errText == "")
}

@Test func outputOfAnySizeArrivesInOrder() {
  let output = ByteOutput()
  var expected: [UInt8] = []
  for size in [0, 1, 65_535, 65_536, 65_537, 3, 200_000] {
    let text = String(repeating: Character(UnicodeScalar(UInt8(0x61 + size % 26))), count: size)
    output.write(text)
    output.append(0x2C)
    output.append(";")
    expected += Array((text + ",;").utf8)
  }
  output.flush()
  #expect(output.captured == expected)
}

@Test func aFullDiskIsRemembered() {
  let descriptor = open("/dev/full", O_WRONLY)
  let output = ByteOutput(descriptor: descriptor, flushesLines: false)
  output.write("x")
  #expect(output.failure == nil)
  output.flush()
  #expect(output.failure == ENOSPC)
  close(descriptor)
}

@Test func whatIsDoneInTimeShowsNoProgress() {
  let console = Console.captured(isTerminal: true)
  final class Time { var now: Int64 = 5_000_000 }
  let time = Time()
  var progress = ProgressLine(console, delay: 2_000_000) { time.now }
  progress.update("too early")
  time.now += 1_999_999
  progress.update("too early")
  #expect(console.errText.isEmpty)
  time.now += 1
  progress.update("now")
  #expect(console.errText.contains("now") && !console.errText.contains("early"))
}
