import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

/// What the answer to a question says, on a tracker that stands.
private func told(_ owner: inout Owner, at time: Instant) -> Packet? {
  _ = owner.news()
  owner.submit(.locate, at: time)
  return owner.news(.location).last?.packet
}

@Suite struct SurroundingsTests {
  private let cell = NetworkCell(country: 262, network: 1, area: 4097, cell: 19_088_743)

  @Test func networkAndTemperatureAreToldForAnHour() {
    var owner = Owner(isWatched: false)
    let start = Instant.seconds(100)
    owner.process(.network(NetworkReading(time: start, signalDBm: -71, cell: cell)))
    owner.process(.temperature(TemperatureReading(time: start, decidegrees: -35)))
    let packet = told(&owner, at: start + .seconds(3600))
    #expect(packet?.readings[.signal] == -71 && packet?.cell == cell && packet?.readings[.temperature] == -35)
    let later = told(&owner, at: start + .seconds(3600) + Interval(microseconds: 1))
    #expect(later?.readings.isEmpty == true)
  }

  @Test func aLateReadingDoesNotReplaceANewerOne() {
    var owner = Owner(isWatched: false)
    owner.process(.network(NetworkReading(time: .seconds(200), signalDBm: -71)))
    owner.process(.network(NetworkReading(time: .seconds(199), signalDBm: -100, cell: cell)))
    owner.process(.temperature(TemperatureReading(time: .seconds(200), decidegrees: 10)))
    owner.process(.temperature(TemperatureReading(time: .seconds(199), decidegrees: 20)))
    let packet = told(&owner, at: .seconds(201))
    #expect(packet?.readings[.signal] == -71 && packet?.cell == nil && packet?.readings[.temperature] == 10)
  }

  @Test func theDilutionIsThatOfThePosition() {
    var owner = Owner(isWatched: false)
    var fix = GNSSFix(time: .seconds(10))
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeDegrees: 50, longitudeDegrees: 6)
    for (value, hundredths) in [(0.946, 95), (99.99, 9999), (1e9, 65_535)] as [(Float, Int64)] {
      fix.dilution.horizontal = value
      fix.time = fix.time + .seconds(1)
      owner.process(fix)
      #expect(told(&owner, at: fix.time)?.readings[.dilution] == hundredths)
    }
    for value in [nil, Float.nan, -1] {
      fix.dilution.horizontal = value
      fix.time = fix.time + .seconds(1)
      owner.process(fix)
      #expect(told(&owner, at: fix.time)?.readings[.dilution] == nil)
    }
  }

  @Test func satellitesInViewAreThoseOfThePosition() {
    var owner = Owner(isWatched: false)
    var fix = GNSSFix(time: .seconds(10))
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeDegrees: 50, longitudeDegrees: 6)
    owner.process(fix)
    #expect(told(&owner, at: fix.time)?.readings[.satellitesInView] == nil, "no number is no number, and not none")
    fix.satellitesInView[.gps] = 9
    fix.satellitesInView[.galileo] = 4
    fix.time = .seconds(11)
    owner.process(fix)
    #expect(told(&owner, at: fix.time)?.readings[.satellitesInView] == 13)
  }
}
