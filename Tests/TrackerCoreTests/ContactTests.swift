import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

private func reading(_ contact: Contact, _ isOn: Bool, at time: Instant) -> Reading {
  var contacts = Contacts()
  contacts[contact] = isOn
  return .contacts(ContactReading(time: time, contacts))
}

@Test func aLockThatIsOpenedIsAnAlertThatSaysSo() throws {
  var owner = Owner(isWatched: false)
  owner.process(reading(.lock, true, at: .seconds(1)))
  owner.advance(to: .seconds(400))
  #expect(owner.tracker.monitor.isArmed == true)
  _ = owner.news()
  owner.process(reading(.lock, false, at: .seconds(500)))
  let alert = try #require(owner.news(.movement).first)
  #expect(alert.time == .seconds(500) && alert.packet.alert?.evidence.detector == .lock)
  #expect(alert.json.contains(#""detector":"lock""#))
}

@Test func aReadingOfSwitchesLetsTimePassAsAnyInputDoes() {
  var owner = Owner(isWatched: false)
  owner.process(reading(.button, true, at: .seconds(1)))
  owner.process(reading(.button, false, at: .seconds(300)))
  #expect(owner.tracker.monitor.isArmed == false, "a switch that moves is a touch")
  owner.advance(to: .seconds(305))
  #expect(owner.tracker.monitor.isArmed == true)
  owner.process(reading(.button, true, at: Instant(microseconds: .max)))
  #expect(owner.tracker.diagnostics.timesImpossible == 1)
}
