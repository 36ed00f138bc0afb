import Quantities
import Testing

@testable import SIM7000

/// The SIM card: what is given to it, how often, and what is done when it does not work.
@Suite struct CardTests {
  private func modem(pin: StaticString = "1234", isOn: Bool = true) -> ScriptedModem {
    ScriptedModem(
      ScriptedModem.configuration {
        $0.pin = ModemText(pin) ?? ModemText()
        $0.smsNumber = TelephoneNumber()
        $0.deliveryTimeout = .seconds(36_000)
      }, isOn: isOn)
  }

  /// A card that wants its PIN, and what it answers when it gets it.
  private func wantPIN(_ modem: ScriptedModem, answer: Play?, accepts: Bool = false) {
    modem.card = "SIM PIN"
    modem.script = { modem, command, _ in
      if command == "+CFUN=0" || command == "+CFUN=1,1" { modem.card = "SIM PIN" }
      guard command.hasPrefix("+CPIN=") else { return nil }
      if accepts { modem.card = "READY" }
      return answer
    }
  }

  /// Somebody left it without radio and card (`CFUN=0`, `CFUN=5`).
  @Test func aModemThatWasLeftWithoutItsRadioIsSwitchedOn() {
    for isThere in [true, false] {
      let modem = modem()
      modem.card = "NOT READY"
      modem.script = { modem, command, _ in
        if command == "+CFUN=1", isThere { modem.card = "READY" }
        return nil
      }
      modem.submit(by: .http)
      let isDelivered = modem.deliver(within: .seconds(12))
      #expect(
        isDelivered == isThere && modem.count("+CFUN=1") == 1 && modem.recoveries.isEmpty, "\(modem.log.suffix(30))")
    }
    // One that has just started has it on by itself.
    let other = modem(isOn: false)
    other.card = "NOT READY"
    other.submit(by: .http)
    other.run(for: .seconds(20))
    #expect(other.count("+CPIN?") > 3 && other.count("+CFUN=1") == 0)
  }

  @Test(arguments: ["ERROR", "+CME ERROR: 16", "+CME ERROR: incorrect password"])
  func aPINThatWasRefusedIsNeverGivenAgain(refusal: String) {
    let modem = modem()
    wantPIN(modem, answer: .say([refusal]))
    modem.submit(by: .http)
    for _ in 0..<6 {
      modem.run(for: .seconds(1200))
      modem.restartByItself()
      modem.run(for: .seconds(30))
      modem.say(["+CPIN: SIM PIN"])
    }
    #expect(modem.count("+CPIN=\"1234\"") == 1 && modem.count("+CPIN=") == 1)
    #expect(modem.recoveries.allSatisfy { $0.rung == .radio && $0.trouble == .simLocked } && !modem.recoveries.isEmpty)
  }

  @Test func aPINWhoseAnswerIsLostIsGivenOnceMoreAndNotAThirdTime() {
    for answer in [Play.nothing, .dead, .say(["+CME ERROR: 100"]), .say(["+CME ERROR: 13"])] {
      let modem = modem()
      wantPIN(modem, answer: answer)
      modem.submit(by: .http)
      for _ in 0..<4 {
        modem.run(for: .seconds(1200))
        modem.restartByItself()
      }
      modem.run(for: .seconds(600))
      #expect(modem.count("+CPIN=") == 2, "\(answer)")
    }
  }

  @Test func aBusyCardHasNotLookedAtThePIN() {
    let modem = modem()
    wantPIN(modem, answer: nil, accepts: true)
    let script = modem.script
    var busy = 4
    modem.script = { modem, command, number in
      if command.hasPrefix("+CPIN="), busy > 0 {
        busy -= 1
        return .say(["+CME ERROR: 14"])
      }
      return script(modem, command, number)
    }
    modem.submit(by: .http)
    #expect(modem.deliver(within: .seconds(60)))
    #expect(modem.count("+CPIN=") == 5 && modem.recoveries.isEmpty)
  }

  /// A card that is ready has its three tries again: answers that were lost long ago do not add up.
  @Test func aCardThatOpensMakesUpForLostAnswers() {
    let modem = modem()
    for start in 1...4 {
      wantPIN(modem, answer: .nothing, accepts: true)
      modem.restartByItself()
      modem.run(for: .seconds(5))
      modem.submit(by: .http)
      #expect(modem.deliver(within: .seconds(120)), "start \(start)")
      #expect(modem.count("+CPIN=") == start)
      modem.run(for: .seconds(3600))
    }
  }

  @Test(arguments: ["SIM PUK", "PH_SIM PIN", "PH_SIM PUK"])
  func aCardThatWantsMoreThanItsPINGetsNothing(state: String) {
    let modem = modem()
    modem.card = state
    modem.submit(by: .http)
    modem.run(for: .seconds(1600))
    #expect(modem.count("+CPIN=") == 0)
    #expect(modem.recoveries.allSatisfy { $0.rung == .radio && $0.trouble == .simLocked })
    // The first at once, then after 1, 2, 5 and 15 minutes, with up to a quarter more.
    let times = modem.recoveries.map(\.time.secondsDouble)
    #expect(times.count >= 5)
    for (place, wait) in [10.0, 60, 120, 300].enumerated() {
      let gap = times[place + 1] - times[place]
      #expect(gap >= wait && gap < wait * 1.25 + 6, "\(place): \(gap) s")
    }
    // Opened by its owner, it works on; a PIN it never wanted from us is not given now either.
    modem.card = "READY"
    #expect(modem.deliver(within: .seconds(4600)))
    #expect(modem.count("+CPIN=") == 0)
  }

  /// The number of an error has changed on the line: no card wants a PIN, and the next answer counts.
  @Test func aCardThatSeemedToWantAPINIsAskedAgain() {
    let modem = ScriptedModem()
    var answers = ["11", "14", "14", "10", "14"]
    modem.script = { _, command, _ in
      command == "+CPIN?" && !answers.isEmpty ? .say(["+CME ERROR: \(answers.removeFirst())"]) : nil
    }
    modem.submit(by: .http)
    #expect(modem.deliver(within: .seconds(60)))
    #expect(modem.recoveries.map(\.trouble) == [.simLocked])
  }

  @Test func aCardThatSaysByAnErrorThatItIsBlockedGetsNothing() {
    let modem = modem()
    modem.script = { _, command, _ in command == "+CPIN?" ? .say(["+CME ERROR: 12"]) : nil }
    modem.submit(by: .http)
    modem.run(for: .seconds(1200))
    #expect(modem.count("+CPIN=") == 0 && modem.recoveries.first?.trouble == .simLocked)
    #expect(modem.recoveries.allSatisfy { $0.rung == .radio })
  }

  @Test func aCardThatSaysByAnErrorThatItWantsItsPINGetsIt() {
    let modem = modem()
    var isOpen = false
    modem.script = { _, command, _ in
      if command.hasPrefix("+CPIN=") { isOpen = true }
      return command == "+CPIN?" && !isOpen ? .say(["+CME ERROR: 11"]) : nil
    }
    modem.submit(by: .http)
    #expect(modem.deliver(within: .seconds(30)))
    #expect(modem.count("+CPIN=\"1234\"") == 1)
  }

  @Test(arguments: [10, 13, 14])
  func aCardThatDoesNotAnswerIsAskedFifteenTimesBeforeTheRadioIsSwitched(code: Int) throws {
    let modem = modem()
    modem.card = "NOT INSERTED"
    modem.script = { _, command, _ in command == "+CPIN?" ? .say(["+CME ERROR: \(code)"]) : nil }
    modem.submit(by: .http)
    #expect(modem.run(for: .seconds(60)) { $0.recoveries.isEmpty })
    #expect(modem.recoveries[0].rung == .radio && modem.recoveries[0].trouble == .simFailure)
    let asked = modem.times("+CPIN?").map(\.secondsDouble)
    #expect(asked.count == 15)
    // Four times after a second, then after two.
    for (place, pair) in zip(asked, asked.dropFirst()).enumerated() {
      let gap = pair.1 - pair.0
      #expect(gap > (place < 4 ? 1 : 2) && gap < (place < 4 ? 1.1 : 2.1), "\(place): \(gap) s")
    }
    // Once more as often, then the modem is started anew.
    modem.run(for: .seconds(50))
    #expect(modem.recoveries.map(\.rung) == [.radio, .reset])
    #expect(modem.times("+CPIN?").count >= 30)
  }

  @Test(arguments: ["NOT INSERTED", "SIM PIN", "SIM PUK"])
  func aMissingOrLockedCardIsNoTroubleWhileNothingNeedsIt(card: String) {
    let modem = ScriptedModem(isOn: true)
    modem.card = card
    modem.run(for: .seconds(7200))
    #expect(modem.recoveries.isEmpty)
    // Once beside each look at the signal: the notice that it was put in may be lost.
    #expect(modem.count("+CPIN?") <= modem.count("+CSQ") + 1)
    #expect(modem.commands.count < 120)
  }

  @Test func aCardThatIsReadyEndsTheWait() {
    let modem = modem()
    modem.script = { _, command, _ in command == "+CPIN?" ? .say(["+CME ERROR: 14"]) : nil }
    modem.submit(by: .http)
    modem.run(until: .seconds(10))
    modem.run(for: .seconds(3)) { _ in modem.handle.modem.step == nil }
    modem.run(for: .milliseconds(500))
    let asked = modem.count("+CPIN?")
    modem.say(["+CPIN: READY"])
    modem.run(for: .milliseconds(100))
    #expect(modem.count("+CEREG?") >= 1 && modem.count("+CPIN?") == asked)
  }

  @Test func aCardThatIsTakenOutTakesTheNetworkAndTheSessionsWithIt() {
    for words in ["NOT READY", "NOT INSERTED"] {
      let modem = modem()
      modem.submit(by: .mqtt)
      modem.deliver(within: .seconds(30))
      modem.say(["+CPIN: \(words)"])
      let begun = modem.now
      modem.bearerIsUp = false
      modem.brokerIsUp = false
      modem.submit(by: .mqtt)
      #expect(modem.deliver(within: .seconds(30)))
      let again = ["+CPIN?", "+CEREG?", "+CNACT?", "+CNACT=1", "+SMSTATE?", "+SMCONN"]
      for command in again { #expect(modem.count(command, since: begun) == 1, "\(words): \(command)") }
      #expect(modem.recoveries.isEmpty)
    }
  }
}
