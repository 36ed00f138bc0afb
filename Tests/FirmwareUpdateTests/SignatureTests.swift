import CSodium
import TestSupport
import Testing

@testable import FirmwareUpdate

/// RFC 8032 section 7.1: secret, public key, message, signature.
private let vectors: [(String, String, String, String)] = [
  (
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
  ),
  (
    "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
    "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
  ),
  (
    "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
    "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
    "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
  ),
  (
    "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
    "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
    "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
    "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704"
  ),
]

/// The order of the base point, the lowest byte first.
private let order = bytes("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")

/// The points whose order divides eight, in each spelling that 255 bits of y and a sign allow.
private let smallPoints: [String] = [
  "0100000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000080",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000080",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
]

private func point(_ spelled: [UInt8]) -> EdwardsPoint? { EdwardsPoint(publicKey(spelled).bytes) }

private func sum(_ a: EdwardsPoint, _ b: EdwardsPoint) -> EdwardsPoint {
  var result = a
  result.add(b)
  return result
}

private func list(_ bytes: InlineArray<32, UInt8>) -> [UInt8] { (0..<32).map { bytes[$0] } }

@Suite struct SignatureTests {
  @Test func theVectorsOfTheStandardAreTaken() {
    for (secret, open, message, signature) in vectors {
      let signer = Signer(seed: bytes(secret))
      #expect(signer.publicBytes == bytes(open) && signer.sign(bytes(message)) == bytes(signature))
      #expect(publicKey(bytes(open)).verifies(bytes(signature), bytes(message)))
    }
  }

  @Test func digestsAreThoseOfLibsodiumForEveryLengthAndCut() {
    for length in 0..<400 {
      let message = (0..<length).map { UInt8(truncatingIfNeeded: $0 * $0 ^ length) }
      var hash = SHA512()
      let cut = length * 7 % (length + 1)
      hash.update(message.span.extracting(0..<cut))
      hash.update(message.span.extracting(cut..<length))
      let digest = hash.finish()
      #expect((0..<64).map { digest[$0] } == sodiumDigest(message), "\(length) bytes")
    }
  }

