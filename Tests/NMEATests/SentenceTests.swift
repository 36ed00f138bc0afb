import NMEA
import Quantities
import Testing

/// For each kind at least one sentence that is read right and one that is refused.
@Suite struct SentenceTests {
  @Test func rmcOfEachVersionIsRead() throws {
    guard case .rmc(let old) = parsed("GPRMC,225446.33,A,4916.45,N,12311.12,W,000.5,054.7,191194,020.3,E") else {
      Issue.record("no RMC")
      return
    }
    #expect(old.talker == .gps)
    #expect(old.timeOfDayMicroseconds == 82_486_330_000)
    #expect(old.status == .valid)
    #expect(old.latitudeE9 == 49_274_166_667)
    #expect(old.longitudeE9 == -123_185_333_333)
    #expect(old.speedKnotsE6 == 500_000)
    #expect(old.courseDegreesE4 == 547_000)
    #expect(old.date == ShortDate(day: 19, month: 11, yearOfCentury: 94))
    #expect(old.date?.civilDate == CivilDate(year: 1994, month: 11, day: 19))
    #expect(old.magneticVariationDegreesE4 == 203_000)
    #expect(old.mode == .absent)
    guard
      case .rmc(let new) = parsed(
        "GNRMC,000000.000,D,0000.00001,S,00000.00001,E,0.016538,341.48,280706,1.5,W,R,V")
    else {
      Issue.record("no RMC")
      return
    }
    #expect(new.talker == .combined)
    #expect(new.timeOfDayMicroseconds == 0)
    #expect(new.status == .differential)
    #expect(new.latitudeE9 == -167)
    #expect(new.longitudeE9 == 167)
    #expect(new.speedKnotsE6 == 16_538)
    #expect(new.magneticVariationDegreesE4 == -15_000)
    #expect(new.mode == .realTimeKinematicFixed)
    #expect(new.navigationStatus == .notProvided)
    guard case .rmc(let empty) = parsed("GPRMC,,V,,,,,,,,,,N") else {
      Issue.record("no RMC")
      return
    }
    #expect(empty.timeOfDayMicroseconds == nil && empty.latitudeE9 == nil && empty.date == nil)
    #expect(empty.speedKnotsE6 == nil && empty.courseDegreesE4 == nil)
    #expect(empty.status == .void && empty.mode == .notValid)
  }

  @Test(arguments: [
    ("GPRMC,2254,A,4916.45,N,12311.12,W,0,0,191194", 1), ("GPRMC,246000,A,4916.45,N,12311.12,W,0,0,191194", 1),
    ("GPRMC,225446x,A,4916.45,N,12311.12,W,0,0,191194", 1), ("GPRMC,225446,A,4960.00,N,12311.12,W,0,0,191194", 3),
    ("GPRMC,225446,A,9100.00,N,12311.12,W,0,0,191194", 3), ("GPRMC,225446,A,49a6.45,N,12311.12,W,0,0,191194", 3),
    ("GPRMC,225446,A,4916.45,Q,12311.12,W,0,0,191194", 4), ("GPRMC,225446,A,4916.45,N,18100.00,W,0,0,191194", 5),
    ("GPRMC,225446,A,4916.45,N,12311.12,N,0,0,191194", 6), ("GPRMC,225446,A,4916.45,N,12311.12,W,1.2.3,0,191194", 7),
    ("GPRMC,225446,A,4916.45,N,12311.12,W,0,--1,191194", 8), ("GPRMC,225446,A,4916.45,N,12311.12,W,0,0,1911-1", 9),
    ("GPRMC,225446,A,4916.45,N,12311.12,W,0,0,321194", 9), ("GPRMC,225446,A,4916.45,N,12311.12,W,0,0,191394", 9),
    ("GPRMC,225446,A,4916.45,N,12311.12,W,99999999999,0,191194", 7),
  ]) func anErrorNamesTheFieldOfRMC(body: String, field: UInt8) {
    #expect(error(of: line(body)) == .malformedField(number: field))
  }

