import ASCIIText
import Quantities
import Recording
import TrackerRuntime

/// One row of the output of `leash fuse`, as CSV or as a JSON object.
struct FusionRowText {
  /// Names of the columns in their order, which are the keys of the JSON object, too.
  static let columns: [StaticString] = [
    "t_s", "qw", "qx", "qy", "qz", "roll_deg", "pitch_deg", "yaw_deg", "bx", "by", "bz", "rest", "heading_sigma_deg",
    "rest_ratio", "mag_ratio", "tilt_sigma_deg", "bias_sigma",
  ]

  private let isJSON: Bool
  private var line = ByteBuffer()
  private var column = 0

  init(isJSON: Bool) { self.isJSON = isJSON }

  /// The line above the rows; empty for JSON.
  var header: String { isJSON ? "" : FusionRowText.columns.map { "\($0)" }.joined(separator: ",") + "\n" }

  /// The row's line with its end; valid until the next call.
  mutating func line(of row: InertialRow, _ state: FusedState, _ angles: EulerAngles) -> [UInt8] {
    line.bytes.removeAll(keepingCapacity: true)
    column = 0
    append(timeOf: row)
    for value in [state.attitude.w, state.attitude.x, state.attitude.y, state.attitude.z] { append(value, 7) }
    for angle in [angles.roll, angles.pitch, angles.yaw] { append(angle * degreesPerRadian, 3) }
    for value in [state.gyroBias.x, state.gyroBias.y, state.gyroBias.z] { append(value, 6) }
    append(state.isAtRest ? 1 : 0, 0)
    append(state.headingUncertainty * degreesPerRadian, 3)
    append(min(state.restRatio, 1e6), 3)
    append(min(state.magneticRatio, 1e6), 3)
    append(state.tiltUncertainty * degreesPerRadian, 3)
    append(state.biasUncertainty, 6)
    if isJSON { line.append(0x7D) }
    line.append(0x0A)
    return line.bytes
  }

  private mutating func beginField() {
    guard isJSON else {
      if column > 0 { line.append(0x2C) }
      column += 1
      return
    }
    line.append(column == 0 ? 0x7B : 0x2C)
    line.append(0x22)
    line.append(FusionRowText.columns[column])
    line.append("\":")
    column += 1
  }

  private mutating func append(_ value: Float, _ decimals: Int) {
    beginField()
    if isJSON || value.isFinite { line.append(json: value, decimals: decimals) }
  }

  /// The time as the input has it, as its text is what other tools join by.
  private mutating func append(timeOf row: InertialRow) {
    beginField()
    if FusionRowText.canCopy(row.timeText, isJSON: isJSON) {
      for byte in row.timeText.utf8 { line.append(byte) }
    } else if let time = row.time {
      line.append(fixed: time.microseconds, decimals: 6)
    } else if isJSON {
      line.append("null")
    }
  }

  /// True when the text can stand in the output as it is: in JSON a number, in CSV any short text without its marks.
  private static func canCopy(_ text: String, isJSON: Bool) -> Bool {
    guard !text.isEmpty, text.utf8.count <= 40 else { return false }
    if !isJSON { return text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x2C && $0 != 0x3B } }
    var digits = text.utf8[...]
    if digits.first == 0x2D { digits.removeFirst() }
    let whole = digits.prefix { isDigit($0) }
    guard !whole.isEmpty, whole.count == 1 || whole.first != 0x30 else { return false }
    digits = digits.dropFirst(whole.count)
    guard digits.first == 0x2E else { return digits.isEmpty }
    digits.removeFirst()
    return !digits.isEmpty && digits.allSatisfy { isDigit($0) }
  }
}