  @Test func eachChangedBitOfSignatureKeyOrMessageIsRefused() {
    let signer = Signer(7)
    let message = bytes("00ff10203040")
    let signature = signer.sign(message)
    #expect(signer.key.verifies(signature, message))
    for bit in 0..<512 {
      var changed = signature
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(!signer.key.verifies(changed, message), "bit \(bit) of the signature")
    }
    for bit in 0..<256 {
      var changed = signer.publicBytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(!publicKey(changed).verifies(signature, message), "bit \(bit) of the key")
    }
    for bit in 0..<message.count * 8 {
      var changed = message
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(!signer.key.verifies(signature, changed), "bit \(bit) of the message")
    }
    for length in [0, 1, 32, 63] { #expect(!signer.key.verifies(Array(signature.prefix(length)), message)) }
    #expect(!signer.key.verifies(signature + [0], message) && !signer.key.verifies(signature, message + [0]))
  }

  @Test func randomSignaturesHaveTheVerdictOfLibsodium() {
    var random = SeededRandom(seed: 23)
    for round in 0..<300 {
      let signer = Signer(seed: (0..<32).map { _ in UInt8(truncatingIfNeeded: random.next()) })
      let message = (0..<round).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      var signature = signer.sign(message)
      #expect(signer.key.verifies(signature, message), "round \(round)")
      signature[Int(random.next() % 64)] &+= 1
      #expect(signer.key.verifies(signature, message) == Signer.judge(signature, message, signer.publicBytes))
    }
  }

  @Test func aScalarOfTheOrderOrMoreIsRefused() {
    let signer = Signer(3)
    let message = bytes("aa")
    let signature = signer.sign(message)
    // The same number modulo the order, for which the equation holds, too.
    var changed = signature
    for _ in 0..<14 {
      var carry = 0
      for place in 0..<32 {
        carry += Int(changed[32 + place]) + Int(order[place])
        changed[32 + place] = UInt8(truncatingIfNeeded: carry)
        carry >>= 8
      }
      #expect(carry == 0 && !signer.key.verifies(changed, message))
    }
    var (below, above) = (order, order)
    below[0] -= 1
    above[0] += 1
    let most = [UInt8](repeating: 0xFF, count: 32)
    #expect(isReduced(below) && !isReduced(order) && !isReduced(above) && !isReduced(most))
  }

  private func isReduced(_ bytes: [UInt8]) -> Bool { CurveScalar(bytes.span).isReduced }

  @Test func whatIsLeftOfADigestIsThatOfLibsodium() {
    var random = SeededRandom(seed: 5)
    var samples = (0..<200).map { _ in (0..<64).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
    samples += [order + [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 64)]
    for sample in samples {
      var digest = SHA512.Digest(repeating: 0)
      for place in 0..<64 { digest[place] = sample[place] }
      var expected = [UInt8](repeating: 0, count: 32)
      crypto_core_ed25519_scalar_reduce(&expected, sample)
      let found = CurveScalar(reducing: digest)
      #expect((0..<256).allSatisfy { found.has($0) == (expected[$0 / 8] >> UInt8($0 % 8) & 1 == 1) })
    }
  }

  /// With R the neutral point and S the challenge times the secret the equation holds in any spelling of R.
  @Test func onlyTheOneSpellingOfRIsTaken() {
    let signer = Signer(9)
    let message = bytes("1234")
    for (spelling, isTaken) in [(smallPoints[0], true), (smallPoints[1], false), (smallPoints[12], false)] {
      let r = bytes(spelling)
      var challenge = [UInt8](repeating: 0, count: 32)
      crypto_core_ed25519_scalar_reduce(&challenge, sodiumDigest(r + signer.publicBytes + message))
      var s = [UInt8](repeating: 0, count: 32)
      crypto_core_ed25519_scalar_mul(&s, challenge, signer.scalar)
      #expect(signer.key.verifies(r + s, message) == isTaken, "\(spelling)")
    }
  }

  @Test func aKeyOfSmallOrderSignsNothing() {
    for spelled in smallPoints {
      for number in 1..<40 {
        // For one of these messages the challenge is a multiple of the key's order, and the equation holds.
        var s = [UInt8](repeating: 0, count: 32)
        s[0] = UInt8(number)
        var r = [UInt8](repeating: 0, count: 32)
        _ = crypto_scalarmult_ed25519_base_noclamp(&r, s)
        #expect(!publicKey(bytes(spelled)).verifies(r + s, [UInt8(number)]), "\(spelled)")
      }
    }
  }

  @Test func pointsHaveOneSpelling() {
    // y from 2^255 - 19 on is written in another way.
    for low in 0xED...0xFF {
      for high: UInt8 in [0x7F, 0xFF] {
        let spelled = [UInt8(low)] + [UInt8](repeating: 0xFF, count: 30) + [high]
        #expect(point(spelled) == nil, "\(low)")
      }
    }
    // x is zero, and said to be odd.
    #expect(point(bytes(smallPoints[1])) == nil && point(bytes(smallPoints[3])) == nil)
    var count = 0
    for y in 0..<200 {
      let spelled = [UInt8(y)] + [UInt8](repeating: 0, count: 31)
      guard let found = point(spelled) else { continue }
      count += 1
      #expect(list(found.bytes) == spelled)
    }
    #expect((80...120).contains(count), "about half of all y are on the curve: \(count)")
  }

  @Test func sumsOfPointsAreThoseOfLibsodium() {
    var random = SeededRandom(seed: 11)
    for _ in 0..<60 {
      let pair = (0..<2).map { _ in Signer(seed: (0..<32).map { _ in UInt8(truncatingIfNeeded: random.next()) }) }
      guard let first = point(pair[0].publicBytes), let second = point(pair[1].publicBytes) else {
        Issue.record("no point")
        return
      }
      var expected = [UInt8](repeating: 0, count: 32)
      crypto_core_ed25519_add(&expected, pair[0].publicBytes, pair[1].publicBytes)
      #expect(list(sum(first, second).bytes) == expected)
      crypto_core_ed25519_sub(&expected, pair[0].publicBytes, pair[1].publicBytes)
      #expect(list(sum(first, -second).bytes) == expected)
      var doubled = first
      doubled.double()
      #expect(list(doubled.bytes) == list(sum(first, first).bytes) && !first.isSmall)
      #expect(sum(first, -first).isNeutral && !first.isNeutral)
      #expect(list(sum(first, .neutral).bytes) == pair[0].publicBytes)
    }
    var base = [UInt8](repeating: 0x66, count: 32)
    base[0] = 0x58
    #expect(list(EdwardsPoint.base.bytes) == base)
  }
}
