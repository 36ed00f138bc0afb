import Foundation
import LinuxRuntime
import Quantities
import ServerSupport
import Testing
import Uplinks

@testable import LeashTool

/// `leash pair home-assistant` with a real broker.
@Suite struct PairTests {
  private func kept(_ broker: MosquittoServer) throws -> [String] {
    var settings = MQTTSettings()
    settings.host = "127.0.0.1"
    settings.port = broker.port
    let visitor = try MQTTVisitor(settings, as: "-test", within: .seconds(5))
    defer { visitor.leave() }
    return visitor.listen(to: ["#"], for: .milliseconds(500)).map(\.topic)
  }

  private func put(_ text: String, at topic: String, _ broker: MosquittoServer) throws {
    var settings = MQTTSettings()
    settings.host = "127.0.0.1"
    settings.port = broker.port
    let visitor = try MQTTVisitor(settings, as: "-tracker", within: .seconds(5))
    #expect(visitor.publish([MQTTMessage(topic: topic, bytes: Array(text.utf8))], within: .seconds(5)) == 1)
    visitor.leave()
  }

  private func pair(_ file: String, _ more: String...) -> ToolRun {
    ToolRun(["pair", "home-assistant", "--wait", "0.3"] + more + [file])
  }

  /// With MQTT 3.1.1 a broker acknowledges what it throws away.
  @Test func whatTheBrokersAccessListKeepsOutIsNoPairing() throws {
    var settings = MosquittoServer.Settings()
    settings.accessList = "topic readwrite leash/bike42/#\n"
    guard let broker = try MosquittoServer(settings) else { return }
    let folder = try TemporaryFolder()
    let text = "{ trackerId: \"bike42\", uplinks: [ { by: \"mqtt\", host: \"127.0.0.1\", port: \(broker.port) } ] }"
    let run = pair(try folder.file("leash.json5", text))
    #expect(run.code == .checkFailed && !run.out.contains("keeps 'bike42'"), "\(run.out)")
    #expect(run.err.contains("write and read 'homeassistant/device/leash_bike42/config'"), "\(run.err)")
    // The lines of docs/servers.md are enough.
    settings.accessList = """
      topic readwrite leash/bike42/#
      topic readwrite homeassistant/device/leash_bike42/config
      topic readwrite homeassistant/+/leash_bike42/+/config
      topic read homeassistant/status
      """
    guard let other = try MosquittoServer(settings) else { return }
    let second = pair(
      try folder.file("other.json5", text.replacing("port: \(broker.port)", with: "port: \(other.port)")))
    #expect(second.code == .success && second.out.contains("keeps 'bike42'"), "\(second.err)")
  }

  /// Whoever repeats the command says nothing new.
  @Test func theSameOptionsMayBeGivenAgain() throws {
    guard let broker = try MosquittoServer() else { return }
    let folder = try TemporaryFolder()
    let file = try folder.file("leash.json5", "{ trackerId: \"bike42\" }\n")
    let secret = try folder.file("hpw", "secret\n")
    let place = "127.0.0.1:\(broker.port)"
    for _ in 0..<2 {
      let run = pair(file, "--broker", place, "--user", "me", "--password-file", secret)
      #expect(run.code == .success, "\(run.err)")
    }
    for more in [["--user", "you"], ["--tls"], ["--password-file", try folder.file("other", "another\n")]] {
      let run = ToolRun(["pair", "home-assistant", "--wait", "0.3", "--broker", place] + more + [file])
      #expect(run.code == .usage && run.err.contains("'\(more[0])'"), "\(run.err)")
    }
  }

  @Test func aPasswordFileOfThisFolderIsFoundFromEveryOther() throws {
    guard let broker = try MosquittoServer() else { return }
    let folder = try TemporaryFolder()
    let file = try folder.file("leash.json5", "{ trackerId: \"bike42\" }\n")
    let here = FileManager.default.currentDirectoryPath
    let up = String(repeating: "../", count: here.split(separator: "/").count)
    let secret = up + (try folder.file("hpw", "secret")).dropFirst()
    let run = pair(file, "--broker", "127.0.0.1:\(broker.port)", "--password-file", secret, "--user", "me", "--print")
    #expect(run.code == .success, "\(run.err)")
    #expect(run.out.contains("\(here)/\(secret)"), "\(run.out)")
  }

