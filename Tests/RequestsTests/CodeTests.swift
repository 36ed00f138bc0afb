import Glibc
import InlineStorage
import OtherPrograms
import Requests
import SkippedTests
import Testing

private func hexadecimal(_ digest: SHA256.Digest) -> String {
  (0..<32).map { place in
    let digits = String(digest[place], radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }.joined()
}

private func bytes(_ hexadecimal: some StringProtocol) -> [UInt8] {
  let digits = Array(hexadecimal)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0 }
}

private func digest(_ message: [UInt8]) -> String {
  var hash = SHA256()
  hash.update(message.span)
  return hexadecimal(hash.finish())
}

private func code(_ key: [UInt8], _ message: [UInt8]) -> String {
  var code = HMACSHA256(key: key.span)
  code.update(message.span)
  return hexadecimal(code.finish())
}

/// The digest and the code are those of the standards, and those that others make.
@Suite struct CodeTests {
  /// The examples that NIST gives with FIPS 180-4, and one of a million letters.
  @Test func theDigestsOfTheStandardComeOut() {
    #expect(digest([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(digest(Array("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      digest(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8))
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    #expect(
      digest([UInt8](repeating: 0x61, count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  /// Test cases 1 to 4, 6 and 7 of RFC 4231; the fifth is one of truncation.
  @Test func theCodesOfTheStandardComeOut() {
    #expect(
      code([UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8))
        == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    #expect(
      code(Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(
      code([UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50))
        == "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe")
    #expect(
      code(Array(1...25), [UInt8](repeating: 0xCD, count: 50))
        == "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b")
    #expect(
      code([UInt8](repeating: 0x0C, count: 20), Array("Test With Truncation".utf8)).hasPrefix(
        "a3b6167473100ee06e0c796c2955552b"))
    let long = [UInt8](repeating: 0xAA, count: 131)
    #expect(
      code(long, Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8))
        == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    #expect(
      code(
        long,
        Array(
          ("This is a test using a larger than block-size key and a larger than block-size data. The key needs to be"
            + " hashed before being used by the HMAC algorithm.").utf8))
        == "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2")
  }

  @Test func aMessageInPiecesHasTheSameDigest() {
    let message = (0..<300).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let whole = digest(message)
    for cut in 0...300 {
      var hash = SHA256()
      hash.update(Array(message[..<cut]).span)
      hash.update(Array(message[cut...]).span)
      #expect(hexadecimal(hash.finish()) == whole, "cut at \(cut)")
    }
  }

  /// Two thousand random keys and messages, of all lengths about the block's.
  @Test func pythonMakesTheSameCodes() throws {
    guard access("/usr/bin/python3", X_OK) == 0 else {
      noteSkipped("there is no /usr/bin/python3; the Debian package python3 has it")
      return
    }
    let folder = String(#filePath[..<(#filePath.lastIndex(of: "/") ?? #filePath.startIndex)])
    let run = try OtherProgram.output(of: ["/usr/bin/python3", "-B", "\(folder)/hmac_judge.py"])
    #expect(run.status == 0, "\(run.err)")
    let lines = run.out.split(separator: "\n")
    #expect(lines.count == 2000)
    for line in lines {
      let words = line.split(separator: " ")
      try #require(words.count == 3)
      #expect(code(bytes(words[0].dropFirst()), bytes(words[1].dropFirst())) == words[2], "\(line)")
    }
  }

  /// As Python's hmac makes it of `bike42`, a line end and `owner's key 1764000000000`.
  @Test func theOwnersKeyOfAClaimIsThatOfTheDocs() {
    let digits = Array("f0e1d2c3b4a5968778695a4b3c2d1e0ff0e1d2c3b4a5968778695a4b3c2d1e0f".utf8)
    guard let secret = RequestKey(hexadecimal: digits.span) else {
      Issue.record("no key")
      return
    }
    let id = Array("bike42".utf8)
    let key = secret.ownersKey(claim: 1_764_000_000_000, for: id.span).hexadecimal
    #expect(
      key.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        == "8cc1ab841ad916cd277698b7900cf08359d22989e21faeba627c83b47c49b2da")
    let text = secret.hexadecimal
    #expect(text.span.withUnsafeBufferPointer { Array($0) } == digits)
    let claim = Array("claim".utf8)
    let signed = secret.signed(claim.span, for: id.span, counter: 1_764_000_000_000)
    #expect(
      signed?.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        == "claim !1764000000000:74fa5b3285a8a21ccefe7b9551af0409")
  }
}
