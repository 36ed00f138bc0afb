import JSON5
import Testing

private let document = """
  { // a comment
    a: 'text \\u0041 \\x41', "b": [1, 2.5e3, 0xFF, -Infinity, NaN, .5, 5.], /* another */
    'c': { d: null, e: true, f: false, g: {}, h: [], }, ünï: "line \\
  goes on",
  }
  """

@Test func noTruncatedDocumentIsTaken() throws {
  _ = try JSON5Value(reading: document)
  let bytes = Array(document.utf8)
  for count in 0..<bytes.count {
    #expect(throws: JSON5Problem.self, "\(count) bytes") { try JSON5Value(reading: Array(bytes[..<count])) }
  }
}

@Test func depthAndLengthHaveALimit() throws {
  let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
  _ = try JSON5Value(reading: deep)
  #expect(
    problem("[" + deep + "]")
      == "line 1, column 65: found more than 64 objects and lists inside each other, expected fewer")
  #expect(problem(String(repeating: "{a:", count: 300_000)).contains("more than 64"))
  var limits = JSON5Limits()
  limits.bytes = 3
  #expect(problem("[1,2]", limits: limits) == "line 1, column 1: the text has 5 bytes, expected 3 at most")
}

@Test func aLongListTakesTimeInProportion() throws {
  guard case .array(let values) = try content("[" + String(repeating: "0,", count: 100_000) + "]") else {
    Issue.record("no list")
    return
  }
  #expect(values.count == 100_000)
}

/// A generator of its own, so that a failure comes again.
private struct Xorshift {
  var state: UInt64 = 0x9E37_79B9_7F4A_7C15
  mutating func next(below limit: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(limit))
  }
}

@Test func randomBytesAndChangedDocumentsNeverCrash() {
  var random = Xorshift()
  let alphabet = Array("{}[]:,'\"\\/*+-.0123456789eExXuInfityNatrlsb \n\r\t\u{FEFF}é".utf8) + [0xFF, 0xC3, 0xE2, 0x00]
  let whole = Array(document.utf8)
  var taken = 0
  for round in 0..<20_000 {
    var bytes = whole
    if round % 2 == 0 {
      bytes = (0..<random.next(below: 40)).map { _ in alphabet[random.next(below: alphabet.count)] }
    } else {
      for _ in 0...random.next(below: 4) {
        let place = random.next(below: bytes.count)
        switch random.next(below: 3) {
        case 0: bytes[place] = alphabet[random.next(below: alphabet.count)]
        case 1: bytes.remove(at: place)
        default: bytes.insert(alphabet[random.next(below: alphabet.count)], at: place)
        }
      }
    }
    if (try? JSON5Value(reading: bytes)) != nil { taken += 1 }
  }
  #expect(taken > 100)
}
