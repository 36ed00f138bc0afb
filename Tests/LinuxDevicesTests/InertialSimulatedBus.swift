import Glibc
import Quantities

@testable import LinuxDevices

/// Time in a test: it goes on when the test says so and while a bus works.
final class HandTime {
  var now = Instant.seconds(1000)
}

/// A device of registers on the simulated bus, as its datasheet describes it.
protocol RegisterDevice: AnyObject {
  func readRegisters(from register: UInt8, count: Int, at now: Instant) -> [UInt8]
  func writeRegisters(from register: UInt8, _ bytes: [UInt8], at now: Instant)
}

/// A bus at 400 kHz whose devices are simulated.
final class SimulatedI2CBus: I2CBus {
  let path = "/dev/i2c-1"
  let time: HandTime
  var devices: [UInt8: any RegisterDevice] = [:]
  /// Addresses that a driver of the kernel has.
  var busy: Set<UInt8> = []
  /// So many of the next transfers fail.
  var failuresLeft = 0
  private(set) var writeCount = 0
  private(set) var isClosed = false

  init(_ time: HandTime) { self.time = time }

  func reopen() -> SimulatedI2CBus {
    isClosed = false
    return self
  }

  func check(_ address: UInt8) throws(DeviceFailure) {
    if busy.contains(address) { throw DeviceFailure(.open, path, errorNumber: EBUSY, .explained("in use")) }
  }

  private func device(_ address: UInt8, _ byteCount: Int) throws(DeviceFailure) -> any RegisterDevice {
    time.now = time.now + Interval(microseconds: Int64(byteCount) * 25)
    if failuresLeft > 0 {
      failuresLeft -= 1
      throw LinuxI2CBus.failure(.read, path, address, ETIMEDOUT)
    }
    guard let device = devices[address] else { throw LinuxI2CBus.failure(.read, path, address, EREMOTEIO) }
    return device
  }

  func read(_ address: UInt8, from register: UInt8, count: Int) throws(DeviceFailure) -> [UInt8] {
    // The device answers at the beginning of the transfer.
    let began = time.now
    return try device(address, 3 + count).readRegisters(from: register, count: count, at: began)
  }

  func write(_ address: UInt8, to register: UInt8, _ bytes: [UInt8]) throws(DeviceFailure) {
    writeCount += 1
    try device(address, 2 + bytes.count).writeRegisters(from: register, bytes, at: time.now)
  }

  func close() { isClosed = true }
}

/// What moves a simulated part: vectors in m/s² and rad/s of its sample number.
struct SimulatedMotion {
  /// Number of the sample since the part began to measure, told by both.
  static func force(_ number: Int) -> [Double] { [1, -2, 9.80665 + Double(number % 64) * 0.05] }
  static func rate(_ number: Int) -> [Double] { [0.5, -0.25, Double(number % 64) * 0.01] }

  static func raw(_ value: Double, fullScale: Double) -> Int16 {
    Int16(min(max((value / fullScale * 32768).rounded(), -32768), 32767))
  }
}

/// The oscillator of a simulated part: it calls for each sample that has come.
struct SimulatedOscillator {
  /// How far it is off: 0.02 is two percent fast.
  var error = 0.0
  private var origin: Instant?
  private var done = 0
  private var period = 0.0
  /// When each sample was truly taken.
  private(set) var times: [Instant] = []

  mutating func start(hertz: Double, at now: Instant) {
    origin = now
    done = times.count
    base = times.count
    period = 1_000_000 / hertz / (1 + error)
  }

  private var base = 0

  mutating func stop() { origin = nil }
  var isRunning: Bool { origin != nil }

  mutating func samples(until now: Instant) -> Range<Int> {
    guard let origin else { return 0..<0 }
    let first = done
    while true {
      let due = origin + Interval(microseconds: Int64(Double(done - base + 1) * period))
      guard due <= now else { break }
      times.append(due)
      done += 1
    }
    return first..<done
  }
}

func littleEndian(_ values: [Int16]) -> [UInt8] {
  values.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
}

func bigEndian(_ values: [Int16]) -> [UInt8] {
  values.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
}
