import Glibc
public import Quantities

/// An inertial part on an I²C bus, driven from here through its registers.
///
/// The part measures by its own clock into its FIFO; now and then the FIFO is read as a whole, and the samples are dated as
/// `SampleClock` says. A full FIFO has lost samples: it is emptied, the gap is counted, and times go on behind it. Transfers
/// are done inside the calls of the loop; each is bounded (1 KiB of samples, 64 bytes of configuration), a batch at 100 Hz is
/// under a millisecond at 400 kHz. One transfer that fails empties the FIFO; three in a row are a failure.
public final class I2CInertialSensor: SensorSource {
  /// Bytes that are read of a FIFO at one look; more waits for the next.
  private static let largestRead = 1024
  /// Failed transfers in a row after which the part is given up.
  private static let errorLimit = 3
  /// In so many looks they slide by one spacing: fewer tell times less finely, more take longer to.
  private static let slide = 16
  /// The most that a part takes.
  private static let configurationLimit = 8192

  /// Takes what it measures, in the order of time; set it before `start`.
  public var sink: (SensorInput) -> Void = { _ in }
  /// Why it gives nothing any more since the last `start`; nil while it works.
  public private(set) var failure: DeviceFailure?
  /// How often samples were lost since the last `start`.
  public private(set) var gapCount = 0
  /// Failed transfers since the last `start`.
  public private(set) var busErrorCount = 0

  private let path: String
  private let address: UInt8
  private let wanted: InertialPart?
  private let settings: InertialSettings
  private let configurationFile: String?
  private let openBus: () throws(DeviceFailure) -> any I2CBus
  private let clock: () -> Instant

  /// What there is between `start` and `stop`.
  private struct Session {
    let bus: any I2CBus
    let part: InertialPart
    let choice: InertialPartChoice
    let steps: [RegisterStep]
    var step = 0
    var expectDeadline: Instant?
    var next: Instant
    var sampleClock: SampleClock
    var decoder: FIFODecoder
    var errorsInRow = 0
    var lookCount = 0
    var isReset = false
  }

  private var session: Session?
  private var loop: EventLoop?

  /// - Parameters:
  ///   - path: `/dev/i2c-1`.
  ///   - address: As `i2cdetect` shows it: 0x68, 0x69, 0x6A or 0x6B.
  ///   - part: The family; nil for whichever answers.
  ///   - configurationFile: The maker's configuration, for a BMI270.
  ///   - clock: The clock of the loop that it will be in.
  public convenience init(
    bus path: String, address: UInt8, part: InertialPart? = nil, settings: InertialSettings = InertialSettings(),
    configurationFile: String? = nil, clock: any LoopClock
  ) {
    self.init(
      path: path, address: address, part: part, settings: settings, configurationFile: configurationFile,
      openBus: { () throws(DeviceFailure) -> any I2CBus in try LinuxI2CBus(path) }, clock: { clock.now })
  }

  /// - Parameters:
  ///   - openBus: Gives the bus at each start.
  ///   - clock: The monotonic clock.
  init(
    path: String, address: UInt8, part: InertialPart?, settings: InertialSettings, configurationFile: String?,
    openBus: @escaping () throws(DeviceFailure) -> any I2CBus, clock: @escaping () -> Instant
  ) {
    self.path = path
    self.address = address
    wanted = part
    self.settings = settings
    self.configurationFile = configurationFile
    self.openBus = openBus
    self.clock = clock
  }

  /// As in `imu lsm6dso at i2c-1 0x6a`.
  public var name: String {
    let part = session?.part.name ?? wanted?.name ?? "part"
    return "imu \(part) at \(path.split(separator: "/").last ?? "") \(hexadecimal(address))"
  }

