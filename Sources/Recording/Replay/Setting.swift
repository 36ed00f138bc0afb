import InertialFusion
import InlineStorage
import Quantities
public import Telemetry
public import TrackerCore

/// One configurable value by name: how to read it from text and how to write it.
///
/// The list of all settings makes the configuration of a log complete: what is not listed could not be replayed, and a test
/// compares the list with the configuration's size.
public struct Setting: Sendable {
  /// The kind of value a setting takes.
  public enum Form: Equatable, Sendable {
    /// A number in a range.
    case number(ClosedRange<Double>)
    /// A whole number in a range.
    case whole(ClosedRange<Int>)
    /// Yes or no.
    case boolean
    /// One of some words.
    case choice([String])
    /// Three numbers.
    case vector
    /// Text.
    case text
  }

  /// Name as in `motion.armAfter`.
  public let name: String
  /// What it does, with its unit.
  public let help: String
  /// The value as text that reads back to the same bits.
  public let text: @Sendable (TrackerConfiguration) -> String
  /// Sets the value from text; false when the text is not one or is out of range.
  let set: @Sendable (inout TrackerConfiguration, String) -> Bool
  /// What the text must be.
  public let expectation: String
  /// The kind of value.
  public let form: Form

  /// Unit of the value, which the help ends in; nil when it has none.
  public var unit: String? {
    let last = help.split(separator: " ").last?.dropLast()
    return ["s", "m", "m/s", "m/s²", "rad", "rad/s"].first { help.hasSuffix(", \($0).") && $0[...] == last }
  }

  private init(
    _ name: String, _ help: String, expectation: String, form: Form,
    text: @escaping @Sendable (TrackerConfiguration) -> String,
    set: @escaping @Sendable (inout TrackerConfiguration, String) -> Bool
  ) {
    self.name = name
    self.help = help
    self.expectation = expectation
    self.form = form
    self.text = text
    self.set = set
  }

  private typealias Path<Value> = WritableKeyPath<TrackerConfiguration, Value> & Sendable

  /// Seconds, to the microsecond.
  private static func seconds(
    _ name: String, _ path: Path<Interval>, _ help: String, from least: Double = 0, to most: Double = 604_800
  ) -> Setting {
    Setting(
      name, help, expectation: "seconds from \(plain(least)) to \(plain(most))", form: .number(least...most),
      text: { configuration in
        let microseconds = configuration[keyPath: path].microseconds
        return plain(Double(microseconds) / 1_000_000)
      },
      set: { configuration, text in
        guard let value = Double(text), value >= least, value <= most else { return false }
        configuration[keyPath: path] = Interval(microseconds: Int64((value * 1_000_000).rounded()))
        return true
      })
  }

  private static func number(
    _ name: String, _ path: Path<Float>, _ help: String, from least: Float, to most: Float
  ) -> Setting {
    Setting(
      name, help, expectation: "a number from \(plain(least)) to \(plain(most))",
      // By way of the decimal digits: 0.1 is to stay 0.1.
      form: .number((Double("\(least)") ?? 0)...(Double("\(most)") ?? 0)),
      text: { "\($0[keyPath: path])" },
      set: { configuration, text in
        guard let value = Float(text), value >= least, value <= most else { return false }
        configuration[keyPath: path] = value
        return true
      })
  }

  private static func vector(_ name: String, _ path: Path<Vector3>, _ help: String) -> Setting {
    Setting(
      name, help, expectation: "three numbers with spaces between them", form: .vector,
      text: { configuration in
        let value = configuration[keyPath: path]
        return "\(value.x) \(value.y) \(value.z)"
      },
      set: { configuration, text in
        let parts = text.split(separator: " ")
        let values = parts.compactMap { Float($0) }
        guard parts.count == 3, values.count == 3, values.allSatisfy(\.isFinite) else { return false }
        configuration[keyPath: path] = Vector3(values[0], values[1], values[2])
        return true
      })
  }

  private static func plain(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }

  private static func plain(_ value: Float) -> String {
    value == value.rounded() && abs(value) < 1e6 ? "\(Int(value))" : "\(value)"
  }

  /// All settings, in the order in which they are written.
  public static let all: [Setting] = identity + motion + calibration + reports + outbox

