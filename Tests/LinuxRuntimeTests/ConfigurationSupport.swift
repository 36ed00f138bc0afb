import Foundation
import JSON5
import Quantities
import Testing

@testable import LinuxRuntime

/// The problems of a text, each without the file's name; none when it is right.
func problems(_ text: String, environment: [String: String] = [:]) -> [String] {
  do throws(BoardConfigurationFailure) {
    _ = try BoardConfigurationFile(text: text, name: "f", environment: environment)
    return []
  } catch {
    return error.lines.map { line in
      #expect(line.hasPrefix("f:") && !line.contains("\n"), "\(line)")
      return String(line.dropFirst(2))
    }
  }
}

/// A text that must be right.
func configuration(_ text: String, environment: [String: String] = [:]) throws -> BoardConfigurationFile {
  do throws(BoardConfigurationFailure) {
    return try BoardConfigurationFile(text: text, name: "f", environment: environment)
  } catch {
    Issue.record("\(error.lines.joined(separator: "\n"))\n\(text)")
    throw error
  }
}

/// The smallest file in which a section of this kind is right, with further lines in it.
func smallest(_ section: ConfigurationSection, _ lines: [String: String] = [:]) -> String {
  var values = lines
  for key in section.keys where key.isRequired && values[key.name] == nil { values[key.name] = key.example }
  if values["part"] == "\"bmi270\"", values["configurationFile"] == nil { values["configurationFile"] = "\"/f\"" }
  // What goes into an address is a form.
  if section.selector?.word == "http", values["inAddress"] == "true" { values["format"] = "\"osmAnd\"" }
  // Lists of what may be asked unsigned need encryption.
  if section.selector?.word == "mqtt", values["trusted"] != nil { values["tls"] = values["tls"] ?? "true" }
  if section.path == "buzzer", values["command"] == nil {
    values["chip"] = values["chip"] ?? "'gpiochip0'"
    values["line"] = values["line"] ?? "4"
  }
  // What belongs together is given together.
  for (name, companions) in [
    "password": ["user"], "tls.certificate": ["tls.key"], "tls.key": ["tls.certificate"],
    "will.topic": ["will.payload"], "will.payload": ["will.topic"], "segmentMegabytes": ["totalMegabytes"],
  ] where values[name] != nil {
    for companion in companions where values[companion] == nil {
      values[companion] =
        companion == "totalMegabytes" ? "1048576" : section.keys.first { $0.name == companion }?.example
    }
  }
  let lines = ["powerKey", "reset", "status", "supply", "switch"] + Contact.allCases.map { "\($0.name)" }
  for name in lines where values.keys.contains(where: { $0.hasPrefix(name + ".") }) {
    values["\(name).chip"] = values["\(name).chip"] ?? "'gpiochip0'"
    values["\(name).line"] = values["\(name).line"] ?? "4"
  }
  let isModem = section.selector?.word == "modem"
  if isModem, values.keys.contains(where: { $0.hasPrefix("homeAssistant") }) {
    values["transport"] = values["transport"] ?? "'mqtt'"
  }
  var body = values.sorted { $0.key < $1.key }.map { "'\($0.key)': \($0.value)," }.joined(separator: " ")
  if let selector = section.selector { body = "\(selector.key): '\(selector.word)', " + body }
  let modem = isModem ? "modem: { url: 'https://a.example', mqtt: { host: 'b.example' } }, " : ""
  switch section.path {
  case "": return "{ \(body) }"
  case "uplinks": return "{ \(modem)uplinks: [ { \(body) } ] }"
  default: return "{ \(modem)\(section.path): { \(body) } }"
  }
}

/// A folder that goes away with the value.
final class ScratchFolder {
  let url: URL
  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "leash-config-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file with these permissions and gives its path.
  func file(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
    let path = url.appending(path: name).path
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }
}
