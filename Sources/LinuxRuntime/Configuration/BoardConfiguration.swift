import LinuxDevices
import Quantities
import TrackerRuntime
import StatusPage
import Telemetry
import Uplinks

/// Where positions come from.
package enum GNSSSettings: Equatable, Sendable {
  /// From nowhere.
  case none
  /// From gpsd.
  case gpsd(host: String, port: UInt16, device: String?)
  /// From a receiver on a serial port that speaks NMEA 0183.
  case serial(port: String, bitsPerSecond: Int)
  /// From the modem's own receiver.
  case modem
}

/// Where inertial samples come from.
package enum InertialSourceSettings: Equatable, Sendable {
  /// From nowhere.
  case none
  /// From the kernel's industrial I/O: the device's number, `iio:device0`, or its name, `lsm6dso`; accelerometer and gyroscope
  /// may be two devices of one part. `root` is the folder with `sys` and `dev` in it, `/` but in tests.
  case iio(
    device: String, root: String, hertz: Double, specificForceRange: SpecificForceRange = .g8,
    angularRateRange: AngularRateRange = .degrees1000)
  /// From the part itself, on a bus such as `/dev/i2c-1`. `part` is a name such as `mpu6050`. `configurationFile` is its
  /// maker's, for parts that do nothing without.
  case i2c(
    bus: String, address: UInt8, part: String, hertz: Double, specificForceRange: SpecificForceRange = .g8,
    angularRateRange: AngularRateRange = .degrees1000, configurationFile: String? = nil)
  /// From a WitMotion sensor on a serial port.
  case witMotion(port: String, bitsPerSecond: Int)
}

extension InertialSourceSettings {
  /// What a data sheet tells about the sensor, with the name of the part; nil when the part is unknown or there is none.
  ///
  /// Of a part behind a driver of the kernel the ranges are known, but not how the driver has set its low-pass.
  package var description: (part: String, sensor: SensorDescription)? {
    switch self {
    case .none: return nil
    case .iio(let device, _, let hertz, let force, let rate):
      let settings = InertialSettings(hertz: hertz, specificForceRange: force, angularRateRange: rate)
      guard let part = InertialPart.named(device) else { return nil }
      var sensor = part.description(for: settings)
      sensor.latency = .zero
      return (part.name, sensor)
    case .i2c(_, _, let part, let hertz, let force, let rate, _):
      let settings = InertialSettings(hertz: hertz, specificForceRange: force, angularRateRange: rate)
      return InertialPart.named(part).map { ($0.name, $0.description(for: settings)) }
    case .witMotion: return ("WitMotion", WitMotionSensor.description)
    }
  }
}

/// The battery that is watched.
package struct SupplySettings: Equatable, Sendable {
  /// Its name in `/sys/class/power_supply`; nil for the first that feeds this machine.
  package var battery: String?
  /// Between two readings. Default 60 s.
  package var interval: Interval = .seconds(60)
  /// Folder with `sys` in it, `/` but in trials.
  package var root = "/"

  /// The first battery, once a minute.
  package init() {}
}

/// The barometer that is read.
package struct BarometerSettings: Equatable, Sendable {
  /// Its name or folder in `/sys/bus/iio/devices`; nil for the first that measures pressure.
  package var device: String?
  /// Between two readings. Default 5 s; after a minute without one heights of satellites count again.
  package var interval: Interval = .seconds(5)
  /// Folder with `sys` in it, `/` but in trials.
  package var root = "/"

  /// The first barometer, every five seconds.
  package init() {}
}

/// The sensor of the wheel that is counted.
package struct WheelSettings: Equatable, Sendable {
  /// Chip of its line.
  package var chip = ""
  /// Number of its line on the chip.
  package var line: UInt32?
  /// Pulses closer together are one. Default 10 ms, which a reed switch bounces for; a hub dynamo has more pulses than that.
  package var bounce: Interval = .milliseconds(10)
  /// How far the wheel goes with each pulse, m; 0: it is learnt.
  package var circumference: Double = 0

  /// No line yet.
  package init() {}
}

