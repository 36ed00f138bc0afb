import Foundation
import JSON5
import Testing
import Uplinks

@testable import LinuxRuntime

@Test(arguments: BoardProfile.allCases)
func theExampleIsRightAndComesBackFromWhatIsShown(profile: BoardProfile) throws {
  let example = ConfigurationExample.text(profile)
  let file = try configuration(example)
  #expect(file.warnings.isEmpty)
  #expect(file.configuration.profile == profile)
  for isEffective in [true, false] {
    let shown = try configuration(file.text(isEffective: isEffective))
    #expect(shown.configuration == file.configuration)
  }
  #expect(example.split(separator: "\n").allSatisfy { $0.count <= 120 })
  for section in ConfigurationSchema.sections {
    for key in section.keys {
      let last = key.name.split(separator: ".").last ?? ""
      #expect(example.contains("\(last): "), "\(section.title) \(key.name)")
    }
  }
}

@Test func everyKeyComesBackFromWhatIsShown() throws {
  for section in ConfigurationSchema.sections {
    for key in section.keys {
      var value = key.example
      if key.type == .secret { value = "{ env: 'S' }" }
      if key.type == .secrets { value = "{ 'X-A': { env: 'S' } }" }
      // The owner's key has its own form, and the page's token its length.
      let secret = ["key", "token"].contains(key.name) ? String(repeating: "1234", count: 16) : "1234"
      let file = try configuration(smallest(section, [key.name: value]), environment: ["S": secret])
      for isEffective in [true, false] {
        let shown = try configuration(file.text(isEffective: isEffective), environment: ["S": secret])
        let isSame = shown.configuration == file.configuration
        #expect(isSame, "\(section.title) \(key.name):\n\(file.text(isEffective: isEffective))")
      }
    }
  }
}

@Test func whatIsShownTellsWhereItComesFrom() throws {
  let file = try configuration("{ trackerId: 'x',\n gnss: { source: 'none' },\n imu: { source: 'iio', device: 'd' } }")
  #expect(
    file.text(isEffective: false) == """
      {
        trackerId: "x",                               // line 1
        gnss: {
          source: "none",                             // line 2
        },
        imu: {
          source: "iio",                              // line 3
          device: "d",                                // line 3
        },
      }

      """)
  #expect(file.text(isEffective: true).contains("  profile: \"bike\",                              // default\n"))
  let lines = file.jsonLines(isEffective: true).split(separator: "\n")
  #expect(lines.contains("{\"key\":\"trackerId\",\"value\":\"x\",\"from\":\"file\",\"line\":1}"))
  for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
}

