import ATCommands
import Testing

@testable import SIM7000

@Suite struct BootSignTests {
  @Test func rubbishBeforeReadyDoesNotHideTheBoot() {
    for bytes in [Array("RDY".utf8), [0xFF, 0x80] + Array("RDY".utf8)] {
      let isSign = BootSign.matches(ATLine(bytes.span))
      #expect(isSign)
    }
    let other = Array("+CPIN: READY".utf8)
    let isSign = BootSign.matches(ATLine(other.span))
    #expect(!isSign)
  }
}
