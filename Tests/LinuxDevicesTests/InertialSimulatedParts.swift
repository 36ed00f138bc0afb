import Quantities

@testable import LinuxDevices

private let gravity = 9.80665
private let radian = Double.pi / 180

/// An MPU-6050 or MPU-6500 as the register map and product specification describe it.
final class SimulatedMPU: RegisterDevice {
  var registers = [UInt8](repeating: 0, count: 128)
  var oscillator = SimulatedOscillator()
  private var fifo: [UInt8] = []
  private let capacity: Int
  private let identity: UInt8

  init(identity: UInt8, capacity: Int) {
    self.identity = identity
    self.capacity = capacity
    reset()
  }

  private func reset() {
    registers = [UInt8](repeating: 0, count: 128)
    registers[117] = identity
    registers[107] = 0x40
    fifo = []
    oscillator.stop()
  }

  private var hertz: Double {
    let filter = registers[26] & 7
    return (filter == 0 || filter == 7 ? 8000 : 1000) / (1 + Double(registers[25]))
  }

  private func run(until now: Instant) {
    for number in oscillator.samples(until: now) {
      guard registers[106] & 0x40 != 0 else { continue }
      var bytes: [UInt8] = []
      let force = [2.0, 4, 8, 16][Int(registers[28] >> 3 & 3)] * gravity
      let rate = [250.0, 500, 1000, 2000][Int(registers[27] >> 3 & 3)] * radian
      // Sensitivities are 131, 65.5, 32.8 and 16.4 steps per °/s, which is not 32768 over the range.
      let steps = [131.0, 65.5, 32.8, 16.4][Int(registers[27] >> 3 & 3)]
      if registers[35] & 0x08 != 0 {
        bytes += bigEndian(SimulatedMotion.force(number).map { SimulatedMotion.raw($0, fullScale: force) })
      }
      if registers[35] & 0x80 != 0 { bytes += [0x12, 0x34] }
      for (axis, value) in SimulatedMotion.rate(number).enumerated() where registers[35] & (0x40 >> UInt8(axis)) != 0 {
        precondition(rate > 0)
        bytes += bigEndian([Int16((value / radian * steps).rounded())])
      }
      fifo += bytes
      if fifo.count > capacity {
        fifo.removeFirst(fifo.count - capacity)
        registers[58] |= 0x10
      }
    }
  }

  func readRegisters(from register: UInt8, count: Int, at now: Instant) -> [UInt8] {
    run(until: now)
    var place = Int(register)
    var bytes: [UInt8] = []
    for _ in 0..<count {
      switch place {
      case 114: bytes.append(UInt8(fifo.count >> 8))
      case 115: bytes.append(UInt8(fifo.count & 0xFF))
      case 116:
        bytes.append(fifo.isEmpty ? 0xFF : fifo.removeFirst())
        continue
      case 58:
        bytes.append(registers[58])
        registers[58] = 0
      default: bytes.append(registers[place])
      }
      place += 1
    }
    return bytes
  }

  func writeRegisters(from register: UInt8, _ bytes: [UInt8], at now: Instant) {
    run(until: now)
    for (offset, byte) in bytes.enumerated() {
      let place = Int(register) + offset
      if place == 107 && byte & 0x80 != 0 {
        reset()
        continue
      }
      // Asleep, it keeps its registers but for the power management.
      if registers[107] & 0x40 != 0 && place != 107 && place != 108 { continue }
      registers[place] = byte
      if place == 106 {
        // FIFO_RESET works while FIFO_EN is 0, and clears itself.
        if byte & 0x04 != 0 && byte & 0x40 == 0 { fifo = [] }
        registers[106] = byte & ~0x07
      }
      if place == 107 {
        if byte & 0x40 != 0 { oscillator.stop() } else { oscillator.start(hertz: hertz, at: now) }
      }
      if place == 25 || place == 26 { oscillator.start(hertz: hertz, at: now) }
    }
  }
}