  @Test func ggaIsRead() {
    guard
      case .gga(let fix) = parsed("GPGGA,123519,4807.038,N,01131.324,E,5,08,0.9,-545.4,M,46.95,M,7.6,0133")
    else {
      Issue.record("no GGA")
      return
    }
    #expect(fix.timeOfDayMicroseconds == 45_319_000_000)
    #expect(fix.latitudeE9 == 48_117_300_000)
    #expect(fix.longitudeE9 == 11_522_066_667)
    #expect(fix.quality == 5 && fix.satellitesUsed == 8)
    #expect(fix.horizontalDilutionE2 == 90)
    #expect(fix.heightE4 == -5_454_000)
    #expect(fix.geoidSeparationE4 == 469_500)
    #expect(fix.correctionAgeE2 == 760 && fix.correctionStation == 133)
    #expect(error(of: line("GPGGA,123519,4807.038,N,01131.324,E,1,08")) == .tooFewFields(found: 8))
    #expect(error(of: line("GPGGA,123519,4807.038,N,01131.324,E,?,08,0.9,5,M,4,M,,")) == .malformedField(number: 6))
    #expect(error(of: line("GPGGA,123519,4807.038,N,01131.324,E,1,-8,0.9,5,M,4,M,,")) == .malformedField(number: 7))
  }

  @Test func gsaOfEachVersionIsRead() {
    guard case .gsa(let old) = parsed("GPGSA,A,3,19,28,14,18,27,22,31,39,,,,,1.7,1.0,1.3") else {
      Issue.record("no GSA")
      return
    }
    #expect(old.mode == 3 && old.selection == 0x41 && old.systemIdentifier == 0)
    #expect(old.satellites[0] == 19 && old.satellites[7] == 39 && old.satellites[8] == 0)
    #expect(old.positionDilutionE2 == 170 && old.horizontalDilutionE2 == 100 && old.verticalDilutionE2 == 130)
    guard case .gsa(let new) = parsed("GNGSA,A,3,13,12,22,19,08,21,,,,,,,1.05,0.64,0.83,4") else {
      Issue.record("no GSA")
      return
    }
    #expect(new.systemIdentifier == 4 && new.verticalDilutionE2 == 83)
    #expect(Constellation(systemIdentifier: new.systemIdentifier) == .beiDou)
    guard case .gsa(let wide) = parsed("GPGSA,A,3,27,23,13,07,25,,,,,,,,,,,,,,,,,,,,07.9,06.0,05.2") else {
      Issue.record("no GSA")
      return
    }
    #expect(wide.satellites[4] == 25 && wide.positionDilutionE2 == 790 && wide.verticalDilutionE2 == 520)
    guard case .gsa(let reckoning) = parsed("GPGSA,A,E,,,,,,,,,,,,,1,1,1") else {
      Issue.record("no GSA")
      return
    }
    #expect(reckoning.isDeadReckoning && reckoning.mode == nil)
    #expect(error(of: line("GPGSA,A,1,,,,")) == .tooFewFields(found: 7))
    #expect(error(of: line("GPGSA,A,3,19,x,,,,,,,,,,,1.7,1.0,1.3")) == .malformedField(number: 4))
  }