  private static let identity: [Setting] = [
    Setting(
      "trackerId", "The device's name in every packet.",
      expectation: "1 to 32 bytes of text without control characters", form: .text,
      text: { String(decoding: copy($0.trackerID.span), as: UTF8.self) },
      set: { configuration, text in
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return false }
        var bytes = InlineBytes<32>()
        for byte in text.utf8 { bytes.append(byte) }
        guard !bytes.isTruncated else { return false }
        configuration.trackerID = bytes
        return true
      }),
    Setting(
      "packetFormat", "How packets are written for ways that do not say.",
      expectation: "one of " + PacketFormat.allCases.map { "\($0.name)" }.joined(separator: ", "),
      form: .choice(PacketFormat.allCases.map { "\($0.name)" }),
      text: { "\($0.packetFormat.name)" },
      set: { configuration, text in
        guard let format = PacketFormat(text) else { return false }
        configuration.packetFormat = format
        return true
      }),
    Setting(
      "alertsEnabled", "Whether alerts are on at the start.", expectation: "true or false", form: .boolean,
      text: { $0.alertsEnabled ? "true" : "false" },
      set: { configuration, text in
        guard let value = Bool(text) else { return false }
        configuration.alertsEnabled = value
        return true
      }),
    Setting(
      "reception.earliestDate",
      "Dates of a receiver before this one are moved on by 1024 weeks at a time, as its week counter has rolled over.",
      expectation: "none, or a date such as 2026-11-24", form: .text,
      text: { configuration in
        guard let date = configuration.earliestDate else { return "none" }
        func digits(_ value: Int, _ count: Int) -> String {
          let text = "\(value)"
          return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return digits(Int(date.year), 4) + "-" + digits(Int(date.month), 2) + "-" + digits(Int(date.day), 2)
      },
      set: { configuration, text in
        if text == "none" {
          configuration.earliestDate = nil
          return true
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], text.utf8.allSatisfy({ $0 == 0x2D || (0x30...0x39).contains($0) }),
          let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
          let date = CivilDate(year: year, month: month, day: day)
        else { return false }
        configuration.earliestDate = date
        return true
      }),
  ]

