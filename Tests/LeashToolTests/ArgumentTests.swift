import JSON5
import Testing

@testable import LeashTool

private enum Colour: String, CaseIterable, ArgumentValue, Sendable { case red, green }

/// A command with one of everything; it prints what it read.
private enum Sample {
  static let json = Flag("json", "JSON Lines on standard output in place of the readable timeline.")
  static let record = Option<String>("record", "FILE", "Write every input and action to a Leash log.")
  static let rate = Option<Int>("rate", "HERTZ", default: 100, "Samples per second.")
  static let factor = Option<Double>("factor", "X", "A number.")
  static let seed = Option<UInt64>("seed", "SEED", "Where randomness starts.")
  static let colour = Option<Colour>("colour", "COLOUR", default: .red, "The colour.")
  static let first = Positional("FIRST", "What comes first.")
  static let files = Positional("FILE", count: .any, "Recordings, merged by time.")

  static let command = Command(
    "sample", "Show what was read",
    discussion:
      "First paragraph.\n\nSecond paragraph, which is long enough that it has to be wrapped at the end of a line.",
    parameters: [
      .flag(json), .option(record), .option(rate), .option(factor), .option(seed), .option(colour), .positional(first),
      .positional(files),
    ]
  ) { arguments, console throws(CommandFailure) in
    if arguments[first] == ["fail"] { throw .environment("disk: no space") }
    console.out.writeLine(
      """
      json=\(arguments[json]) record=\(arguments[record] ?? "-") rate=\(arguments[rate] ?? -1) \
      factor=\(arguments[factor] ?? -1) seed=\(arguments[seed] ?? 0) colour=\(arguments[colour]?.rawValue ?? "-") \
      records=\(arguments.all(record)) first=\(arguments[first]) files=\(arguments[files]) colours=\(console.usesColour)
      """)
    return .success
  }
  static let root = Command("tool", "A tool for tests", subcommands: [command])
}

private func run(_ words: String..., colour: Bool = false) -> (code: ExitCode, out: String, err: String) {
  let console = Console.captured(usesColour: colour)
  let code = Sample.root.execute(words, console: console)
  return (code, console.outText, console.errText)
}

@Test func optionsTakeTheirValueFromTheNextWordOrBehindAnEqualsSign() {
  let spaced = run("sample", "--record", "a.log", "one", "--json", "--rate", "-5", "two", "three")
  #expect(spaced.code == .success)
  #expect(spaced.out.hasPrefix("json=true record=a.log rate=-5 "))
  #expect(spaced.out.contains(#"first=["one"] files=["two", "three"]"#))
  let joined = run("sample", "--record=a=b", "--record=", "one", "--seed=0xFF", "--factor=2.5", "--colour=green")
  #expect(joined.out.contains(#"records=["a=b", ""]"#))
  #expect(joined.out.contains("rate=100 factor=2.5 seed=255 colour=green"))
}

@Test func everythingBehindTwoDashesIsPositional() {
  let result = run("sample", "one", "--", "--json", "--help", "-")
  #expect(result.out.contains("json=false"))
  #expect(result.out.contains(#"files=["--json", "--help", "-"]"#))
  #expect(run("sample", "-").out.contains(#"first=["-"]"#))
}

@Test func wordsThatBeginWithAMinusAndADigitAreNoOptions() {
  let result = run("sample", "-33.9,-151.2", "-1", "--json", "-.5")
  #expect(result.out.contains(#"json=true"#) && result.out.contains(#"first=["-33.9,-151.2"] files=["-1", "-.5"]"#))
  #expect(run("sample", "-.x", "y").err == "tool sample: unknown option '-.x'\n")
}

@Test func placesInTheSouthAndTheWestAreToldAsTheyAre() throws {
  let folder = try TemporaryFolder()
  let key = try folder.file("key", String(repeating: "0f", count: 32) + "\n")
  for place in ["-33.9,151.2", "-33.9,-151.2"] {
    let signed = ToolRun("request", key, "fence", "2", "set", "garden", "circle", place, "50")
    #expect(signed.code == .success && signed.out.contains("circle \(place) 50 !"), "\(signed.err)")
    let told = ToolRun("tell", "--socket", folder.path("none"), "fence", "2", "set", "garden", "circle", place, "50")
    #expect(told.code == .environment && told.err.contains("no tracker answers"), "\(told.err)")
  }
  let wrong = ToolRun("request", key, "locate", "-1")
  #expect(wrong.code == .usage && wrong.err.contains("can't read '-1'"), "\(wrong.err)")
}

