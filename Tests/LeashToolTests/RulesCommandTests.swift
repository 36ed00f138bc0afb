import Foundation
import LinuxDevices
import LinuxRuntime
import Quantities
import Synchronization
import Testing

@testable import LeashTool

private let garden = """
  { timeZone: 'UTC0',
    fences: [{ number: 1, name: 'garden', active: true, circle: { latitude: 52, longitude: 4.5, radius: 50 } }],
    alarms: [
      { number: 1, label: 'Feed her', at: '07:30', inside: 1 }] }
  """

struct RulesCommandTests {
  /// To be in one of the fences that must not be left is enough, and what is well is not marked.
  @Test func whichFencesMustNotBeLeftIsTold() throws {
    func shown(_ fences: [(isActive: Bool, presence: String)]) throws -> [String] {
      let rows = fences.enumerated().map { place, fence in
        "{\"number\":\(place + 1),\"name\":\"a\",\"isActive\":\(fence.isActive),\"presence\":\"\(fence.presence)\","
          + "\"shape\":\"circle\",\"widthMetres\":50,\"rings\":[]}"
      }
      let text =
        "{\"fences\":[\(rows.joined(separator: ","))],\"state\":\"idle\",\"places\":[],\"alarms\":[],\"problems\":[]}"
      let status = try JSONDecoder().decode(BoardStatus.RulesStatus.self, from: Data(text.utf8))
      var lines: [String] = []
      var console = Console.captured(isTerminal: true, width: 120)
      console.usesColour = true
      RuleStatusText(status, say: { lines.append($1.replacing("\u{1B}[", with: "^")) }, console).write()
      return lines
    }
    let alone = try shown([(true, "outside"), (false, "outside")])
    #expect(
      alone[0].contains("1 a, circle of 50 m, must not be left: ^31") && alone[1].contains("off: ^2m"), "\(alone)")
    let two = try shown([(true, "outside"), (true, "inside")])
    #expect(two[0].contains("one of 2 to stay in: ^2m") && two[1].contains("one of 2 to stay in: ^32"), "\(two)")
    let out = try shown([(true, "outside"), (true, "outside")])
    #expect(out.allSatisfy { $0.contains("one of 2 to stay in: ^31") }, "\(out)")
  }

  @Test func aFileOfRulesIsCheckedForPeopleAndForPrograms() throws {
    let folder = try TemporaryFolder()
    let right = try folder.file("rules.json", garden)
    let run = ToolRun("rules", "check", right)
    #expect(run.code == .success && run.err.isEmpty)
    #expect(run.out == "\(right): ok, 1 fence, no places, 1 alarm\n")
    #expect(
      ToolRun("rules", "check", "--json", right).out
        == "{\"ok\":true,\"fences\":1,\"places\":0,\"alarms\":1,\"warnings\":[]}\n")
    let wrong = try folder.file("wrong.json", "{\n alarm: [],\n fences: 3 }")
    let refused = ToolRun("rules", "check", wrong)
    #expect(refused.code == .checkFailed && refused.out.isEmpty)
    #expect(
      refused.problems == [
        "\(wrong):2:2: unknown key 'alarm'; did you mean 'alarms'?",
        "\(wrong):3:10: 'fences': found a number, expected a list [ { … } ]",
      ])
    let object = try #require(try ToolRun("rules", "check", "--json", wrong).objects().first)
    #expect(object["ok"] as? Bool == false && (object["problems"] as? [String])?.count == 2)
    let warned = ToolRun(
      "rules", "check", try folder.file("w.json", "{alarms:[{number:1,label:'a',at:'07:30',inside:3}]}"))
    #expect(warned.code == .success && warned.err.hasSuffix("which is not in this file (warning)\n"))
    for arguments in [["rules", "check", "/nowhere/rules.json"], ["rules", "import", "/nowhere/rules.json"]] {
      let missing = ToolRun(arguments)
      #expect(
        missing.code == .environment
          && missing.err.hasSuffix("can't read /nowhere/rules.json: No such file or directory\n"))
    }
    #expect(ToolRun("rules", "check").code == .usage && ToolRun("rules").code == .usage)
  }

  @Test func theConfigurationIsWarnedOfDatesThatAreOverAsAFileOfRulesIs() throws {
    let folder = try TemporaryFolder()
    let alarms = """
      { timeZone: 'UTC0', alarms: [
        { number: 1, label: 'a', at: '07:30', days: '2020-02-29' },
        { number: 2, label: 'b', at: '07:30', days: '2020-02-29', enabled: false },
        { number: 3, label: 'c', at: '07:30', days: '2099-12-31' }] }
      """
    for command in ["rules", "config"] {
      let file = try folder.file("\(command).json5", alarms)
      let run = ToolRun(command, "check", file)
      #expect(run.code == .success, "\(run.err)")
      #expect(run.err.hasSuffix("\(file):2:1: alarm 1 would never ring: its date is over (warning)\n"), "\(run.err)")
      #expect(run.problems.count { $0.contains("would never ring") } == 1)
    }
  }

  @Test func whatIsImportedIsExportedAndWhatIsRefusedIsToldWithItsLine() throws {
    let tracker = try LiveTracker()
    let right = try tracker.folder.file("rules.json", garden)
    let taken = ToolRun("rules", "import", "--socket", tracker.socket, right)
    #expect(taken.code == .success && taken.out == "\(right): 4 changes\n", "\(taken.err)")
    #expect(ToolRun("rules", "import", "--socket", tracker.socket, right).out == "\(right): nothing to change\n")
    let exported = ToolRun("rules", "export", "--socket", tracker.socket)
    #expect(exported.code == .success)
    #expect(
      exported.out == """
        {
          "timeZone": "UTC0",
          "fences": [
            {"number": 1, "name": "garden", "active": true, "circle": {"latitude": 52, "longitude": 4.5, "radius": 50}}
          ],
          "places": [],
          "alarms": [
            {"number": 1, "label": "Feed her", "at": "07:30", "inside": 1}
          ]
        }

        """)
    let again = try tracker.folder.file("again.json", exported.out)
    #expect(
      ToolRun("rules", "import", "--replace", "--socket", tracker.socket, again).out.hasSuffix("nothing to change\n"))

    let odd = try tracker.folder.file("odd.json", "{ alarms: [\n{ number: 2, label: 'a', at: '08:00', inside: 9 }] }")
    let refused = ToolRun("rules", "import", "--socket", tracker.socket, odd)
    #expect(refused.code == .checkFailed && refused.out == "\(odd): 0 changes, 1 refused\n")
    #expect(
      refused.err == "\(odd):2: alarm 2 was refused: it refers to a fence that does not exist\n")
    let object = try #require(try ToolRun("rules", "import", "--json", "--socket", tracker.socket, odd).objects().first)
    #expect(object["taken"] as? Int == 0 && (object["refused"] as? [String])?.count == 1)
    // What would be refused is no reason to delete what is there.
    let past = try tracker.folder.file(
      "past.json",
      "{ alarms: [\n{ number: 1, label: 'a', at: '08:00', days: '2019-01-01' },\n"
        + "{ number: 2, label: 'b', at: '08:00', inside: 9 }] }")
    let kept = ToolRun("rules", "import", "--replace", "--socket", tracker.socket, past)
    #expect(kept.code == .checkFailed && kept.out.isEmpty && kept.problems.count == 2, "\(kept.err)")
    #expect(kept.err.contains("\(past):2:1: alarm 1 would never ring: its date is over\n"), "\(kept.err)")
    #expect(kept.err.contains("\(past):3:1: alarm 2 refers to fence 9, which is not in this file\n"), "\(kept.err)")
    let spoken = ToolRun("rules", "import", "--replace", "--json", "--socket", tracker.socket, past)
    #expect(try spoken.code == .checkFailed && (spoken.objects().first?["problems"] as? [String])?.count == 2)
    #expect(ToolRun("rules", "export", "--socket", tracker.socket).out == exported.out, "nothing was changed")
    let bad = try tracker.folder.file("wrong.json", "{ alarm: [],\n fences: 3 }")
    let wrong = ToolRun("rules", "import", "--socket", tracker.socket, bad)
    #expect(wrong.code == .checkFailed && wrong.problems.count == 2)
    let told = ToolRun("rules", "import", "--json", "--socket", tracker.socket, bad)
    #expect(told.code == .checkFailed && told.out == ToolRun("rules", "check", "--json", bad).out && told.err.isEmpty)
    #expect(try told.objects().count == 1 && told.objects().first?["ok"] as? Bool == false)

    let empty = try tracker.folder.file("empty.json", "{}")
    #expect(ToolRun("rules", "import", "--socket", tracker.socket, empty).out == "\(empty): nothing to change\n")
    #expect(ToolRun("rules", "import", "--replace", "--socket", tracker.socket, empty).out == "\(empty): 2 changes\n")

    // A fence that is refused is told once, though it was to be switched on, too.
    #expect(ToolRun("rules", "import", "--socket", tracker.socket, right).code == .success)
    let five = (11...15).map {
      "{ number: \($0), name: 'f', active: true, circle: { latitude: \($0), longitude: 4.5, radius: 50 } }"
    }
    let full = try tracker.folder.file("full.json", "{ fences: [\(five.joined(separator: ",\n"))] }")
    let sixth = ToolRun("rules", "import", "--socket", tracker.socket, full)
    #expect(sixth.code == .checkFailed && sixth.problems.count == 1, "\(sixth.err)")
    #expect(sixth.err.contains("\(full):5: fence 15 was refused: the table of fences is full"), "\(sixth.err)")
    #expect(ToolRun("rules", "import", "--replace", "--socket", tracker.socket, empty).code == .success)
    tracker.stop()
    let offline = ToolRun("rules", "export", "--state", tracker.state)
    var onlyZone = RuleTables()
    onlyZone.timeZone = "UTC0"
    #expect(offline.code == .success && offline.out == onlyZone.json, "\(offline.err)")
    #expect(ToolRun("rules", "export", "--socket", tracker.socket).code == .environment)
    let nowhere = ToolRun("rules", "export", "--state", "/nowhere/state.db")
    #expect(nowhere.code == .environment)
    #expect(nowhere.err == "leash rules export: /nowhere/state.db: can't read: No such file or directory\n")
    #expect(ToolRun("rules", "export", "--state", "a", "--socket", "b").code == .usage)
  }

  /// Alarms of a tracker that goes by UTC ring by UTC where they are imported.
  @Test func anExportHasTheZoneOfItsAlarms() throws {
    let tracker = try LiveTracker()
    let file = try tracker.folder.file("a.json", "{ alarms: [{ number: 1, label: 'a', at: '07:30' }] }")
    func export() -> String { ToolRun("rules", "export", "--socket", tracker.socket).out }
    #expect(export().contains("\"timeZone\": \"UTC0\""), "that of alarms to come")
    #expect(ToolRun("rules", "import", "--socket", tracker.socket, file).code == .success)
    #expect(ToolRun("tell", "--socket", tracker.socket, "zone UTC").code == .success)
    let exported = export()
    #expect(exported.contains("\"timeZone\": \"UTC0\""), "\(exported)")
    #expect(ToolRun("tell", "--socket", tracker.socket, "zone EST5EDT,M3.2.0,M11.1.0").code == .success)
    let again = try tracker.folder.file("again.json", exported)
    #expect(ToolRun("rules", "import", "--replace", "--socket", tracker.socket, again).out == "\(again): 1 change\n")
    #expect(export() == exported)
    #expect(
      ToolRun("rules", "import", "--replace", "--socket", tracker.socket, again).out == "\(again): nothing to change\n")
  }

  @Test func whatTheTrackerDoesNotDoIsNotCalledAccepted() throws {
    let tracker = try LiveTracker()
    for (request, reason) in [
      (#"fence 2 set "x" polygon 52,4 52.1,4"#, "expected three corners"), ("fence 9 on", "no entry has this number"),
      ("secure 999", "there is no such parking"), ("parking", "it is not parked"),
      ("found", "there is no alarm"), (#"profile set name "Rex""#, "it does not say what it is"),
      ("get calibration.mounting", "the value has no short text"),
    ] {
      let run = ToolRun("tell", "--socket", tracker.socket, request)
      #expect(run.code == .checkFailed && run.out.isEmpty, "\(request): \(run.out)")
      #expect(run.err.contains("the tracker refused it: \(reason)"), "\(request): \(run.err)")
    }
    let dismissed = ToolRun("tell", "--socket", tracker.socket, "dismiss 7")
    #expect(dismissed.code == .checkFailed && dismissed.err == "leash tell: there is no alert 7\n")
    let taken = ToolRun("tell", "--socket", tracker.socket, #"fence 2 set "x" circle 52,4 50"#)
    #expect(taken.code == .success && taken.out == "changed: fence 2\n", "\(taken.out) \(taken.err)")
  }

  @Test func aNameWithSpacesIsOneArgumentOrStandsInQuotes() throws {
    let tracker = try LiveTracker()
    func tell(_ words: String...) -> ToolRun { ToolRun(["tell", "--socket", tracker.socket] + words) }
    #expect(tell("fence", "2", "set", "my garden", "circle", "52,4", "50").code == .success)
    #expect(tell("fence 3 set \"her garden\" circle 52,4 60").code == .success)
    #expect(tell("fence", "4", "set", "\"quoted twice\"", "circle", "52,4", "60").code == .success)
    #expect(tell("fence", "5", "set", "plain", "circle", "52,4", "60").code == .success)
    #expect(tell("fence", "6", "set", "plain", "circle 52,4", "60").code == .usage, "that is a name")
    let long = String(repeating: "n", count: 20) + " " + String(repeating: "m", count: 20)
    #expect(tell("fence", "6", "set", long, "circle", "52,4", "60").err.contains("a name of up to 32 bytes"))
    let rules = ToolRun("rules", "export", "--socket", tracker.socket).out
    for name in ["my garden", "her garden", "quoted twice", "plain"] {
      #expect(rules.contains("\"name\": \"\(name)\""), "\(rules)")
    }
    // What is wrong in either way is told as it was written.
    let wrong = tell("fence", "6", "set", "my garden", "circel", "52", "4", "50")
    #expect(wrong.code == .usage && wrong.err.contains("garden"), "\(wrong.err)")
    #expect(tell("secure", "the shed").err.contains("the tracker refused it"), "not a word that can't be read")
    #expect(tell("checkpoint", "the bridge").code != .usage && tell("gear", "add", "road bike", "bike").code != .usage)
    let key = try tracker.folder.file("key", String(repeating: "4e", count: 32))
    let signed = ToolRun("request", key, "fence", "2", "set", "my garden", "circle", "52,4", "50")
    #expect(signed.out.contains("fence 2 set \"my garden\" circle 52,4 50"), "\(signed.out) \(signed.err)")
  }

  @Test func aStateFileIsReadWithoutTheTracker() throws {
    let tracker = try LiveTracker()
    let right = try tracker.folder.file("rules.json", garden)
    #expect(ToolRun("rules", "import", "--socket", tracker.socket, right).code == .success)
    let live = ToolRun("rules", "export", "--socket", tracker.socket).out
    #expect(ToolRun("rules", "export", "--state", tracker.state).out == live, "while it runs")
    tracker.stop()
    #expect(ToolRun("rules", "export", "--state", tracker.state).out == live)
  }
}

/// A tracker without sensors and servers, on a thread of its own in this process.
final class LiveTracker {
  let folder: TemporaryFolder
  let socket: String
  let state: String
  private let life = Life()

  /// What the thread has with this one in common.
  private final class Life: Sendable {
    let isStopped = Atomic(false)
    let begun = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
  }

  /// - Parameter folder: Where another has left its state; nil for a new one.
  init(in folder: TemporaryFolder? = nil) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    socket = "\(folder.url.path)/control"
    state = "\(folder.url.path)/state.db"
    let (socket, state, life) = (socket, state, life)
    Thread {
      defer { life.ended.signal() }
      var configuration = BoardConfiguration()
      configuration.stateFile = state
      guard let loop = try? EventLoop(clock: MachineClock()),
        let board = try? BoardRun(
          configuration, parts: BoardParts(sensors: [], uplinks: []),
          storage: BoardStorage(configuration, clock: MachineClock()), loop: loop,
          at: MonotonicClock.now)
      else {
        life.begun.signal()
        return
      }
      let server = ControlServer(path: socket) { board.answer($0, version: "", reply: $1) }
      try? server.start(in: loop)
      try? board.start()
      life.begun.signal()
      while !life.isStopped.load(ordering: .relaxed) { board.turn(until: MonotonicClock.now + .milliseconds(20)) }
      server.stop()
      board.stop()
    }.start()
    life.begun.wait()
  }

  func stop() {
    guard !life.isStopped.exchange(true, ordering: .relaxed) else { return }
    life.ended.wait()
  }

  deinit { stop() }
}