  private static let motion: [Setting] = [
    seconds("motion.armAfter", \.motion.armAfter, "Time without motion until parked and armed, s.", from: 1),
    seconds("motion.standAfter", \.motion.standAfter, "Time without travel until a ride stands, s.", from: 1),
    seconds("motion.silenceAfter", \.motion.silenceAfter, "Silence until a ride counts as standing, s.", from: 2),
    number("motion.travelSpeed", \.motion.travelSpeed, "Speed that begins travel, m/s.", from: 0.1, to: 10),
    number("motion.continuedSpeed", \.motion.continuedSpeed, "Speed that continues travel, m/s.", from: 0.05, to: 10),
    seconds("motion.travelConfirmation", \.motion.travelConfirmation, "How long that speed must hold, s."),
    number("motion.travelDisplacement", \.motion.travelDisplacement, "Least displacement, m.", from: 1, to: 1000),
    number("motion.rideVibration", \.motion.rideVibration, "Vibration of a ride, m/s².", from: 0.05, to: 50),
    seconds("motion.rideVibrationConfirmation", \.motion.rideVibrationConfirmation, "How long it must hold, s."),
    number("motion.worstAccuracy", \.motion.worstAccuracy, "Worst accuracy of a usable fix, m.", from: 1, to: 10_000),
    number(
      "motion.assumedAccuracy", \.motion.assumedAccuracy, "Accuracy of fixes without one, m.", from: 0.1, to: 1000),
    number("motion.handlingRate", \.motion.handlingRate, "Turning that is handling, rad/s.", from: 0.001, to: 10),
    number(
      "motion.handlingVibration", \.motion.handlingVibration, "Shaking that is handling, m/s².", from: 0.01, to: 50),
    seconds("motion.handlingConfirmation", \.motion.handlingConfirmation, "How long handling must last, s."),
    number("motion.tiltLimit", \.motion.tiltLimit, "Tilt since parking that is movement, rad.", from: 0.001, to: 3),
    number(
      "motion.headingLimit", \.motion.headingLimit, "Turn since parking that is movement, rad.", from: 0.001, to: 3),
    seconds("motion.orientationConfirmation", \.motion.orientationConfirmation, "How long tilt or turn must hold, s."),
    number(
      "motion.parkedDisplacement", \.motion.parkedDisplacement, "Displacement when parked, m.", from: 1, to: 10_000),
    seconds("motion.calmAfter", \.motion.calmAfter, "Quiet that ends a suspicion, s.", from: 1),
    seconds("motion.quietAfter", \.motion.quietAfter, "Quiet that ends an alarm, s.", from: 1),
    seconds("motion.rideAfterAlarm", \.motion.rideAfterAlarm, "Travel in an alarm that makes it a ride, s.", from: 1),
    seconds("rest.window", \.motion.rest.window, "Short window of the rest detector, s.", from: 0.01, to: 5),
    Setting(
      "rest.minimumSamples", "Samples in a short window at least.", expectation: "a whole number from 2 to 1000",
      form: .whole(2...1000),
      text: { "\($0.motion.rest.minimumSamples)" },
      set: { configuration, text in
        guard let value = Int32(text), value >= 2, value <= 1000 else { return false }
        configuration.motion.rest.minimumSamples = value
        return true
      }),
    seconds("rest.halfWindow", \.motion.rest.halfWindow, "Half a window of the detectors, s.", from: 0.02, to: 5),
    number("rest.noiseFactor", \.motion.rest.noiseFactor, "Handling in standard deviations.", from: 1, to: 100),
    number(
      "rest.scatterQuantile", \.motion.rest.scatterQuantile, "Scatter that is movement, standard deviations.", from: 0,
      to: 100),
    number(
      "rest.meanFactor", \.motion.rest.meanFactor, "Change of a mean that is movement, standard deviations.", from: 1,
      to: 100),
    number("rest.entryShare", \.motion.rest.entryShare, "Share of it under which rest begins.", from: 0.1, to: 1),
    number("rest.minimumAngularRate", \.motion.rest.minimumAngularRate, "Never movement, rad/s.", from: 0, to: 10),
    number("rest.minimumSpecificForce", \.motion.rest.minimumSpecificForce, "Never movement, m/s².", from: 0, to: 50),
    number(
      "rest.minimumAngularRateChange", \.motion.rest.minimumAngularRateChange, "Never a change of the mean, rad/s.",
      from: 0, to: 10),
    number(
      "rest.minimumSpecificForceChange", \.motion.rest.minimumSpecificForceChange, "Never a change of the mean, m/s².",
      from: 0, to: 50),
    number("rest.maximumBias", \.motion.rest.maximumBias, "Largest bias a gyroscope may have, rad/s.", from: 0, to: 10),
    seconds("rest.dwell", \.motion.rest.dwell, "Quiet that is rest after a clear movement, s."),
    seconds("rest.shortestDwell", \.motion.rest.shortestDwell, "Quiet that is rest otherwise, s."),
    seconds("rest.firstLevelTime", \.motion.rest.firstLevelTime, "Level noise that is the sensor's at first, s."),
    seconds("rest.levelTime", \.motion.rest.levelTime, "Level noise that is the sensor's, s."),
    seconds("rest.biasChangeTime", \.motion.rest.biasChangeTime, "Steady rate that is a new bias, s."),
  ]

  private static let calibration: [Setting] = [
    vector("calibration.angularRateOffset", \.calibration.angularRateOffset, "Gyroscope offset, rad/s."),
    vector("calibration.specificForceOffset", \.calibration.specificForceOffset, "Accelerometer offset, m/s²."),
    vector("calibration.specificForceScale", \.calibration.specificForceScale, "Accelerometer factors."),
    Setting(
      "calibration.mounting", "Sensor axes forward, left and up, or its rotation.",
      expectation: "three different signed axes that make a right-handed frame, such as '+x +y +z', "
        + "or the quaternion w x y z from sensor to body",
      form: .text,
      text: { $0.calibration.mounting.text },
      set: { configuration, text in
        guard let mounting = Mounting(text: text) else { return false }
        configuration.calibration.mounting = mounting
        return true
      }),
  ]

  private static let reports: [Setting] = [
    seconds("reports.ridingInterval", \.reports.ridingInterval, "Time between reports when riding, s.", from: 1),
    number("reports.distance", \.reports.distance, "Distance between reports, m.", from: 1, to: 100_000),
    number("reports.courseChange", \.reports.courseChange, "Turn that is reported, rad.", from: 0.01, to: 3.2),
    number("reports.speedChange", \.reports.speedChange, "Change of speed that is reported, m/s.", from: 0.1, to: 100),
    seconds("reports.minimumInterval", \.reports.minimumInterval, "Least time between such reports, s."),
    seconds("reports.alarmInterval", \.reports.alarmInterval, "Time between reports in an alarm, s.", from: 1),
    seconds("reports.parkedInterval", \.reports.parkedInterval, "Time between reports when parked, s.", from: 60),
    seconds("reports.staleAfter", \.reports.staleAfter, "Age that makes a position stale, s.", from: 1),
    seconds(
      "reports.supplyLifetime", \.reports.supplyLifetime,
      "Age beyond which a reading of the power supply is not told any more, s.", from: 1),
  ]