/// An LSM6DS3 as its datasheet and application note describe it.
final class SimulatedLSM6DS3: RegisterDevice {
  var registers = [UInt8](repeating: 0, count: 128)
  var oscillator = SimulatedOscillator()
  private var words: [Int16] = []
  private var place = 0
  private var isOverrun = false
  private let capacity = 4096

  init(identity: UInt8) {
    registers[0x0F] = identity
    registers[0x12] = 0x04
  }

  private func run(until now: Instant) {
    for number in oscillator.samples(until: now) {
      guard registers[0x0A] & 7 == 6, registers[0x08] == 0x09 else { continue }
      let force = [2.0, 16, 4, 8][Int(registers[0x10] >> 2 & 3)]
      // Sensitivities are 61 µg and 8.75 m°/s per step at the finest ranges.
      let forceStep = 0.000061 * gravity * force / 2
      let rateStep = 0.00875 * radian * [1.0, 2, 4, 8][Int(registers[0x11] >> 2 & 3)]
      words += SimulatedMotion.rate(number).map { Int16(($0 / rateStep).rounded()) }
      words += SimulatedMotion.force(number).map { Int16(($0 / forceStep).rounded()) }
      while words.count > capacity {
        words.removeFirst()
        place = (place + 1) % 6
        isOverrun = true
      }
    }
  }

  func readRegisters(from register: UInt8, count: Int, at now: Instant) -> [UInt8] {
    run(until: now)
    var place = Int(register)
    var bytes: [UInt8] = []
    for _ in 0..<count {
      switch place {
      case 0x3A: bytes.append(UInt8(words.count & 0xFF))
      case 0x3B: bytes.append(UInt8(words.count >> 8 & 0x0F) | (isOverrun ? 0x40 : 0) | (words.isEmpty ? 0x10 : 0))
      case 0x3C: bytes.append(UInt8(self.place))
      case 0x3D: bytes.append(0)
      case 0x3E: bytes.append(UInt8(truncatingIfNeeded: words.first ?? 0))
      case 0x3F:
        bytes.append(UInt8(truncatingIfNeeded: (words.first ?? 0) >> 8))
        if !words.isEmpty {
          words.removeFirst()
          self.place = (self.place + 1) % 6
        }
      default: bytes.append(registers[place])
      }
      // IF_INC; from the high byte of the FIFO back to the low one.
      place = place == 0x3F ? 0x3E : registers[0x12] & 4 != 0 ? place + 1 : place
    }
    return bytes
  }

  func writeRegisters(from register: UInt8, _ bytes: [UInt8], at now: Instant) {
    run(until: now)
    for (offset, byte) in bytes.enumerated() {
      let place = Int(register) + offset
      registers[place] = byte
      if place == 0x12 && byte & 1 != 0 {
        let identity = registers[0x0F]
        registers = [UInt8](repeating: 0, count: 128)
        registers[0x0F] = identity
        registers[0x12] = 0x04
        oscillator.stop()
      }
      if place == 0x0A && byte & 7 == 0 {
        words = []
        self.place = 0
        isOverrun = false
      }
      if place == 0x10 || place == 0x11 {
        let code = Int(registers[0x11] >> 4)
        if code == 0 || registers[0x10] >> 4 == 0 {
          oscillator.stop()
        } else if !oscillator.isRunning {
          oscillator.start(hertz: [0, 12.5, 26, 52, 104, 208, 416, 833][code], at: now)
        }
      }
    }
  }

  /// Loses the first word, as a read that was cut off does.
  func loseWord() {
    words.removeFirst()
    place = (place + 1) % 6
  }
}

/// An LSM6DSO as its datasheet describes it.
final class SimulatedLSM6DSO: RegisterDevice {
  var registers = [UInt8](repeating: 0, count: 128)
  var oscillator = SimulatedOscillator()
  private var words: [[UInt8]] = []
  private var byte = 0
  private var isOverrun = false