@Test(arguments: [
  (["sample", "--jsn", "x"], "tool sample: unknown option '--jsn'; did you mean '--json'?\n"),
  (["sample", "--recrod=x", "x"], "tool sample: unknown option '--recrod'; did you mean '--record'?\n"),
  (["sample", "--rec", "x"], "tool sample: unknown option '--rec'; did you mean '--record'?\n"),
  (["sample", "--frobnicate", "x"], "tool sample: unknown option '--frobnicate'\n"),
  (["sample", "-j", "x"], "tool sample: unknown option '-j'\n"),
  (["sample", "--record"], "tool sample: option '--record' needs a value: --record FILE\n"),
  (["sample", "--record", "--json"], "tool sample: option '--record' needs a value: --record FILE\n"),
  (["sample", "--json=yes", "x"], "tool sample: option '--json' takes no value\n"),
  (["sample", "--rate", "fast", "x"], "tool sample: option '--rate': 'fast' is not a whole number\n"),
  (["sample", "--factor=nan", "x"], "tool sample: option '--factor': 'nan' is not a number\n"),
  (["sample", "--colour=blue", "x"], "tool sample: option '--colour': 'blue' is not one of red, green\n"),
  (["sample"], "tool sample: FIRST is missing\n"),
  (["smaple"], "tool: unknown command 'smaple'; did you mean 'sample'?\n"),
  (["--versoin"], "tool: unknown option '--versoin'; did you mean '--version'?\n"),
])
func aWrongCallSaysInOneLineWhatIsWrong(words: [String], message: String) {
  let console = Console.captured()
  #expect(Sample.root.execute(words, console: console) == .usage)
  #expect(console.errText == message)
  #expect(console.outText == "")
}

@Test func tooManyArgumentsAreRefused() {
  let command = Command("c", "C", parameters: [.positional(Positional("ONE", "One."))]) { _, _ in .success }
  let console = Console.captured()
  #expect(command.execute(["a", "b"], console: console) == .usage)
  #expect(console.errText == "c: unexpected argument 'b'\n")
}

@Test func aFailureOfTheCommandIsOneLineAndItsExitCode() {
  let result = run("sample", "fail")
  #expect(result.code == .environment)
  #expect(result.err == "tool sample: disk: no space\n")
}

@Test func colourIsSwitchedOffAtEveryLevel() {
  #expect(run("sample", "x", colour: true).out.contains("colours=true"))
  #expect(run("sample", "x", "--no-color", colour: true).out.contains("colours=false"))
  #expect(run("--no-color", "sample", "x", colour: true).out.contains("colours=false"))
}

@Test func helpIsGeneratedFromTheDeclarations() {
  let help = run("sample", "--help")
  #expect(help.code == .success)
  #expect(
    help.out == """
      Show what was read

      Usage: tool sample [OPTIONS] FIRST [FILE…]

      First paragraph.

      Second paragraph, which is long enough that it has to be wrapped at the end of a
      line.

      Arguments:
        FIRST    What comes first.
        [FILE…]  Recordings, merged by time.

      Options:
        --json           JSON Lines on standard output in place of the readable
                         timeline.
        --record FILE    Write every input and action to a Leash log.
        --rate HERTZ     Samples per second. Default: 100.
        --factor X       A number.
        --seed SEED      Where randomness starts.
        --colour COLOUR  The colour. Default: red.
        --no-color       Never colour the output.
        --help           Show this help.

      """)
  #expect(run("help", "sample").out == help.out)
  #expect(run("sample", "--rate", "3", "-h").out == help.out)
}

@Test func aGroupWithoutACommandShowsItsHelpAsAnError() {
  let result = run()
  #expect(result.code == .usage)
  #expect(result.out == "")
  #expect(result.err == run("--help").out)
  #expect(result.err.contains("  sample  Show what was read.\n"))
}

@Test func theDistanceOfWordsCountsNeighboursThatChangedPlacesOnce() {
  #expect(editDistance("replay", "replay") == 0)
  #expect(editDistance("repaly", "replay") == 1)
  #expect(editDistance("", "abc") == 3)
  #expect(editDistance("kitten", "sitting") == 3)
  #expect(nearest(to: "zzz", among: ["replay", "nmea"]) == nil)
}

@Test func anOptionThatNeedsNoValueTakesOneWhenThereIsOne() throws {
  let truth = Option<String>("truth", "FILE", bare: "own", "Compare.")
  let json = Flag("json", "JSON.")
  let input = Positional("IN", "What to read.")
  let parameters: [Parameter] = [.option(truth), .flag(json), .positional(input)]
  for (words, value) in [
    (["in"], nil), (["in", "--truth"], "own"), (["in", "--truth", "--json"], "own"), (["--truth", "in"], "own"),
    (["in", "--truth", "file"], "file"), (["--truth", "file", "in"], "file"), (["--truth=file", "in"], "file"),
    (["--truth", "--json", "in"], "own"),
  ] {
    let arguments = try Arguments(words, parameters: parameters)
    #expect(arguments[truth] == value && arguments[input] == ["in"], "\(words)")
  }
  #expect(throws: CommandFailure.self) { try Arguments(["--truth=file"], parameters: parameters) }
  let help = Command("tool", "A tool", parameters: parameters) { _, _ in .success }.helpText(path: ["tool"])
  #expect(help.contains("--truth [FILE]"))
}