  /// Opens the bus and looks who answers; setting up goes on in the loop.
  public func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    stop()
    failure = nil
    gapCount = 0
    busErrorCount = 0
    let bus = try openBus()
    do throws(DeviceFailure) {
      try bus.check(address)
      let (part, found) = try identify(on: bus)
      var choice = try choose(part, named: found)
      choice.configuration = try configuration(of: part, named: found)
      session = Session(
        bus: bus, part: part, choice: choice, steps: part.setUp(choice) + part.resetFIFO, next: now,
        sampleClock: SampleClock(hertz: choice.hertz), decoder: FIFODecoder(part.fifo.format))
    } catch {
      bus.close()
      throw error
    }
    self.loop = loop
    loop.add(self)
  }

  /// Leaves the loop, lets the part sleep and closes the bus.
  public func stop() {
    loop?.remove(self)
    loop = nil
    guard let session else { return }
    self.session = nil
    for step in session.part.sleep {
      do throws(DeviceFailure) { try perform(step, session) } catch {
        // It is gone, or will be found as it is by the next start, which resets it.
      }
    }
    session.bus.close()
  }

  /// It has no descriptors.
  public func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}

  /// When the next step or look is due.
  public var nextDeadline: Instant? { session?.next }

  /// Goes on setting up, or looks at the FIFO.
  public func advance(to now: Instant) {
    guard var session, now >= session.next else { return }
    do throws(DeviceFailure) {
      if session.step < session.steps.count { try setUp(&session, at: now) } else { try look(&session, at: now) }
      // The sink may have stopped it.
      if self.session != nil { self.session = session }
    } catch {
      let found = error
      stop()
      failure = found
    }
  }

  /// Part, rate, ranges, filter and what went wrong.
  public var facts: [(name: String, value: String)] {
    guard let session else { return [] }
    let choice = session.choice
    var facts: [(name: String, value: String)] = [
      ("part", "\(choice.part) at \(hexadecimal(address))"),
      ("rate", "\(rounded(choice.hertz)) Hz, measured \(rounded(session.sampleClock.hertz)) Hz"),
      ("range", "±\(choice.specificForce.range.rawValue) g"),
      ("angular range", "±\(choice.angularRate.range.rawValue) °/s"),
      ("low-pass", choice.lowPass.map { "\(rounded($0.hertz)) Hz" } ?? "follows the rate"),
      ("read every", "\(settings.readInterval(hertz: choice.hertz).microseconds / 1000) ms"),
    ]
    if gapCount > 0 { facts.append(("gaps", "\(gapCount)")) }
    if busErrorCount > 0 { facts.append(("bus errors", "\(busErrorCount)")) }
    return facts
  }

  /// Twenty samples, a second at least; longer while it is set up, as configurations are long.
  public var patience: Interval? {
    if let session, session.step < session.steps.count { return .seconds(5) }
    return InertialSettings.patience(hertz: min(session?.choice.hertz ?? settings.hertz, settings.hertz))
  }

  private func rounded(_ value: Double) -> String { plain((value * 10).rounded() / 10) }
}

// MARK: Start

extension I2CInertialSensor {
  private func identify(on bus: any I2CBus) throws(DeviceFailure) -> (InertialPart, String) {
    guard let wanted else {
      if let (part, name) = try InertialPart.identify(on: bus, at: address) { return (part, name) }
      let names = InertialPart.all.filter { $0.addresses.contains(address) }.map(\.name).joined(separator: ", ")
      throw said(
        names.isEmpty
          ? "no supported part uses the address \(hexadecimal(address)); expected 0x68, 0x69, 0x6a or 0x6b"
          : "the part at \(hexadecimal(address)) is none of \(names)")
    }
    let number = try bus.read(address, from: wanted.identityRegister, count: 1)[0]
    if let name = wanted.part(for: number) { return (wanted, name) }
    let expected = wanted.identities.map { "\(hexadecimal($0.number)) (\($0.part))" }.joined(separator: ", ")
    let other =
      try InertialPart.identify(on: bus, at: address).map { "; it is a \($0.name): choose \($0.part.name)" } ?? ""
    throw said(
      "no \(wanted.name) at \(hexadecimal(address)): register \(hexadecimal(wanted.identityRegister)) says "
        + "\(hexadecimal(number)), expected \(expected)\(other)")
  }

  private func choose(_ part: InertialPart, named name: String) throws(DeviceFailure) -> InertialPartChoice {
    guard let choice = InertialPartChoice(part, named: name, for: settings) else {
      throw said("the low-pass of a \(name) depends on its rate; set the rate instead")
    }
    return choice
  }

  private func configuration(of part: InertialPart, named name: String) throws(DeviceFailure) -> [UInt8] {
    guard part.needsConfigurationFile else { return [] }
    guard let configurationFile else {
      throw said(
        "a \(name) needs its maker's configuration file (8192 bytes, often /lib/firmware/bmi270-init-data.fw): set its path"
      )
    }
    let descriptor = open(configurationFile, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let text = String(cString: strerror(errno))
      throw DeviceFailure(.open, configurationFile, errorNumber: errno, .explained("can't be opened: \(text)"))
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Self.configurationLimit + 1)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0, count <= Self.configurationLimit, count % 2 == 0 else {
      throw DeviceFailure(
        .read, configurationFile,
        .explained(
          "is not a configuration of a \(name): expected 8192 bytes, found \(count > 8192 ? "more" : "\(max(0, count))")"
        ))
    }
    return Array(bytes[..<count])
  }