  init() {
    registers[0x0F] = 0x6C
    registers[0x12] = 0x04
    registers[0x18] = 0xE0
  }

  private func push(_ sensor: UInt8, _ number: Int, _ values: [Int16]) {
    var tag = sensor << 3 | UInt8(number & 3) << 1
    if tag.nonzeroBitCount % 2 == 1 { tag |= 1 }
    words.append([tag] + littleEndian(values))
    if words.count > 512 {
      words.removeFirst()
      isOverrun = true
    }
  }

  private func run(until now: Instant) {
    for number in oscillator.samples(until: now) {
      guard registers[0x0A] & 7 == 6 else { continue }
      let forceStep = 0.000061 * gravity * [1.0, 8, 2, 4][Int(registers[0x10] >> 2 & 3)]
      let rateStep = 0.00875 * radian * [1.0, 2, 4, 8][Int(registers[0x11] >> 2 & 3)]
      if registers[0x09] >> 4 != 0 {
        push(1, number, SimulatedMotion.rate(number).map { Int16(($0 / rateStep).rounded()) })
      }
      if registers[0x09] & 15 != 0 {
        push(2, number, SimulatedMotion.force(number).map { Int16(($0 / forceStep).rounded()) })
      }
    }
  }

  func readRegisters(from register: UInt8, count: Int, at now: Instant) -> [UInt8] {
    run(until: now)
    var place = Int(register)
    var bytes: [UInt8] = []
    for _ in 0..<count {
      switch place {
      case 0x3A: bytes.append(UInt8(min(words.count, 1023) & 0xFF))
      case 0x3B: bytes.append(UInt8(words.count >> 8 & 3) | (isOverrun ? 0x48 : 0))
      case 0x78...0x7E: bytes.append(words.first?[place - 0x78] ?? 0)
      default: bytes.append(registers[place])
      }
      if place == 0x7E {
        if !words.isEmpty { words.removeFirst() }
        place = 0x78
      } else {
        place += 1
      }
    }
    return bytes
  }

  func writeRegisters(from register: UInt8, _ bytes: [UInt8], at now: Instant) {
    run(until: now)
    for (offset, byte) in bytes.enumerated() {
      let place = Int(register) + offset
      registers[place] = byte
      if place == 0x12 && byte & 1 != 0 {
        registers = [UInt8](repeating: 0, count: 128)
        registers[0x0F] = 0x6C
        registers[0x12] = 0x04
        registers[0x18] = 0xE0
        oscillator.stop()
      }
      if place == 0x0A && byte & 7 == 0 {
        words = []
        isOverrun = false
      }
      if place == 0x10 || place == 0x11 {
        let code = Int(registers[0x11] >> 4)
        if code == 0 || registers[0x10] >> 4 == 0 {
          oscillator.stop()
        } else if !oscillator.isRunning {
          oscillator.start(hertz: [0, 12.5, 26, 52, 104, 208, 416, 833][code], at: now)
        }
      }
    }
  }
}

/// A BMI160 or BMI270 as their datasheets describe them.
final class SimulatedBMI: RegisterDevice {
  var registers = [UInt8](repeating: 0, count: 128)
  var oscillator = SimulatedOscillator()
  /// What the host has uploaded, BMI270 only.
  private(set) var configuration = [UInt8](repeating: 0, count: 8192)
  private let is270: Bool
  private var frames: [[UInt8]] = []
  private var lost = 0
  private var forceStart: Instant?
  private var rateStart: Instant?
  private var isConfigured = false

  init(is270: Bool) {
    self.is270 = is270
    reset()
  }

  private func reset() {
    registers = [UInt8](repeating: 0, count: 128)
    registers[0] = is270 ? 0x24 : 0xD1
    if is270 { registers[0x7C] = 0x03 }
    frames = []
    lost = 0
    forceStart = nil
    rateStart = nil
    isConfigured = false
    oscillator.stop()
  }

