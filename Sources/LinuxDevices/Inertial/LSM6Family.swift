import Quantities

/// What the LSM6 parts share.
private enum LSM6 {
  /// - Source: [lsm6ds3], [lsm6dso] mechanical characteristics, LA_So: mg per step.
  static let specificForceScales: [(range: SpecificForceRange, code: UInt8, scale: Double)] = [
    (.g2, 0, 0.000061 * standardGravity), (.g4, 2, 0.000122 * standardGravity), (.g8, 3, 0.000244 * standardGravity),
    (.g16, 1, 0.000488 * standardGravity),
  ]
  /// - Source: [lsm6ds3], [lsm6dso] mechanical characteristics, G_So: mdps per step.
  static let angularRateScales: [(range: AngularRateRange, code: UInt8, scale: Double)] = [
    (.degrees250, 0, 0.00875 * .pi / 180), (.degrees500, 1, 0.0175 * .pi / 180), (.degrees1000, 2, 0.035 * .pi / 180),
    (.degrees2000, 3, 0.07 * .pi / 180),
  ]
  /// - Source: [lsm6ds3], [lsm6dso] CTRL1_XL: ODR_XL, ODR_G and the FIFO's rates have the same codes.
  static let rates: [(hertz: Double, code: UInt8)] = [
    (12.5, 1), (26, 2), (52, 3), (104, 4), (208, 5), (416, 6), (833, 7),
  ]

  /// CTRL3_C: SW_RESET, which ends by itself; then BDU and IF_INC.
  static let reset: [RegisterStep] = [
    .write(0x12, [0x01]), .wait(.milliseconds(2)),
    .expect(0x12, mask: 0x01, value: 0, within: .milliseconds(50), failure: "reset does not end"),
    .write(0x12, [0x44]),
  ]

  /// CTRL1_XL and CTRL2_G: rate in bits 7…4, range in bits 3…2.
  static func sensors(_ choice: InertialPartChoice) -> RegisterStep {
    .write(
      0x10,
      [choice.rateCode << 4 | choice.specificForce.code << 2, choice.rateCode << 4 | choice.angularRate.code << 2])
  }
}

extension InertialPart {
  /// ST LSM6DS3, and LSM6DS3TR-C, whose FIFO is half as long and else the same.
  ///
  /// - Source: [lsm6ds3] registers FIFO_CTRL3 and 5, WHO_AM_I (0x69), CTRL1_XL to CTRL3_C, FIFO_STATUS1 to 4, FIFO_DATA_OUT;
  ///   section 5.5 (the FIFO: gyroscope first); [lsm6ds3tr-c] WHO_AM_I (0x6A).
  public static let lsm6ds3 = InertialPart(
    name: "lsm6ds3", addresses: [0x6A, 0x6B], identityRegister: 0x0F,
    identities: [(0x69, "LSM6DS3"), (0x6A, "LSM6DS3TR-C")], specificForceScales: LSM6.specificForceScales,
    angularRateScales: LSM6.angularRateScales, rates: LSM6.rates, lowPasses: { _ in [] },
    fifo: InertialFIFO(
      // FIFO_STATUS1 to 4: words in it, OVER_RUN in bit 6 of the second, the place of the next word in its sample.
      levelBlocks: [(0x3A, 4)],
      level: { bytes in
        let words = Int(bytes[1] & 0x0F) << 8 | Int(bytes[0])
        let pattern = (Int(bytes[3] & 0x03) << 8 | Int(bytes[2])) % 6
        let skipped = min((6 - pattern) % 6, words)
        return InertialFIFO.Level(
          byteCount: (words - skipped) / 6 * 12, isOverrun: bytes[1] & 0x40 != 0, misalignment: skipped * 2)
      },
      dataRegister: 0x3E, format: .littleEndianRateFirst, sampleLength: 12),
    setUp: { choice in
      // FIFO_CTRL3: both sensors, none left out. FIFO_CTRL5: the FIFO's rate, mode bypass.
      LSM6.reset + [
        LSM6.sensors(choice), .write(0x08, [0x09]), .write(0x0A, [choice.rateCode << 3]), .wait(.milliseconds(80)),
      ]
    },
    // Bypass, then continuous; the rate in the other bits stays.
    resetFIFO: [.change(0x0A, mask: 0x07, bits: 0x00), .change(0x0A, mask: 0x07, bits: 0x06)],
    sleep: [.write(0x10, [0x00, 0x00])],
    needsConfigurationFile: false)

  /// ST LSM6DSO, and LSM6DSOX, which has the same registers as far as they are used here.
  ///
  /// - Source: [lsm6dso] registers FIFO_CTRL3 and 4, WHO_AM_I (0x6C), CTRL1_XL to CTRL3_C, CTRL9_XL (I3C_disable),
  ///   FIFO_STATUS1 and 2, FIFO_DATA_OUT; section 6.5.7 (the FIFO's words).
  public static let lsm6dso = InertialPart(
    name: "lsm6dso", addresses: [0x6A, 0x6B], identityRegister: 0x0F, identities: [(0x6C, "LSM6DSO")],
    specificForceScales: LSM6.specificForceScales, angularRateScales: LSM6.angularRateScales, rates: LSM6.rates,
    lowPasses: { _ in [] },
    fifo: InertialFIFO(
      // FIFO_STATUS1 and 2: words of seven bytes, FIFO_OVR_IA in bit 6 of the second.
      levelBlocks: [(0x3A, 2)],
      level: { bytes in
        let words = Int(bytes[1] & 0x03) << 8 | Int(bytes[0])
        return InertialFIFO.Level(byteCount: words * 7, isOverrun: bytes[1] & 0x40 != 0)
      },
      dataRegister: 0x78, format: .taggedWords, sampleLength: 14),
    setUp: { choice in
      LSM6.reset + [
        .change(0x18, mask: 0x02, bits: 0x02), LSM6.sensors(choice),
        // FIFO_CTRL3: how often each sensor is stored.
        .write(0x09, [choice.rateCode << 4 | choice.rateCode]), .wait(.milliseconds(80)),
      ]
    },
    // FIFO_CTRL4: bypass, then continuous.
    resetFIFO: [.write(0x0A, [0x00]), .write(0x0A, [0x06])],
    sleep: [.write(0x10, [0x00, 0x00])],
    needsConfigurationFile: false)
}
