public import Quantities

/// A barometer of the board, as the kernel's industrial I/O shows it.
public struct Barometer: PolledDevice {
  private let wanted: String?
  private let root: String
  private var files: IndustrialIOFiles?
  private var last: PressureReading?

  /// - Parameters:
  ///   - device: Its name, as in `bmp280`, or its folder, as in `iio:device1`; nil for the first that measures pressure.
  ///   - root: Folder with `sys` in it, `/` but in tests.
  public init(device: String? = nil, root: String = "/") {
    wanted = device
    self.root = root
  }

  /// As in `barometer bmp280`.
  public var name: String { "barometer \(wanted ?? files?.title ?? "of the board")" }

  /// Looks for it; fails with the names of the barometers that there are.
  public mutating func find() throws(DeviceFailure) {
    let found = Barometer.all(root: root).first { wanted == nil || $0.title == wanted || $0.node == wanted }
    guard let found else { throw missing }
    files = found
  }

  private var missing: DeviceFailure {
    let names = Barometer.all(root: root).map(\.title).joined(separator: ", ")
    let advice = names.isEmpty ? "the kernel reports none" : "there are: \(names)"
    return DeviceFailure(.open, wanted ?? "/sys/bus/iio/devices", .explained("no barometer; \(advice)"))
  }

  /// The pressure; nil for one that no barometer can measure.
  public mutating func read(at now: Instant) throws(DeviceFailure) -> Reading? {
    guard let pascals = files?.pascals else { throw missing }
    guard let whole = UInt32(exactly: pascals), let reading = PressureReading(time: now, pascals: whole) else {
      return nil
    }
    last = reading
    return .pressure(reading)
  }

  /// What it read last.
  public var facts: [(name: String, value: String)] {
    guard let last else { return [] }
    return [("pressure", "\(Double(last.pascals) / 100) hPa")]
  }

  /// Each device below a root that measures pressure, by number.
  static func all(root: String) -> [IndustrialIOFiles] {
    IndustrialIOFiles.all(root: root).filter { $0.pascals != nil }
  }
}

extension IndustrialIOFiles {
  /// Its name, or its folder when it has none.
  fileprivate var title: String { name.isEmpty ? node : name }

  /// The pressure now, Pa; nil when the device does not tell one.
  ///
  /// - Source: [iio-abi] in_pressure_input, in_pressure_raw: kilopascals, as they are, or after offset and scale.
  var pascals: Int64? {
    let kilopascals: Double
    if let input = number("in_pressure_input") {
      kilopascals = input
    } else if let raw = number("in_pressure_raw") {
      let scale = number("in_pressure_scale") ?? number("scale") ?? 1
      kilopascals = (raw + (number("in_pressure_offset") ?? 0)) * scale
    } else {
      return nil
    }
    return kilopascals.isFinite ? Elementary.roundedInteger(kilopascals * 1000) : nil
  }
}
