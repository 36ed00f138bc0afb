/// SHA-512, fed in pieces of any length.
///
/// - Source: [fips180] sections 4.1.3, 4.2.3, 5.1.2, 5.3.5 and 6.4.2.
package struct SHA512: BitwiseCopyable, Sendable {
  /// 64 bytes.
  package typealias Digest = InlineArray<64, UInt8>

  private var state: InlineArray<8, UInt64> = [
    0x6A09_E667_F3BC_C908, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1,
    0x510E_527F_ADE6_82D1, 0x9B05_688C_2B3E_6C1F, 0x1F83_D9AB_FB41_BD6B, 0x5BE0_CD19_137E_2179,
  ]
  private var block = InlineArray<16, UInt64>(repeating: 0)
  private var count: UInt64 = 0

  /// Of nothing so far.
  package init() {}

  /// Takes one byte more.
  package mutating func update(_ byte: UInt8) {
    let place = Int(truncatingIfNeeded: count & 127)
    // Blocks are big-endian words; the first byte of one sweeps out what was there.
    let word = place & 7 == 0 ? 0 : block[place >> 3]
    block[place >> 3] = word | UInt64(byte) << UInt64(56 - 8 * (place & 7))
    count &+= 1
    if place == 127 { compress() }
  }

  /// Takes bytes more.
  package mutating func update(_ bytes: Span<UInt8>) {
    var place = 0
    while place < bytes.count {
      update(bytes[place])
      place += 1
    }
  }

  /// The digest of all bytes so far; nothing may be added after it.
  package mutating func finish() -> Digest {
    let bits = count &* 8
    update(0x80)
    while count & 127 != 112 { update(0) }
    // The length has sixteen bytes, of which no image needs the upper half.
    for _ in 0..<8 { update(0) }
    var shift: UInt64 = 64
    while shift > 0 {
      shift -= 8
      update(UInt8(truncatingIfNeeded: bits >> shift))
    }
    var digest = Digest(repeating: 0)
    for place in 0..<64 {
      digest[place] = UInt8(truncatingIfNeeded: state[place >> 3] >> UInt64(56 - 8 * (place & 7)))
    }
    return digest
  }

  /// The working variables turn in place, so that no round moves eight words.
  @inline(never) private mutating func compress() {
    var turning = state
    var round = 0
    while round < 80 {
      if round >= 16 { extend(round) }
      // Where a to h stand in this round.
      let a = turning[(80 - round) & 7]
      let b = turning[(81 - round) & 7]
      let c = turning[(82 - round) & 7]
      let e = turning[(84 - round) & 7]
      let f = turning[(85 - round) & 7]
      let g = turning[(86 - round) & 7]
      let h = turning[(87 - round) & 7]
      let first =
        h &+ (rotated(e, 14) ^ rotated(e, 18) ^ rotated(e, 41)) &+ ((e & f) ^ (~e & g)) &+ SHA512.constants[round]
        &+ block[round & 15]
      let second = (rotated(a, 28) ^ rotated(a, 34) ^ rotated(a, 39)) &+ ((a & b) ^ (a & c) ^ (b & c))
      turning[(83 - round) & 7] &+= first
      turning[(87 - round) & 7] = first &+ second
      round += 1
    }
    for place in 0..<8 { state[place] &+= turning[place] }
  }

  /// The next word of the schedule, in the place of the one that is sixteen rounds old.
  private mutating func extend(_ round: Int) {
    let near = block[(round + 14) & 15]
    let far = block[(round + 1) & 15]
    block[round & 15] =
      block[round & 15] &+ (rotated(far, 1) ^ rotated(far, 8) ^ (far >> 7)) &+ block[(round + 9) & 15]
      &+ (rotated(near, 19) ^ rotated(near, 61) ^ (near >> 6))
  }

  private static let constants: InlineArray<80, UInt64> = [
    0x428A_2F98_D728_AE22, 0x7137_4491_23EF_65CD, 0xB5C0_FBCF_EC4D_3B2F, 0xE9B5_DBA5_8189_DBBC,
    0x3956_C25B_F348_B538, 0x59F1_11F1_B605_D019, 0x923F_82A4_AF19_4F9B, 0xAB1C_5ED5_DA6D_8118,
    0xD807_AA98_A303_0242, 0x1283_5B01_4570_6FBE, 0x2431_85BE_4EE4_B28C, 0x550C_7DC3_D5FF_B4E2,
    0x72BE_5D74_F27B_896F, 0x80DE_B1FE_3B16_96B1, 0x9BDC_06A7_25C7_1235, 0xC19B_F174_CF69_2694,
    0xE49B_69C1_9EF1_4AD2, 0xEFBE_4786_384F_25E3, 0x0FC1_9DC6_8B8C_D5B5, 0x240C_A1CC_77AC_9C65,
    0x2DE9_2C6F_592B_0275, 0x4A74_84AA_6EA6_E483, 0x5CB0_A9DC_BD41_FBD4, 0x76F9_88DA_8311_53B5,
    0x983E_5152_EE66_DFAB, 0xA831_C66D_2DB4_3210, 0xB003_27C8_98FB_213F, 0xBF59_7FC7_BEEF_0EE4,
    0xC6E0_0BF3_3DA8_8FC2, 0xD5A7_9147_930A_A725, 0x06CA_6351_E003_826F, 0x1429_2967_0A0E_6E70,
    0x27B7_0A85_46D2_2FFC, 0x2E1B_2138_5C26_C926, 0x4D2C_6DFC_5AC4_2AED, 0x5338_0D13_9D95_B3DF,
    0x650A_7354_8BAF_63DE, 0x766A_0ABB_3C77_B2A8, 0x81C2_C92E_47ED_AEE6, 0x9272_2C85_1482_353B,
    0xA2BF_E8A1_4CF1_0364, 0xA81A_664B_BC42_3001, 0xC24B_8B70_D0F8_9791, 0xC76C_51A3_0654_BE30,
    0xD192_E819_D6EF_5218, 0xD699_0624_5565_A910, 0xF40E_3585_5771_202A, 0x106A_A070_32BB_D1B8,
    0x19A4_C116_B8D2_D0C8, 0x1E37_6C08_5141_AB53, 0x2748_774C_DF8E_EB99, 0x34B0_BCB5_E19B_48A8,
    0x391C_0CB3_C5C9_5A63, 0x4ED8_AA4A_E341_8ACB, 0x5B9C_CA4F_7763_E373, 0x682E_6FF3_D6B2_B8A3,
    0x748F_82EE_5DEF_B2FC, 0x78A5_636F_4317_2F60, 0x84C8_7814_A1F0_AB72, 0x8CC7_0208_1A64_39EC,
    0x90BE_FFFA_2363_1E28, 0xA450_6CEB_DE82_BDE9, 0xBEF9_A3F7_B2C6_7915, 0xC671_78F2_E372_532B,
    0xCA27_3ECE_EA26_619C, 0xD186_B8C7_21C0_C207, 0xEADA_7DD6_CDE0_EB1E, 0xF57D_4F7F_EE6E_D178,
    0x06F0_67AA_7217_6FBA, 0x0A63_7DC5_A2C8_98A6, 0x113F_9804_BEF9_0DAE, 0x1B71_0B35_131C_471B,
    0x28DB_77F5_2304_7D84, 0x32CA_AB7B_40C7_2493, 0x3C9E_BE0A_15C9_BEBC, 0x431D_67C4_9C10_0D4C,
    0x4CC5_D4BE_CB3E_42B6, 0x597F_299C_FC65_7E2A, 0x5FCB_6FAB_3AD6_FAEC, 0x6C44_198C_4A47_5817,
  ]
}

private func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 { word >> bits | word << (64 - bits) }
