import InlineStorage
import NMEA
import Quantities
import Testing

/// Sentences whose checksum is right, or missing, and whose numbers can't be.
@Suite struct NegativeAmountTests {
  private func lastFix(_ lines: [String]) -> GNSSFix? {
    var receiver = NMEAReceiver()
    var last: GNSSFix?
    for line in lines {
      receiver.receive(Array((line + "\r\n").utf8).span, at: .zero)
      while let fix = receiver.nextFix() { last = fix }
    }
    receiver.finish()
    while let fix = receiver.nextFix() { last = fix }
    return last
  }

  @Test func aNegativeSpeedReadsAsUnknown() throws {
    let fix = try #require(lastFix(["$GPRMC,101501,A,5321.0010,N,00615.0000,W,-10.0,090.0,010626,,,A"]))
    #expect(fix.position != nil)
    #expect(fix.speed == nil)
  }

  @Test func aNegativeDilutionReadsAsUnknownAndMakesNoAccuracy() throws {
    let fix = try #require(lastFix(["$GPGGA,101500,5321.0000,N,00615.0000,W,1,08,-1.2,20.0,M,55.0,M,,"]))
    #expect(fix.position != nil)
    #expect(fix.dilution.horizontal == nil)
    #expect(fix.horizontalAccuracy == nil)
  }

  @Test func aSignAloneIsNoSpeedAndNoDilution() throws {
    let ride = try #require(lastFix([line("GPRMC,101501,A,5321.0010,N,00615.0000,W,-,090.0,010626,,,A")]))
    #expect(ride.position != nil && ride.speed == nil)
    let fix = try #require(lastFix([line("GPGGA,101500,5321.0000,N,00615.0000,W,1,08,-,20.0,M,55.0,M,,")]))
    #expect(fix.position != nil && fix.dilution.horizontal == nil && fix.horizontalAccuracy == nil)
  }
}
