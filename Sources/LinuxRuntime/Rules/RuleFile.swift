import JSON5
import Quantities
import Rules
import Telemetry

/// Tables of rules read from a file.
///
/// Everything that is wrong in it is told at once, a line each.
package struct RuleFile: Sendable {
  /// Name of the file, for messages.
  package let name: String
  /// What it holds.
  package let tables: RuleTables
  /// What is allowed and should be looked at, a line each, with the file's name in front.
  package let warnings: [String]
  /// What should be known and is no reason to refuse the file, a line each.
  package let remarks: [String]
  /// The line on which each rule begins.
  package let lines: [RuleName: Int]

  /// Reads a file, or standard input where the path is `-`.
  package static func read(path: String) throws(BoardConfigurationFailure) -> RuleFile {
    let (bytes, name) = try bytes(path: path)
    return try RuleFile(text: bytes, name: name)
  }

  /// The bytes of a file, or of standard input where the path is `-`, and its name for messages.
  static func bytes(path: String) throws(BoardConfigurationFailure) -> ([UInt8], name: String) {
    let isInput = path == "-"
    let name = isInput ? "standard input" : path
    let limit = JSON5Limits().bytes
    do throws(SmallFile.Unreadable) {
      let bytes = isInput ? try SmallFile.read(0, limit: limit) : try SmallFile(path: path, limit: limit).bytes
      return (bytes, name)
    } catch {
      throw .unreadable("can't read \(name): \(error.reason)")
    }
  }

  /// The alarms whose date is over, a line each, with the file's name in front.
  package func pastAlarms(at utc: UTCTime) -> [String] { tables.pastAlarms(at: utc, lines, of: name) }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - text: JSON or JSON5 in UTF-8.
  ///   - name: Stands in front of every message.
  ///   - zones: Where names of time zones are looked up.
  package init(
    text: [UInt8], name: String, zones: ZoneFolder = ZoneFolder()
  ) throws(BoardConfigurationFailure) {
    let value: JSON5Value
    do throws(JSON5Problem) {
      value = try JSON5Value(reading: text)
    } catch {
      throw .invalid([ConfigurationProblem(position: error.position, message: error.message).line(of: name)])
    }
    var draft = RuleDraft(ConfigurationReader(environment: [:]), zones: zones)
    draft.read(value)
    let problems = draft.reader.problems
    guard problems.isEmpty else { throw .invalid(ConfigurationProblem.lines(problems, of: name)) }
    self.name = name
    tables = draft.tables
    warnings = draft.reader.warnings.map { $0.line(of: name) }
    remarks = draft.remark.map { [$0.line(of: name)] } ?? []
    lines = draft.lines
  }
}

extension RuleTables {
  /// The alarms whose date is over, a line each, with the name of the file in front in which each begins on a line.
  func pastAlarms(at utc: UTCTime, _ lines: [RuleName: Int], of name: String) -> [String] {
    var zone = PosixTimeZone()
    if let timeZone, let told = PosixTimeZone(Array(timeZone.utf8).span) { zone = told }
    return alarms.compactMap { alarm in
      guard alarm.isEnabled, case .time(let schedule) = alarm.trigger, schedule.next(after: utc, in: zone) == nil else {
        return nil
      }
      let position = TextPosition(line: lines[RuleName(.alarm, alarm.number)] ?? 1, column: 1)
      let problem = ConfigurationProblem(
        position: position, message: "alarm \(alarm.number) would never ring: its date is over")
      return problem.line(of: name)
    }
  }
}