  private func said(_ text: String) -> DeviceFailure { DeviceFailure(.configure, path, .explained(text)) }

  private func perform(_ step: RegisterStep, _ session: Session) throws(DeviceFailure) {
    switch step {
    case .write(let register, let bytes): try session.bus.write(address, to: register, bytes)
    case .change(let register, let mask, let bits):
      let value = try session.bus.read(address, from: register, count: 1)[0]
      try session.bus.write(address, to: register, [value & ~mask | bits])
    case .wait, .expect: break
    }
  }

  /// Does steps until one takes time.
  private func setUp(_ session: inout Session, at now: Instant) throws(DeviceFailure) {
    session.next = now
    while session.step < session.steps.count {
      let step = session.steps[session.step]
      session.step += 1
      switch step {
      case .wait(let interval):
        session.next = clock() + interval
        return
      case .expect(let register, let mask, let value, let limit, let text):
        if try session.bus.read(address, from: register, count: 1)[0] & mask == value {
          session.expectDeadline = nil
          continue
        }
        let deadline = session.expectDeadline ?? clock() + limit
        guard clock() < deadline else { throw said("the \(session.choice.part) \(text)") }
        session.expectDeadline = deadline
        session.step -= 1
        session.next = clock() + .milliseconds(2)
        return
      case .write(_, let bytes) where bytes.count > 16:
        try perform(step, session)
        // Others have their turn between the pieces of a long upload.
        return
      case .write, .change: try perform(step, session)
      }
    }
    session.next = clock() + settings.readInterval(hertz: session.choice.hertz)
  }
}

// MARK: Reading

extension I2CInertialSensor {
  private func look(_ session: inout Session, at now: Instant) throws(DeviceFailure) {
    // A little shorter for some looks, then as much longer: they slide past the samples whatever the part's true rate is, and
    // so find out when in the spacing a sample is taken.
    session.lookCount &+= 1
    let isShort = session.lookCount / Self.slide % 2 == 0
    let whole = settings.readInterval(hertz: session.choice.hertz).microseconds
    let interval = Interval(microseconds: whole + (isShort ? -whole : whole) / Int64(Self.slide))
    session.next = session.next + interval
    do throws(DeviceFailure) {
      if session.isReset {
        try emptyFIFO(&session)
      } else {
        try readFIFO(&session)
      }
      session.errorsInRow = 0
    } catch {
      busErrorCount += 1
      session.errorsInRow += 1
      // What of the FIFO was read, nobody knows.
      session.isReset = true
      guard session.errorsInRow < Self.errorLimit else { throw error }
    }
    // Late looks are not made up for.
    if session.next <= clock() { session.next = clock() + interval }
  }

  private func emptyFIFO(_ session: inout Session) throws(DeviceFailure) {
    for step in session.part.resetFIFO { try perform(step, session) }
    session.decoder.reset()
    session.sampleClock.noteGap()
    session.isReset = false
    gapCount += 1
  }

  private func readFIFO(_ session: inout Session) throws(DeviceFailure) {
    let fifo = session.part.fifo
    let before = clock()
    var status: [UInt8] = []
    for block in fifo.levelBlocks { status += try session.bus.read(address, from: block.register, count: block.count) }
    let after = clock()
    let level = fifo.level(status)
    if level.isOverrun {
      try emptyFIFO(&session)
      return
    }
    if level.misalignment > 0 {
      _ = try session.bus.read(address, from: fifo.dataRegister, count: level.misalignment)
      session.sampleClock.noteGap()
      gapCount += 1
    }
    let largest = Self.largestRead / fifo.sampleLength * fifo.sampleLength
    let count = min(level.byteCount, largest)
    let bytes = count > 0 ? try session.bus.read(address, from: fifo.dataRegister, count: count) : []
    let lostBefore = session.decoder.lostCount
    let readings = session.decoder.decode(bytes)
    if session.decoder.lostCount > lostBefore {
      session.sampleClock.noteGap()
      gapCount += 1
    }
    let pending = (level.byteCount - count) / fifo.sampleLength
    let times = session.sampleClock.times(count: readings.count, pending: pending, before: before, after: after)
    for (reading, time) in zip(readings, times) {
      sink(
        .inertial(
          InertialSample(
            time: time, angularRate: reading.rate?.vector(scale: session.choice.angularRate.scale),
            specificForce: reading.force?.vector(scale: session.choice.specificForce.scale))))
    }
  }
}
