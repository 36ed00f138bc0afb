import InertialFusion
import Quantities
import Recording
import TrackerRuntime

/// `leash calibrate accelerometer`: offset and scale from still poses.
enum CalibrateAccelerometerCommand {
  static let gravity = Option<Double>("gravity", "M/S2", "Local gravity. Default: 9.80665, or from the latitude.")
  static let latitude = Option<Double>("latitude", "DEGREES", "Latitude from which to calculate gravity.")
  static let height = Option<Double>("height", "METRES", "Height above sea level, with --latitude. Default: 0.")
  static let files = Positional(
    "FILE", count: .oneOrMore, "Recordings of one sensor: CSV, Leash log or export folder of a phone.")

  static let command = Command(
    "accelerometer", "Find offset and scale of an accelerometer from still poses",
    discussion: """
      Place the sensor in at least six poses, each axis once up and once down, for four seconds each. The angles \
      need not be exact. The poses may be in one recording or in several.
      """,
    parameters: [
      .positional(files), .option(gravity), .option(latitude), .option(height), .flag(CalibrateCommand.json),
    ]
  ) { arguments, console throws(CommandFailure) in
    var parameters = AccelerometerParameters()
    parameters.gravity = try localGravity(arguments)
    var calibrator = AccelerometerCalibrator(parameters: parameters)
    var sampleCount = 0
    for path in arguments[files] {
      let recording = try reading { () throws(RecordingError) in try openRecording(path) }
      defer { for line in ReplaySummary.problems(recording.reports) { console.err.writeLine(line) } }
      try reading { () throws(RecordingError) in
        while let input = try recording.next() {
          guard case .inertial(let sample) = input else { continue }
          sampleCount += 1
          calibrator.process(sample)
        }
      }
      calibrator.finish()
    }
    guard sampleCount > 0 else {
      throw .environment("\(arguments[files][0]): no accelerometer in it; expected columns ax, ay, az in m/s²")
    }
    let report = AccelerometerReport(calibrator)
    console.out.write(arguments[CalibrateCommand.json] ? report.json : report.text)
    if let problem = report.problem { throw .check(problem) }
    return .success
  }

  private static func localGravity(_ arguments: Arguments) throws(CommandFailure) -> Float {
    if let value = arguments[gravity] {
      guard arguments[latitude] == nil else { throw .usage("options '--gravity' and '--latitude' exclude each other") }
      guard value >= 9.7, value <= 9.9 else { throw .usage("option '--gravity': '\(value)' is not from 9.7 to 9.9") }
      return Float(value)
    }
    guard let degrees = arguments[latitude] else {
      guard arguments[height] == nil else { throw .usage("option '--height' needs '--latitude'") }
      return Gravity.standard
    }
    guard abs(degrees) <= 90 else { throw .usage("option '--latitude': '\(degrees)' is not from -90 to 90") }
    let metres = arguments[height] ?? 0
    guard metres >= -500, metres <= 9000 else {
      throw .usage("option '--height': '\(metres)' is not from -500 to 9000")
    }
    return Gravity.normal(latitude: Float(degrees * Double.pi / 180), height: Float(metres))
  }
}

/// A calibration of an accelerometer in words and as JSON.
struct AccelerometerReport {
  private let poses: [StillPose]
  private let implausiblePoses: UInt32
  private let solution: AccelerometerSolution

  init(_ calibrator: borrowing AccelerometerCalibrator) {
    poses = (0..<calibrator.poses.count).map { calibrator.poses[$0] }
    implausiblePoses = calibrator.implausiblePoses
    solution = calibrator.solution
  }

  private static let axes: [(name: String, axis: SensorAxis)] = [
    ("+x", .plusX), ("-x", .minusX), ("+y", .plusY), ("-y", .minusY), ("+z", .plusZ), ("-z", .minusZ),
  ]

  private var missing: [String] {
    AccelerometerReport.axes.filter { solution.coverage.isMissing($0.axis) }.map(\.name)
  }

