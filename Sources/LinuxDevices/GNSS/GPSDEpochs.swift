import Quantities

/// Makes one fix of what gpsd says in several objects about one epoch of one receiver.
///
/// The fix goes out with its TPV object and waits for nothing: gpsd 3.22 sends GST before TPV, and SKY when the receiver has
/// told all its satellites, before or after. So satellites and dilutions may be those of the epoch before.
struct GPSDEpochs {
  /// How old satellites and dilutions may be. Receivers that are short of bytes tell them every five seconds.
  static let skyPatience = Interval.seconds(10)
  /// The most receivers that are remembered; gpsd as Debian builds it has four at most.
  static let maximumDevices = 16

  private var choice: ReceiverChoice
  private var filter = EpochFilter()
  private var skies: [String: GPSDSky] = [:]
  private var errors: [String: GPSDErrors] = [:]
  private var devices: [GPSDDevice] = []
  private var version: String?
  private var refusal: String?
  private var hasList = false
  private var lastFix: Instant?

  /// Of all receivers, or of one only.
  init(device: String?) { choice = ReceiverChoice(configured: device) }

  /// The only receiver that counts.
  var configuredDevice: String? { choice.configured }

  /// Takes a report, and gives a fix when it was the first of a new epoch.
  mutating func receive(_ report: GPSDReport, at now: Instant) -> GNSSFix? {
    switch report {
    case .version(let release): version = release
    case .refusal(let text): refusal = text
    case .devices(let list):
      hasList = true
      if let list {
        for gone in devices where !list.contains(where: { $0.path == gone.path }) { choice.forget(gone.path) }
        devices = []
        for device in list { note(device) }
      }
    case .device(let device): note(device)
    case .sky(let sky, let device): if isRemembered(device) { skies[device] = sky.filled(from: skies[device]) }
    case .errors(let own, let device): if isRemembered(device) { errors[device] = own }
    case .fix(let fix, let device):
      if isRemembered(device) { return take(fix, from: device, at: now) }
    }
    return nil
  }

  private mutating func take(_ fix: GNSSFix, from device: String, at now: Instant) -> GNSSFix? {
    guard choice.accepts(device, hasPosition: fix.hasPosition, at: now), filter.passes(fix) else { return nil }
    if fix.hasPosition { lastFix = now }
    var whole = fix
    if let sky = skies[device], now - sky.time <= Self.skyPatience {
      whole.dilution = sky.dilution
      whole.satellitesUsed = sky.used
      whole.satellitesInView = sky.inView
    }
    // What the receiver itself measured is better than what gpsd makes of the dilution.
    if fix.hasPosition, let own = errors[device], own.utc == fix.utc, own.utc != nil {
      if let north = own.north, let east = own.east {
        whole.horizontalAccuracy = GPSDAccuracy.radius(north: north, east: east)
      }
      if let up = own.up, fix.mode == .threeDimensional { whole.verticalAccuracy = up }
    }
    return whole
  }

  private mutating func note(_ device: GPSDDevice) {
    guard !device.path.isEmpty else { return }
    var device = device
    if let place = devices.firstIndex(where: { $0.path == device.path }) {
      if device.driver.isEmpty { device.driver = devices[place].driver }
      devices[place] = device
    } else if devices.count < Self.maximumDevices {
      devices.append(device)
    }
    if !device.isActive {
      choice.forget(device.path)
      skies[device.path] = nil
      errors[device.path] = nil
    }
  }

  /// True for a receiver that is known, or becomes so by speaking.
  private mutating func isRemembered(_ path: String) -> Bool {
    if let place = devices.firstIndex(where: { $0.path == path }) {
      devices[place].isActive = true
      return true
    }
    guard devices.count < Self.maximumDevices else { return false }
    devices.append(GPSDDevice(path: path))
    return true
  }

  /// One line for a gpsd that gives nothing.
  var reasonForSilence: String {
    let own = refusal.map { "; it says: \($0)" } ?? ""
    let active = devices.filter(\.isActive)
    if let device = choice.configured, !active.contains(where: { $0.path == device }) {
      guard !active.isEmpty else { return "has no receiver \(device), and no other; \(Self.advice)\(own)" }
      return "has no receiver \(device); it has: \(active.map(\.path).joined(separator: ", "))\(own)"
    }
    if hasList, devices.isEmpty { return "has no receiver; \(Self.advice)\(own)" }
    if let gone = devices.first(where: { !$0.isActive }), active.isEmpty {
      return "its receiver \(gone.path) is gone: unplugged, or not readable by gpsd\(own)"
    }
    let path = choice.configured ?? choice.current ?? active.first?.path
    return "its receiver\(path.map { " " + $0 } ?? "") sends nothing; check wiring and speed\(own)"
  }

  private static let advice = "add one with 'sudo gpsdctl add /dev/ttyUSB0' or in DEVICES of /etc/default/gpsd"

  /// Facts for people.
  func facts(at now: Instant) -> [(name: String, value: String)] {
    var facts: [(name: String, value: String)] = []
    if let version { facts.append(("gpsd", version)) }
    if hasList || !devices.isEmpty {
      let list = devices.map { device in
        let remarks = [device.driver, device.isActive ? "" : "gone"].filter { !$0.isEmpty }.joined(separator: ", ")
        return remarks.isEmpty ? device.path : "\(device.path) (\(remarks))"
      }
      facts.append(("receivers", devices.isEmpty ? "none; \(Self.advice)" : list.joined(separator: ", ")))
    }
    if let current = choice.current {
      facts.append(("listens to", current))
      if let sky = skies[current], let used = sky.used {
        facts.append(("satellites", "\(used) used of \(sky.inView.total) in view"))
      }
    }
    if let lastFix { facts.append(("last fix", "\(max(0, (now - lastFix).microseconds) / 1_000_000) s ago")) }
    if let refusal { facts.append(("gpsd refused", refusal)) }
    return facts
  }
}
