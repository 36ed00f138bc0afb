import LinuxDevices
import Quantities

/// Where positions come from, while the section is read.
struct GNSSDraft: Equatable, Sendable {
  var host = "127.0.0.1"
  var port: UInt16 = 2947
  var device: String?
  var serialPort = ""
  var rate = 0
}

/// Where inertial samples come from, while the section is read.
struct InertialDraft: Equatable, Sendable {
  var device = ""
  var root = "/"
  var hertz = 100.0
  var bus = "/dev/i2c-1"
  var address: UInt8 = 0x68
  var part = ""
  var specificForceG = SpecificForceRange.g8.rawValue
  var angularRateDegrees = AngularRateRange.degrees1000.rawValue
  var configurationFile: String?
  var serialPort = ""
  var rate = 9600

  var specificForceRange: SpecificForceRange { SpecificForceRange(rawValue: specificForceG) ?? .g8 }
  var angularRateRange: AngularRateRange { AngularRateRange(rawValue: angularRateDegrees) ?? .degrees1000 }
}

/// The keys of both sensors.
extension ConfigurationSchema {
  /// Parts that are read over I²C without a driver of the kernel.
  static let inertialParts = ["mpu6050", "mpu6500", "mpu9250", "lsm6ds3", "lsm6dso", "bmi160", "bmi270"]

  static let gpsd = BoundSection(
    "gnss", kind: ("source", "gpsd"), "Positions from gpsd; also used without a section 'gnss'.", fresh: GNSSDraft(),
    [
      .text("host", \.host, "Name or address of the machine that runs gpsd.", bytes: 1...253, example: "127.0.0.1"),
      .port("port", \.port, "Port of gpsd.", example: 2947),
      .optionalPath(
        "device", \.device, "Receiver to use if gpsd has several; default: all of them.",
        example: "/dev/ttyACM0"),
    ])

  static let serialGNSS = BoundSection(
    "gnss", kind: ("source", "serial"), "Positions from a receiver on a serial port that speaks NMEA 0183.",
    fresh: GNSSDraft(),
    [
      .path("port", \.serialPort, "The serial port.", example: "/dev/ttyACM0", isRequired: true),
      rate(\.rate, "Speed of the port; 0: automatic."),
    ])

  static let modemGNSS = BoundSection(
    "gnss", kind: ("source", "modem"), "Positions from the modem's own receiver.", fresh: GNSSDraft(), [])

  static let noGNSS = BoundSection("gnss", kind: ("source", "none"), "No positions.", fresh: GNSSDraft(), [])

  static let iio = BoundSection(
    "imu", kind: ("source", "iio"), "Inertial samples through the kernel's industrial I/O.", fresh: InertialDraft(),
    [
      .text(
        "device", \.device, "Name of the part or number of the device, as in /sys/bus/iio/devices.", bytes: 1...64,
        example: "lsm6dso", isRequired: true),
      .number("rate", \.hertz, "Samples per second.", 1...1000, unit: "Hz", example: 100),
      specificForceRange, angularRateRange,
      .path("root", \.root, "Folder that contains 'sys' and 'dev'; changed only in tests.", example: "/"),
    ])

  static let i2c = BoundSection(
    "imu", kind: ("source", "i2c"), "Inertial samples from a sensor on an I²C bus, without a kernel driver.",
    fresh: InertialDraft(),
    [
      .path("bus", \.bus, "The bus.", example: "/dev/i2c-1"),
      .whole(
        "address", \.address, "The part's address, such as 0x68 or 0x6A.", 0x08...0x77, example: 0x68, isRequired: true),
      .choice(
        "part", \.part, "Type of the part.", inertialParts.map { ($0, $0) }, example: "mpu6050", isRequired: true),
      .number("rate", \.hertz, "Samples per second.", 1...1000, unit: "Hz", example: 100),
      specificForceRange, angularRateRange,
      .optionalPath(
        "configurationFile", \.configurationFile,
        "Configuration file of the maker, needed for a bmi270 only.",
        example: "/lib/firmware/bmi270-init-data.fw"),
    ])

