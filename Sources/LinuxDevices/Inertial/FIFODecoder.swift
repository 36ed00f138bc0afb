import Quantities

/// Three raw numbers of one quantity.
struct RawAxes: Equatable {
  var x: Int16
  var y: Int16
  var z: Int16

  /// The vector in steps of that size.
  func vector(scale: Double) -> Vector3 {
    Vector3(Float(Double(x) * scale), Float(Double(y) * scale), Float(Double(z) * scale))
  }
}

/// A raw reading of both quantities; nil for one that was missing.
struct RawReading: Equatable {
  var force: RawAxes?
  var rate: RawAxes?
}

/// Makes readings of a FIFO's bytes.
struct FIFODecoder {
  private let format: InertialFIFO.Format
  /// Bytes behind the header of a frame that tells changed settings.
  private let configurationLength: Int
  /// The half of a tagged pair that has come, with the number of its time slot.
  private var half: (reading: RawReading, slot: UInt8)?
  /// Samples the part says it lost.
  private(set) var lostCount = 0
  /// Bytes that meant nothing; what followed them was thrown away.
  private(set) var unknownCount = 0

  init(_ format: InertialFIFO.Format) {
    self.format = format
    configurationLength = if case .headedFrames(let length) = format { length } else { 0 }
  }

  /// Forgets a half sample, as the FIFO was emptied.
  mutating func reset() { half = nil }

  /// The readings in some bytes, which begin and end with whole ones. What is cut off at the end is left out: parts with
  /// headed frames give a frame that was read in part again.
  mutating func decode(_ bytes: [UInt8]) -> [RawReading] {
    switch format {
    case .bigEndianForceFirst:
      whole(bytes) { RawReading(force: Self.big(bytes, $0), rate: Self.big(bytes, $0 + 6)) }
    case .littleEndianRateFirst:
      whole(bytes) { RawReading(force: Self.little(bytes, $0 + 6), rate: Self.little(bytes, $0)) }
    case .taggedWords: tagged(bytes)
    case .headedFrames: headed(bytes)
    }
  }

  private func whole(_ bytes: [UInt8], _ reading: (Int) -> RawReading) -> [RawReading] {
    stride(from: 0, to: bytes.count / 12 * 12, by: 12).map(reading)
  }

  /// - Source: [lsm6dso] FIFO_DATA_OUT_TAG: bits 7…3 the sensor, 2…1 a number that is the same for all words
  ///   of one time slot; 1 is the gyroscope, 2 the accelerometer.
  private mutating func tagged(_ bytes: [UInt8]) -> [RawReading] {
    var readings: [RawReading] = []
    for start in stride(from: 0, to: bytes.count / 7 * 7, by: 7) {
      let tag = bytes[start]
      let slot = tag >> 1 & 3
      guard 1...2 ~= tag >> 3 else {
        unknownCount += 1
        continue
      }
      let axes = Self.little(bytes, start + 1)
      var reading = RawReading()
      if let half {
        if half.slot == slot { reading = half.reading } else { readings.append(half.reading) }
      }
      if tag >> 3 == 1 { reading.rate = axes } else { reading.force = axes }
      if reading.rate != nil && reading.force != nil {
        readings.append(reading)
        half = nil
      } else {
        half = (reading, slot)
      }
    }
    return readings
  }

  /// - Source: [bmi160] section 2.5.1 and [bmi270], the chapter on the FIFO: 0b10 in bits 7…6 is a frame of data, with bit 4 for the
  ///   auxiliary sensor (8 bytes), 3 for the gyroscope, 2 for the accelerometer (6 each), in that order; 0x40 tells in one
  ///   byte how many frames were lost, 0x44 the sensor's time in three, 0x48 in one that settings changed (four bytes on
  ///   the BMI270); 0x80 means that the FIFO was empty. Bits 1…0 are tags.
  private mutating func headed(_ bytes: [UInt8]) -> [RawReading] {
    var readings: [RawReading] = []
    var place = 0
    while place < bytes.count {
      let header = bytes[place] & 0xFC
      place += 1
      switch header {
      case 0x80: return readings
      case 0x40:
        guard place < bytes.count else { return readings }
        lostCount += Int(bytes[place])
        place += 1
      case 0x44: place += 3
      case 0x48: place += configurationLength
      case _ where header & 0xE0 == 0x80:
        let length = (header & 0x10 != 0 ? 8 : 0) + (header & 8 != 0 ? 6 : 0) + (header & 4 != 0 ? 6 : 0)
        guard place + length <= bytes.count else { return readings }
        if header & 0x10 != 0 { place += 8 }
        var reading = RawReading()
        if header & 8 != 0 {
          reading.rate = Self.little(bytes, place)
          place += 6
        }
        if header & 4 != 0 {
          reading.force = Self.little(bytes, place)
          place += 6
        }
        if reading.rate != nil || reading.force != nil { readings.append(reading) }
      default:
        unknownCount += 1
        return readings
      }
    }
    return readings
  }

  private static func little(_ bytes: [UInt8], _ start: Int) -> RawAxes {
    func number(_ place: Int) -> Int16 {
      Int16(bitPattern: UInt16(bytes[start + place]) | UInt16(bytes[start + place + 1]) << 8)
    }
    return RawAxes(x: number(0), y: number(2), z: number(4))
  }

  private static func big(_ bytes: [UInt8], _ start: Int) -> RawAxes {
    func number(_ place: Int) -> Int16 {
      Int16(bitPattern: UInt16(bytes[start + place]) << 8 | UInt16(bytes[start + place + 1]))
    }
    return RawAxes(x: number(0), y: number(2), z: number(4))
  }
}