  @Test func oneCommandSetsItUpAndOneTakesItAway() throws {
    guard let broker = try MosquittoServer() else { return }
    let folder = try TemporaryFolder()
    let before = """
      // The bike's own file: ümlaut, and a { in a comment.
      { trackerId: "bike42",
        uplinks: [ { by: "mqtt", host: "127.0.0.1", port: \(broker.port) /* the add-on's */ } ] }

      """
    let file = try folder.file("leash.json5", before)
    let run = pair(file)
    #expect(run.code == .success, "\(run.err)")
    #expect(
      run.out.contains("keeps 'bike42' with ") && run.out.contains("nothing on ") && !run.out.contains("no button"))
    let after = try String(contentsOfFile: file, encoding: .utf8)
    #expect(after != before && after.contains("// The bike's own file: ümlaut") && after.contains("/* the add-on's */"))
    #expect(try String(contentsOfFile: file + ".before", encoding: .utf8) == before)
    #expect(ToolRun("config", "check", file).code == .success)
    #expect(try kept(broker) == ["homeassistant/device/leash_bike42/config"])

    // Again it adds nothing, and tells what is there by now.
    try put("{\"phase\":\"parked\"}", at: "leash/bike42/packet", broker)
    try put("online", at: "leash/bike42/available", broker)
    let again = pair(file, "--json")
    let object = try #require(try again.objects().first)
    #expect(object["added"] as? [String] == [] && object["available"] as? String == "online")
    #expect((object["packet"] as? [String: Any])?["phase"] as? String == "parked")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == after)

