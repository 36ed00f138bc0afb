import Glibc
import JSON5
import LinuxDevices
import Quantities
import Testing
import Uplinks

@testable import LinuxRuntime

private let everyKey = ConfigurationSchema.sections.flatMap { section in section.keys.map { (section, $0) } }

private func refusal(_ text: String, environment: [String: String] = [:]) -> [String] {
  problems(text, environment: environment)
}

@Suite struct ConfigurationLimitTests {
  /// Both ends of every range are taken; the tests of the schema show that nothing beyond is.
  @Test func everyKeyTakesBothEndsOfItsRange() throws {
    var count = 0
    for (section, key) in everyKey {
      let ends: [String]
      switch key.type {
      case .whole(let range): ends = ["\(range.lowerBound)", "\(range.upperBound)"]
      case .number(let range): ends = ["\(range.lowerBound)", "\(range.upperBound)"]
      case .choice(let words): ends = words.map(quoted)
      case .boolean: ends = ["true", "false"]
      default: continue
      }
      for end in ends {
        let found = refusal(smallest(section, [key.name: end]))
        // Some do not fit to the rest of the section; none is out of its own range.
        #expect(
          found.allSatisfy {
            !$0.contains("expected a number from") && !$0.contains("expected a whole number from")
              && !$0.contains("expected one of \"")
          }, "\(section.title) \(key.name): \(found)")
        count += 1
      }
    }
    #expect(count > 100)
  }

  /// Each key moves something, and something else when its value is another.
  @Test func everyKeyMovesWhatTheTrackerIsToldToDo() throws {
    var moved = 0
    for (section, key) in everyKey {
      let pair: [String]
      switch key.type {
      case .whole(let range): pair = ["\(range.lowerBound)", "\(range.upperBound)"]
      case .number(let range): pair = ["\(range.lowerBound)", "\(range.upperBound)"]
      case .boolean: pair = ["true", "false"]
      case .choice(let words): pair = [quoted(words[0]), quoted(words[words.count - 1])]
      case .seed: pair = ["1", "2"]
      case .vector: pair = ["[1, 2, 3]", "[1, 2, 4]"]
      case .numbers(let range, _): pair = ["[]", "[\(range.lowerBound)]"]
      case .texts: pair = ["[]", key.example]
      case .parts: pair = [key.example, "['fd5a']"]
      case .words(let words): pair = ["[]", "[\(quoted(words[0]))]"]
      case .secrets: pair = ["{ 'X-A': 'a' }", "{ 'X-A': 'b' }"]
      case .text where key.name == "calibration.mounting": pair = ["'+x +y +z'", "'+y -x +z'"]
      case .text, .path: pair = [key.example, quoted("x" + key.example.filter { $0 != "\"" })]
      case .points, .rings, .timeOfDay, .days: continue
      case .secret: pair = [key.example, quoted("x" + key.example.filter { $0 != "\"" })]
      }
      var found: [BoardConfiguration] = []
      for value in pair {
        let file = try? BoardConfigurationFile(text: smallest(section, [key.name: value]), name: "f")
        if let file { found.append(file.configuration) }
      }
      // Not every second value fits to the rest of its section.
      guard found.count == 2 else { continue }
      moved += 1
      #expect(found[0] != found[1], "\(section.title) \(key.name)")
    }
    #expect(moved > 110, "\(moved) of \(everyKey.count)")
  }

  @Test func theDefaultsAreThoseOfTheManual() {
    let board = BoardConfiguration()
    #expect(board.profile == .bike && !board.hasFixedSeed && board.tracker.seed == 1 && board.imu == .none)
    #expect(board.gnss == .gpsd(host: "127.0.0.1", port: 2947, device: nil))
    #expect(board.modem == nil && board.uplinks.isEmpty && board.recording == nil && board.page == nil)
    #expect(board.fallbackAfter == .seconds(20) && board.stateFile == "/var/lib/leash/state.db")
    #expect(board.controlSocket == "/run/leash/control")
    let recording = RecordingSettings(folder: "/r")
    #expect(recording.segmentBytes == 16_777_216 && recording.totalBytes == 536_870_912)
  }

  @Test func whatABoardIsToldIsWhatItDoes() throws {
    var board = Board(try Folder())
    board.configuration.fallbackAfter = .seconds(7)
    board.configuration.tracker.tracker.motion.armAfter = .seconds(33)
    let run = try board.start()
    #expect(run.delivery.fallbackAfter == .seconds(7) && run.store.path == board.configuration.stateFile)
    #expect(run.run.look { $0.configuration.motion.armAfter } == .seconds(33))
    #expect(run.recorder?.settings == board.configuration.recording)
    run.stop()
    board.configuration.recording = nil
    let silent = try board.start()
    #expect(silent.recorder == nil && silent.status(version: "").recording == nil)
    silent.stop()
  }

  @Test func secretsAreTakenUpToTheirLimits() throws {
    let folder = try ScratchFolder()
    func password(_ text: String) -> String {
      "{ uplinks: [{ by: 'http', url: 'http://localhost/', user: 'u', password: \(text) }] }"
    }
    func secret(_ text: String, _ environment: [String: String] = [:]) throws -> String? {
      guard
        case .http(let settings)? = try configuration(password(text), environment: environment).configuration.uplinks
          .first?.kind
      else { return nil }
      return settings.password?.revealed
    }
    let most = String(repeating: "p", count: 1024)
    #expect(try secret(quoted(most)) == most && secret("{ env: 'P' }", ["P": most]) == most)
    #expect(refusal(password(quoted(most + "p"))).count == 1)
    #expect(refusal(password("{ env: 'P' }"), environment: ["P": most + "p"]).count == 1)
    #expect(refusal(password("{ env: 'P' }"), environment: ["P": ""]).count == 1)
    for (content, expected) in [
      ("p\n", "p"), ("p\r\n", "p"), ("p", "p"), (" p ", " p "), ("p\r", "p"), (most + "\r\n", most),
    ] {
      #expect(try secret("{ file: \(quoted(folder.file("s", content))) }") == expected)
    }
    for content in ["p\n\n", "\n", "", "a\nb\n", "p\u{7F}", most + "p"] {
      let found = refusal(password("{ file: \(quoted(try folder.file("s", content))) }"))
      #expect(found.count == 1 && found[0].contains("1 to 1024 bytes"), "\(found)")
    }
    // A file of 4,096 bytes is read to its end, a longer one is not.
    for (count, words) in [(4096, "1 to 1024 bytes"), (4097, "more than 4096 bytes")] {
      let found = refusal(password("{ file: \(quoted(try folder.file("s", String(repeating: "x", count: count)))) }"))
      #expect(found.count == 1 && found[0].contains(words), "\(found)")
    }
    let open = try configuration(password("{ file: \(quoted(folder.file("o", "p", mode: 0o604))) }"))
    #expect(open.warnings.contains { $0.contains("chmod o-r") })
    let closed = try configuration(password("{ file: \(quoted(folder.file("c", "p", mode: 0o640))) }"))
    #expect(!closed.warnings.contains { $0.contains("chmod o-r") })
    for text in ["{ file: '' }", "{ file: 'a', env: 'b' }", "{ file: 5 }", "{}", "true"] {
      #expect(refusal(password(text)).count == 1, "\(text)")
    }
  }

  @Test func whatBelongsTogetherMayBeEqualAndNoMore() throws {
    func isTaken(_ text: String) -> Bool { refusal(text).isEmpty }
    #expect(isTaken("{ record: { folder: '/r', segmentMegabytes: 16, totalMegabytes: 32 } }"))
    #expect(!isTaken("{ record: { folder: '/r', segmentMegabytes: 16, totalMegabytes: 31 } }"))
    #expect(isTaken("{ motion: { travelSpeed: 1, continuedSpeed: 1 } }"))
    #expect(!isTaken("{ motion: { travelSpeed: 1, continuedSpeed: 1.01 } }"))
    #expect(isTaken("{ outbox: { acknowledgementTimeout: 50, maximumTimeout: 50 } }"))
    #expect(!isTaken("{ outbox: { acknowledgementTimeout: 51, maximumTimeout: 50 } }"))
    func ways(_ count: Int) -> String {
      "{ uplinks: [" + String(repeating: "{ by: 'http', url: 'http://localhost/' },", count: count) + "] }"
    }
    #expect(isTaken(ways(8)) && !isTaken(ways(9)))
    for (text, taken) in [
      ("http://a.example:1", true), ("http://a.example:65535", true), ("http://a.example:65536", false),
      ("http://a.example:0", false), ("http://" + String(repeating: "a", count: 253), true),
      ("http://" + String(repeating: "a", count: 254), false), ("HTTPS://a", true), ("http://-a", false),
      ("http://a_b%1", true),
    ] {
      #expect((WebAddress.urlExpectation(text) == nil) == taken, "\(text)")
    }
    let path = "/" + String(repeating: "c", count: 106)
    #expect(isTaken("{ control: '\(path)' }") && !isTaken("{ control: '\(path)c' }"))
    #expect(isTaken("{ state: '/\(String(repeating: "s", count: 4094))' }"))
    #expect(!isTaken("{ state: '/\(String(repeating: "s", count: 4095))' }"))
  }

  /// A hundred problems are told; the rest is counted.
  @Test func problemsAreToldUpToAHundred() {
    for (count, lines) in [(99, 99), (100, 100), (101, 101)] {
      let found = refusal("{" + (0..<count).map { "k\($0): 1, " }.joined() + "}")
      #expect(found.count == lines)
      #expect((found.last == " and 1 more") == (count == 101), "\(found.last ?? "")")
    }
  }

  @Test func whatIsNotSetFollowsFromWhatIs() throws {
    func mqtt(_ text: String) throws -> MQTTSettings? {
      guard
        case .mqtt(let settings)? = try configuration(
          "{ trackerId: 'b7', uplinks: [{ by: 'mqtt', host: 'localhost', \(text) }] }"
        )
        .configuration.uplinks.first?.kind
      else { return nil }
      return settings
    }
    #expect(
      try mqtt("")?.port == 1883 && mqtt("tls: true")?.port == 8883 && mqtt("tls: true, port: 1883")?.port == 1883)
    #expect(try mqtt("")?.clientID == "leash-b7" && mqtt("clientId: 'x'")?.clientID == "x")
    #expect(try mqtt("")?.tls == nil && mqtt("tls: {}")?.tls == TLSSettings() && mqtt("tls: false")?.tls == nil)
    #expect(try mqtt("'tls.authority': '/a'")?.tls?.authorityFile == "/a")
  }
}
