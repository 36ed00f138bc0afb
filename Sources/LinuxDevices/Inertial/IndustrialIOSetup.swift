import Glibc

/// Sets up the buffer of an IIO device through its files, changing only what differs.
struct IndustrialIOSetup {
  private let files: IndustrialIOFiles
  private let settings: InertialSettings
  /// Frames the kernel keeps for us: two seconds at 1 kHz.
  private static let bufferLength = 2048

  init(_ files: IndustrialIOFiles, _ settings: InertialSettings) {
    self.files = files
    self.settings = settings
  }

  /// What came of it.
  struct Result {
    var layout: ScanLayout
    /// Samples per second as the device says.
    var hertz: Double
    var clock: TimestampClock
    var trigger: String?
  }

  /// Makes everything ready and starts the buffer.
  func run() throws(DeviceFailure) -> Result {
    // Left on by somebody who was killed; nobody else can have the device open now.
    try files.write("\(files.bufferFolder)/enable", "0")
    let hertz = try chooseRate()
    try chooseRange("accel", settings.specificForceRange.limit)
    try chooseRange("anglvel", settings.angularRateRange.limit)
    try enableElements()
    let layout = try readLayout()
    let clock = chooseClock()
    let trigger = try chooseTrigger()
    if files.has("\(files.bufferFolder)/length") {
      try files.write("\(files.bufferFolder)/length", "\(Self.bufferLength)")
    }
    if files.has("\(files.bufferFolder)/watermark") {
      let frames = Int(settings.readInterval(hertz: hertz).secondsDouble * hertz + 0.5)
      try files.write("\(files.bufferFolder)/watermark", "\(min(max(frames, 1), Self.bufferLength / 2))")
    }
    try start(hasTrigger: trigger != nil)
    return Result(layout: layout, hertz: hertz, clock: clock, trigger: trigger)
  }

  private func start(hasTrigger: Bool) throws(DeviceFailure) {
    do throws(DeviceFailure) { try files.write("\(files.bufferFolder)/enable", "1") } catch {
      guard error.errorNumber == EINVAL, !hasTrigger, files.has("trigger/current_trigger") else { throw error }
      let others = IndustrialIOFiles.triggers(root: files.root).joined(separator: ", ")
      throw DeviceFailure(
        .configure, files.folder, errorNumber: EINVAL,
        .explained(
          "needs a trigger and has none (is its interrupt pin wired?); "
            + (others.isEmpty ? "there is no other" : "write one to trigger/current_trigger: \(others)")))
    }
  }

  /// Sets each kind's own rate, or the shared one.
  private func chooseRate() throws(DeviceFailure) -> Double {
    var rates: [Double] = []
    for kind in ["accel", "anglvel"] where files.hasAxes(kind) {
      if let rate = try chooseRate("in_\(kind)_sampling_frequency") { rates.append(rate) }
    }
    if rates.isEmpty, let rate = try chooseRate("sampling_frequency") { rates.append(rate) }
    return rates.max() ?? settings.hertz
  }

  private func chooseRate(_ attribute: String) throws(DeviceFailure) -> Double? {
    guard let now = files.number(attribute) else { return nil }
    var text = plain(settings.hertz)
    if let available = files.read("\(attribute)_available") ?? files.read("sampling_frequency_available") {
      text = Self.choice(of: settings.hertz, from: available) ?? text
    }
    if let wanted = Double(text), abs(wanted - now) > 1e-6 * now { try files.write(attribute, text) }
    return files.number(attribute).flatMap { $0 > 0 ? $0 : nil }
  }

  /// The text of the nearest value that is not lower, else of the highest; nil for a list that is none.
  static func choice(of wanted: Double, from available: String) -> String? {
    let isRange = available.hasPrefix("[")
    let words = available.split { $0.isWhitespace || $0 == "[" || $0 == "]" }
    let values = words.compactMap { word in Double(word).map { (value: $0, text: String(word)) } }
      .filter { $0.value.isFinite && $0.value > 0 }
    guard !values.isEmpty else { return nil }
    if isRange {
      guard values.count == 3, words.count == 3 else { return nil }
      let (least, step, most) = (values[0].value, values[1].value, values[2].value)
      let steps = ((wanted - least) / step).rounded(.up)
      return plain(min(least + max(0, steps) * step, most))
    }
    let sorted = values.sorted { $0.value < $1.value }
    return (sorted.first { $0.value >= wanted - 1e-9 * wanted } ?? sorted.last)?.text
  }

