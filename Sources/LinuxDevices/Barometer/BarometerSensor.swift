public import Quantities

/// A barometer of the board, as the kernel's industrial I/O shows it.
///
/// It is read at the start, at each interval, and nothing waits for it: a conversion takes some milliseconds.
public final class BarometerSensor: SensorSource {
  /// Takes what it measures; set it before `start`.
  public var sink: (SensorInput) -> Void = { _ in }
  /// Why it gives nothing any more since the last `start`; nil while it works.
  public private(set) var failure: DeviceFailure?

  private let wanted: String?
  private let interval: Interval
  private let files: BarometerFiles
  private var folder = ""
  private var part = ""
  private var loop: EventLoop?
  private var due: Instant?
  private var last: PressureReading?

  /// - Parameters:
  ///   - device: Its name, as in `bmp280`, or its folder, as in `iio:device1`; nil for the first that measures pressure.
  ///   - interval: Between two readings.
  ///   - root: Folder with `sys` in it, `/` but in tests.
  public init(device: String? = nil, interval: Interval = .seconds(5), root: String = "/") {
    wanted = device
    self.interval = interval
    files = BarometerFiles(root: root)
  }

  /// As in `barometer bmp280`.
  public var name: String { "barometer \(wanted ?? (part.isEmpty ? "of the board" : part))" }

  /// Reads once and joins the loop.
  ///
  /// - Throws: When there is no such barometer; it names those that there are.
  public func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    stop()
    failure = nil
    let found = files.barometers.first { wanted == nil || $0.name == wanted || $0.folder == wanted }
    guard let found else { throw missing }
    (folder, part) = (found.folder, found.name)
    self.loop = loop
    loop.add(self)
    read(at: now)
  }

  /// Leaves the loop.
  public func stop() {
    loop?.remove(self)
    loop = nil
    due = nil
  }

  private var missing: DeviceFailure {
    let names = files.barometers.map(\.name).joined(separator: ", ")
    let advice = names.isEmpty ? "the kernel reports none" : "there are: \(names)"
    return DeviceFailure(.open, wanted ?? "/sys/bus/iio/devices", .explained("no barometer; \(advice)"))
  }

  private func read(at now: Instant) {
    guard let pascals = files.pascals(of: folder) else {
      failure = missing
      stop()
      return
    }
    due = now + interval
    guard let pascals = UInt32(exactly: pascals), let reading = PressureReading(time: now, pascals: pascals) else {
      return
    }
    last = reading
    sink(.reading(.pressure(reading)))
  }

  /// No descriptors.
  public func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}
  /// When it reads next.
  public var nextDeadline: Instant? { due }
  /// Reads when it is time.
  public func advance(to now: Instant) { if let due, now >= due { read(at: now) } }

  /// What it read last.
  public var facts: [(name: String, value: String)] {
    guard let last else { return [] }
    return [("pressure", "\(Double(last.pascals) / 100) hPa")]
  }

  /// A barometer that is out of its range is silent for as long.
  public var patience: Interval? { nil }
}

/// Barometers as the kernel's files.
///
/// - Source: [iio-abi] in_pressure_input, in_pressure_raw: kilopascals, as they are, or after offset and scale.
struct BarometerFiles {
  /// Where `sys` is: `/` in the field.
  let root: String

  private var base: String { (root.hasSuffix("/") ? root : root + "/") + "sys/bus/iio/devices" }

  /// Folder and name of each device that measures pressure, sorted by folder.
  var barometers: [(folder: String, name: String)] {
    fileNames(in: base).sorted().filter { pascals(of: $0) != nil }.map { ($0, read($0, "name") ?? $0) }
  }

  /// The pressure now, Pa; nil when the device does not tell one.
  func pascals(of folder: String) -> Int64? {
    let kilopascals: Double
    if let input = number(folder, "in_pressure_input") {
      kilopascals = input
    } else if let raw = number(folder, "in_pressure_raw") {
      let scale = number(folder, "in_pressure_scale") ?? number(folder, "scale") ?? 1
      kilopascals = (raw + (number(folder, "in_pressure_offset") ?? 0)) * scale
    } else {
      return nil
    }
    return kilopascals.isFinite ? Elementary.roundedInteger(kilopascals * 1000) : nil
  }

  private func read(_ folder: String, _ attribute: String) -> String? {
    guard let text = contents(of: "\(base)/\(folder)/\(attribute)", limit: 256) else { return nil }
    return text.split(separator: "\n", omittingEmptySubsequences: false).first.map(trimmed)
  }

  private func number(_ folder: String, _ attribute: String) -> Double? {
    read(folder, attribute).flatMap { Double($0) }
  }
}
