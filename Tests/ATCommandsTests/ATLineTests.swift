import Testing

@testable import ATCommands

@Suite struct ATLineTests {
  private func withLine<T>(_ text: String, _ body: (borrowing ATLine) -> T) -> T {
    let bytes = Array(text.utf8)
    return body(ATLine(bytes.span))
  }

  private func fields<T>(_ text: String, _ body: (borrowing ATFields) -> T) -> T {
    let bytes = Array(text.utf8)
    return body(ATFields(bytes.span))
  }

  @Test func aNameNeedsItsColonAndNotTheBlank() {
    #expect(withLine("+CSQ: 24,99") { $0.isNamed("+CSQ") })
    #expect(withLine("+CSQ:24,99") { $0.isNamed("+CSQ") })
    #expect(!withLine("+CSQX: 24,99") { $0.isNamed("+CSQ") })
    #expect(!withLine("+CSQ") { $0.isNamed("+CSQ") })
    #expect(withLine("+CSQ:24,99") { $0.fields(of: "+CSQ")?.number(0) } == 24)
    #expect(withLine("+CSQ:   24,99") { $0.fields(of: "+CSQ")?.number(1) } == 99)
  }

  @Test func fieldsAreCountedOverQuotesAndEmptyPlaces() {
    #expect(fields("") { $0.count } == 0)
    #expect(fields("1") { $0.count } == 1)
    #expect(fields("1,,") { $0.count } == 3)
    #expect(fields("\"a,b\",2") { $0.count } == 2)
    #expect(fields("\"a,b\",2") { $0.number(1) } == 2)
    #expect(fields("\"a,b\",2") { $0.equals(0, "a,b") })
    #expect(fields("1,,") { $0.isEmpty(1) && $0.isEmpty(2) && $0.isEmpty(3) && !$0.isEmpty(0) })
  }

  @Test func numbersThatDoNotFitOrAreNoneReadAsNil() {
    #expect(fields("2147483647") { $0.number(0) } == 2_147_483_647)
    #expect(fields("2147483648") { $0.number(0) } == nil)
    #expect(fields("-52") { $0.signed(0) } == -52)
    #expect(fields("2147483648") { $0.signed(0) } == nil)
    #expect(fields("x") { $0.number(0) } == nil)
    #expect(fields("0x2AFE,\"00c3\",123456789,0x") { $0.hexadecimal(0) } == 0x2AFE)
    #expect(fields("0x2AFE,\"00c3\",123456789,0x") { $0.hexadecimal(1) } == 0xC3)
    #expect(fields("0x2AFE,\"00c3\",123456789,0x") { $0.hexadecimal(2) } == nil)
    #expect(fields("0x2AFE,\"00c3\",123456789,0x") { $0.hexadecimal(3) } == nil)
    #expect(fields("31.222067,1") { $0.fixed(0, decimals: 7) } == 312_220_670)
  }

  @Test func anUnclosedQuoteReadsToTheEnd() {
    #expect(fields("19/06/26,06:04:03\",\"+32\",0") { $0.count } == 2)
    #expect(fields("\"abc") { $0.equals(0, "abc") })
    #expect(fields("\"") { $0.equals(0, "") })
  }
}
