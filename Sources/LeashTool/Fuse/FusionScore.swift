import FusionEvaluation
import Quantities
import Recording

/// Collects what is scored at the end.
///
/// - Complexity: about 80 bytes a row, as the alignment needs all errors at once.
struct FusionScore {
  /// The file the reference is from.
  let file: String
  private var times: [Double] = []
  private var estimates: [PreciseQuaternion] = []
  private var isResting: [Bool] = []
  private var references: [PreciseQuaternion] = []
  private var isMoving: [Bool] = []
  private let hasMovement: Bool
  private let other: OrientationTable?

  /// Scores against columns of the input.
  init(file: String, hasMovement: Bool) {
    self.file = file
    self.hasMovement = hasMovement
    other = nil
  }

  /// Scores against another file.
  init(_ table: OrientationTable) {
    file = table.file
    hasMovement = table.isMoving != nil
    other = table
  }

  mutating func add(_ row: InertialRow, _ state: FusedState) {
    times.append(row.time?.secondsDouble ?? .nan)
    estimates.append(PreciseQuaternion(state.attitude))
    isResting.append(state.isAtRest)
    guard other == nil else { return }
    references.append(row.reference.map(PreciseQuaternion.init) ?? .missing)
    isMoving.append(row.isMoving ?? false)
  }

  /// The scores.
  ///
  /// - Throws: When no row could be scored.
  func verdict(mode: FusionMode) throws(CommandFailure) -> FusionVerdict {
    var matched = self
    if let other { matched.match(other) }
    let movement = hasMovement ? matched.isMoving : nil
    let score = OrientationScore(estimates: matched.estimates, references: matched.references, isMoving: movement)
    guard score.count > 0 else {
      throw .environment(
        "\(file): no row to score: none \(hasMovement ? "in movement " : "")has a reference; expected values in qw,qx,qy,qz"
      )
    }
    guard score.badCount < score.count else {
      throw .environment(
        "\(file): none of its times is near one of the recording; expected the reference of the same recording")
    }
    let rest = movement.map {
      RestScore(isResting: matched.isResting, isMoving: $0, hertz: RestScore.hertz(ofTimes: matched.times))
    }
    let offset = mode == .level ? score.headingOffset : 0
    return FusionVerdict(
      orientation: score, rest: rest, mode: mode, times: matched.times,
      errors: matched.estimates.indices.map { row in
        guard matched.references[row].isFinite, matched.estimates[row].isFinite else { return nil }
        return OrientationError(
          of: matched.estimates[row], against: matched.references[row], headingOffset: offset)
      })
  }

  /// Lays the estimates beside the rows of the other file: row by row when there are as many, else by the nearest time.
  private mutating func match(_ table: OrientationTable) {
    references = table.references
    isMoving = table.isMoving ?? []
    defer { times = table.times }
    guard table.count != times.count else { return }
    let rows = nearestRows(in: times, to: table.times, within: 0.6 / table.hertz)
    estimates = rows.map { row in row.map { estimates[$0] } ?? .missing }
    isResting = rows.map { row in row.map { isResting[$0] } ?? false }
  }
}

/// The scores of a run.
struct FusionVerdict {
  var orientation: OrientationScore
  var rest: RestScore?
  var mode: FusionMode
  /// Times of the rows that were scored, s.
  var times: [Double]
  /// Error by row, in 6d after alignment; nil without reference.
  var errors: [OrientationError?]

  /// The scores as a table.
  var text: String {
    let score = orientation
    func degrees(_ value: Double) -> String { value.isFinite ? TimeText.decimal(value, 4) : "–" }
    var table = TextTable(("RMSE, degrees", .left), ("total", .right), ("heading", .right), ("inclination", .right))
    table.add(
      mode == .level ? "as it is (6d: heading from an arbitrary origin)" : "as it is", degrees(score.total),
      degrees(score.heading), degrees(score.inclination))
    table.add(
      "after the best constant heading", degrees(score.totalAligned), degrees(score.headingAligned),
      degrees(score.inclination))
    var text = table.text()
    text += "n \(score.count), n_bad \(score.badCount)\n"
    guard let rest else { return text }
    func share(_ value: Double) -> String { value.isFinite ? TimeText.decimal(value, 4) : "–" }
    text += "rest: precision \(share(rest.precision)), recall \(share(rest.recall)) "
    text += "(\(share(rest.settledRecall)) from 1.5 s into a phase on), "
    text += "\(rest.phasesFound) of \(rest.phases) phases of 2 s found, "
    return text + "\(rest.falseOnsets) false onset\(rest.falseOnsets == 1 ? "" : "s")\n"
  }

  /// The scores as one JSON object.
  var json: String {
    func number(_ value: Double) -> String { value.isFinite ? TimeText.decimal(value, 6) : "null" }
    let score = orientation
    var text = "{\"mode\":\"\(mode.rawValue)\",\"total\":\(number(score.total)),\"heading\":\(number(score.heading)),"
    text += "\"inclination\":\(number(score.inclination)),\"total_aligned\":\(number(score.totalAligned)),"
    text += "\"heading_aligned\":\(number(score.headingAligned)),\"n\":\(score.count),\"n_bad\":\(score.badCount)"
    if let rest {
      text += ",\"rest\":{\"tp\":\(rest.truePositives),\"fp\":\(rest.falsePositives),\"fn\":\(rest.falseNegatives),"
      text += "\"tn\":\(rest.trueNegatives),\"precision\":\(number(rest.precision)),\"recall\":\(number(rest.recall)),"
      text += "\"recall_settled\":\(number(rest.settledRecall)),\"phases\":\(rest.phases),"
      text += "\"found\":\(rest.phasesFound),\"false_onsets\":\(rest.falseOnsets)}"
    }
    return text + "}\n"
  }
}
