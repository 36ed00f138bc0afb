import ASCIIText
import CSodium
import Foundation
import InlineStorage
import Quantities
import SecretBox
import Testing

/// The secretbox beside libsodium's, which is not ours.
@Suite struct SecretBoxTests {
  private let sodium = sodium_init()

  private func sealed(_ message: [UInt8], _ nonce: [UInt8], _ passphrase: [UInt8]) -> [UInt8]? {
    guard let key = SecretKey(passphrase: passphrase.span), let box = SecretBox(key: key, nonce: nonce.span) else {
      return nil
    }
    var sink = GrowingSink()
    box.seal(message.span, into: &sink)
    return sink.take()
  }

  private func opened(_ sealed: [UInt8], _ nonce: [UInt8], _ passphrase: [UInt8]) -> [UInt8]? {
    guard let key = SecretKey(passphrase: passphrase.span), let box = SecretBox(key: key, nonce: nonce.span) else {
      return nil
    }
    var sink = GrowingSink()
    return box.open(sealed.span, into: &sink) ? sink.take() : nil
  }

  private func bytes(_ random: inout SplitMix64, _ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  @Test func itIsWhatLibsodiumMakesOfRandomMessages() {
    #expect(sodium >= 0)
    var random = SplitMix64(seed: 20_261_124)
    for round in 0..<2000 {
      // All lengths about the blocks of both ciphers, and longer ones.
      let message = bytes(&random, round < 200 ? round : Int(random.next() % 1500))
      let nonce = bytes(&random, 24)
      let passphrase = bytes(&random, 1 + Int(random.next() % 32))
      let key = passphrase + [UInt8](repeating: 0, count: 32 - passphrase.count)
      var expected = [UInt8](repeating: 0, count: message.count + 16)
      #expect(crypto_secretbox_easy(&expected, message, UInt64(message.count), nonce, key) == 0)
      #expect(sealed(message, nonce, passphrase) == expected)
      #expect(opened(expected, nonce, passphrase) == message)
    }
  }

  @Test func limbsAtTheirLimitsCarryAsTheyMust() {
    // Messages of ones and zeros reach every carry of the authenticator.
    for pattern in [UInt8(0), 0xFF, 0x80, 0x01] {
      for count in [0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1024] {
        let message = [UInt8](repeating: pattern, count: count)
        for key in [[UInt8](repeating: 0xFF, count: 32), [UInt8](repeating: 1, count: 32)] {
          let nonce = [UInt8](repeating: pattern, count: 24)
          var expected = [UInt8](repeating: 0, count: count + 16)
          #expect(crypto_secretbox_easy(&expected, message, UInt64(count), nonce, key) == 0)
          #expect(sealed(message, nonce, key) == expected)
        }
      }
    }
  }

  @Test func anyBitThatIsFlippedIsNoticed() {
    let nonce = (0..<24).map { UInt8($0) }
    let passphrase = Array("mysecreTpass01".utf8)
    let box = sealed(Array("hello".utf8), nonce, passphrase) ?? []
    #expect(opened(box, nonce, passphrase) == Array("hello".utf8))
    for bit in 0..<box.count * 8 {
      var damaged = box
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(opened(damaged, nonce, passphrase) == nil)
    }
    for bit in 0..<nonce.count * 8 {
      var damaged = nonce
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(opened(box, damaged, passphrase) == nil)
    }
    for count in 0..<box.count { #expect(opened(Array(box[..<count]), nonce, passphrase) == nil) }
    #expect(opened(box, nonce, Array("mysecreTpass02".utf8)) == nil)
  }

  @Test func aPassphraseOfMoreThanThirtyTwoBytesIsRefused() {
    #expect(key(String(repeating: "a", count: 32)) != nil && key(String(repeating: "a", count: 33)) == nil)
    #expect(key("") == nil)
    for count in [0, 23, 25] { #expect(sealed([], [UInt8](repeating: 0, count: count), [0x61]) == nil) }
    #expect(key("a") == key("a\0") && key("a") != key("a\u{1}"))
  }

  @Test func base64OfEveryLengthIsFoundations() {
    for count in 0...200 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) }
      func write(into sink: inout some ByteSink) {
        sink.write { writer in
          writer.append("<")
          writer.append(base64: count) { place in for (offset, byte) in bytes.enumerated() { place[offset] = byte } }
        }
      }
      var sink = GrowingSink()
      write(into: &sink)
      let coded = sink.take()
      #expect(coded == Array("<\(Data(bytes).base64EncodedString())".utf8))
      // Where it does not fit there is none of it.
      guard coded.count <= 128, coded.count > 1 else { continue }
      var small = InlineBytes<128>()
      for _ in coded.count - 1..<128 { small.append(0x2A) }
      write(into: &small)
      #expect(small.rejectedCount == coded.count - 1 && small.count == 128 - (coded.count - 2))
    }
  }

  @Test func base64IsThatOfEverybody() {
    for (plain, coded) in [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy"),
      ("\u{3F}\u{7F}\u{3E}", "P38+"),
    ] {
      var sink = GrowingSink()
      sink.write { writer in
        writer.append(base64: plain.utf8.count) { place in
          for (offset, byte) in plain.utf8.enumerated() { place[offset] = byte }
        }
      }
      #expect(sink.take() == Array(coded.utf8))
      #expect(decodedBase64(coded) == Array(plain.utf8))
    }
    for text in [
      "Zg=", "Zg", "Z===", "Zh==", "Zm9=", "Zg==Zg==", "Zm 9", "Zm9v\n", "====", "Zm-v",
    ] { #expect(decodedBase64(text) == nil, "\(text)") }
  }
}
