import Quantities
import Testing

@testable import SIM7000

/// The network: how long it is waited for, and what is done when it does not come.
@Suite struct RegistrationTests {
  private func modem(_ change: (inout ModemConfiguration) -> Void = { _ in }) -> ScriptedModem {
    ScriptedModem(
      ScriptedModem.configuration {
        $0.smsNumber = TelephoneNumber()
        $0.deliveryTimeout = .seconds(36_000)
        change(&$0)
      }, isOn: true)
  }

  /// A modem that was asked about its registration for the first time just now, and has a packet.
  private func asked(_ registration: String, _ change: (inout ModemConfiguration) -> Void = { _ in }) -> ScriptedModem {
    let modem = modem(change)
    modem.registration = registration
    modem.submit(by: .http)
    modem.run(for: .seconds(10)) { $0.count("+CEREG?") == 0 }
    return modem
  }

  /// A modem that answers with `OK` alone is asked whether it is attached.
  @Test(arguments: [("1", true), ("0", false)]) func aRegistrationWithoutALineIsAskedForByAttachment(
    attached: String, isDelivered: Bool
  ) {
    let modem = modem()
    modem.script = { _, command, _ in
      switch command {
      case "+CEREG?", "+CGREG?": .say(["OK"])
      case "+CGATT?": .say(["+CGATT: \(attached)", "OK"])
      default: nil
      }
    }
    modem.submit(by: .http)
    #expect(modem.deliver(within: .seconds(20)) == isDelivered)
    #expect((modem.count("+CGATT?") == 1) == isDelivered && modem.recoveries.isEmpty)
  }

  /// One that has its line is not.
  @Test func aRegistrationThatIsToldIsNotAskedForOtherwise() {
    let modem = asked("2")
    modem.run(for: .seconds(20))
    #expect(modem.count("+CGATT?") == 0)
  }

