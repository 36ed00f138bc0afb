/// `leash calibrate`: what is wrong with a sensor and how it is mounted, from recordings.
enum CalibrateCommand {
  static let json = Flag("json", "Print the result as one JSON object.")

  static let command = Command(
    "calibrate", "Find a sensor's errors and how it is mounted",
    discussion: """
      Prints the settings for 'leash replay --set'. If a recording does not show enough, it says what is missing and \
      exits with 1. docs/calibration.md explains how to record.
      """,
    subcommands: [CalibrateAccelerometerCommand.command, CalibrateMountCommand.command])

  /// A number with six significant digits at most, which a `Float` holds.
  static func short(_ value: Float, _ decimals: Int) -> String { TimeText.decimal(Double(value), decimals) }

  /// The command that uses what was found, to be copied to a shell.
  static func replay(_ settings: [String], _ files: [String]) -> String {
    "leash replay" + settings.map { " \\\n  --set \(quoted($0))" }.joined() + " \\\n  "
      + files.map(quoted).joined(separator: " ") + "\n"
  }

  /// A word as a shell reads it back.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "/._-+".utf8.contains(byte)
    }
    return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }
}
