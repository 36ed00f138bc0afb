import NMEA
import Testing

@Test func placeholderNMEA() { #expect(Bool(true)) }