    let shown = pair(file, "--remove", "--print")
    #expect(shown.lines == ["homeAssistant: true", trusted], "\(shown.out)")
    let removal = pair(file, "--remove")
    #expect(removal.code == .success && removal.out.contains("nothing: Home Assistant no longer shows the tracker"))
    #expect(
      removal.lines.filter { $0.hasPrefix("removed ") } == ["removed   homeAssistant: true", "removed   " + trusted])
    #expect(removal.out.contains("systemctl reload leash"))
    #expect(try kept(broker) == [])
    #expect(try String(contentsOfFile: file, encoding: .utf8) == before, "as it was before pairing")
    #expect(try String(contentsOfFile: file + ".before", encoding: .utf8) == after)
    // Once more, for a tracker that published between the two: what the broker keeps goes, and the file stays.
    try put("{}", at: "leash/bike42/packet", broker)
    let repeated = pair(file, "--remove")
    #expect(repeated.code == .success && !repeated.out.contains("removed   "), "\(repeated.out)")
    #expect(try kept(broker) == [])
    #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
  }

  private var trusted: String {
    #"trusted: ["dismiss", "found", "arm", "disarm", "locate", "track", "buzzer", "alerts", "privacy"]"#
  }

  /// What the owner has written is the owner's: only what pairing has put in goes by itself.
  @Test func whatPairingDidNotWriteStaysAndIsTold() throws {
    guard let broker = try MosquittoServer() else { return }
    let folder = try TemporaryFolder()
    let file = try folder.file(
      "leash.json5",
      """
      { uplinks: [
        { by: "mqtt", host: "127.0.0.1", port: \(broker.port), trusted: ["locate"],
          homeAssistant: { prefix: "ha" }, // ours
        },
      ] }
      """)
    let removal = pair(file, "--remove")
    #expect(
      removal.code == .success && removal.out.contains("removed   homeAssistant: { prefix: \"ha\" }"), "\(removal.out)")
    #expect(removal.out.contains("stays     'trusted' of the uplink"), "\(removal.out)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(
      !text.contains("homeAssistant") && text.contains("// ours") && text.contains("trusted: [\"locate\"]"), "\(text)")
    #expect(ToolRun("config", "check", file).code == .success)
  }

  @Test func aBrokerOfItsOwnIsAnUplinkOfItsOwn() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("leash.json5", "{ uplinks: [{ by: \"http\", url: \"http://localhost/\" }] }")
    let far = pair(file, "--print", "--broker", "ha.example:1884", "--user", "me")
    #expect(far.code == .success)
    #expect(
      far.out
        == "{ by: \"mqtt\", host: \"ha.example\", port: 1884, user: \"me\", receiver: \"home-assistant\", homeAssistant: true }\n",
      "without TLS nobody there is trusted")
    let secure = pair(file, "--print", "--broker", "ha.example", "--tls")
    #expect(secure.out.contains("tls: true") && secure.out.contains("trusted: [\"dismiss\""))
    #expect(pair(file).code == .usage && pair(file, "--print", "--broker", "a:b:c").code == .usage)
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("homeAssistant") == false)
  }

  @Test func addressesOfBrokersAreThoseOfTheConfiguration() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("leash.json5", "{}")
    for (broker, keys) in [
      ("[::1]:1884", #"host: "::1", port: 1884"#), ("[::1]", #"host: "::1""#), ("::1", #"host: "::1""#),
      ("ha.example:1", #"host: "ha.example", port: 1"#),
    ] {
      let run = pair(file, "--print", "--broker", broker)
      #expect(run.code == .success && run.out.contains("{ by: \"mqtt\", \(keys), receiver:"), "\(run.out)\(run.err)")
    }
    for broker in ["[::1", "[::1]:0", "a:b:c", "ha.example:", "h\"", ""] {
      #expect(pair(file, "--print", "--broker", broker).code == .usage, "\(broker)")
    }
    let paired = try folder.file(
      "paired.json5", "{ uplinks: [{ by: \"mqtt\", host: \"::1\", port: 1, homeAssistant: true }] }")
    #expect(pair(paired, "--print", "--broker", "[::1]:1").code == .success)
    #expect(pair(paired, "--print", "--broker", "[::1]:2").code == .usage)
  }

  @Test func whatIsNotPairedIsNotSaidToBeAdded() throws {
    let folder = try TemporaryFolder()
    let text = "{ uplinks: [{ by: \"mqtt\", host: \"127.0.0.1\", port: 1, format: \"text\" }] }"
    for text in [text, "{}", "{ uplinks: [{ by: \"http\", url: \"http://localhost/\" }] }"] {
      let file = try folder.file("leash.json5", text)
      let run = pair(file, "--remove")
      #expect(run.code == .checkFailed && run.err.contains("it is not paired with Home Assistant"), "\(run.err)")
      #expect(!run.err.contains("added"), "\(run.err)")
    }
  }

  /// A file that others link to stays where it is.
  @Test func aLinkedConfigurationStaysLinked() throws {
    guard let broker = try MosquittoServer() else { return }
    let folder = try TemporaryFolder()
    let text = "{ trackerId: \"bike42\", uplinks: [{ by: \"mqtt\", host: \"127.0.0.1\", port: \(broker.port) }] }"
    let real = try folder.file("real.json5", text)
    let link = real + ".link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real.json5")
    #expect(pair(link).code == .success)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real.json5")
    #expect(try String(contentsOfFile: real, encoding: .utf8).contains("homeAssistant: true"))
    #expect(try String(contentsOfFile: real + ".before", encoding: .utf8) == text)
    // What it keeps is what the tracker tells when it runs, and all that goes is counted.
    try put("{}", at: "leash/bike42/packet", broker)
    try put("online", at: "leash/bike42/available", broker)
    #expect(try announcement(broker).contains(#""sw":"\#(Version.number)""#))
    let removal = pair(link, "--remove")
    #expect(removal.out.contains(": 3 messages removed"), "\(removal.out)")
  }

  private func announcement(_ broker: MosquittoServer) throws -> String {
    var settings = MQTTSettings()
    settings.host = "127.0.0.1"
    settings.port = broker.port
    let visitor = try MQTTVisitor(settings, as: "-test", within: .seconds(5))
    defer { visitor.leave() }
    let heard = visitor.listen(to: ["homeassistant/#"], for: .milliseconds(500))
    return String(decoding: heard.first?.bytes ?? [], as: UTF8.self)
  }

  /// What would be left out without a word is refused: the file and the broker stay as they are.
  @Test func optionsThatAreNotUsedAreRefused() throws {
    let folder = try TemporaryFolder()
    let text = "{ uplinks: [{ by: \"mqtt\", host: \"127.0.0.1\", port: 1, receiver: \"ha\", homeAssistant: true }] }"
    let paired = try folder.file("paired.json5", text)
    let plain = try folder.file("plain.json5", text.replacing(", homeAssistant: true", with: ""))
    for broker in ["127.0.0.1:9", "ha.example", "h#:x"] {
      let run = pair(paired, "--broker", broker)
      #expect(
        run.code == .usage && run.err.contains("is paired at 127.0.0.1:1; 'leash pair home-assistant --remove'"),
        "\(broker): \(run.err)")
    }
    for file in [paired, plain] {
      for options in [["--user", "me"], ["--password-file", "pw"], ["--tls"]] {
        let run = ToolRun(["pair", "home-assistant", "--wait", "0.3", "--print"] + options + [file])
        #expect(run.code == .usage && run.err.contains("option '\(options[0])' is for a new uplink"), "\(run.err)")
      }
      for wait in ["-3", "3601"] {
        let run = ToolRun("pair", "home-assistant", "--print", "--wait", wait, file)
        #expect(run.code == .usage && run.err.contains("expected 0 to 3600 seconds"))
      }
    }
    #expect(pair(paired, "--print", "--broker", "127.0.0.1").code == .success)
    #expect(try String(contentsOfFile: paired, encoding: .utf8) == text)
  }

  /// The broker of the modem may be the same by another address.
  @Test func besideAModemThatAnnouncesTheTrackerNothingIsAnnouncedTwice() throws {
    let folder = try TemporaryFolder()
    let text = """
      { trackerId: "bike42",
        modem: { port: "/dev/ttyUSB2", apn: "a", transport: "mqtt", mqtt: { host: "broker.example" } },
        uplinks: [ { by: "mqtt", host: "127.0.0.1", port: 1 }, { by: "modem", homeAssistant: true } ] }
      """
    let file = try folder.file("leash.json5", text)
    for more in [[], ["--print"], ["--broker", "127.0.0.1:1"], ["--broker", "other.example"]] {
      let run = ToolRun(["pair", "home-assistant", "--wait", "0.3"] + more + [file])
      #expect(
        run.code == .checkFailed && run.err.contains("announces the tracker at broker.example already"), "\(run.err)")
      #expect(run.err.split(separator: "\n").count == 1)
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    let without = try folder.file("without.json5", text.replacing(", homeAssistant: true", with: ""))
    #expect(pair(without, "--print").code == .success)
  }

  @Test func whatCantBePairedIsLeftAsItIs() throws {
    let folder = try TemporaryFolder()
    let text = "{ uplinks: [{ by: \"mqtt\", host: \"127.0.0.1\", port: 1, format: \"text\" }] }"
    let file = try folder.file("leash.json5", text)
    let other = pair(file)
    #expect(
      other.code == .checkFailed && other.err.contains("the format \"json\"")
        && other.err.contains("nothing was changed")
    )
    let deaf = try folder.file("deaf.json5", text.replacing(", format: \"text\"", with: ""))
    let refused = pair(deaf)
    #expect(refused.code == .environment && refused.err.contains("connection refused; nothing was changed"))
    #expect(try String(contentsOfFile: deaf, encoding: .utf8).contains("homeAssistant") == false)
  }
}
