/// `leash calibrate`: what is wrong with a sensor and how it is mounted, from recordings.
enum CalibrateCommand {
  static let json = Flag("json", "The result as one JSON object.")

  static let command = Command(
    "calibrate", "Find a sensor's errors and how it is mounted",
    discussion: """
      Prints the settings to give to leash replay with --set. Exit 1 when a recording does not show enough, with what is \
      missing. docs/calibration.md says how to record.
      """,
    subcommands: [CalibrateAccelerometerCommand.command, CalibrateMountCommand.command])

  /// A number with six significant digits at most, which a `Float` holds.
  static func short(_ value: Float, _ decimals: Int) -> String { TimeText.decimal(Double(value), decimals) }
}
