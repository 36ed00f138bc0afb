import Testing
import Quantities

@Test func placeholderQuantities() { #expect(Bool(true)) }