  static let serialInertial = BoundSection(
    "imu", kind: ("source", "serial"), "Inertial samples from a WitMotion sensor on a serial port.",
    fresh: InertialDraft(),
    [
      .path("port", \.serialPort, "The serial port.", example: "/dev/ttyUSB0", isRequired: true),
      .whole(
        "rate", \.rate, "Speed set in the sensor; 9600 by default, 115200 for 100 Hz.", 1200...4_000_000,
        unit: "bit/s", example: 115_200),
    ])

  static let noInertial = BoundSection(
    "imu", kind: ("source", "none"), "No inertial samples; also the default without a section 'imu'.",
    fresh: InertialDraft(), [])

  static let supply = BoundSection(
    "supply", "The battery, which is then reported in packets.",
    fresh: SupplySettings(),
    [
      .optionalText(
        "battery", \.battery,
        "Its name in /sys/class/power_supply; default: the first that powers this machine.", bytes: 1...64,
        example: "BAT0"),
      .seconds("interval", \.interval, "Time between two readings.", 1...86_400, example: 60),
      .path("root", \.root, "Folder that contains 'sys'; changed only in tests.", example: "/"),
    ])

  static let barometer = BoundSection(
    "barometer", "A barometer of the kernel's industrial I/O, from which the climb of rides follows.",
    fresh: BarometerSettings(),
    [
      .optionalText(
        "device", \.device,
        "Its name, or its folder in /sys/bus/iio/devices; default: the first that measures pressure.", bytes: 1...64,
        example: "bmp280"),
      .seconds("interval", \.interval, "Time between two readings.", 1...60, example: 5),
      .path("root", \.root, "Folder that contains 'sys'; changed only in tests.", example: "/"),
    ])

  static let wheel = BoundSection(
    "wheel",
    "A reed or Hall switch between a GPIO line and ground that closes with each turn of a wheel; the line is pulled up.",
    fresh: WheelSettings(),
    [
      .text(
        "chip", \.chip, "GPIO chip of the switch.", bytes: 1...64, example: "gpiochip0",
        isRequired: true
      ) {
        $0.contains(" ") ? "a chip such as gpiochip0" : nil
      },
      BoundKey(
        "line", .whole(0...1023), "Number of its line on the chip.", example: "22", isRequired: true,
        get: { $0.line.map { .number("\($0)") } },
        set: { draft, value in
          if case .number(let digits) = value { draft.line = UInt32(digits) }
          return nil
        }),
      .number(
        "circumference", \.circumference,
        "Distance per pulse; 0: unknown, it is learnt on the first rides. It sets 'odometer.circumference'.",
        0...10, unit: "m", example: 2.1),
      .seconds("bounce", \.bounce, "Pulses closer together count as one.", 0...1, example: 0.01),
    ])

  private static let specificForceRange = range(
    "specificForceRange", \InertialDraft.specificForceG, SpecificForceRange.allCases.map(\.rawValue), unit: "g",
    "Full scale of the specific force: 2, 4, 8 or 16. Large: shocks are not clipped; small: finer resolution.")

  private static let angularRateRange = range(
    "angularRateRange", \InertialDraft.angularRateDegrees, AngularRateRange.allCases.map(\.rawValue), unit: "°/s",
    "Full scale of the angular rate: 250, 500, 1000 or 2000. Large: fast turns are not clipped; small: finer resolution."
  )

  private static func range(
    _ name: String, _ path: WritableKeyPath<InertialDraft, Int> & Sendable, _ choices: [Int], unit: String,
    _ help: String
  ) -> BoundKey<InertialDraft> {
    let last = choices[choices.count - 1]
    return .whole(
      name, path, help, Int64(choices[0])...Int64(last), unit: unit, example: Int64(choices[choices.count - 2])
    ) {
      choices.contains($0) ? nil : "one of " + choices.map(String.init).joined(separator: ", ")
    }
  }

  private static func rate<Root: Sendable>(
    _ path: WritableKeyPath<Root, Int> & Sendable, _ help: String
  ) -> BoundKey<Root> {
    .whole("rate", path, help, 0...4_000_000, unit: "bit/s", example: 9600) {
      $0 == 0 || $0 >= 1200 ? nil : "0, or a speed from 1200 to 4000000"
    }
  }
}
