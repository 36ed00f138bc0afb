import Quantities

extension InertialPart {
  /// InvenSense MPU-6050.
  ///
  /// - Source: [mpu6050-rm] the descriptions of registers 25 to 28 (rate, filter with its delays, ranges), 35 (FIFO_EN), 58 (INT_STATUS), 106
  ///   and 107 (USER_CTRL, PWR_MGMT_1), 114 to 117 (FIFO_COUNT, FIFO_R_W, WHO_AM_I); [mpu6050-ps] FIFO: 1024 bytes.
  public static let mpu6050 = mpu(
    "mpu6050", identities: [(0x68, "MPU-6050")], fifoCapacity: 1024, hasOwnForceFilter: false,
    gyroscopeDelays: [18_600, 13_400, 8_300, 4_800, 2_800, 1_900])

  /// InvenSense MPU-6500 and its kin: the MPU-9250 and MPU-9255 are an MPU-6500 with a magnetometer of another maker behind
  /// its auxiliary bus, which is not used.
  ///
  /// - Source: [mpu6500-rm] the same registers, with other delays, and 29 (ACCEL_CONFIG 2), WHO_AM_I 0x70, 512 bytes of FIFO; [mpu9250-rm]
  ///   WHO_AM_I 0x71; [linux-iio] drivers/iio/imu/inv_mpu6050 for 0x73 and 0x74.
  public static let mpu6500 = mpu(
    "mpu6500", identities: [(0x70, "MPU-6500"), (0x71, "MPU-9250"), (0x73, "MPU-9255"), (0x74, "MPU-6515")],
    fifoCapacity: 512, hasOwnForceFilter: true, gyroscopeDelays: [33_480, 17_850, 9_900, 5_900, 3_900, 2_900])

  private static func mpu(
    _ name: String, identities: [(number: UInt8, part: String)], fifoCapacity: Int, hasOwnForceFilter: Bool,
    gyroscopeDelays: [Int64]
  ) -> InertialPart {
    let degree = Double.pi / 180
    // DLPF_CFG 6 to 1: the bandwidths of the MPU-6050, its successors are within 4 %; delays in µs.
    let lowPasses = zip([5.0, 10, 20, 42, 98, 188], gyroscopeDelays).enumerated().map { place, pass in
      InertialLowPass(pass.0, UInt8(6 - place), delay: Interval(microseconds: pass.1))
    }
    return InertialPart(
      name: name, addresses: [0x68, 0x69], identityRegister: 0x75, identities: identities,
      specificForceScales: [
        (.g2, 0, standardGravity / 16384), (.g4, 1, standardGravity / 8192), (.g8, 2, standardGravity / 4096),
        (.g16, 3, standardGravity / 2048),
      ],
      angularRateScales: [
        (.degrees250, 0, degree / 131), (.degrees500, 1, degree / 65.5), (.degrees1000, 2, degree / 32.8),
        (.degrees2000, 3, degree / 16.4),
      ],
      // 1 kHz over a divider of eight bits; the code is the divider less one.
      rates: (1...256).reversed().map { (divider: Int) in (1000 / Double(divider), UInt8(divider - 1)) },
      lowPasses: { _ in lowPasses },
      fifo: InertialFIFO(
        levelBlocks: [(0x3A, 1), (0x72, 2)],
        level: { bytes in
          let count = Int(bytes[1]) << 8 | Int(bytes[2])
          // FIFO_OFLOW_INT, or so full that it may be between two samples: the oldest bytes are overwritten singly.
          let isOverrun = bytes[0] & 0x10 != 0 || count > fifoCapacity - 12
          return InertialFIFO.Level(byteCount: count / 12 * 12, isOverrun: isOverrun)
        },
        dataRegister: 0x74, format: .bigEndianForceFirst, sampleLength: 12),
      setUp: { choice in
        let filter = choice.lowPass?.code ?? 3
        return [
          // PWR_MGMT_1: DEVICE_RESET; then awake on the gyroscope's oscillator, which is better than the internal one.
          .write(0x6B, [0x80]), .wait(.milliseconds(100)),
          .write(0x6B, [0x01]), .wait(.milliseconds(10)),
          .expect(0x6B, mask: 0xC0, value: 0, within: .milliseconds(100), failure: "does not wake up"),
          .write(0x6C, [0x00]),
          // SMPLRT_DIV, CONFIG, GYRO_CONFIG, ACCEL_CONFIG.
          .write(0x19, [choice.rateCode, filter, choice.angularRate.code << 3, choice.specificForce.code << 3]),
        ] + (hasOwnForceFilter ? [.write(0x1D, [filter])] : []) + [
          // FIFO_OFLOW_EN, which also lets the status tell of it; the gyroscope's start-up.
          .write(0x38, [0x10]), .wait(.milliseconds(80)),
        ]
      },
      // FIFO_EN off; USER_CTRL off, FIFO_RESET while it is off, on; FIFO_EN for three rates and specific force.
      resetFIFO: [
        .write(0x23, [0x00]), .write(0x6A, [0x00]), .write(0x6A, [0x04]), .write(0x6A, [0x40]), .write(0x23, [0x78]),
      ],
      sleep: [.write(0x6B, [0x40])],
      needsConfigurationFile: false)
  }
}