  private var capacity: Int { is270 ? 2048 : 1024 }
  private var fifoConfiguration: UInt8 { registers[is270 ? 0x49 : 0x47] }
  private var byteCount: Int { frames.reduce(0) { $0 + $1.count } + (lost > 0 ? 2 : 0) }

  private func run(until now: Instant) {
    for number in oscillator.samples(until: now) {
      guard fifoConfiguration == 0xD0 else { continue }
      let code = Int(registers[0x41] & 15)
      let range: Double = is270 ? [2.0, 4, 8, 16][code & 3] : [3: 2.0, 5: 4, 8: 8, 12: 16][code] ?? 2
      let steps = [16.4, 32.8, 65.6, 131.2, 262.4][Int(registers[0x43] & 7)]
      frames.append(
        [0x8C] + littleEndian(SimulatedMotion.rate(number).map { Int16(($0 / radian * steps).rounded()) })
          + littleEndian(SimulatedMotion.force(number).map { SimulatedMotion.raw($0, fullScale: range * gravity) }))
      while byteCount > capacity {
        frames.removeFirst()
        lost += 1
      }
    }
  }

  func readRegisters(from register: UInt8, count: Int, at now: Instant) -> [UInt8] {
    run(until: now)
    if register == (is270 ? 0x26 : 0x24) {
      var bytes: [UInt8] = []
      if lost > 0 && count >= 2 {
        bytes = [0x40, UInt8(min(lost, 255))]
        lost = 0
      }
      // A frame that is read in part stays.
      while let frame = frames.first, bytes.count + frame.count <= count {
        bytes += frame
        frames.removeFirst()
      }
      let rest = count - bytes.count
      return bytes + (frames.first.map { Array($0.prefix(rest)) } ?? [UInt8](repeating: 0x80, count: rest))
    }
    return (0..<count).map { offset in
      let place = Int(register) + offset
      switch place {
      case is270 ? 0x24 : 0x22: return UInt8(byteCount & 0xFF)
      case is270 ? 0x25 : 0x23: return UInt8(byteCount >> 8)
      case 0x03 where !is270:
        let force = forceStart.map { now - $0 >= Interval(microseconds: 3800) } ?? false
        let rate = rateStart.map { now - $0 >= .milliseconds(80) } ?? false
        return (force ? 0x10 : 0) | (rate ? 0x04 : 0)
      case 0x21 where is270: return isConfigured ? 0x01 : 0x00
      default: return registers[place]
      }
    }
  }

  func writeRegisters(from register: UInt8, _ bytes: [UInt8], at now: Instant) {
    run(until: now)
    if is270 && register == 0x5E {
      let start = 2 * (Int(registers[0x5B] & 15) | Int(registers[0x5C]) << 4)
      for (offset, byte) in bytes.enumerated() where start + offset < 8192 { configuration[start + offset] = byte }
      return
    }
    for (offset, byte) in bytes.enumerated() {
      let place = Int(register) + offset
      if place == 0x7E {
        command(byte, at: now)
        continue
      }
      // Before its configuration a BMI270 does not measure.
      registers[place] = byte
      if is270 && place == 0x59 && byte == 1 { isConfigured = configuration.last == 0xC5 && registers[0x7C] & 1 == 0 }
      if is270 && place == 0x7D && byte & 0x06 == 0x06 && isConfigured { forceStart = now }
      if is270 && place == 0x7D && byte & 0x06 == 0 { oscillator.stop() }
      if place == 0x40 || place == 0x42, forceStart != nil {
        oscillator.start(hertz: 100 * Double(1 << Int(byte & 15)) / 256, at: now)
      }
    }
  }

  private func command(_ byte: UInt8, at now: Instant) {
    switch byte {
    case 0xB6: reset()
    case 0xB0:
      frames = []
      lost = 0
    case 0x11 where !is270: forceStart = now
    case 0x15 where !is270: rateStart = now
    default: break
    }
  }
}