  @Test func gsvOfEachVersionIsRead() {
    guard case .gsv(let old) = parsed("GPGSV,2,1,08,01,40,083,46,02,17,308,,12,07,344,39,14,22,228,45") else {
      Issue.record("no GSV")
      return
    }
    #expect(old.sentenceCount == 2 && old.sentenceNumber == 1 && old.satelliteCount == 8 && old.entryCount == 4)
    #expect(
      old.satellites[0]
        == SatelliteInView(number: 1, elevationDegrees: 40, azimuthDegrees: 83, signalToNoise: 46))
    #expect(old.satellites[1].signalToNoise == nil && old.satellites[1].azimuthDegrees == 308)
    #expect(old.signalIdentifier == 0)
    guard case .gsv(let new) = parsed("GAGSV,3,3,09,02,-1,179,,7") else {
      Issue.record("no GSV")
      return
    }
    #expect(new.talker == .galileo && new.entryCount == 1 && new.signalIdentifier == 7)
    #expect(new.satellites[0].elevationDegrees == -1)
    guard case .gsv(let none) = parsed("GPGSV,1,1,00") else {
      Issue.record("no GSV")
      return
    }
    #expect(none.entryCount == 0 && none.satelliteCount == 0)
    #expect(error(of: line("GPGSV,1,1")) == .tooFewFields(found: 3))
    #expect(error(of: line("GPGSV,1,1,01,xx,40,083,46")) == .malformedField(number: 4))
  }

  @Test func gllIsReadWithAndWithoutMode() {
    guard case .gll(let old) = parsed("GPGLL,4916.45,N,12311.12,W,225444,A"),
      case .gll(let new) = parsed("GNGLL,4916.45,S,12311.12,E,225444.50,V,N")
    else {
      Issue.record("no GLL")
      return
    }
    #expect(old.latitudeE9 == 49_274_166_667 && old.status == .valid && old.mode == .absent)
    #expect(new.latitudeE9 == -49_274_166_667 && new.status == .void && new.mode == .notValid)
    #expect(new.timeOfDayMicroseconds == 82_484_500_000)
    #expect(error(of: line("GPGLL,4916.45,N")) == .tooFewFields(found: 3))
    #expect(error(of: line("GPGLL,4916.4x,N,12311.12,W,225444,A")) == .malformedField(number: 1))
  }

  @Test func vtgIsReadWithAndWithoutUnits() {
    guard case .vtg(let new) = parsed("GPVTG,054.7,T,034.4,M,005.5,N,010.2,K,D"),
      case .vtg(let old) = parsed("GPVTG,054.7,034.4,005.5,010.2")
    else {
      Issue.record("no VTG")
      return
    }
    #expect(new.courseDegreesE4 == 547_000 && new.magneticCourseDegreesE4 == 344_000)
    #expect(new.speedKnotsE6 == 5_500_000 && new.speedKilometresPerHourE4 == 102_000)
    #expect(new.mode == .differential)
    #expect(old.speedKnotsE6 == 5_500_000 && old.speedKilometresPerHourE4 == 102_000)
    #expect(error(of: line("GPVTG,0,T,,M")) == nil)
    #expect(error(of: line("GPVTG,0,T,")) == .tooFewFields(found: 4))
    #expect(error(of: line("GPVTG,0,T,,M,fast,N,,K")) == .malformedField(number: 5))
  }

  @Test func zdaIsRead() {
    guard case .zda(let date) = parsed("GPZDA,160012.71,11,03,2004,-1,00") else {
      Issue.record("no ZDA")
      return
    }
    #expect(date.day == 11 && date.month == 3 && date.year == 2004)
    #expect(date.zoneHours == -1 && date.zoneMinutes == 0)
    #expect(error(of: line("GPZDA,160012.71,11")) == .tooFewFields(found: 3))
    #expect(error(of: line("GPZDA,160012.71,11,03,2O04,00,00")) == .malformedField(number: 4))
  }

  @Test func gnsIsReadWithSeveralModes() {
    guard
      case .gns(let fix) = parsed(
        "GNGNS,224749.00,3333.4268304,N,11153.3538273,W,DAN,19,0.6,406.110,-26.294,6.0,0138,S")
    else {
      Issue.record("no GNS")
      return
    }
    #expect(fix.modes[0] == 0x44 && fix.modes[1] == 0x41 && fix.modes[2] == 0x4E && fix.modes[3] == 0)
    #expect(fix.heightE4 == 4_061_100 && fix.geoidSeparationE4 == -262_940)
    #expect(fix.satellitesUsed == 19 && fix.navigationStatus == .safe && fix.correctionStation == 138)
    #expect(error(of: line("GNGNS,224749.00,3333.4,N,11153.3,W,D")) == .tooFewFields(found: 7))
    #expect(error(of: line("GNGNS,224749.00,3333.4,N,11153.3,W,D,,,high,,,,")) == .malformedField(number: 9))
  }

  @Test func errorSentencesAreRead() {
    guard case .gst(let deviations) = parsed("GPGST,172814.0,0.006,0.023,0.020,273.6,0.023,0.020,0.031"),
      case .gbs(let faults) = parsed("GNGBS,170556.00,3.0,2.9,8.3,05,0.1,-21.4,3.8,1,2")
    else {
      Issue.record("no GST or GBS")
      return
    }
    #expect(deviations.latitudeDeviationE4 == 230 && deviations.heightDeviationE4 == 310)
    #expect(deviations.orientationDegreesE4 == 2_736_000)
    #expect(faults.latitudeErrorE4 == 30_000 && faults.failedSatellite == 5 && faults.biasE4 == -214_000)
    #expect(faults.systemIdentifier == 1 && faults.signalIdentifier == 2)
    #expect(error(of: line("GPGST,172814.0,0.006")) == .tooFewFields(found: 3))
    #expect(error(of: line("GPGST,172814.0,0.006,0.023,0.020,273.6,?,0.020,0.031")) == .malformedField(number: 6))
    #expect(error(of: line("GNGBS,170556.00,3.0")) == .tooFewFields(found: 3))
    #expect(error(of: line("GNGBS,170556.00,3.0,2.9,8.3,a,,,")) == .malformedField(number: 5))
  }

  @Test func headingsAndTextsAreRead() {
    guard case .hdt(let heading) = parsed("HEHDT,274.07,T"), case .ths(let status) = parsed("GNTHS,77.52,E"),
      case .txt(let text) = parsed("GNTXT,01,01,02,u-blox AG, www.u-blox.com")
    else {
      Issue.record("no HDT, THS or TXT")
      return
    }
    #expect(heading.headingDegreesE4 == 2_740_700)
    #expect(status.headingDegreesE4 == 775_200 && status.mode == .estimated)
    #expect(text.identifier == 2 && text.text.count == 25)
    #expect(error(of: line("HEHDT")) == .tooFewFields(found: 1))
    #expect(error(of: line("HEHDT,north,T")) == .malformedField(number: 1))
    #expect(error(of: line("GNTHS,77.52")) == .tooFewFields(found: 2))
    #expect(error(of: line("GNTHS,7.7.7,A")) == .malformedField(number: 1))
    #expect(error(of: line("GNTXT,01")) == .tooFewFields(found: 2))
    #expect(error(of: line("GNTXT,one,01,02,x")) == .malformedField(number: 1))
  }

  @Test func manufacturersOwnSentencesAreRead() {
    guard case .pgrme(let errors) = parsed("PGRME,15.0,M,45.0,M,25.0,M"),
      case .pgrmz(let height) = parsed("PGRMZ,246,f,3"),
      case .pgrmf(let fix) = parsed(
        "PGRMF,290,293895,160305,093802,13,5213.1439,N,02100.6511,E,A,2,0,226,2,1"),
      case .pmgnst(let status) = parsed("PMGNST,01.75,3,T,816,11.1,-00496,00"),
      case .psrfepe(let estimate) = parsed("PSRFEPE,100542.000,A,0.7,6.82,10.69,0.0,180.0"),
      case .psti030(let recommended) = parsed(
        "PSTI,030,044606.000,A,2447.0924110,N,12100.5227860,E,103.323,0.00,-0.10,0.00,180915,R,1.2,4.2"),
      case .pashrpos(let position) = parsed(
        "PASHR,POS,0,08,203722.00,3721.1234,N,12155.1234,W,21.5,,350.0,010.0,0.1,1.9,1.1,1.5,1.1,A")
    else {
      Issue.record("one is missing")
      return
    }
    #expect(errors.horizontalErrorE4 == 150_000 && errors.sphericalErrorE4 == 250_000)
    #expect(height.heightFeetE2 == 24_600 && height.mode == 3)
    #expect(fix.fixType == 2 && fix.courseDegreesE4 == 2_260_000 && fix.latitudeE9 == 52_219_065_000)
    #expect(status.hasFix && status.mode == 3)
    #expect(estimate.horizontalErrorE4 == 68_200 && estimate.status == .valid)
    #expect(recommended.velocityNorthE4 == -1000 && recommended.mode == .realTimeKinematicFixed)
    #expect(position.ellipsoidHeightE4 == 215_000 && position.speedKilometresPerHourE4 == 100_000)
    #expect(error(of: line("PGRME,15.0,M")) == .tooFewFields(found: 3))
    #expect(error(of: line("PGRMZ,high,f,3")) == .malformedField(number: 1))
    #expect(error(of: line("PGRMF,290")) == .tooFewFields(found: 2))
    #expect(error(of: line("PMGNST,01.75,x,T,816,11.1,-00496,00")) == .malformedField(number: 2))
    #expect(error(of: line("PSRFEPE,10,A,0.7,6.82,10.69,0.0,180.0")) == .malformedField(number: 1))
    #expect(error(of: line("PSTI,030,044606.000")) == .tooFewFields(found: 3))
    #expect(error(of: line("PASHR,POS,?,08")) == .malformedField(number: 2))
    let long =
      "PASHR,POS,0,08,203722.00,3721.123456,N,12155.123456,W,00021.50,,350.0,010.0,000.1,01.9,01.1,01.5,01.1,UL00"
    #expect(error(of: line(long)) == .overLong)
    #expect(error(of: line("PSTI,032,1")) == .unknownKind)
    #expect(error(of: line("PGRMC,A,218.8,h")) == .unknownKind)
  }

  @Test(arguments: ["GP", "GL", "GA", "GB", "BD", "GQ", "QZ", "GI", "GN", "II", "IN", "EC", "PQ"])
  func everyTalkerIsRead(talker: String) {
    let letters = Array(talker.utf8)
    guard case .gsa(let sentence) = parsed("\(talker)GSA,A,3,01,02,03,04,,,,,,,,,1.7,1.0,1.3") else {
      Issue.record("no GSA")
      return
    }
    #expect(sentence.talker == Talker(letters[0], letters[1]))
  }

  @Test func talkersNameTheirConstellation() {
    #expect(Talker.gps.constellation == .gps && Talker.qzss.constellation == .qzss)
    #expect(Talker(0x42, 0x44).constellation == .beiDou && Talker.combined.constellation == nil)
  }

  @Test func leapSecondsAreTimes() {
    guard case .zda(let leap) = parsed("GPZDA,235960.50,31,12,2016,00,00") else {
      Issue.record("no ZDA")
      return
    }
    #expect(leap.timeOfDayMicroseconds == 86_400_500_000)
    #expect(error(of: line("GPZDA,235961,31,12,2016,00,00")) == .malformedField(number: 1))
  }

  @Test func numbersInOddDressAreRead() {
    guard case .gga(let fix) = parsed("GPGGA,123519,4807.038,N,01131.324,E,1, 8 ,+0.95,50.,M, 46.95678 ,M,,") else {
      Issue.record("no GGA")
      return
    }
    #expect(fix.satellitesUsed == 8 && fix.horizontalDilutionE2 == 95 && fix.heightE4 == 500_000)
    #expect(fix.geoidSeparationE4 == 469_568)
    guard case .gga(let short) = parsed("GPGGA,123519,4807,N,01131.,E,1,8,.9,,M,,M,,") else {
      Issue.record("no GGA")
      return
    }
    #expect(short.latitudeE9 == 48_116_666_667 && short.longitudeE9 == 11_516_666_667)
    #expect(short.horizontalDilutionE2 == 90 && short.heightE4 == nil)
  }

  @Test func whatIsNoSentenceGivesItsError() {
    #expect(error(of: "GPRMC") == .noStart)
    #expect(error(of: "") == .noStart)
    #expect(error(of: "$GPZDA,160012*") == .incomplete)
    #expect(error(of: "$GPZDA,160012.71,11,03,2004,-1,00*00") == .wrongChecksum)
    #expect(error(of: "$" + String(repeating: "A", count: 300)) == .overLong)
    #expect(error(of: "$GPZDA,\u{1},11") == .binary)
    #expect(error(of: line("gpzda,160012.71,11,03,2004,-1,00")) == .malformedAddress)
    #expect(error(of: line("GPXYZ,1")) == .unknownKind)
    #expect(error(of: "$GPZDA,160012.71,11,03,2004,-1,00") == nil)
  }
}
