import FoundationEssentials
import LinuxDevices
import LinuxRuntime
import Rules
import Telemetry
import TrackerRuntime
import TrackerCore

/// `leash status`: how the running tracker stands.
enum StatusCommand {
  static let json = Flag("json", "Print the whole state as one JSON object (docs/status.md).")

  static let command = Command(
    "status", "Show the state of the running tracker",
    discussion: """
      Uses the local socket named in the configuration. Only the user that runs the tracker, and root, may connect.
      """,
    parameters: [.positional(ConfigCommand.file), .option(ControlOptions.socket), .flag(json)]
  ) { arguments, console throws(CommandFailure) in
    let answer = try ControlOptions.ask(.status, arguments, console)
    guard let answer else { return .checkFailed }
    if arguments[json] {
      console.out.append(bytes: answer.span)
      console.out.append(0x0A)
      return .success
    }
    guard let status = try? JSONDecoder().decode(BoardStatus.self, from: Data(answer)) else {
      throw .environment("the answer is from another version of leash; use '--json' to see it")
    }
    StatusText(status, console).write()
    return .success
  }
}

/// `leash tell`: a request of the owner to the running tracker.
enum TellCommand {
  static let words = Positional(
    "REQUEST", count: .oneOrMore, "One of the requests below. docs/requests.md describes them.")

  static let command = Command(
    "tell", "Send a command to the running tracker",
    discussion: """
      Servers and text messages can send the same commands. 'dismiss 3' says that the owner caused alert 3; \
      'track 10 600' reports the position every 10 s for 10 minutes; 'set reports.distance 500' changes a setting; \
      'leash settings' says which can be changed while the tracker runs. The change survives restarts and ends when \
      the value in the configuration file changes. A name with spaces is one argument: \
      leash tell fence 1 set "my garden" circle here 50
      """,
    parameters: [.positional(words), .option(ControlOptions.socket)],
    table: HelpTable(
      title: "Requests", rows: RequestKind.allCases.map { ("\($0.syntax)", "\($0.help)") })
  ) { arguments, console throws(CommandFailure) in
    let text = RequestLine.text(arguments[words])
    guard let answer = try ControlOptions.ask(.command(text), arguments, console) else { return .checkFailed }
    guard let reply = try? JSONDecoder().decode(RequestReply.self, from: Data(answer)) else {
      throw .environment("the answer is from another version of leash")
    }
    if let reason = reply.error {
      guard reason.hasPrefix("refused: ") else { throw .usage(RequestKind.complaint(about: text)) }
      throw .check("the tracker refused it: \(RefusalText.text(door: String(reason.dropFirst(9))))")
    }
    guard reply.accepted == true else {
      if reply.answer == "unknownAlert" {
        throw .check("there is no alert \(text.split(separator: " ").last ?? "")")
      }
      if reply.answer == "newerAlert", let newest = reply.value {
        throw .check("a newer alert has come since, and nothing was dismissed: leash tell dismiss \(newest)")
      }
      let reason = RefusalText.text(answer: reply.answer, value: reply.value, request: text)
      throw .check("the tracker refused it: \(reason)")
    }
    console.out.writeLine(reply.line(to: text))
    return .success
  }
}

/// What a running tracker answers to a request.
struct RequestReply: Decodable {
  /// False when it did nothing.
  var accepted: Bool?
  /// The reason of the status that answers.
  var answer: String?
  /// What that tells besides.
  var value: String?
  /// Why it was not let in.
  var error: String?

  /// What is shown of an answer to a request that was accepted.
  func line(to request: String) -> String {
    guard let answer, let reason = StatusReason(named: answer) else { return value ?? answer ?? "accepted" }
    switch (reason, value) {
    case (.setting, let value?):
      guard let setting = request.split(separator: " ").last.flatMap({ Setting.named(String($0)) }) else {
        return value
      }
      return "\(setting.name): \(value)" + (setting.unit.map { " \($0)" } ?? "")
    case (.odometerMeasured, let value?), (.odometerImported, let value?), (.odometerCorrected, let value?):
      let parts = value.split(separator: " ")
      let before = request.contains("odometer ") ? " before" : ""
      let source =
        reason == .odometerImported ? ", imported in part" : reason == .odometerCorrected ? ", corrected" : ""
      let deviation = parts.count == 2 ? " ± \(parts[1]) m" : ""
      // What it was before has nothing to do with where it is from now.
      return "odometer\(before): \(parts.first ?? "") m\(deviation)\(before.isEmpty ? source : "")"
    case (.info, let value?): return "refused requests: \(value)"
    case (.rules, let value?), (.gear, let value?), (.profile, let value?), (.settings, let value?),
      (.fences, let value?),
      (.steps, let value?):
      return value
    case (_, let value?): return "\(reason.words): \(value)"
    case (_, nil): return "\(reason.words)"
    }
  }
}

/// What asking a running tracker needs.
enum ControlOptions {
  static let socket = Option<String>(
    "socket", "PATH", "The local socket. Default: as configured, or /run/leash/control without a configuration.")

  /// Asks; nil when the configuration has problems, which have been told.
  static func ask(
    _ request: ControlRequest, _ arguments: Arguments, _ console: Console
  ) throws(CommandFailure) -> [UInt8]? {
    var path = arguments[socket]
    if path == nil {
      do throws(CommandFailure) {
        guard let file = try ConfigCommand.read(arguments, console) else { return nil }
        path = file.configuration.controlSocket
      } catch {
        // Without a configuration in the usual place the usual socket is meant.
        guard arguments[ConfigCommand.file].isEmpty else { throw error }
      }
    }
    let place = path ?? BoardConfiguration().controlSocket
    do throws(DeviceFailure) {
      return try ControlClient.ask(request, at: place)
    } catch {
      throw .environment("\(place): no tracker answers (\(error.systemText)); is 'leash run' running?")
    }
  }
}
