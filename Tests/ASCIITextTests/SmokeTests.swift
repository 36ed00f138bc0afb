import Testing
import ASCIIText

@Test func placeholderASCIIText() { #expect(Bool(true)) }
