/// SHA-256, fed in pieces of any length.
///
/// - Source: [fips180] sections 4.1.2, 4.2.2, 5.1.1, 5.3.3 and 6.2.2.
@frozen public struct SHA256: BitwiseCopyable, Sendable {
  /// 32 bytes.
  public typealias Digest = InlineArray<32, UInt8>

  /// Bytes that are worked on together.
  static var blockLength: Int { 64 }

  private var state = InlineArray<8, UInt32>(repeating: 0)
  private var block = InlineArray<16, UInt32>(repeating: 0)
  private var count: UInt64 = 0

  /// Of nothing so far.
  public init() {
    state[0] = 0x6A09_E667
    state[1] = 0xBB67_AE85
    state[2] = 0x3C6E_F372
    state[3] = 0xA54F_F53A
    state[4] = 0x510E_527F
    state[5] = 0x9B05_688C
    state[6] = 0x1F83_D9AB
    state[7] = 0x5BE0_CD19
  }

  /// Takes one byte more.
  public mutating func update(_ byte: UInt8) {
    let place = Int(truncatingIfNeeded: count & 63)
    // Blocks are big-endian words; the first byte of one sweeps out what was there.
    let word = place & 3 == 0 ? 0 : block[place >> 2]
    block[place >> 2] = word | UInt32(byte) << UInt32(24 - 8 * (place & 3))
    count &+= 1
    if place == 63 { compress() }
  }

  /// Takes bytes more.
  public mutating func update(_ bytes: Span<UInt8>) {
    var place = 0
    while place < bytes.count {
      update(bytes[place])
      place += 1
    }
  }

  /// The digest of all bytes so far; nothing may be added after it.
  public mutating func finish() -> Digest {
    let bits = count &* 8
    update(0x80)
    while count & 63 != 56 { update(0) }
    var shift: UInt64 = 64
    while shift > 0 {
      shift -= 8
      update(UInt8(truncatingIfNeeded: bits >> shift))
    }
    var digest = Digest(repeating: 0)
    var place = 0
    while place < 32 {
      digest[place] = UInt8(truncatingIfNeeded: state[place >> 2] >> UInt32(24 - 8 * (place & 3)))
      place += 1
    }
    return digest
  }

  @inline(never) private mutating func compress() {
    var a = state[0]
    var b = state[1]
    var c = state[2]
    var d = state[3]
    var e = state[4]
    var f = state[5]
    var g = state[6]
    var h = state[7]
    var round = 0
    while round < 64 {
      if round >= 16 { extend(round) }
      let first =
        h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ ((e & f) ^ (~e & g)) &+ roundConstant(round)
        &+ block[round & 15]
      let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ ((a & b) ^ (a & c) ^ (b & c))
      h = g
      g = f
      f = e
      e = d &+ first
      d = c
      c = b
      b = a
      a = first &+ second
      round += 1
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
    state[5] &+= f
    state[6] &+= g
    state[7] &+= h
  }

  /// The next word of the schedule, in the place of the one that is sixteen rounds old.
  private mutating func extend(_ round: Int) {
    let near = block[(round + 14) & 15]
    let far = block[(round + 1) & 15]
    block[round & 15] =
      block[round & 15] &+ (rotated(far, 7) ^ rotated(far, 18) ^ (far >> 3)) &+ block[(round + 9) & 15]
      &+ (rotated(near, 17) ^ rotated(near, 19) ^ (near >> 10))
  }
}

private func rotated(_ word: UInt32, _ bits: UInt32) -> UInt32 { word >> bits | word << (32 - bits) }

/// A function and no table: a global would have to be made before its first use.
private func roundConstant(_ round: Int) -> UInt32 {
  switch round {
  case 0: return 0x428A_2F98
  case 1: return 0x7137_4491
  case 2: return 0xB5C0_FBCF
  case 3: return 0xE9B5_DBA5
  case 4: return 0x3956_C25B
  case 5: return 0x59F1_11F1
  case 6: return 0x923F_82A4
  case 7: return 0xAB1C_5ED5
  case 8: return 0xD807_AA98
  case 9: return 0x1283_5B01
  case 10: return 0x2431_85BE
  case 11: return 0x550C_7DC3
  case 12: return 0x72BE_5D74
  case 13: return 0x80DE_B1FE
  case 14: return 0x9BDC_06A7
  case 15: return 0xC19B_F174
  case 16: return 0xE49B_69C1
  case 17: return 0xEFBE_4786
  case 18: return 0x0FC1_9DC6
  case 19: return 0x240C_A1CC
  case 20: return 0x2DE9_2C6F
  case 21: return 0x4A74_84AA
  case 22: return 0x5CB0_A9DC
  case 23: return 0x76F9_88DA
  case 24: return 0x983E_5152
  case 25: return 0xA831_C66D
  case 26: return 0xB003_27C8
  case 27: return 0xBF59_7FC7
  case 28: return 0xC6E0_0BF3
  case 29: return 0xD5A7_9147
  case 30: return 0x06CA_6351
  case 31: return 0x1429_2967
  case 32: return 0x27B7_0A85
  case 33: return 0x2E1B_2138
  case 34: return 0x4D2C_6DFC
  case 35: return 0x5338_0D13
  case 36: return 0x650A_7354
  case 37: return 0x766A_0ABB
  case 38: return 0x81C2_C92E
  case 39: return 0x9272_2C85
  case 40: return 0xA2BF_E8A1
  case 41: return 0xA81A_664B
  case 42: return 0xC24B_8B70
  case 43: return 0xC76C_51A3
  case 44: return 0xD192_E819
  case 45: return 0xD699_0624
  case 46: return 0xF40E_3585
  case 47: return 0x106A_A070
  case 48: return 0x19A4_C116
  case 49: return 0x1E37_6C08
  case 50: return 0x2748_774C
  case 51: return 0x34B0_BCB5
  case 52: return 0x391C_0CB3
  case 53: return 0x4ED8_AA4A
  case 54: return 0x5B9C_CA4F
  case 55: return 0x682E_6FF3
  case 56: return 0x748F_82EE
  case 57: return 0x78A5_636F
  case 58: return 0x84C8_7814
  case 59: return 0x8CC7_0208
  case 60: return 0x90BE_FFFA
  case 61: return 0xA450_6CEB
  case 62: return 0xBEF9_A3F7
  default: return 0xC671_78F2
  }
}
