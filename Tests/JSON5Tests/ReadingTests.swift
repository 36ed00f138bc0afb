import JSON5
import Testing

/// The content of a text.
func content(_ text: String) throws -> JSON5Value.Content { try JSON5Value(reading: text).content }

/// The problem of a text; an issue when there is none.
func problem(_ text: String, limits: JSON5Limits = JSON5Limits()) -> String {
  do throws(JSON5Problem) {
    let value = try JSON5Value(reading: text, limits: limits)
    Issue.record("\(text) was read as \(value)")
    return ""
  } catch {
    return error.description
  }
}

private func number(_ text: String) throws -> Double {
  guard case .number(let number) = try content(text) else { return -123.25 }
  return number.value
}

@Test(arguments: [
  ("0", 0), ("-0", -0.0), ("+7", 7), ("1.5", 1.5), (".5", 0.5), ("-.5", -0.5), ("5.", 5), ("+5.e2", 500), ("1e3", 1000),
  ("1E-2", 0.01), ("2.5e+1", 25), ("0x1f", 31), ("0XDECAF", 912_559), ("-0xC8", -200), ("+0x0", 0), ("0e0", 0),
  ("0.0", 0),
  ("Infinity", .infinity), ("+Infinity", .infinity), ("-Infinity", -.infinity), ("1e999", .infinity),
])
func aNumberIsRead(text: String, value: Double) throws {
  #expect(try number(text) == value)
}

