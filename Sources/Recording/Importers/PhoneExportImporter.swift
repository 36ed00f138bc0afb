import Glibc
import Quantities
public import TrackerCore
public import TrackerRuntime

/// The folder of CSV files that the phone application Sensor Logger exports.
///
/// Every file has `time` (ns since 1970) and `seconds_elapsed`; vectors have `z,y,x`. Specific force comes from, in
/// this order: `TotalAcceleration`; `Accelerometer` (without gravity) plus `Gravity`; `AccelerometerUncalibrated`. Its
/// rows give the times of the inertial samples; the gyroscope is interpolated to them, and a magnetometer value is
/// given once, with the first sample after it. Without accelerometer the gyroscope gives the times. `Location` gives
/// fixes.
///
/// iPhones write acceleration and gravity with the opposite sign, and the uncalibrated accelerometer in units of g,
/// unless the option to standardise was on; `Metadata.csv` says so, and without it the length of the first vector and
/// Android's signs are assumed, which a remark says.
public final class PhoneExportImporter: RecordingImporter {
  /// `phone sensor export`.
  public let formatName = "phone sensor export"
  /// Zero is the start of the recording, or the first row where the start is not known.
  public private(set) var timeline = Timeline(basis: .firstTime)

  private let folder: String
  private var driver: VectorStream?
  private var driverIsGyroscope = false
  private var gravity: FollowingStream?
  private var gyroscope: FollowingStream?
  private var magnetometer: FollowingStream?
  private var location: LocationStream?
  private var origin: Int64 = 0
  private var ownReport: ImportReport

  static let standardGravity = 9.80665

  init(folder: String) throws(RecordingError) {
    self.folder = folder
    ownReport = ImportReport(file: folder)
    let files = try PhoneExportImporter.files(in: folder)
    func path(_ names: String...) -> String? {
      for name in names {
        if let file = files[name + ".csv"] ?? files[name + ".csv.gz"] { return folder + "/" + file }
      }
      return nil
    }
    let device = try path("metadata").map { (file) throws(RecordingError) in try PhoneMetadata(path: file) }
    let hasAppleSigns = device?.hasAppleSigns ?? false
    let sign: Double = hasAppleSigns ? -1 : 1
    if device == nil { ownReport.remark("no Metadata.csv: the signs and units of Android are assumed") }
    var first: RecordingError?
    func stream(_ file: String?, factor: Double) throws(RecordingError) -> VectorStream? {
      guard let file else { return nil }
      do throws(RecordingError) {
        return try VectorStream(path: file, factor: factor)
      } catch {
        // One sensor's file may be empty; the others still count.
        if case .system = error.kind { throw error }
        if first == nil { first = error }
        return nil
      }
    }
    let gyro = try stream(path("gyroscope", "gyroscopeuncalibrated"), factor: 1)
    if let total = try stream(path("totalacceleration"), factor: sign) {
      driver = total
    } else if let linear = try stream(path("accelerometer"), factor: sign),
      let gravity = try stream(path("gravity"), factor: sign)
    {
      driver = linear
      self.gravity = FollowingStream(gravity)
    } else if let file = path("accelerometeruncalibrated", "accelerometer_uncalibrated") {
      driver = try PhoneExportImporter.uncalibrated(file, device: device, sign: sign, report: &ownReport)
    } else if path("accelerometer") != nil {
      ownReport.remark("Accelerometer.csv does not include gravity and there is no Gravity.csv: no specific force")
    }
    if driver == nil {
      driver = gyro
      driverIsGyroscope = true
    } else if let gyro {
      gyroscope = FollowingStream(gyro)
    }
    magnetometer = try stream(path("magnetometer", "magnetometeruncalibrated"), factor: 1).map(FollowingStream.init)
    if let file = path("location", "locationgps") {
      do throws(RecordingError) {
        location = try LocationStream(path: file)
      } catch {
        if case .system = error.kind { throw error }
        if first == nil { first = error }
      }
    }
    guard driver?.current != nil || location?.current != nil else {
      if let first { throw first }
      throw RecordingError(
        kind: .malformed, file: folder, found: "a folder without usable sensor files",
        expected: "TotalAcceleration.csv or Accelerometer.csv and Gravity.csv, Gyroscope.csv, Location.csv")
    }
    if let first { ownReport.remark(first.description) }
    let firstTimes = [driver?.current?.time, location?.current?.time.microseconds].compactMap { $0 }
    origin = driver?.start ?? location?.start ?? firstTimes.min() ?? 0
    timeline.utcAtZero = UTCTime(microseconds: origin)
  }

