public import Quantities

/// The battery of the board, as the kernel knows it.
///
/// It is read at the start, at each interval, and nothing waits for it: these files answer at once.
public final class PowerSupplySensor: SensorSource {
  /// Takes what it measures; set it before `start`.
  public var sink: (SensorInput) -> Void = { _ in }
  /// Why it gives nothing any more since the last `start`; nil while it works.
  public private(set) var failure: DeviceFailure?

  private let wanted: String?
  private let interval: Interval
  private let files: PowerSupplyFiles
  private var battery = ""
  private var loop: EventLoop?
  private var due: Instant?
  private var last = Supply()

  /// - Parameters:
  ///   - battery: Its name in `/sys/class/power_supply`; nil for the first that feeds this machine.
  ///   - interval: Between two readings.
  ///   - root: Folder with `sys` in it, `/` but in tests.
  public init(battery: String? = nil, interval: Interval = .seconds(60), root: String = "/") {
    wanted = battery
    self.interval = interval
    files = PowerSupplyFiles(root: root)
  }

  /// As in `supply BAT0`.
  public var name: String { "supply \(wanted ?? (battery.isEmpty ? "of the board" : battery))" }

  /// Reads once and joins the loop.
  ///
  /// - Throws: When there is no such battery; it names those that there are.
  public func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    stop()
    failure = nil
    guard let found = wanted.map({ files.isBattery($0) ? $0 : nil }) ?? files.firstBattery else { throw missing }
    battery = found
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
    let batteries = files.names.filter { files.isBattery($0) }.joined(separator: ", ")
    let advice = batteries.isEmpty ? "the kernel reports no battery" : "there are: \(batteries)"
    return DeviceFailure(.open, wanted ?? "/sys/class/power_supply", .explained("no battery; \(advice)"))
  }

  private func read(at now: Instant) {
    guard let supply = files.supply(battery: battery) else {
      failure = missing
      stop()
      return
    }
    last = supply
    due = now + interval
    if !supply.isEmpty { sink(.reading(.supply(SupplyReading(time: now, supply)))) }
  }

  /// No descriptors.
  public func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}
  /// When it reads next.
  public var nextDeadline: Instant? { due }
  /// Reads when it is time.
  public func advance(to now: Instant) { if let due, now >= due { read(at: now) } }

  /// What it read last.
  public var facts: [(name: String, value: String)] {
    var facts: [(name: String, value: String)] = []
    if let charge = last.charge { facts.append(("charge", "\(charge) %")) }
    if let millivolts = last.millivolts { facts.append(("voltage", "\(Double(millivolts) / 1000) V")) }
    if let isCharging = last.isCharging { facts.append(("charging", isCharging ? "yes" : "no")) }
    if let isExternal = last.isExternal { facts.append(("external power", isExternal ? "yes" : "no")) }
    return facts
  }

  /// A battery that tells nothing of itself is silent for ever.
  public var patience: Interval? { nil }
}
