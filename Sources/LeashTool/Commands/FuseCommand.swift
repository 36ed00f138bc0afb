/// `leash fuse`: attitude, gyroscope bias and rest for every row of an inertial recording.
enum FuseCommand {
  static let output = Option<String>(
    "output", "FILE",
    "Output file, compressed if the name ends in .gz; '-' is standard output. It must be given, unless there is --plot or --reference."
  )
  static let mode = Option<FusionMode>(
    "mode", "MODE",
    "6d: gyroscope and accelerometer, heading from an arbitrary origin; 9d: with magnetometer, east-north-up. Default: 9d where "
      + "there is a magnetometer, else 6d.")
  static let json = Flag("json", "Write JSON Lines instead of CSV, with the same names, and scores as JSON.")
  static let offline = Flag(
    "offline",
    "Estimate each state from the whole recording, forward and backward: more accurate, but there is no output before the end, and "
      + "all rows are held in memory.")
  static let sampleClock = Flag(
    "sample-clock",
    "Take the stamps for the times at which samples arrived, late and in bunches, as when a FIFO is read, and find the times of the "
      + "samples at their steady rate.")
  static let reference = Option<String>(
    "reference", "FILE", bare: ownColumns,
    "Score against the columns qw,qx,qy,qz (and movement, 0 or 1) of the input, or of FILE.")
  static let plot = Option<String>(
    "plot", "FILE", "Draw angles, bias, standard deviations, rest and, with --reference, the error over time as SVG.")
  static let part = Option<String>(
    "part", "NAME",
    "The inertial part, such as mpu6050: its data sheet gives the delay of its low-pass at --rate, and the ends of its largest ranges."
  )
  static let rate = Option<Double>(
    "rate", "HZ", "Rate that the part is set to, which decides its low-pass. Default: 100.")
  static let settings = Option<String>(
    "set", "NAME=VALUE",
    "What is known about the sensor: a setting 'sensor.…' of 'leash settings'; may be given several times. Takes precedence over "
      + "--part, and both over the settings in a log.")
  static let input = Positional(
    "IN", "Inertial CSV or Leash log (gzip allowed, '-' is standard input), or export folder of a phone.")

  /// What `--reference` without a file means.
  static let ownColumns = "the input's own columns"

  static let command = Command(
    "fuse", "Compute attitude, gyroscope bias and rest from an inertial recording",
    discussion: """
      Writes one row for every row of the input. A bad row repeats the previous state. Columns: t_s as in the input; \
      qw,qx,qy,qz, the rotation from the sensor frame to the earth frame (x east, y magnetic north, z up; in 6d \
      level with arbitrary heading); roll_deg, pitch_deg, yaw_deg; bx,by,bz, the gyroscope bias in rad/s; rest (0 or \
      1); heading_sigma_deg, the standard deviation of the heading, 180 while it is unknown and always in 6d; \
      rest_ratio and mag_ratio, the evidence of movement and of magnetic disturbance as ratios to their thresholds \
      (1 or more: moved, or disturbed); tilt_sigma_deg and bias_sigma, the standard deviations per axis of the tilt \
      and of the bias (rad/s).

      The angles are rotations about z, then the new y, then the new x. With the sensor's x forward, y left and z \
      up, yaw is 0 when x points east and increases to the north, pitch is positive nose down, roll is positive left \
      side up.

      By default nothing is assumed about the sensor: readings at the end of its range are not noticed, the \
      angular rate is taken as not delayed, and north is magnetic north. Example for a delay of 2.4 ms and a full scale of \
      2000 °/s: --set sensor.latency=0.0024 --set sensor.angularRateRange=34.9. A log has the settings of its board.

      Columns of a CSV are identified by name: t_s; gx gy gz (rad/s); ax ay az (m/s², with gravity); mx my mz (µT).
      """,
    parameters: [
      .positional(input), .option(output), .option(mode), .flag(offline), .flag(sampleClock), .flag(json),
      .option(reference),
      .option(plot), .option(part), .option(rate), .option(settings),
    ]
  ) { arguments, console throws(CommandFailure) in
    try FusionRun(FusionOptions(arguments), console).run()
  }
}