/// What is recorded, and how much of it is kept.
package struct RecordingSettings: Equatable, Sendable {
  /// The folder; it is made when it is not there.
  package var folder: String
  /// Size at which a file ends and the next begins, bytes. Default 16 MiB.
  package var segmentBytes = 16 << 20
  /// All files together; the oldest go first, bytes. Default 512 MiB.
  package var totalBytes = 512 << 20

  /// Recording into a folder.
  package init(folder: String) { self.folder = folder }
}

/// Everything `leash run` needs to know.
package struct BoardConfiguration: Equatable, Sendable {
  /// The ready set of defaults that the file chose. Default: bike.
  package var profile = BoardProfile.bike
  /// The tracker's own settings, as in `leash settings`. Its seed is drawn anew for each run when `hasFixedSeed` is false.
  package var tracker = RunConfiguration()
  /// True when the file sets the seed.
  package var hasFixedSeed = false
  /// Where positions come from, the preferred first. Default: gpsd on this machine.
  package var gnss: GNSSSettings = .gpsd(host: "127.0.0.1", port: 2947, device: nil)
  /// Where inertial samples come from.
  package var imu: InertialSourceSettings = .none
  /// The battery; nil when none is watched.
  package var supply: SupplySettings?
  /// The barometer; nil when none is read.
  package var barometer: BarometerSettings?
  /// The sensor of the wheel; nil when there is none.
  package var wheel: WheelSettings?
  /// Where each switch is.
  package var contacts: [Contact: ContactLine] = [:]
  /// How it is known that the owner is near; nil for by requests alone.
  package var presence: PresenceSettings?
  /// The modem; nil when there is none.
  package var modem: ModemSettings?
  /// Ways to receivers, of each the preferred first.
  package var uplinks: [UplinkSettings] = []
  /// How long a packet may wait on a way before the next way gets it, too. Default 20 s; for alerts a quarter of it.
  package var fallbackAfter: Interval = .seconds(20)
  /// The file that outbox, odometer and phase survive in. Default `/var/lib/leash/state.db`.
  package var stateFile = "/var/lib/leash/state.db"
  /// What is recorded; nil for nothing.
  package var recording: RecordingSettings?
  /// The local socket for `leash status`. Default `/run/leash/control`.
  package var controlSocket = "/run/leash/control"
  /// Address and port of the local page; nil for none.
  package var page: PageAddress?
  /// What a browser signs requests of the page with; nil when the page takes none.
  package var pageToken: Secret?

  /// Who may ask what, beside the lists of the ways.
  package var requests = RequestSettings()
  /// What sounds; nil for nothing.
  package var buzzer: BuzzerSettings?

  /// Fences, secure places, alarms and their time zone, which the tracker is told when they are others than it was told last.
  package var rules = RuleTables()

  /// Reports that wait in the spool at most.
  package var spoolCapacity = 20_000

  /// gpsd on this machine, and nothing else.
  package init() {}
  /// Names of the receivers, in the order in which `uplinks` names them first.
  package var receivers: [String] {
    var names: [String] = []
    for uplink in uplinks where !names.contains(uplink.receiver) { names.append(uplink.receiver) }
    return names
  }

  /// What each receiver wants, as the tracker takes it; one that wants everything when there is no way at all.
  var receiverList: ReceiverList {
    var list = ReceiverList()
    // FNV-1a of the names: what waits for a receiver waits for its name, not for its place.
    list.identity = receivers.joined(separator: "\n").utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    for (place, name) in receivers.prefix(ReceiverList.capacity).enumerated() {
      let kinds = uplinks.first { $0.receiver == name }?.kinds ?? .all
      if place == 0 { list[0] = kinds } else { list.append(kinds) }
    }
    return list
  }
}
