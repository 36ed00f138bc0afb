import Quantities

/// What the parts of a tracker draw at the battery, and how long its processor works.
///
/// - Source: data sheets: [bmi270] 0.69 mA with its gyroscope and 10 µA for the accelerometer alone; [mpu6050-ps] 3.8 mA; a receiver of
///   its own as [sim7000hd] has it, 30 mA; a microcontroller 2 to 10 µA asleep and 3 to 10 mA at work. Times of the processor and what is
///   kept of a battery are our choice, and to be measured.
package struct PartCurrents: Equatable, BitwiseCopyable, Sendable {
  /// Receiver, on, µA.
  package var receiver = 30_000.0
  /// Receiver, off, with its memory, µA.
  package var receiverOff = 15.0
  /// Inertial sensor with gyroscope, µA.
  package var inertial = 690.0
  /// Accelerometer alone, µA.
  package var watching = 10.0
  /// Processor at work, µA.
  package var processor = 6000.0
  /// Processor asleep, µA.
  package var processorAsleep = 5.0
  /// Time of the processor for a sample, s.
  package var sampleTime = 0.0001
  /// For a fix.
  package var fixTime = 0.002
  /// For a packet.
  package var packetTime = 0.05
  /// Capacity of the battery, mAh.
  package var capacity = 2600.0
  /// Share of it that can be used.
  package var usable = 0.85
  /// What it loses by itself, a share a month of 30 days.
  package var selfDischarge = 0.02

  /// The defaults.
  package init() {}

  /// What it loses by itself, µA.
  package var selfDischargeCurrent: Double { capacity * 1000 * selfDischarge / (30 * 24) }
}

/// How long a battery lasts, by what the tracker itself knows: what it told its sensors to do, what came of them, its packets, and the
/// ledger of its modem.
///
/// The mean of the last weeks stands for the next ones: the more that lies behind, the less a single day counts
/// (`memory`). Whoever owns the tracker tells it of each plan, sample, fix and packet in the order of time; nothing else is needed,
/// and nothing is measured.
///
/// - Source: our derivation; decision 43.
package struct ChargeForecast: BitwiseCopyable, Sendable {
  /// What it goes by.
  package let currents: PartCurrents
  private var plan = SensingPlan()
  private var now: Instant
  /// Until when a watching sensor is awake, as its samples come.
  private var awakeUntil: Instant
  /// When a single fix has been waited for long enough.
  private var singleUntil: Instant
  private var modemTotal: Int64 = 0
  /// Charge, µC, and time, s, that lie behind; what is long ago counts for less.
  private var charge = 0.0
  private var seconds = 0.0

  /// Time after which what lies behind counts for a third: the weeks of most owners are alike.
  package static var memory: Interval { .seconds(28 * 86_400) }
  /// How long after its last sample a watching sensor counts as awake: a reading of the lowest rate, and a little.
  private static var sampleGap: Interval { .milliseconds(100) }

  /// A forecast that begins, of a tracker whose sensors are on.
  ///
  /// - Parameter modemMicrocoulombs: What its modem's ledger has then.
  package init(_ currents: PartCurrents = PartCurrents(), modemMicrocoulombs: Int64 = 0, at time: Instant) {
    self.currents = currents
    now = time
    awakeUntil = time
    singleUntil = time
    modemTotal = modemMicrocoulombs
  }

  /// The tracker has told that plan.
  package mutating func follow(_ plan: SensingPlan, at time: Instant) {
    book(until: time)
    self.plan = plan
    if plan.reception == .single { singleUntil = time + SensingPlan.fixTimeout }
  }

  /// The tracker has got a sample.
  package mutating func noteSample(at time: Instant) {
    work(currents.sampleTime)
    guard plan.inertial == .watching, time >= now else { return }
    book(until: time)
    awakeUntil = time + ChargeForecast.sampleGap
  }

  /// The tracker has got a fix.
  package mutating func noteFix(hasPosition: Bool, at time: Instant) {
    work(currents.fixTime)
    guard hasPosition, plan.reception == .single, time < singleUntil else { return }
    book(until: time)
    endSingle(at: time)
  }

  private mutating func endSingle(at time: Instant) { singleUntil = time }

  /// The tracker has made a packet.
  package mutating func notePacket() { work(currents.packetTime) }

  /// The tracker was without power from the last time on.
  package mutating func noteOff(until time: Instant) {
    guard time > now else { return }
    add(currents.selfDischargeCurrent, (time - now).secondsDouble)
    seconds += (time - now).secondsDouble
    now = time
  }

  /// Time has passed.
  ///
  /// - Parameter modemMicrocoulombs: What the modem's ledger has by then; a driver that began anew begins at zero.
  package mutating func advance(modemMicrocoulombs total: Int64, to time: Instant) {
    book(until: time)
    if total > modemTotal { charge += Double(total - modemTotal) }
    modemTotal = total
  }

  /// What it draws in the mean, µA; nil before a minute is over.
  package var microamperes: Double? { seconds < 59.9 ? nil : charge / seconds }

  /// How many days a battery lasts from now on; nil before a minute is over.
  ///
  /// - Parameter share: How full it is, 0 to 1.
  package func days(from share: Double = 1) -> Double? {
    microamperes.map { share * currents.capacity * currents.usable * 1000 / max($0, 1e-3) / 24 }
  }

  // MARK: Booking

  private mutating func work(_ seconds: Double) { charge += currents.processor * seconds }

  private mutating func add(_ microamperes: Double, _ seconds: Double) { charge += microamperes * seconds }

  private mutating func book(until time: Instant) {
    guard time > now else { return }
    let passed = (time - now).secondsDouble
    // In steps of a day at most, so that what lies behind fades evenly.
    let fading = passed / ChargeForecast.memory.secondsDouble
    if seconds > 0 {
      let kept = 1 / (1 + fading)
      charge *= kept
      seconds *= kept
    }
    seconds += passed
    add(currents.processorAsleep + currents.selfDischargeCurrent, passed)
    let awake = plan.inertial == .awake ? passed : ChargeForecast.overlap(from: now, to: time, until: awakeUntil)
    add(currents.inertial, awake)
    add(currents.watching, passed - awake)
    let on: Double
    switch plan.reception {
    case .on: on = passed
    case .single: on = ChargeForecast.overlap(from: now, to: time, until: singleUntil)
    case .off: on = 0
    }
    add(currents.receiver, on)
    add(currents.receiverOff, passed - on)
    now = time
  }

  private static func overlap(from start: Instant, to end: Instant, until limit: Instant) -> Double {
    limit <= start ? 0 : (min(end, limit) - start).secondsDouble
  }
}