  /// Takes the finest scale that holds the wanted range, where the driver has a choice.
  private func chooseRange(_ kind: String, _ limit: Double) throws(DeviceFailure) {
    let attribute = "in_\(kind)_scale"
    guard files.hasAxes(kind), let now = files.number(attribute), let available = files.read("\(attribute)_available"),
      let type = files.read("\(files.scanFolder)/in_\(kind)_x_type").flatMap({ ScanType($0) })
    else { return }
    // Parts are a little short of their range; two percent tells no range from the next.
    let needed = limit * 0.98 / Double(UInt64(1) << UInt64(type.bits - 1))
    guard let text = Self.choice(of: needed, from: available), let scale = Double(text), abs(scale - now) > 1e-6 * now
    else { return }
    try files.write(attribute, text)
  }

  private func enableElements() throws(DeviceFailure) {
    let folder = files.scanFolder
    for name in files.names(in: folder) where name.hasSuffix("_en") {
      let isWanted =
        name == "in_timestamp_en"
        || IndustrialIOChannel.Kind.allCases.contains { kind in
          IndustrialIOChannel.axes.contains { name == "in_\(kind.rawValue)_\($0)_en" }
        }
      try files.write("\(folder)/\(name)", isWanted ? "1" : "0")
    }
  }

  /// Reads back what is enabled: the driver has the last word.
  private func readLayout() throws(DeviceFailure) -> ScanLayout {
    let folder = files.scanFolder
    var enabled: [(name: String, index: Int, type: ScanType)] = []
    for file in files.names(in: folder) where file.hasSuffix("_en") && files.read("\(folder)/\(file)") == "1" {
      let stem = file.dropLast(3)
      let typeText = files.read("\(folder)/\(stem)_type") ?? ""
      guard let type = ScanType(typeText) else {
        throw DeviceFailure(
          .read, "\(files.folder)/\(folder)/\(stem)_type",
          .explained("'\(typeText)' is not a scan type; expected one such as 'le:s16/16>>0'"))
      }
      guard let index = files.read("\(folder)/\(stem)_index").flatMap({ Int($0) }), index >= 0 else {
        throw DeviceFailure(
          .read, "\(files.folder)/\(folder)/\(stem)_index", .explained("no index; expected a number such as 0"))
      }
      enabled.append((String(stem.hasPrefix("in_") ? stem.dropFirst(3) : stem), index, type))
    }
    return ScanLayout(enabled)
  }

  /// Asks for the monotonic clock and takes what it gets. Kernels without the choice use the clock on the wall.
  private func chooseClock() -> TimestampClock {
    let attribute = "current_timestamp_clock"
    do throws(DeviceFailure) { try files.write(attribute, TimestampClock.monotonic.rawValue) } catch {
      // Refused: whatever it has is converted.
    }
    return files.read(attribute).flatMap { TimestampClock(rawValue: $0) } ?? .realtime
  }

  /// Gives a device that can have a trigger and has none its own, named after it.
  ///
  /// - Returns: The trigger; nil when the device works without, or has no own one.
  private func chooseTrigger() throws(DeviceFailure) -> String? {
    guard let now = files.read("trigger/current_trigger") else { return nil }
    if !now.isEmpty { return now }
    let own = "\(files.name)-dev\(files.number)"
    let triggers = IndustrialIOFiles.triggers(root: files.root)
    guard
      let chosen = triggers.first(where: { $0 == own }) ?? triggers.first(where: { $0.hasPrefix("\(files.name)-dev") })
    else { return nil }
    try files.write("trigger/current_trigger", chosen)
    return chosen
  }
}

/// A number without a fraction that is zero.
func plain(_ number: Double) -> String {
  if let whole = Int(exactly: number) { return "\(whole)" }
  return "\(number)"
}
