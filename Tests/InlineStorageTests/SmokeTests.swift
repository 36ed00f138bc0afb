import Testing
import InlineStorage

@Test func placeholderInlineStorage() { #expect(Bool(true)) }
