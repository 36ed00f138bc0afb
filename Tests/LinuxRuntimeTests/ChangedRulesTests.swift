import Quantities
import Testing

@testable import LinuxRuntime

/// `leash config show` beside a tracker that has its rules from a file, from requests and from both.
struct ChangedRulesTests {
  private static let rules = """
    timeZone: 'Europe/Amsterdam',
    fences: [
      { number: 1, name: 'yard', active: true, polygon: [[52, 4], [52, 4.01], [52.01, 4.01], [52.01, 4]],
        holes: [[[52.004, 4.004], [52.004, 4.006], [52.006, 4.006]]] },
      { number: 2, name: 'path', active: true, corridor: { width: 12.5, points: [[52.1, 4.1], [52.2, 4.1234567]] } },
      { number: 3, name: 'home', circle: { latitude: 52.3, longitude: 4.3, radius: 80 } } ],
    places: [{ number: 4, name: 'shed', latitude: 52.5, longitude: 4.5, radius: 30 }],
    alarms: [{ number: 5, label: 'walk', at: '07:30' }, { number: 6, label: 'vet', at: '23:40', days: '2023-11-14' }],
    """

  private func file(_ folder: Folder, _ rules: String = ChangedRulesTests.rules) throws -> BoardConfigurationFile {
    do throws(BoardConfigurationFailure) {
      return try BoardConfigurationFile(text: "{ state: '\(folder("state.db"))', \(rules) }", name: "f")
    } catch {
      Issue.record("\(error.lines)")
      throw error
    }
  }

  /// Tells a tracker that runs by the file these requests, one after the other, and ends its life.
  private func tell(_ requests: [String], _ file: BoardConfigurationFile, _ folder: Folder, for time: Interval) throws {
    let board = VirtualBoard(folder)
    board.configuration.rules = file.configuration.rules
    try board.start()
    board.live(until: board.clock.now + .seconds(60))
    for request in requests {
      #expect(board.run?.request(request) == true, "\(request)")
      board.live(until: board.clock.now + .seconds(10))
    }
    board.live(until: board.clock.now + time)
    board.stop()
  }

  /// What is shown of a table, and where it comes from.
  private func shown(_ name: String, _ file: BoardConfigurationFile) -> (text: String, origin: ConfigurationOrigin)? {
    file.withChangedSettings().rows.first { $0.path == [name] }.map { ($0.value?.text ?? "none", $0.origin) }
  }

  @Test func whatNoRequestHasChangedIsTheFiles() throws {
    let folder = try Folder(isInMemory: true)
    let file = try file(folder)
    #expect(file.withChangedSettings().rows == file.rows, "there is no state yet")
    // The alarm on a date rings at 22:40 UTC and is off then.
    try tell([], file, folder, for: .seconds(1800))
    let now = file.withChangedSettings()
    #expect(now.rows.map(\.origin) == file.rows.map(\.origin))
    #expect(now.rows.filter { $0.path != ["alarms"] } == file.rows.filter { $0.path != ["alarms"] })
    #expect(try #require(shown("alarms", file)).text.contains("\"vet\", \"enabled\": false"))
  }

  @Test func whatARequestHasChangedIsShownAsItIsNowUntilTheFileHasOthers() throws {
    let folder = try Folder(isInMemory: true)
    let file = try file(folder)
    try tell(["fence 1 off", "zone UTC0"], file, folder, for: .seconds(10))
    let fences = try #require(shown("fences", file))
    #expect(fences.origin == .state && !fences.text.contains("\"yard\", \"active\": true"))
    #expect(fences.text.contains("\"path\", \"active\": true"))
    let zone = try #require(shown("timeZone", file))
    #expect(zone.text == "\"UTC0\"" && zone.origin == .state)
    try tell(["zone UTC"], file, folder, for: .seconds(10))
    #expect(try #require(shown("timeZone", file)) == ("\"UTC0\"", .state))
    #expect(try #require(shown("places", file)).origin == .file(line: 7))
    #expect(try #require(shown("alarms", file)).origin == .file(line: 8))
    // What is shown is a configuration again, of what the tracker has.
    let again = try BoardConfigurationFile(text: file.withChangedSettings().text(isEffective: false), name: "again")
    #expect(!again.configuration.rules.fences[0].isActive && again.configuration.rules.timeZone == "UTC0")

    // Another zone in the file ends the request's, and the fences are still those of the request.
    let edited = try self.file(folder, ChangedRulesTests.rules.replacing("Amsterdam", with: "London"))
    #expect(try #require(shown("timeZone", edited)) == ("\"Europe/London\"", .file(line: 1)))
    #expect(try #require(shown("fences", edited)).origin == .state)
    // A changed fence is the file's; one that a request has added stays beside it.
    try tell(["fence 9 set \"camp\" circle 52.6,4.6 50"], file, folder, for: .seconds(10))
    let moved = try self.file(folder, ChangedRulesTests.rules.replacing("'yard', active: true", with: "'plot'"))
    let both = try #require(shown("fences", moved))
    #expect(both.text.contains("plot") && both.text.contains("camp") && !both.text.contains("yard"))
    #expect(both.origin == .state)
  }

  @Test func whatOnlyRequestsHaveMadeIsShown() throws {
    let folder = try Folder(isInMemory: true)
    let file = try file(folder, "")
    try tell(["zone CET-1", "place 2 set \"barn\" 52.7,4.7 40"], file, folder, for: .seconds(10))
    #expect(try #require(shown("timeZone", file)) == ("\"CET-1\"", .state))
    let places = try #require(shown("places", file))
    #expect(places.origin == .state && places.text.contains("barn"))
    #expect(shown("fences", file) == nil && shown("alarms", file) == nil)
  }
}
