import Glibc

/// Where this machine may have inertial sensors.
package enum InertialSensorListing {
  /// An IIO device with buffered axes, or without.
  package struct IndustrialIO: Equatable, Sendable {
    /// As in `iio:device0`.
    package var node: String
    /// What the part is called; empty when the driver does not say.
    package var name: String
    /// What it measures in a buffer: `accelerometer`, `gyroscope`, `magnetometer`; empty for other devices.
    package var kinds: [String]
  }

  /// An I²C bus.
  package struct Bus: Equatable, Sendable {
    /// As in `/dev/i2c-1`.
    package var path: String
    /// Why it can't be used; nil when it can.
    package var problem: String?
    /// What was found on it.
    package var parts: [Part]
  }

  /// What answers at an address of the supported parts.
  package struct Part: Equatable, Sendable {
    /// As `i2cdetect` shows it.
    package var address: UInt8
    /// The family to choose; nil when it is none of ours, or a driver of the kernel has it.
    package var family: String?
    /// What is there, for people.
    package var text: String
  }

  /// The IIO devices.
  package static func industrialIO(root: String = "/") -> [IndustrialIO] {
    IndustrialIOFiles.all(root: root).map { files in
      let kinds = [("accel", "accelerometer"), ("anglvel", "gyroscope"), ("magn", "magnetometer")]
      return IndustrialIO(
        node: files.node, name: files.name, kinds: kinds.filter { files.hasAxes($0.0) }.map(\.1))
    }
  }

  /// The I²C buses, with what answers at the addresses that supported parts can have.
  ///
  /// Only identity registers are read, nothing is written, and addresses that the kernel's drivers use are left alone.
  ///
  /// - Complexity: A few transfers per bus: milliseconds. A stuck bus costs 50 ms per address.
  package static func i2cBuses(root: String = "/") -> [Bus] {
    LinuxI2CBus.paths(root: root).map { path in
      do throws(DeviceFailure) { return Bus(path: path, problem: nil, parts: parts(on: try LinuxI2CBus(path))) } catch {
        return Bus(path: path, problem: error.message, parts: [])
      }
    }
  }

  /// What answers on a bus, at the addresses that supported parts can have.
  package static func parts(on bus: any I2CBus) -> [Part] {
    Set(InertialPart.all.flatMap(\.addresses)).sorted().compactMap { address in
      do throws(DeviceFailure) {
        try bus.check(address)
        if let (part, name) = try InertialPart.identify(on: bus, at: address) {
          return Part(address: address, family: part.name, text: name)
        }
        return Part(address: address, family: nil, text: "unknown: none of the supported parts")
      } catch {
        return error.errorNumber == EBUSY
          ? Part(address: address, family: nil, text: "in use by a kernel driver: use its IIO device") : nil
      }
    }
  }
}