  /// Each remedy makes the search begin anew, so that the next one has to be waited for longer.
  @Test(arguments: [("0", 12), ("0", 45), ("0", 200), ("0", 800), ("2", 200), ("2", 600), ("2", 850)])
  func aModemThatFindsItsNetworkWithinAQuarterOfAnHourIsLetFindIt(state: String, seconds: Int) {
    let modem = modem()
    modem.script = { modem, command, _ in
      guard command == "+CEREG?" || command == "+CGREG?" else { return nil }
      let begun = max(modem.times("+CFUN=1").last ?? .zero, modem.times(of: .started).last ?? .zero)
      let isFound = modem.now - begun >= .seconds(seconds)
      return .say(["\(command.dropLast()): 1,\(isFound ? "1" : state)", "OK"])
    }
    modem.submit(by: .http)
    #expect(modem.deliver(within: .seconds(1800)), "\(modem.recoveries)")
    #expect(!modem.recoveries.contains { $0.trouble == .supply })
    // One that needs a few seconds is not reset for it.
    if seconds < 25 { #expect(modem.recoveries.map(\.rung) == [.radio]) }
  }

  /// What is put off until the next lap is not done when the network comes meanwhile.
  @Test func aNetworkThatComesBeforeTheNextLapIsUsed() {
    let modem = asked("0")
    modem.run(for: .seconds(900)) { modem in
      modem.recoveries.count { $0.rung == .radio } < 2
    }
    let begun = modem.now
    let cycles = modem.count("+CFUN=0")
    modem.run(for: .seconds(20))
    modem.registration = "1"
    modem.say(["+CEREG: 1"])
    #expect(modem.deliver(within: .seconds(5)))
    #expect(modem.count("+CFUN=0") == cycles && modem.now - begun < .seconds(30))
  }

  // MARK: Denied

  @Test func aRefusalThatPassesWithinHalfAMinuteIsNone() {
    let modem = asked("3")
    modem.run(for: .seconds(29))
    #expect(modem.recoveries.isEmpty)
    modem.registration = "1"
    #expect(modem.deliver(within: .seconds(5)))
    #expect(modem.recoveries.isEmpty && modem.count("+CFUN") == 0)
  }

  @Test func aRefusalOfHalfAMinuteSwitchesTheRadio() {
    let modem = asked("3")
    let begun = modem.now
    modem.run(for: .seconds(40)) { $0.recoveries.isEmpty }
    #expect(modem.recoveries.map(\.rung) == [.radio] && modem.recoveries.map(\.trouble) == [.denied])
    #expect(modem.now - begun >= .seconds(30) && modem.now - begun < .seconds(32))
  }

  @Test func aSearchBetweenRefusalsBeginsTheirTimeAnew() {
    let modem = asked("3")
    for _ in 0..<6 {
      modem.run(for: .seconds(15))
      modem.say(["+CEREG: 2"])
      modem.run(for: .seconds(1))
      modem.say(["+CEREG: 3"])
    }
    #expect(modem.recoveries.isEmpty)
  }

  @Test func aRefusalTheSecondTimeIsWaitedForTwiceAsLong() throws {
    let modem = asked("3")
    modem.run(for: .seconds(40)) { $0.recoveries.isEmpty }
    let on = try #require(modem.run(for: .seconds(60)) { $0.count("+CFUN=1") == 0 } ? modem.now : nil)
    modem.run(for: .seconds(90)) { $0.recoveries.count < 2 }
    #expect(modem.now - on >= .seconds(60) && modem.now - on < .seconds(66))
  }

  /// The networks that it meets first refuse it in each search, and its own is the last that it finds.
  @Test(arguments: [(21, 30), (29, 40), (45, 110), (100, 350), (280, 1200)])
  func aModemThatIsRefusedBeforeItFindsItsNetworkIsLetFindIt(seconds: Int, limit: Int) {
    let modem = modem()
    modem.script = { modem, command, _ in
      guard command == "+CEREG?" || command == "+CGREG?" else { return nil }
      let begun = max(modem.times("+CFUN=1").last ?? .zero, modem.times(of: .started).last ?? .zero)
      return .say(["\(command.dropLast()): 0,\(modem.now - begun >= .seconds(seconds) ? "1" : "3")", "OK"])
    }
    modem.submit(by: .http)
    #expect(modem.deliver(within: .seconds(limit)), "\(modem.recoveries)")
    #expect(modem.recoveries.allSatisfy { $0.rung == .radio })
  }

  /// On GSM a firmware may have no `CEREG`, or say nothing of packets until the bearer is opened: what it says of circuits counts then.
  @Test(arguments: [
    ("ERROR", "ERROR"), ("ERROR", "+CGREG: 0,0"), ("ERROR", "+CGREG: 0,2"), ("+CME ERROR: 4", "+CGREG: 0,0"),
    ("+CEREG: 0,0", "+CGREG: 0,0"), ("+CEREG: 0,2", "+CGREG: 0,0"), ("+CEREG: 0,0", "ERROR"),
    ("+CEREG: 0,4", "+CGREG: 0,4"),
  ])
  func aFirmwareThatTellsOfCircuitsOnlyDelivers(evolved: String, packet: String) {
    for way in [ModemTransport.http, .legacyHTTP, .mqtt, .tcp, .sms] {
      let modem = modem { $0.smsNumber = TelephoneNumber("+31600000000") ?? TelephoneNumber() }
      modem.script = { _, command, _ in
        let answers = ["+CEREG?": evolved, "+CGREG?": packet, "+CREG?": "+CREG: 0,5", "+CGATT?": "+CGATT: 0"]
        return answers[command].map { .say($0.contains("ERROR") ? [$0] : [$0, "OK"]) }
      }
      modem.submit(by: way)
      #expect(modem.deliver(within: .seconds(60)), "\(way): \(modem.recoveries)")
      #expect(modem.outcomes == [.delivered(ticket: 7)] && modem.recoveries.isEmpty)
    }
  }

  /// Circuits say nothing of data where a network refuses it, and are not asked while a search may still end well.
  @Test func circuitsAreNotAskedWhereTheOthersTell() {
    for (state, seconds) in [("3", 29), ("2", 19)] {
      let modem = asked(state)
      modem.run(for: .seconds(seconds))
      #expect(modem.count("+CREG?") == 0)
    }
  }

  @Test func eachRefusalKeepsTheRadioOffForLonger() {
    let modem = asked("3")
    modem.run(for: .seconds(9000))
    let off = modem.times("+CFUN=0")
    let on = modem.times("+CFUN=1")
    for (place, least) in [10.0, 60, 120, 300, 900, 3600].enumerated() where place < on.count {
      let rest = (on[place] - off[place]).secondsDouble
      #expect(rest >= least && rest < least * 1.25 + 1, "\(place): \(rest) s")
    }
    #expect(on.count >= 5 && modem.recoveries.allSatisfy { $0.rung == .radio && $0.trouble == .denied })
  }

  @Test(arguments: [103, 106, 107, 111, 112, 113])
  func aRefusalToldAsAnErrorIsOneToo(code: Int) {
    let modem = modem()
    modem.script = { _, command, _ in command == "+CEREG?" || command == "+CGREG?" ? .say(["+CME ERROR: \(code)"]) : nil
    }
    modem.submit(by: .http)
    modem.run(for: .seconds(10)) { $0.count("+CEREG?") == 0 }
    let begun = modem.now
    modem.run(for: .seconds(60)) { $0.recoveries.isEmpty }
    #expect(modem.recoveries.map(\.trouble) == [.denied])
    #expect(modem.now - begun >= .seconds(30) && modem.now - begun < .seconds(33))
  }

  // MARK: Not registered

  @Test(arguments: [180, 60])
  func aNetworkIsWaitedForUntilItsTimeIsOver(seconds: Int) {
    let modem = asked("2") { if seconds != 180 { $0.registrationTimeout = .seconds(seconds) } }
    let begun = modem.now
    modem.run(until: begun + .seconds(seconds))
    #expect(modem.recoveries.isEmpty)
    modem.run(for: .seconds(3))
    #expect(modem.recoveries.map(\.rung) == [.radio] && modem.recoveries.map(\.trouble) == [.notRegistered])
  }

  @Test func bothKindsOfRegistrationAreAskedForAboutEachSecondAndAHalf() {
    let modem = asked("2")
    modem.run(for: .seconds(60))
    #expect(abs(modem.count("+CEREG?") - 40) <= 2 && abs(modem.count("+CGREG?") - 40) <= 2)
  }

  @Test func aNetworkThatComesInTimeNeedsNothing() {
    let modem = asked("2")
    modem.run(for: .seconds(179))
    modem.registration = "5"
    #expect(modem.deliver(within: .seconds(5)))
    #expect(modem.recoveries.isEmpty)
  }

  /// Lost twice, with a delivery between: each time the wait is the same and the radio is switched at its end.
  @Test func aRegistrationThatIsLostAgainIsSeenToAgain() {
    let modem = asked("1")
    modem.deliver(within: .seconds(10))
    for round in 1...3 {
      modem.run(for: .seconds(1000))
      modem.registration = "2"
      modem.say(["+CEREG: 2"])
      modem.submit(by: .http)
      let begun = modem.now
      modem.run(until: begun + .seconds(179))
      #expect(modem.recoveries.count == round - 1)
      modem.run(for: .seconds(6))
      #expect(modem.recoveries.count == round && modem.recoveries.last?.trouble == .notRegistered)
      #expect(modem.recoveries.last?.rung == .radio)
      modem.registration = "1"
      #expect(modem.deliver(within: .seconds(60)))
    }
    #expect(modem.count("+CFUN=0") == 3 && modem.count("+CFUN=1") == 3)
  }

  @Test func aRegistrationThatWasToldAndIsLostIsWaitedForAsLong() {
    let modem = asked("2")
    modem.run(for: .seconds(100))
    modem.say(["+CGREG: 1"])
    modem.deliver(within: .seconds(10))
    modem.run(for: .seconds(1000))
    modem.say(["+CGREG: 2"])
    modem.submit(by: .http)
    modem.run(for: .seconds(178))
    #expect(modem.recoveries.isEmpty)
    modem.run(for: .seconds(6))
    #expect(modem.recoveries.map(\.trouble) == [.notRegistered])
  }

  @Test func aRegistrationLostWithAPacketOnItsWayIsWaitedForFromThen() {
    let modem = asked("1")
    modem.script = { modem, command, _ in
      guard command.hasPrefix("+SHCONN"), modem.registration == "1" else { return nil }
      modem.registration = "2"
      modem.plan(["+CEREG: 2"], after: .milliseconds(1))
      return .say(["ERROR"])
    }
    modem.run(for: .seconds(10)) { $0.registration == "1" }
    let begun = modem.now
    modem.run(until: begun + .seconds(178))
    #expect(modem.recoveries.map(\.rung) == [.session])
    modem.run(for: .seconds(6))
    #expect(modem.recoveries.map(\.rung) == [.session, .radio])
  }

  /// The network went without a word, long after it was found: it is waited for from when that is noticed.
  @Test(arguments: [false, true])
  func aNetworkThatIsMissedLaterIsWaitedForAsLong(isTold: Bool) {
    let modem = asked(isTold ? "2" : "1")
    if isTold { modem.say(["+CGREG: 1"]) }
    modem.deliver(within: .seconds(10))
    modem.run(for: .seconds(1000))
    modem.registration = "2"
    modem.say(["+SHSTATE: 0"])
    modem.script = { modem, command, _ in command == "+SHCONN" && modem.registration == "2" ? .say(["ERROR"]) : nil }
    modem.submit(by: .http)
    modem.run(for: .seconds(60)) { $0.recoveries.last?.rung != .bearer }
    let begun = modem.now
    modem.run(until: begun + .seconds(175))
    #expect(modem.recoveries.map(\.rung) == [.session, .session, .bearer])
    modem.registration = "1"
    #expect(modem.deliver(within: .seconds(10)))
  }

  // MARK: What counts

  @Test(arguments: 0...11)
  func onlyStatesInWhichDataGoesAreRegistered(state: Int) {
    let isRegistered = [1, 5, 9, 10].contains(state)
    let modem = asked("\(state)")
    #expect(modem.deliver(within: .seconds(10)) == isRegistered, "asked")
    let told = asked("2")
    told.run(for: .seconds(5))
    told.say(["+CGREG: \(state)"])
    #expect(told.deliver(within: .milliseconds(1900)) == isRegistered, "told")
  }

  @Test func theCircuitSwitchedNetworkSaysNothingAboutData() {
    let modem = asked("2")
    modem.run(for: .seconds(5))
    modem.say(["+CREG: 1"])
    #expect(!modem.deliver(within: .seconds(2)))
    modem.registration = "1"
    #expect(modem.deliver(within: .seconds(5)))
    let asked = modem.count("+CEREG?")
    modem.say(["+CREG: 3"])
    modem.submit(by: .http)
    #expect(modem.deliver(within: .seconds(5)))
    #expect(modem.count("+CEREG?") == asked)
  }

  @Test func whenOneNetworkIsLostTheOtherIsAsked() {
    let modem = asked("1")
    modem.deliver(within: .seconds(10))
    modem.say(["+CGREG: 0"])
    let asked = modem.count("+CEREG?")
    modem.submit(by: .http)
    #expect(modem.deliver(within: .seconds(5)))
    #expect(modem.count("+CEREG?") == asked + 1)
  }

  /// On GSM a modem says of its packet network that it is there, and behind it that LTE is not. One that answers its queries with `OK`
  /// alone says it no other way.
  @Test(arguments: [true, false]) func whatOneNetworkHasToldIsNotTakenBackByTheOther(answers: Bool) {
    let modem = asked("2")
    modem.script = { _, command, _ in
      if command == "+CGATT?" { return .say(["+CGATT: 0", "OK"]) }
      return !answers && ["+CEREG?", "+CGREG?", "+CREG?"].contains(command) ? .say(["OK"]) : nil
    }
    for ticket in 1...3 {
      modem.run(for: .seconds(5))
      modem.say(["+CREG: 1"])
      modem.say(["+CGREG: 1"])
      modem.say(["+CEREG: 0"])
      #expect(modem.deliver(within: .seconds(8)), "packet \(ticket)")
      #expect(!modem.recoveries.contains { $0.trouble == .noBearer })
      // The same network is lost, and the packet that comes then waits for it.
      modem.say(["+CGREG: 2"])
      modem.submit(by: .http)
    }
  }

  @Test func goodNewsEndsTheWaitForIt() {
    let modem = asked("2")
    modem.run(for: .seconds(5))
    // In the middle of the second and a half between two questions.
    modem.run(for: .seconds(3)) { _ in modem.handle.modem.step != .packetQuery }
    modem.run(for: .milliseconds(300))
    modem.registration = "1"
    modem.say(["+CEREG: 1"])
    let begun = modem.now
    modem.run(for: .milliseconds(100)) { $0.count("+CNACT?", since: begun) == 0 }
    #expect(modem.count("+CNACT?", since: begun) == 1)
  }
}
