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
  var serialPort = ""
  var rate = 0
}

/// The keys of both sensors.
extension ConfigurationSchema {
  /// Parts that are read over I²C without a driver of the kernel.
  static let inertialParts = ["mpu6050", "mpu6500", "mpu9250", "lsm6ds3", "lsm6dso", "bmi160", "bmi270"]

  static let gpsd = BoundSection(
    "gnss", kind: ("source", "gpsd"), "Positions from gpsd, also when there is no section 'gnss'.", fresh: GNSSDraft(),
    [
      .text("host", \.host, "Name or address of gpsd's machine.", bytes: 1...253, example: "127.0.0.1"),
      .port("port", \.port, "Port of gpsd.", example: 2947),
      .optionalPath(
        "device", \.device, "The receiver to listen to, when gpsd has several; all of them when it is not set.",
        example: "/dev/ttyACM0"),
    ])

  static let serialGNSS = BoundSection(
    "gnss", kind: ("source", "serial"), "Positions from a receiver on a serial port that speaks NMEA 0183.",
    fresh: GNSSDraft(),
    [
      .path("port", \.serialPort, "The serial port.", example: "/dev/ttyACM0", isRequired: true),
      rate(\.rate, "Its speed; 0 to find it out."),
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
      .number("rate", \.hertz, "Samples a second.", 1...1000, unit: "Hz", example: 100),
      .path("root", \.root, "Folder with 'sys' and 'dev' in it; another one is for trials.", example: "/"),
    ])

  static let i2c = BoundSection(
    "imu", kind: ("source", "i2c"), "Inertial samples from the part itself, on an I²C bus.", fresh: InertialDraft(),
    [
      .path("bus", \.bus, "The bus.", example: "/dev/i2c-1"),
      .whole(
        "address", \.address, "The part's address, such as 0x68 or 0x6A.", 0x08...0x77, example: 0x68, isRequired: true),
      .choice(
        "part", \.part, "What the part is.", inertialParts.map { ($0, $0) }, example: "mpu6050", isRequired: true),
      .number("rate", \.hertz, "Samples a second.", 1...1000, unit: "Hz", example: 100),
    ])

  static let serialInertial = BoundSection(
    "imu", kind: ("source", "serial"), "Inertial samples from a WitMotion sensor on a serial port.",
    fresh: InertialDraft(),
    [
      .path("port", \.serialPort, "The serial port.", example: "/dev/ttyUSB0", isRequired: true),
      rate(\.rate, "Its speed; 0 to find it out."),
    ])

  static let noInertial = BoundSection(
    "imu", kind: ("source", "none"), "No inertial samples, also when there is no section 'imu'.",
    fresh: InertialDraft(), [])

  private static func rate<Root: Sendable>(
    _ path: WritableKeyPath<Root, Int> & Sendable, _ help: String
  ) -> BoundKey<Root> {
    .whole("rate", path, help, 0...4_000_000, unit: "bit/s", example: 9600) {
      $0 == 0 || $0 >= 1200 ? nil : "0, or a speed from 1200 to 4000000"
    }
  }
}
