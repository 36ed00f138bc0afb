import InlineStorage
import Requests
import Testing

private let digits = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
private struct NoKey: Error {}

private func key(_ text: String = digits) throws -> RequestKey {
  guard let key = RequestKey(hexadecimal: Array(text.utf8).span) else { throw NoKey() }
  return key
}

private func isKey(_ text: String) -> Bool { (try? key(text)) != nil }

private func number(_ text: String) -> UInt32? { RequestEnvelope(Array(text.utf8).span)?.number }

private func signed(_ text: String, _ key: RequestKey, counter: UInt64 = 1_764_000_000_000) throws -> String {
  let tracker = Array("bike".utf8)
  guard let bytes = key.signed(Array(text.utf8).span, for: tracker.span, counter: counter) else { throw NoKey() }
  return bytes.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
}

private func isGood(_ text: String, _ key: RequestKey, tracker: String = "bike") -> Bool {
  let bytes = Array(text.utf8)
  guard let envelope = RequestEnvelope(bytes.span) else { return false }
  return envelope.isSigned(bytes.span, by: key, for: Array(tracker.utf8).span)
}

private func inside(_ text: String) -> String? {
  let bytes = Array(text.utf8)
  return RequestEnvelope(bytes.span).map { String(decoding: bytes[$0.start..<$0.end], as: UTF8.self) }
}

/// What stands around a request is taken off, and a signature holds for what it was made for.
@Suite struct EnvelopeTests {
  @Test func numberPINAndSignatureAreTakenOff() throws {
    for text in ["alerts off", " alerts off\r\n", "#17 alerts off", "4711 alerts off", "4711 #17  alerts off"] {
      #expect(inside(text) == "alerts off", "\(text)")
      let whole = try signed(text, key())
      #expect(inside(whole) == "alerts off", "\(text)")
    }
    #expect(number("#999999999 locate") == 999_999_999 && number("locate") == nil)
  }

  @Test func whatBeginsOrEndsLikeAnEnvelopeAndIsNoneIsRefused() {
    let code = String(repeating: "0", count: 32)
    for text in [
      "", " \n", "#17", "#17 ", "# locate", "#1000000000 locate", "#1a locate", "locate !1", "locate !:" + code,
      "locate !1:" + code.dropLast(), "locate !1:" + code + "0", "locate !1:" + code.dropLast() + "g",
      "locate !x1:" + code, "!1:" + code, "locate !999999999999999999:" + code,
    ] { #expect(inside(text) == nil, "'\(text)'") }
    #expect(inside("locate !1:" + code) == "locate" && inside("locate !99999999999999999:" + code) == "locate")
    // Three digits are no PIN, and nine are none.
    #expect(inside("471 locate") == "471 locate" && inside("123456789 locate") == "123456789 locate")
    #expect(inside("12345678 locate") == "locate" && inside("1234 locate") == "locate")
  }

  @Test func aTextIsAsLongAsATextMessageAndNotLonger() {
    #expect(inside(String(repeating: "x", count: 400)) != nil && inside(String(repeating: "x", count: 401)) == nil)
  }

  @Test func aSignatureHoldsForItsTextKeyTrackerAndCounter() throws {
    let key = try key()
    let other = try RequestsTests.key("f" + digits.dropFirst())
    let good = try signed("#17 alerts off", key)
    #expect(isGood(good, key) && isGood(" " + good + "\n", key) && isGood("4711 " + good, key))
    #expect(!isGood(good, other) && !isGood(good, key, tracker: "car"))
    // Whatever is changed, it holds no longer.
    var changed = Array(good.utf8)
    for place in changed.indices {
      changed[place] ^= 1
      #expect(!isGood(String(decoding: changed, as: UTF8.self), key), "byte \(place)")
      changed[place] ^= 1
    }
    for count in 0..<changed.count {
      #expect(!isGood(String(decoding: changed[..<count], as: UTF8.self), key), "\(count) bytes")
    }
  }

  /// Made by Python: hmac.new(bytes(range(32)), b"bike\nlocate !1", "sha256").hexdigest()[:32]
  @Test func aSignedRequestIsWhatAnotherProgramMakes() throws {
    let text = try signed("locate", key(), counter: 1)
    #expect(text == "locate !1:01b0d50cd6a3882e24be66d892acee2f")
  }

  @Test func aKeyHasSixtyFourDigits() {
    for text in [digits + "0", String(digits.dropLast()), "g" + digits.dropFirst(), ""] {
      #expect(!isKey(text))
    }
    #expect(isKey(digits) && isKey(digits.uppercased()))
  }

  @Test func aPINIsTheWholeOne() throws {
    func has(_ pin: String, _ text: String) -> Bool {
      let bytes = Array(text.utf8)
      return RequestEnvelope(bytes.span)?.hasPIN(Array(pin.utf8).span, in: bytes.span) ?? false
    }
    #expect(has("4711", "4711 locate") && has("12345678", "12345678 #1 locate"))
    #expect(!has("4711", "47110 locate") && !has("4711", "4712 locate") && !has("4711", "locate"))
    #expect(!has("", "locate") && !has("471", "471 locate"))
  }
}