@Test func notANumberIsANumber() throws {
  for text in ["NaN", "+NaN", "-NaN"] { #expect(try number(text).isNaN) }
}

@Test(arguments: [
  "01", "-01", "00", "09", "1_000", ".", "+", "-", "+-1", "- 1", "0x", "0xg", "1e", "1e+", "1.e", "..5", "1..2",
  "1.2.3", "3in",
  "0x1.5", "infinity", "nan", "-infinity", "Infinit", "1n", "0b1", "0o7", "1\\u0061",
])
func whatIsNoNumberIsRefused(text: String) { #expect(!problem(text).isEmpty) }

@Test func wholeNumbersAreExactToTheirLastDigit() throws {
  func whole(_ text: String) throws -> UInt64? {
    guard case .number(let number) = try content(text) else { return nil }
    return number.exactly(UInt64.self)
  }
  #expect(try whole("18446744073709551615") == .max)
  #expect(try whole("0xFFFFFFFFFFFFFFFF") == .max)
  #expect(try whole("9007199254740993") == 9_007_199_254_740_993)
  #expect(try whole("1e3") == 1000)
  #expect(try whole("2.0") == 2)
  for text in ["18446744073709551616", "-1", "1.5", "Infinity", "NaN", "1e300"] {
    #expect(try whole(text) == nil, "\(text)")
  }
}

@Test(arguments: [
  (#""""#, ""), ("''", ""), (#""it's""#, "it's"), (#"'say "hi"'"#, #"say "hi""#), (#"'\'\"\\\/'"#, #"'"\/"#),
  (#"'\b\f\n\r\t\v\0'"#, "\u{8}\u{C}\n\r\t\u{B}\0"), (#"'\x41\xe9'"#, "Aé"), (#"'\u0041\u20AC'"#, "A€"),
  (#"'\uD83D\uDEB2'"#, "🚲"), ("'🚲'", "🚲"), (#"'\a\C\ '"#, "aC "), (#"'\0a'"#, "\0a"), ("'a\\\nb'", "ab"),
  ("'a\\\r\nb'", "ab"), ("'a\\\rb'", "ab"), ("'a\\\u{2028}b\\\u{2029}c'", "abc"),
  ("'a\u{2028}b\u{2029}'", "a\u{2028}b\u{2029}"),
  ("'\t'", "\t"), ("'/* no comment */'", "/* no comment */"),
])
func aTextIsRead(text: String, value: String) throws {
  #expect(try content(text) == .string(value))
}

@Test(arguments: [
  #"""#, "'", #"'""#, "'a\nb'", "'a\rb'", #"'\x4'"#, #"'\xg0'"#, #"'\u004'"#, #"'\1'"#, #"'\9'"#, #"'\01'"#,
  #"'\uD83D'"#,
  #"'\uDEB2'"#, #"'\uD83D\u0041'"#, #"'\"#, "'a'b", "`a`",
])
func whatIsNoTextIsRefused(text: String) { #expect(!problem(text).isEmpty) }

@Test func keysNeedNoQuotes() throws {
  let text = """
    { a: 1, $: 2, _: 3, ünïcödé: 4, 变量: 5, \\u0061b: 6, x\\u200D1: 7, 'with-dash': 8, "10": 9, null: 10, class: 11, aⅣ9: 12, \
    Infinity: 13, '': 14 }
    """
  guard case .object(let members) = try content(text) else {
    Issue.record("no object")
    return
  }
  #expect(
    members.map(\.key) == [
      "a", "$", "_", "ünïcödé", "变量", "ab", "x\u{200D}1", "with-dash", "10", "null", "class", "aⅣ9", "Infinity", "",
    ])
}

@Test(arguments: [
  "{1a: 1}", "{a-b: 1}", "{\\u0030: 1}", "{a\\u002D: 1}", "{a\\x41: 1}", "{\\u: 1}", "{🚲: 1}", "{,}", "{a}", "{a:}",
  "{a 1}",
  "{a: 1 b: 2}", "{a: 1,, b: 2}", "{a: 1]", "{[1]: 2}", "{a: 1", "{", "}", "[,]", "[1,,2]", "[1 2]", "[1", "[", "]",
  "[1}", "",
  " ", "// only", "/*", "/* *", "/", "1 2", "{} {}", "tru", "True", "undefined", "nul l", "a", "\\u0074rue1", "[1,,]",
  "{a: 1,,}",
])
func whatHasNoStructureIsRefused(text: String) { #expect(!problem(text).isEmpty) }

@Test func objectsAndListsMayEndInACommaAndNest() throws {
  guard case .array(let values) = try content("[1, 'two', [3,], {four: [{},],}, null, true, false,]") else {
    Issue.record("no list")
    return
  }
  #expect(values.map(\.kind) == ["a number", "a text", "a list", "an object", "null", "true", "false"])
  #expect(try content("[]") == .array([]))
  #expect(try content("{ }") == .object([]))
}

@Test func commentsAndAllWhiteSpaceStandBetweenTokens() throws {
  let blank =
    "\t\u{B}\u{C} \u{A0}\u{FEFF}\n\r\u{2028}\u{2029}\u{1680}\u{2003}\u{3000}// line */ \r\n/* a * / \n // */ /***/"
  for value in ["1", "'x'", "null"] { #expect(try content(blank + value + blank) == content(value)) }
  let plain = try JSON5Value(reading: "{a:[1,2],}")
  let spread = try JSON5Value(reading: ["{", "a", ":", "[", "1", ",", "2", "]", ",", "}"].joined(separator: blank))
  guard case .object(let a) = plain.content, case .object(let b) = spread.content else {
    Issue.record("no object")
    return
  }
  #expect(a.map(\.key) == b.map(\.key))
  // U+180E was white space once, and U+0085 never.
  for scalar in ["\u{180E}", "\u{85}"] { #expect(!problem(scalar + "1").isEmpty) }
}

@Test func everyKeyAndValueKnowsItsPlace() throws {
  let value = try JSON5Value(reading: "// Zoë\r\n{ a: 'é',\r\tb\n: [ 1,\n  2 ] }")
  guard case .object(let members) = value.content, members.count == 2, case .array(let list) = members[1].value.content
  else {
    Issue.record("\(value)")
    return
  }
  #expect(value.position == TextPosition(line: 2, column: 1))
  #expect(members[0].position == TextPosition(line: 2, column: 3))
  #expect(members[0].value.position == TextPosition(line: 2, column: 6))
  #expect(members[1].position == TextPosition(line: 3, column: 2))
  #expect(members[1].value.position == TextPosition(line: 4, column: 3))
  #expect(list.map(\.position) == [TextPosition(line: 4, column: 5), TextPosition(line: 5, column: 3)])
}

@Test(arguments: [
  ("{\n  a: 1,\n  b: }", "line 3, column 6: found '}', expected a value"),
  ("{\n  port 1 }", "line 2, column 8: found '1', expected ':' after the key"),
  ("{ a: 1\n  b: 2 }", "line 2, column 3: found 'b', expected ',' or '}'"),
  ("{ a: [1, 2 }", "line 1, column 12: found '}', expected ',' or ']'"),
  ("{ a: hello }", "line 1, column 6: found a word that begins with 'h', expected a value; text needs quotes"),
  ("{ a: 'x\n' }", "line 1, column 8: found the end of the line, expected ' to end the text of column 6"),
  ("\n /* on and on", "line 2, column 2: found a comment without an end, expected '*/'"),
  (
    "{ a: 1, b: 2,\n\n 'a': 3 }",
    "line 3, column 2: found the key 'a' again, which is on line 1 already; expected it once"
  ),
  (
    "{ 'a\\n\\u0000\u{1}': 1, 'a\\n\\u0000\u{1}': 3 }",
    "line 1, column 20: found the key 'a\\n\\u0000\\u0001' again, which is on line 1 already; expected it once"
  ),
  ("1 2", "line 1, column 3: found '2', expected nothing after the value"),
  ("{ a: 012 }", "line 1, column 9: found a number that begins with 0, expected none before other digits"),
  ("\u{0}", "line 1, column 1: found U+0000, expected a value"),
  ("[", "line 1, column 2: found the end of the text, expected a value"),
])
func aProblemNamesItsPlaceWhatWasFoundAndWhatWasExpected(text: String, message: String) {
  #expect(problem(text) == message)
}

@Test func aByteThatIsNoTextIsRefusedWithItsPlace() throws {
  do throws(JSON5Problem) {
    _ = try JSON5Value(reading: Array("{\n a: '".utf8) + [0xFF] + Array("' }".utf8))
    Issue.record("read")
  } catch {
    #expect(error.description == "line 2, column 6: found a byte that is not UTF-8, expected text in UTF-8")
  }
}

@Test func quotedTextIsReadBack() throws {
  let text = String(String.UnicodeScalarView((0...0x2030).compactMap { Unicode.Scalar(UInt32($0)) })) + "🚲"
  #expect(try content(json5Quoted(text)) == .string(text))
}