  /// One report per file.
  public var reports: [ImportReport] {
    var all = [ownReport]
    if let driver { all.append(driver.report) }
    for stream in [gravity, gyroscope, magnetometer] {
      if let stream { all.append(stream.report) }
    }
    if let location { all.append(location.report) }
    return all
  }

  /// The next sample or fix, in the order of time.
  public func next() throws(RecordingError) -> TrackerInput? {
    if let location, let fix = location.current, fix.time.microseconds < driver?.current?.time ?? .max {
      try location.advance()
      return count(.fix(fix))
    }
    guard let driver, let row = driver.current else { return nil }
    var sample = InertialSample(time: .zero)
    if driverIsGyroscope {
      sample.angularRate = vector(row)
    } else if let gravity {
      let share = try gravity.value(at: row.time)
      sample.specificForce = share.map { Vector3(Float(row.x + $0.x), Float(row.y + $0.y), Float(row.z + $0.z)) }
    } else {
      sample.specificForce = vector(row)
    }
    if let gyroscope { sample.angularRate = try gyroscope.value(at: row.time).map(vector) }
    if let magnetometer { sample.magneticFluxDensity = try magnetometer.newValue(at: row.time).map(vector) }
    sample.time = Instant(microseconds: row.time)
    try driver.advance()
    return count(.inertial(sample))
  }

  private func count(_ input: TrackerInput) -> TrackerInput {
    ownReport.inputCount += 1
    return input.shifted(by: Interval(microseconds: -origin))
  }

  private func vector(_ row: VectorStream.Row) -> Vector3 { Vector3(Float(row.x), Float(row.y), Float(row.z)) }

  private static func uncalibrated(
    _ file: String, device: PhoneMetadata?, sign: Double, report: inout ImportReport
  ) throws(RecordingError) -> VectorStream {
    let stream = try VectorStream(path: file, factor: sign)
    guard let row = stream.current else { return stream }
    // At rest the length is 1 in units of g and 9.8 in m/s²; the metadata decides where there is some.
    let length = (row.x * row.x + row.y * row.y + row.z * row.z).squareRoot()
    let isInG = device.map(\.hasAppleSigns) ?? (length < 4)
    guard isInG else { return stream }
    if device == nil { report.remark("AccelerometerUncalibrated.csv seems to be in g and is scaled") }
    return try VectorStream(path: file, factor: sign * standardGravity)
  }

  /// File names by their lower-case form.
  private static func files(in folder: String) throws(RecordingError) -> [String: String] {
    guard let directory = opendir(folder) else { throw RecordingError.system("can't open", file: folder) }
    defer { closedir(directory) }
    var found: [String: String] = [:]
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { bytes in
        bytes.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { found[name.lowercased()] = name }
    }
    return found
  }
}

/// What `Metadata.csv` says about the signs of a phone export.
struct PhoneMetadata {
  /// True for an iPhone without the option to standardise.
  var hasAppleSigns: Bool

  init(path: String) throws(RecordingError) {
    let lines = LineReader(ByteWindow(try ByteSource(path: path)))
    let names = try lines.next()?.text.lowercased() ?? ""
    let values = try lines.next()?.text.lowercased() ?? ""
    let table = Dictionary(
      zip(PhoneMetadata.fields(names), PhoneMetadata.fields(values)), uniquingKeysWith: { first, _ in first })
    let isApple = table["platform"].map { $0 == "ios" || $0 == "ipados" } ?? false
    hasAppleSigns = isApple && table["standardisation"] != "true"
  }

  private static func fields(_ line: String) -> [String] {
    var result = [""]
    var isQuoted = false
    for character in line.utf8 {
      if character == 0x22 {
        isQuoted.toggle()
      } else if character == 0x2C, !isQuoted {
        result.append("")
      } else {
        result[result.count - 1].append(Character(UnicodeScalar(character)))
      }
    }
    return result
  }
}