  private static let outbox: [Setting] = [
    seconds(
      "outbox.acknowledgementTimeout", \.outbox.acknowledgementTimeout,
      "First wait before a packet that was handed back is tried again, s.", from: 1),
    seconds("outbox.maximumTimeout", \.outbox.maximumTimeout, "The longest such wait, s.", from: 1),
    seconds(
      "outbox.reportLifetime", \.outbox.reportLifetime, "How long a position or a ride may wait, s.", from: 60,
      to: 31_536_000),
    seconds(
      "outbox.noticeLifetime", \.outbox.noticeLifetime, "How long a parking place or an answer may wait, s.", from: 60,
      to: 31_536_000),
    receivers,
    Setting(
      "outbox.spool", "Whether reports that no longer fit go to a spool.", expectation: "true or false", form: .boolean,
      text: { "\($0.outbox.hasSpool)" },
      set: { configuration, text in
        guard let value = Bool(text) else { return false }
        configuration.outbox.hasSpool = value
        return true
      }),
    Setting(
      "outbox.reportCapacity", "With a spool: reports that wait in the outbox before others go there.",
      expectation: "a whole number from 1 to 24", form: .whole(1...24),
      text: { "\($0.outbox.reportCapacity)" },
      set: { configuration, text in
        guard let value = Int(text), value >= 1, value <= 24 else { return false }
        configuration.outbox.reportCapacity = value
        return true
      }),
    Setting(
      "outbox.window", "Packets under way on one way at the same time.", expectation: "a whole number from 1 to 32",
      form: .whole(1...32),
      text: { "\($0.outbox.window)" },
      set: { configuration, text in
        guard let value = Int(text), value >= 1, value <= 32 else { return false }
        configuration.outbox.window = value
        return true
      }),
  ]
}

extension Setting {
  /// The kinds that each receiver wants: `all`, or kinds joined by `+`; receivers are separated by commas. A `#` and a number
  /// behind them say who they are.
  fileprivate static var receivers: Setting {
    Setting(
      "outbox.receivers", "Kinds of packets that each receiver wants.",
      expectation: "one to four lists with commas between them: all, or kinds of packets joined by '+'", form: .text,
      text: { configuration in
        let list = configuration.outbox.receivers
        let kinds = (0..<list.count).map { list[$0].text }.joined(separator: ",")
        return list.identity == 0 ? kinds : "\(kinds)#\(list.identity)"
      },
      set: { configuration, text in
        let words = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = words[0].split(separator: ",", omittingEmptySubsequences: false)
        guard (1...ReceiverList.capacity).contains(parts.count) else { return false }
        var list = ReceiverList()
        if words.count == 2 {
          guard let identity = UInt32(words[1]) else { return false }
          list.identity = identity
        }
        for (place, part) in parts.enumerated() {
          guard let kinds = PacketKindSet(String(part)) else { return false }
          if place == 0 { list[0] = kinds } else { list.append(kinds) }
        }
        configuration.outbox.receivers = list
        return true
      })
  }
}

extension PacketFormat {
  /// The format of a name; nil when there is none.
  public init?(_ name: String) {
    guard let format = PacketFormat.allCases.first(where: { "\($0.name)" == name }) else { return nil }
    self = format
  }
}

extension PacketKindSet {
  /// `all`, or the kinds joined by `+`.
  public var text: String {
    if self == .all { return "all" }
    return PacketKind.allCases.filter { contains($0) }.map { "\($0.name)" }.joined(separator: "+")
  }

  /// Reads `all`, or kinds joined by `+`; nil when the text is neither.
  public init?(_ text: String) {
    self = text == "all" ? .all : []
    guard text != "all" else { return }
    for word in text.split(separator: "+", omittingEmptySubsequences: false) {
      guard let kind = PacketKind.allCases.first(where: { "\($0.name)" == word }) else { return nil }
      insert(PacketKindSet(kind))
    }
  }
}

/// The bytes of a span as an array.
func copy(_ bytes: Span<UInt8>) -> [UInt8] { bytes.withUnsafeBufferPointer { Array($0) } }
