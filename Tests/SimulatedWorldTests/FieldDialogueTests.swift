import FieldDialogue
import Foundation
import Quantities
import SimulatedWorld
import Testing

/// Where the dialogues are.
enum FieldFiles {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "fixtures/field")

  static var names: [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
    return all.filter { $0.hasSuffix(".dialogue") && $0 != "plain.dialogue" }.sorted()
  }

  static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  static func dialogue(_ name: String) throws -> FieldDialogue {
    try FieldDialogue(try text(name)) { try text($0) }
  }
}

@Suite struct FieldDialogueTests {
  @Test(arguments: FieldFiles.names) func whatARealModemSaidIsUnderstood(name: String) throws {
    let dialogue = try FieldFiles.dialogue(name)
    #expect(FieldRun.problems(in: dialogue) == [])
    let run = FieldRun(dialogue)
    run.run(then: .seconds(60))
    let failures = run.failures
    if !failures.isEmpty, ProcessInfo.processInfo.environment["LEASH_FIELD"] == name {
      print(run.transcript.joined(separator: "\n"))
    }
    #expect(failures == [], "\(name)")
  }

  @Test(arguments: FieldFiles.names) func theLineEndsOfWindowsAreLineEnds(name: String) throws {
    let text = try FieldFiles.text(name)
    let other = try FieldDialogue(text.replacing("\n", with: "\r\n")) {
      try FieldFiles.text($0).replacing("\n", with: "\r\n")
    }
    let dialogue = try FieldFiles.dialogue(name)
    #expect(other.title == dialogue.title && other.transport == dialogue.transport)
    #expect(other.rules.map(\.pattern) == dialogue.rules.map(\.pattern))
    #expect(other.expectations.map(\.value) == dialogue.expectations.map(\.value))
  }

  private func plain(_ text: String) throws -> FieldDialogue {
    try FieldDialogue(text + "\ninclude plain.dialogue\n") { try FieldFiles.text($0) }
  }

  @Test(arguments: [
    "transport pigeon", "setting nope 1", "setting idle never", "expect nope 1", "expect delivered soon",
    "expect unconfirmed perhaps", "wiring status whistle",
  ])
  func aWordThatTheDriverDoesNotHaveIsNamed(line: String) throws {
    let problems = FieldRun.problems(in: try plain("\(line)"))
    #expect(problems.count == 1 && problems[0].contains(line.split(separator: " ")[0]), "\(problems)")
  }

  /// What can't be played is told when the file is read, by its line.
  @Test(arguments: [
    "power maybe", "ours > AT\nours times -1", "ours > AT{open", "ours > @received\nours server",
    "ours > @received\nours body", "ours > AT\nours payload until 1G", "ours > AT\nours raw a\\q",
    "ours > AT\nours raw \\x1",
  ])
  func aLineThatCannotBePlayedIsRefused(text: String) throws {
    let error = try #require(throws: FieldDialogueError.self) { try plain(text) }
    #expect(error.line == text.split(separator: "\n").count, "\(error)")
  }

  @Test func aPayloadOfLessThanNothingIsAnEmptyOne() throws {
    let text =
      "transport mqtt\nours > AT+SMPUB=*\nours if broker 1\nours times 1\nours set count -4\nours prompt\n"
      + "ours payload count\nours < OK\n"
    let run = FieldRun(try plain(text))
    run.run()
    #expect(run.peer.received.isEmpty || run.delivered != nil)
  }

  @Test func aDialogueIsPlayedAsLongAsItsExpectationSays() throws {
    let text =
      "transport mqtt\nvalue registered 2\nexpect delivered within 2400\n"
      + "ours > @time\nours > AT+CFUN=0\nours < OK\nours > AT+CEREG?\nours times 700\nours < +CEREG: 0,2\nours < OK\n"
      + "ours > AT+CGREG?\nours times 700\nours < +CGREG: 0,2\nours < OK\nours > AT+CEREG?\nours < +CEREG: 0,1\nours < OK\n"
    let run = FieldRun(try plain(text))
    run.run()
    #expect(run.failures == [] && (run.delivered ?? .zero) > .seconds(700), "\(run.failures)")
  }

  @Test func aPromptThatIsSaidTwiceIsOnePrompt() throws {
    let text =
      "transport mqtt\nexpect delivered within 60\nexpect resets 0\nexpect power 0\nexpect copies 1\n"
      + "ours > AT+SMPUB=\"{topic}\",{count},{quality},{kept}\nours if broker 1\nours raw \\r\\n> > \n"
      + "ours payload count\nours wait 0.2\nours < OK\nours server\n"
    let run = FieldRun(try plain(text))
    run.run()
    #expect(run.failures == [])
  }

  /// The line comes when the packet has long been delivered; without the pause it would come at once.
  @Test func theRuleOfAnEventWaitsAndHoldsUpNoCommand() throws {
    let text =
      "transport mqtt\nsetting commandTopic t\nexpect reply arm\nexpect delivered within 30\n"
      + "ours > @received\nours wait 20\nours < +SMSUB: \"t\",\"please arm it\"\n"
    for (pause, isTold) in [(10, false), (30, true)] {
      let run = FieldRun(try plain(text))
      run.run(then: .seconds(pause))
      #expect(run.failures.isEmpty == isTold && run.delivered != nil, "\(pause): \(run.failures)")
    }
  }

  @Test func aReplyIsFoundByAPartOfItsText() throws {
    let text =
      "transport mqtt\nsetting commandTopic t\nexpect reply arm\n"
      + "ours > @received\nours < +SMSUB: \"t\",\"please arm it\"\n"
    let run = FieldRun(try plain(text))
    run.run(then: .seconds(5))
    #expect(run.failures == [])
  }

  /// Resets and power cycles of the ladder's own are no sign of a weak supply.
  @Test func whatTheDriverStartsItselfIsNoWeakSupply() throws {
    let text =
      "transport mqtt\nours > @start\nours set echo 1\nours set error 0\nours <+0.1 RDY\nours <+1.0 +CPIN: READY\n"
      + "ours > AT+CNACT=1*\nours < ERROR\n"
    let run = FieldRun(try plain(text))
    run.run()
    #expect(run.transcript.contains { $0.contains("noBearer") })
    #expect(!run.transcript.contains { $0.contains("supply") })
  }

  /// Somebody has stored that results are digits, or that there are none.
  @Test(arguments: [true, false]) func aModemThatWasToldToSaySomethingElseIsUnderstood(isQuiet: Bool) throws {
    let plain = try FieldFiles.text("plain.dialogue")
    let spoken = plain.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
      guard line == "ours < OK" else { return String(line) }
      return isQuiet ? "ours set nothing" : "ours raw 0\\r"
    }
    // Until it is told otherwise each rule has its other form before it.
    var rules = ""
    for block in spoken.joined(separator: "\n").split(separator: "ours > ").dropFirst() {
      let lines = block.split(separator: "\n", maxSplits: 1)
      guard !lines[0].hasPrefix("@") else { continue }
      rules += "ours > \(lines[0])\nours if told 0\n" + (lines.count > 1 ? lines[1] : "") + "\n"
    }
    let text =
      "transport mqtt\nvalue told 0\nexpect delivered within 90\nexpect resets 1\n"
      + "ours > ATE1Q0V1\nours set told 1\nours set echo 1\nours < OK\n" + rules
    let run = FieldRun(try self.plain(text))
    run.run()
    #expect(run.failures == [])
  }
}