  /// Why there is no calibration; nil when there is one.
  var problem: String? {
    switch solution.outcome {
    case .solved: return nil
    case .posesMissing:
      if solution.poseCount == 0, implausiblePoses > 0 {
        return "at rest the readings are not within 30 % of gravity; expected m/s²"
      }
      if solution.poseCount == 0 { return "the sensor never lies still for four seconds" }
      guard !missing.isEmpty else {
        return "\(solution.poseCount) poses do not cover all axes; add one with each sensor axis up and down"
      }
      return "no still pose with the sensor's \(AccelerometerReport.list(missing)) axis up"
    case .inconsistent:
      return
        "the poses do not agree: \(CalibrateCommand.short(solution.residual, 3)) m/s² are left after the fit; were all still?"
    case .implausible: return "the fit gives an impossible offset or scale (limits: 3 m/s², 20 %)"
    }
  }

  /// `a`, `a or b`, `a, b or c`.
  private static func list(_ words: [String]) -> String {
    guard words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
  }

  /// What to give to `leash replay`.
  private var settings: [(name: String, value: String)] {
    let o = solution.offset
    let s = solution.scale
    func join(_ v: Vector3, _ decimals: Int) -> String {
      [v.x, v.y, v.z].map { CalibrateCommand.short($0, decimals) }.joined(separator: " ")
    }
    return [
      ("calibration.specificForceOffset", join(o, 4)), ("calibration.specificForceScale", join(s, 5)),
    ]
  }

  var text: String {
    var table = TextTable(
      ("pose", .right), ("x", .right), ("y", .right), ("z", .right), ("m/s²", .right), ("s", .right))
    for (place, pose) in poses.enumerated() {
      let f = pose.specificForce
      table.add(
        "\(place + 1)", CalibrateCommand.short(f.x, 3), CalibrateCommand.short(f.y, 3), CalibrateCommand.short(f.z, 3),
        CalibrateCommand.short(f.length, 3), CalibrateCommand.short(pose.seconds, 1))
    }
    var text = table.isEmpty ? "" : table.text()
    guard solution.outcome == .solved else { return text }
    var result = TextTable(("axis", .left), ("offset m/s²", .right), ("±", .right), ("scale", .right), ("±", .right))
    let rows = [
      ("x", solution.offset.x, solution.offsetDeviation.x, solution.scale.x, solution.scaleDeviation.x),
      ("y", solution.offset.y, solution.offsetDeviation.y, solution.scale.y, solution.scaleDeviation.y),
      ("z", solution.offset.z, solution.offsetDeviation.z, solution.scale.z, solution.scaleDeviation.z),
    ]
    for row in rows {
      result.add(
        row.0, CalibrateCommand.short(row.1, 4), CalibrateCommand.short(row.2, 4), CalibrateCommand.short(row.3, 5),
        CalibrateCommand.short(row.4, 5))
    }
    text += "\n" + result.text()
    text += "\nlength less gravity, rms over \(solution.poseCount) poses: "
    text += "\(CalibrateCommand.short(solution.residualBefore, 4)) m/s² before, "
    text += "\(CalibrateCommand.short(solution.residual, 4)) after\n"
    if solution.poseCount == 6 { text += "with only six poses the fit can't be checked; add a seventh\n" }
    return text + "\n" + CalibrateCommand.replay(settings.map { "\($0.name)=\($0.value)" }, ["RIDE"])
  }

  var json: String {
    func list(_ v: Vector3) -> String { "[\(v.x),\(v.y),\(v.z)]" }
    var text = "{\"outcome\":\"\(solution.outcome)\",\"poses\":["
    for (place, pose) in poses.enumerated() {
      text += "\(place > 0 ? "," : ""){\"specificForce\":\(list(pose.specificForce)),\"seconds\":\(pose.seconds)}"
    }
    text += "],\"missing\":[" + missing.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    text += ",\"residualBefore\":\(solution.residualBefore),\"residual\":\(solution.residual)"
    if solution.outcome == .solved {
      text += ",\"offset\":\(list(solution.offset)),\"offsetDeviation\":\(list(solution.offsetDeviation))"
      text += ",\"scale\":\(list(solution.scale)),\"scaleDeviation\":\(list(solution.scaleDeviation))"
      text += ",\"uncertaintyRatio\":\(solution.uncertaintyRatio),\"settings\":{"
      text += settings.map { "\"\($0.name)\":\"\($0.value)\"" }.joined(separator: ",") + "}"
    }
    return text + "}\n"
  }
}
