import MotionDetection
import Quantities
import Testing

extension Scene {
  /// A switch is seen to be on or off.
  fileprivate mutating func see(_ contact: Contact, _ isOn: Bool?, after seconds: Double = 1) {
    var contacts = Contacts()
    contacts[contact] = isOn
    monitor.process(ContactReading(time: clock + .seconds(1), contacts))
    clock = clock + Interval(microseconds: Int64(seconds * 1_000_000))
    collect()
  }

  fileprivate init(parkedWith contacts: [(Contact, Bool)]) {
    self.init()
    for (contact, isOn) in contacts { see(contact, isOn, after: 0) }
    park()
  }
}

@Suite struct ContactTests {
  @Test(arguments: [
    (Contact.lock, true, MovementDetector.lock), (.kickStand, true, .kickStand), (.tamper, false, .tamper),
  ])
  func whatIsUnmistakableRaisesAnAlertAtOnceAndOnceAStillSpell(
    _ contact: Contact, _ before: Bool, _ detector: MovementDetector
  ) {
    var scene = Scene(parkedWith: [(contact, before)])
    scene.see(contact, before)
    #expect(scene.news().isEmpty, "nothing has changed")
    scene.see(contact, !before)
    let told = scene.clock
    let alerts = scene.news().movements
    #expect(alerts.map(\.detector) == [detector] && alerts.first?.onset == told && scene.monitor.phase == .alarmed)
    // Closed and opened again at once is the same work; a minute later it is new.
    scene.see(contact, before)
    scene.see(contact, !before)
    #expect(scene.news().movements.isEmpty)
    scene.see(contact, before)
    scene.wait(until: scene.clock + .seconds(60))
    scene.see(contact, !before)
    #expect(scene.news().movements.map(\.detector) == [detector])
  }

  @Test func closingALockAndUnfoldingAStandRaiseNothing() {
    for (contact, isOn) in [(Contact.lock, true), (.kickStand, true), (.tamper, false), (.button, true)] {
      var scene = Scene(parkedWith: [(contact, !isOn)])
      scene.see(contact, isOn)
      #expect(scene.news().isEmpty && scene.monitor.phase == .parked, "\(contact)")
    }
  }

  @Test func aPulledBrakeIsASuspicionThatPasses() {
    var scene = Scene(parkedWith: [(.brake, false)])
    scene.see(.brake, true)
    #expect(scene.monitor.phase == .suspicious && scene.news().movements.isEmpty)
    scene.see(.brake, false)
    scene.wait(until: scene.clock + .seconds(60))
    #expect(scene.monitor.phase == .parked)
    // And a sign with it is an alert.
    scene.see(.brake, true)
    scene.see(.lock, true)
    scene.see(.lock, false)
    #expect(scene.news().movements.map(\.detector) == [.lock])
  }

  @Test func howSwitchesStandAtTheStartIsNoSign() {
    var scene = Scene()
    scene.park()
    scene.see(.tamper, true)
    scene.see(.lock, false)
    #expect(scene.news().isEmpty)
    // What is not read in between is as it was.
    scene.see(.lock, true)
    scene.see(.tamper, nil)
    scene.see(.lock, false)
    #expect(scene.news().movements.map(\.detector) == [.lock])
  }

  @Test func aReadingThatComesLateChangesNothing() {
    var scene = Scene(parkedWith: [(.lock, true)])
    scene.see(.lock, true)
    var late = Contacts()
    late[.lock] = false
    scene.monitor.process(ContactReading(time: scene.clock - .seconds(1), late))
    #expect(scene.news().isEmpty)
  }

  @Test func withAlertsOffOrOnARideNothingIsRaised() {
    var off = Scene(alertsEnabled: false)
    off.see(.lock, true, after: 0)
    off.park()
    off.see(.lock, false)
    #expect(off.news().isEmpty && off.monitor.phase == .parked)
    var riding = Scene()
    riding.see(.lock, true, after: 0)
    riding.stand(seconds: 20)
    riding.ride(seconds: 60)
    _ = riding.news()
    riding.see(.lock, false)
    #expect(riding.news().isEmpty && riding.monitor.phase == .riding)
  }

  /// A switch that moves while the owner still stands there is a touch: it delays arming by three seconds.
  @Test func lockingAtTheLastMomentDelaysArming() {
    for (second, isArmed) in [(296.0, true), (298.5, false)] {
      var scene = Scene()
      scene.see(.lock, false, after: 0)
      scene.wait(until: .seconds(1) + Interval(microseconds: Int64((second - 1) * 1_000_000)))
      scene.see(.lock, true)
      scene.wait(until: .seconds(301))
      #expect(scene.monitor.isArmed == isArmed, "\(second)")
    }
  }

  @Test func anOpenAlarmIsKeptOpenByASwitch() {
    var scene = Scene(parkedWith: [(.lock, true), (.brake, false)])
    scene.see(.lock, false)
    _ = scene.news()
    let opened = scene.clock
    scene.wait(until: opened + .seconds(40))
    scene.see(.brake, true)
    scene.wait(until: opened + .seconds(90))
    #expect(scene.monitor.phase == .alarmed)
  }
}
