import LinuxRuntime
import Rules
import Telemetry
import TrackerCore

/// Why the tracker did not do what it was told, in words.
enum RefusalText {
  /// - Parameters:
  ///   - answer: The reason of the status that answers.
  ///   - value: What that tells besides.
  ///   - request: The request as it was given.
  static func text(answer: String?, value: String?, request: String) -> String {
    let code = value ?? answer ?? "no reason"
    switch answer {
    case "ruleRefused":
      if code == "unknownNumber", request.hasPrefix("snooze") { return "no alarm has rung since the tracker started" }
      let isCorridor = request.split(separator: " ").contains("corridor")
      return RuleError.explanation(of: code, isCorridor: isCorridor) ?? code
    case "gearRefused": return GearCommand.explanation(code)
    case "profileRefused":
      guard let error = ProfileError.allCases.first(where: { "\($0.name)" == code }) else { return code }
      return explanation(of: error)
    case let name?:
      return explanation(ofAnswer: name, to: request) ?? StatusReason(named: name).map { "\($0.words)" } ?? code
    case nil: return code
    }
  }

  /// Why a request was not let in at all.
  ///
  /// - Parameter word: The reason as logs have it.
  static func text(door word: String) -> String {
    switch RequestRefusal.allCases.first(where: { "\($0.word)" == word }) {
    case .tooLong: "it is longer than a request can be"
    case .unreadable: "it is no request"
    case .noKey: "it is signed, and the tracker has no owner whose key it could have"
    case .forged: "the signature is wrong: another key, another tracker, or a changed text"
    case .notAllowed: "it must be signed: leash request KEYFILE REQUEST"
    case .answerToAnswer: "it came as an answer to an answer"
    case .replayed: "it was signed before the last signed request; sign it again"
    case .stale: "it was signed more than an hour ago; sign it again"
    case .early: "it was signed more than a day ahead of the tracker's time; check both clocks"
    case .flooded: "it came too soon after other requests; try again in ten seconds"
    case .owned: "the tracker has an owner already; 'unclaim' ends that"
    case .keyInFile: "the owner's key is in the configuration file; remove it there"
    case .unsupported: "it is a command of another format for which there is no request"
    case nil: word
    }
  }

  private static func explanation(ofAnswer answer: String, to request: String) -> String? {
    switch answer {
    case "unknownParking":
      request.hasPrefix("parking")
        ? "it is not parked" : "there is no such parking, or the question about it was answered"
    case "nothingToFind": "there is no alarm or theft that it could end"
    case "settingsRefused":
      request.hasPrefix("get")
        ? "the value has no short text; 'leash config show' shows it"
        : "a setting is unknown, can't be changed while the tracker runs or can't have this value"
    case "settingsFull":
      "twelve settings differ from the configuration file, and there is no room for more; 'reset SETTING' makes room"
    case "settingsUnconfirmed":
      "four changes wait for a server's answer; try again when one has come, or after ten minutes, or reset one of the four"
    default: nil
    }
  }

  private static func explanation(of error: ProfileError) -> String {
    switch error {
    case .noName: "it has no name; expected 'profile set name' first"
    case .badName: "expected a name of UTF-8 without double quotes and control characters"
    case .noKind: "it does not say what it is; expected 'kind' in the same request"
    case .badBirthday: "there is no such day"
    case .unborn: "the day is yet to come"
    case .badWeight: "expected 0.01 to 1500 kg"
    case .badColour: "expected a colour of UTF-8 without double quotes and control characters"
    case .badNote: "expected a note of UTF-8 without double quotes and control characters"
    case .noProfile: "there is no profile yet; expected 'profile set'"
    }
  }
}
