import Quantities
import Testing

@testable import ATCommands

@Suite struct ATResultTests {
  private func cme(_ text: String) -> UInt16 {
    let bytes = Array(text.utf8)
    return CMEError(ATLine(bytes.span)).code
  }

  private func cms(_ text: String) -> UInt16 {
    let bytes = Array(text.utf8)
    return CMSError(ATLine(bytes.span)).code
  }

  /// The table of the standard, in words and in numbers.
  @Test func errorsInWordsAreThoseOfTheStandard() {
    let table: [(String, UInt16)] = [
      ("operation not allowed", 3), ("operation not supported", 4), ("SIM not inserted", 10), ("SIM PIN required", 11),
      ("SIM PUK required", 12), ("SIM failure", 13), ("SIM busy", 14), ("SIM wrong", 15), ("incorrect password", 16),
      ("no network service", 30), ("network timeout", 31), ("unknown", 100), ("Illegal MS", 103), ("Illegal ME", 106),
      ("GPRS services not allowed", 107), ("PLMN not allowed", 111), ("Location area not allowed", 112),
      ("Roaming not allowed in this location area", 113), ("something else", 65_535), ("", 65_535),
      ("sim busy", 65_535),
    ]
    for (words, code) in table { #expect(cme(words) == code, "\(words)") }
    for code in [0, 3, 100, 255, 256, 65_533, 65_534] as [UInt16] { #expect(cme("\(code)") == code) }
    for large in ["65535", "65536", "2147483647"] { #expect(cme(large) == 65_534) }
    #expect(CMEError.simNotInserted.code == 10 && CMEError.simPINRequired.code == 11)
    #expect(CMEError.simPUKRequired.code == 12 && CMEError.simFailure.code == 13 && CMEError.simBusy.code == 14)
    #expect(CMEError.incorrectPassword.code == 16 && CMEError.operationNotAllowed.code == 3)
    #expect(CMEError.unknownText.code == 65_535)
    for code in [0, 38, 500, 65_534, 65_535] as [UInt16] { #expect(cms("\(code)") == code) }
    #expect(cms("65536") == 65_535 && cms("words") == 500 && cms("") == 500)
  }

  @Test func theCausesThatMeanARefusalAreExactlyThese() {
    let refusals: Set<UInt16> = [103, 106, 107, 111, 112, 113]
    let final: Set<UInt16> = [1, 8, 10, 28, 50, 69, 513, 529]
    for code in 0...65_535 as ClosedRange<UInt16> {
      if CMEError(code).isNetworkRefusal != refusals.contains(code) { Issue.record("CME \(code)") }
      if CMSError(code).isFinal != final.contains(code) { Issue.record("CMS \(code)") }
    }
  }

  @Test func onlyOKIsGoodAndOnlyWhatWasNotHeardIsUncertain() {
    let results: [(ATResult, Bool, Bool)] = [
      (.ok, true, false), (.error, false, false), (.equipmentError(CMEError(3)), false, false),
      (.messageError(CMSError(3)), false, false), (.failed, false, false), (.garbled, false, true),
      (.timedOut, false, true), (.open, false, false),
    ]
    for (result, isOK, isUncertain) in results {
      #expect(result.isOK == isOK && result.isUncertain == isUncertain, "\(result)")
    }
  }

  @Test func theBeginningTheEndAndTheMiddleOfALineAreFound() {
    func line<T>(_ text: String, _ body: (borrowing ATLine) -> T) -> T {
      let bytes = Array(text.utf8)
      return body(ATLine(bytes.span))
    }
    for text in ["abc", "xabc", "abcx", "xabcx", "ab", "bc", "abd", "", "aabc", "abab"] {
      #expect(line(text) { $0.begins(with: "abc") } == text.hasPrefix("abc"), "\(text)")
      #expect(line(text) { $0.ends(with: "abc") } == text.hasSuffix("abc"), "\(text)")
      #expect(line(text) { $0.contains("abc") } == text.contains("abc"), "\(text)")
      #expect(line(text) { $0.equals("abc") } == (text == "abc"), "\(text)")
    }
    #expect(line("+CSQ:") { $0.isNamed("+CSQ") && $0.fields(of: "+CSQ")?.count == 0 })
    #expect(!line("x+CSQ: 1") { $0.isNamed("+CSQ") })
    #expect(line("+CSQX: 1") { $0.fields(of: "+CSQ")?.count } == nil)
  }

  @Test func fieldsAreTrimmedAndCountedFromNothing() {
    func fields<T>(_ text: String, _ body: (borrowing ATFields) -> T) -> T {
      let bytes = Array(text.utf8)
      return body(ATFields(bytes.span))
    }
    #expect(
      fields("1, 2 ,\" 3 \",") { [$0.number(0), $0.number(1), $0.number(2), $0.number(3), $0.number(4)] }
        == [1, 2, nil, nil, nil])
    #expect(fields("1, 2 ,\" 3 \",") { $0.equals(2, " 3 ") && $0.isQuoted(2) && !$0.isQuoted(1) && !$0.isQuoted(9) })
    #expect(fields(" \"a\" ") { $0.equals(0, "a") && $0.isQuoted(0) })
    #expect(fields("1") { $0.number(-1) } == nil && fields("1") { $0.isEmpty(-1) })
    #expect(fields(" ,") { $0.count == 2 && $0.isEmpty(0) && $0.isEmpty(1) })
    #expect(fields("\"\",1") { !$0.isEmpty(0) && $0.equals(0, "") })
    #expect(fields("4294967295,4294967296") { $0.unsigned(0) } == 4_294_967_295)
    #expect(fields("4294967295,4294967296") { $0.unsigned(1) } == nil)
    #expect(fields("7,8") { $0.unsigned(0, maximum: 7) } == 7 && fields("7,8") { $0.unsigned(1, maximum: 7) } == nil)
    #expect(
      fields("-2147483648,2147483647,-2147483649,+5") { [$0.signed(0), $0.signed(1), $0.signed(2)] }
        == [-2_147_483_648, 2_147_483_647, nil])
    #expect(
      fields("FFFFFFFF,100000000,0X1f,0x,x,a,,12g") { fields in
        (0..<8).map { fields.hexadecimal($0) }
      } == [0xFFFF_FFFF, nil, 0x1F, nil, nil, 10, nil, nil])
  }
}
