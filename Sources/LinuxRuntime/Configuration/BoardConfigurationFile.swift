import JSON5
import Quantities

/// A configuration read from a file: the settings, where each of them comes from, and what should be looked at.
///
/// Everything that is wrong in a file is told at once. Secrets are in the settings only: no row, line or message holds one.
package struct BoardConfigurationFile: Sendable {
  /// Where `leash` looks when it is told no other file.
  package static let standardPath = "/etc/leash/leash.json5"

  /// Name of the file, for messages.
  package let name: String
  /// What the file says.
  package let configuration: BoardConfiguration
  /// What is allowed and should be looked at, a line each, with the file's name in front.
  package let warnings: [String]
  /// All values that hold, in the order of the schema.
  package internal(set) var rows: [ConfigurationRow]
  private let ruleLines: [RuleName: Int]

  /// The alarms whose date is over, a line each, with the file's name in front.
  package func pastAlarms(at utc: UTCTime) -> [String] {
    configuration.rules.pastAlarms(at: utc, ruleLines, of: name)
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - environment: Variables that secrets may come from.
  package static func read(
    path: String, environment: [String: String]
  ) throws(BoardConfigurationFailure) -> BoardConfigurationFile {
    let file: SmallFile
    do throws(SmallFile.Unreadable) {
      file = try SmallFile(path: path, limit: JSON5Limits().bytes)
    } catch {
      throw .unreadable("can't read the configuration \(path): \(error.reason)")
    }
    return try BoardConfigurationFile(
      text: file.bytes, name: path, environment: environment, isReadableByOthers: file.isReadableByOthers)
  }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - text: JSON5 in UTF-8.
  ///   - name: Stands in front of every message.
  ///   - environment: Variables that secrets may come from.
  package init(
    text: String, name: String, environment: [String: String] = [:]
  ) throws(BoardConfigurationFailure) {
    try self.init(text: Array(text.utf8), name: name, environment: environment)
  }

  init(
    text: [UInt8], name: String, environment: [String: String], isReadableByOthers: Bool = false
  ) throws(BoardConfigurationFailure) {
    let value: JSON5Value
    do throws(JSON5Problem) {
      value = try JSON5Value(reading: text)
    } catch {
      throw .invalid([ConfigurationProblem(position: error.position, message: error.message).line(of: name)])
    }
    var draft = BoardDraft(environment: environment)
    draft.read(value)
    if isReadableByOthers && !draft.reader.literalSecrets.isEmpty {
      draft.reader.warn(
        "this file contains secrets and is readable by everybody: chmod o-r, or use { file: … }",
        at: value.position)
    }
    guard draft.reader.problems.isEmpty else {
      throw .invalid(ConfigurationProblem.lines(draft.reader.problems, of: name))
    }
    self.name = name
    configuration = draft.configuration
    ruleLines = draft.ruleLines
    warnings = draft.reader.warnings.map { $0.line(of: name) }
    rows = draft.rows
  }
}