@Test func noOutputHoldsASecretWhereverItComesFrom() throws {
  let secret = "geheim-9471"
  let folder = try ScratchFolder()
  let path = try folder.file("password", secret + "\n", mode: 0o644)
  let environment = ["SECRET": secret]
  var all = ""
  for section in ConfigurationSchema.sections {
    for key in section.keys where key.type == .secret || key.type == .secrets {
      for written in ["'\(secret)'", "{ file: '\(path)' }", "{ env: 'SECRET' }"] {
        // A PIN is digits; its refusal must not tell it either.
        let value = key.type == .secrets ? "{ 'X-A': \(written) }" : written
        let text = smallest(section, [key.name: value])
        do throws(BoardConfigurationFailure) {
          let file = try BoardConfigurationFile(text: text, name: "f", environment: environment)
          let revealed = "\(file.configuration)".contains(secret)
          #expect(!revealed || section.path == "modem", "\(section.title) \(key.name)")
          all +=
            file.text(isEffective: true) + file.jsonLines(isEffective: true) + file.warnings.joined(separator: "\n")
          all += "\(file.rows)"
        } catch {
          all += error.lines.joined(separator: "\n")
        }
        // In places where it does not belong, and where a quote is missing.
        for broken in [
          text.replacing("'\(secret)'", with: secret), text.replacing("'\(secret)'", with: "'\(secret)"),
          text.replacing("'\(secret)'", with: "{ file: '\(secret)' , x: 1 }"),
          text.replacing("'\(secret)'", with: "['\(secret)']"),
          text.replacing("'\(secret)'", with: "'\(secret)\\n'"),
          text.replacing("'\(secret)'", with: "{ password: '\(secret)' }"),
        ] where broken.contains(secret) {
          all += problems(broken, environment: environment).joined(separator: "\n")
        }
      }
    }
  }
  #expect(all.contains("(hidden)") && all.contains("everybody on this machine may read"))
  for line in all.split(separator: "\n") { #expect(!line.contains(secret), "\(line)") }
}

@Test func aSecretOfAFileLosesItsLineEndAndNothingElse() throws {
  let folder = try ScratchFolder()
  for (text, secret) in [("a b\n", "a b"), ("a b\r\n", "a b"), (" a ", " a ")] {
    let path = try folder.file("s", text)
    let file = try configuration(
      "{ uplinks: [{ by: 'http', url: 'http://localhost', user: 'u', password: { file: '\(path)' } }] }")
    guard case .http(let http) = file.configuration.uplinks[0].kind else { return }
    #expect(http.password == Secret(secret) && file.warnings.isEmpty)
  }
  let two = try folder.file("s", "a\nb\n")
  let found = problems(
    "{ uplinks: [{ by: 'http', url: 'http://localhost', user: 'u', password: { file: '\(two)' } }] }")
  #expect(found.count == 1 && found[0].contains("without control characters"))
  #expect(problems("{ modem: { pin: { file: '\(folder.url.path)' } } }")[0].contains("not a regular file"))
  #expect(problems("{ modem: { pin: '12' } }") == ["1:17: 'modem.pin': expected a PIN of 4 to 8 digits"])
}

@Test func aFileThatIsNotThereOrReadableByAllIsTold() throws {
  let folder = try ScratchFolder()
  do throws(BoardConfigurationFailure) {
    _ = try BoardConfigurationFile.read(path: "/nowhere/leash.json5", environment: [:])
    Issue.record("read")
  } catch {
    #expect(error == .unreadable("can't read the configuration /nowhere/leash.json5: No such file or directory"))
  }
  let text = "{ uplinks: [{ by: 'http', url: 'http://localhost', user: 'u', password: 'p' }] }"
  let open = try BoardConfigurationFile.read(path: try folder.file("a", text, mode: 0o644), environment: [:])
  #expect(open.warnings.count == 1 && open.warnings[0].contains("chmod o-r"))
  #expect(try BoardConfigurationFile.read(path: try folder.file("b", text), environment: [:]).warnings.isEmpty)
}

@Test func changedExamplesNeverCrash() {
  var state: UInt64 = 88_172_645_463_325_252
  func random(_ limit: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(limit))
  }
  // Without comments there is more to hit.
  let lines = (ConfigurationExample.text(.bike) + ConfigurationExample.text(.collar)).split(separator: "\n")
  let kept = lines.compactMap { line -> Substring? in
    var line = line.drop { $0 == " " }
    while line.hasPrefix("// ") { line = line.dropFirst(3).drop { $0 == " " } }
    return line.contains(": ") && !line.contains(". ") || line == "}," || line == "{" ? line : nil
  }
  let pieces = [
    "{", "}", "[", "]", ",", "null", "-1", "1e999", "NaN", "''", "\"x\"", "{ file: '/dev/null' }", "{ env: '' }",
    "true",
  ]
  var problemCount = 0
  for _ in 0..<1500 {
    var chosen = kept.filter { _ in random(4) != 0 }.map(String.init)
    for _ in 0..<random(6) {
      let place = random(chosen.count)
      if let colon = chosen[place].firstIndex(of: ":") {
        chosen[place] = chosen[place][...colon] + " " + pieces[random(pieces.count)] + ","
      }
    }
    let depth = chosen.count { $0.hasSuffix("{") } - chosen.count { $0.hasPrefix("}") }
    let text = "{" + chosen.joined(separator: "\n") + String(repeating: "}", count: max(0, depth)) + "}"
    problemCount += problems(text).count
  }
  #expect(problemCount > 0)
}
