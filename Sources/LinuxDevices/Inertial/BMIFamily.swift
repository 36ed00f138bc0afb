import Quantities

/// What the Bosch parts share.
private enum BMI {
  /// - Source: [bmi160], [bmi270] ACC_CONF and GYR_CONF: 25 Hz is 6, and each step doubles.
  static let rates: [(hertz: Double, code: UInt8)] = [(25, 6), (50, 7), (100, 8), (200, 9), (400, 10), (800, 11)]

  /// Degrees per second and step at the five ranges of 2¹⁵ steps.
  static let angularRateScales: [(range: AngularRateRange, code: UInt8, scale: Double)] = [
    (.degrees250, 3, .pi / 180 / 131.2), (.degrees500, 2, .pi / 180 / 65.6), (.degrees1000, 1, .pi / 180 / 32.8),
    (.degrees2000, 0, .pi / 180 / 16.4),
  ]

  static func forceScales(_ codes: [UInt8]) -> [(range: SpecificForceRange, code: UInt8, scale: Double)] {
    zip(SpecificForceRange.allCases, codes).map { range, code in
      (range, code, standardGravity * Double(range.rawValue) / 32768)
    }
  }

  /// The bandwidth parameter: 2 is a filter that cuts off at about 0.4 of the rate, 1 at a half of that, 0 at a quarter.
  ///
  /// - Source: [bmi160], [bmi270] the tables of cut-off frequencies beside the filter settings, rounded.
  static let lowPasses: @Sendable (Double) -> [InertialLowPass] = { hertz in
    [InertialLowPass(0.1 * hertz, 0), InertialLowPass(0.2 * hertz, 1), InertialLowPass(0.4 * hertz, 2)]
  }

  /// Frames with a header of both sensors; the level counts bytes and includes the frame that tells of lost ones.
  static func fifo(level register: UInt8, data: UInt8, highMask: UInt8, configurationLength: Int) -> InertialFIFO {
    InertialFIFO(
      levelBlocks: [(register, 2)],
      level: { bytes in InertialFIFO.Level(byteCount: Int(bytes[1] & highMask) << 8 | Int(bytes[0])) },
      dataRegister: data, format: .headedFrames(configurationLength: configurationLength), sampleLength: 13)
  }
}

extension InertialPart {
  /// Bosch BMI160.
  ///
  /// - Source: [bmi160] section 2.11: CHIP_ID (0xD1), PMU_STATUS, FIFO_LENGTH, FIFO_DATA, ACC_CONF to GYR_RANGE, FIFO_CONFIG,
  ///   CMD; section 2.5.1 (frames); the electrical specification for start-up times.
  public static let bmi160 = InertialPart(
    name: "bmi160", addresses: [0x68, 0x69], identityRegister: 0x00, identities: [(0xD1, "BMI160")],
    specificForceScales: BMI.forceScales([0x3, 0x5, 0x8, 0xC]), angularRateScales: BMI.angularRateScales,
    rates: BMI.rates, lowPasses: BMI.lowPasses,
    fifo: BMI.fifo(level: 0x22, data: 0x24, highMask: 0x07, configurationLength: 1),
    setUp: { choice in
      let pass = (choice.lowPass?.code ?? 2) << 4
      return [
        // CMD: soft reset; accelerometer, then gyroscope into normal mode, with their start-up times.
        .write(0x7E, [0xB6]), .wait(.milliseconds(20)),
        .write(0x7E, [0x11]), .wait(.milliseconds(5)),
        .write(0x7E, [0x15]), .wait(.milliseconds(81)),
        .expect(0x03, mask: 0x3C, value: 0x14, within: .milliseconds(100), failure: "sensors do not start"),
        // ACC_CONF, ACC_RANGE, GYR_CONF, GYR_RANGE.
        .write(0x40, [pass | choice.rateCode]), .write(0x41, [choice.specificForce.code]),
        .write(0x42, [pass | choice.rateCode]), .write(0x43, [choice.angularRate.code]),
        // FIFO_CONFIG_1: gyroscope, accelerometer, headers.
        .write(0x47, [0xD0]), .wait(.milliseconds(20)),
      ]
    },
    resetFIFO: [.write(0x7E, [0xB0])],
    sleep: [.write(0x7E, [0xB6])],
    needsConfigurationFile: false)

  /// Bosch BMI270. It does nothing before its maker's configuration is in it, which is not ours to hand on.
  ///
  /// - Source: [bmi270] section 4.4 (initialisation), the chapter on the FIFO (frames), the register description: CHIP_ID
  ///   (0x24), INTERNAL_STATUS, FIFO_LENGTH, FIFO_DATA, ACC_CONF to GYR_RANGE, FIFO_CONFIG, INIT_CTRL to INIT_DATA, PWR_CONF,
  ///   PWR_CTRL, CMD.
  public static let bmi270 = InertialPart(
    name: "bmi270", addresses: [0x68, 0x69], identityRegister: 0x00, identities: [(0x24, "BMI270")],
    specificForceScales: BMI.forceScales([0, 1, 2, 3]), angularRateScales: BMI.angularRateScales,
    rates: BMI.rates, lowPasses: BMI.lowPasses,
    fifo: BMI.fifo(level: 0x24, data: 0x26, highMask: 0x3F, configurationLength: 4),
    setUp: { choice in
      let pass = (choice.lowPass?.code ?? 2) << 4
      return [
        // CMD: soft reset. PWR_CONF: out of power saving, so that registers answer. INIT_CTRL: get ready for the file.
        .write(0x7E, [0xB6]), .wait(.milliseconds(2)), .write(0x7C, [0x00]), .wait(.milliseconds(1)),
        .write(0x59, [0x00]),
      ] + upload(choice.configuration) + [
        .write(0x59, [0x01]), .wait(.milliseconds(20)),
        .expect(
          0x21, mask: 0x0F, value: 0x01, within: .milliseconds(150),
          failure: "refuses its configuration: is it the maker's file for the BMI270?"),
        // PWR_CTRL: gyroscope, accelerometer, temperature.
        .write(0x7D, [0x0E]),
        // ACC_CONF and GYR_CONF in performance mode, with their ranges.
        .write(0x40, [0x80 | pass | choice.rateCode, choice.specificForce.code]),
        .write(0x42, [0xC0 | pass | choice.rateCode, choice.angularRate.code]), .wait(.milliseconds(50)),
        // FIFO_CONFIG: overwrite when full, no time frames; gyroscope, accelerometer, headers.
        .write(0x48, [0x00, 0xD0]), .wait(.milliseconds(5)),
      ]
    },
    resetFIFO: [.write(0x7E, [0xB0])],
    sleep: [.write(0x7D, [0x00])],
    needsConfigurationFile: true)

  /// The configuration in pieces, so that no transfer holds the bus for long: INIT_ADDR counts words of two bytes, its low
  /// four bits in one register and the others in the next.
  private static func upload(_ configuration: [UInt8]) -> [RegisterStep] {
    stride(from: 0, to: configuration.count, by: 64).flatMap { start -> [RegisterStep] in
      let words = start / 2
      let piece = Array(configuration[start..<min(start + 64, configuration.count)])
      return [.write(0x5B, [UInt8(words & 0x0F), UInt8(words >> 4 & 0xFF)]), .write(0x5E, piece)]
    }
  }
}
