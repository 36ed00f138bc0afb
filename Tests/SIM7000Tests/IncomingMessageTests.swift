import Quantities
import Testing

@testable import SIM7000

/// Text messages to the tracker: each is obeyed once, and leaves the store.
@Suite struct IncomingMessageTests {
  private static func message(_ text: String) -> String {
    "+CMGR: \"REC UNREAD\",\"+31611111111\",,\"26/11/22,16:00:00+04\"\r\n\(text)"
  }

  /// A modem that was switched on by the driver and has the session for commands, so that the card is known.
  private func started(_ change: (inout ModemConfiguration) -> Void = { _ in }) -> ScriptedModem {
    let modem = ScriptedModem(ScriptedModem.configuration(change))
    modem.submit(by: .http)
    modem.deliver(within: .seconds(60))
    modem.run(for: .seconds(30))
    return modem
  }

  @Test func aStoredMessageIsHandedOverAndDeletedAndNotFoundAgain() {
    let modem = started()
    modem.store[2] = IncomingMessageTests.message("locate")
    let begun = modem.now
    modem.say(["+CMTI: \"SM\",2"])
    modem.run(for: .seconds(5))
    #expect(modem.replies == ["+31611111111\nlocate"])
    #expect(modem.commands.suffix(2) == ["+CMGR=2", "+CMGD=2"] && modem.store.isEmpty)
    // Read until two readings are alike.
    #expect(modem.count("+CMGR", since: begun) == 2)
    // Starts of the modem and of the driver find nothing to obey.
    modem.restartByItself()
    modem.submit(by: .http)
    modem.deliver(within: .seconds(60))
    modem.run(for: .seconds(60))
    modem.restartDriver(ScriptedModem.configuration())
    modem.submit(by: .http)
    modem.deliver(within: .seconds(60))
    modem.run(for: .seconds(60))
    #expect(modem.replies.count == 1)
  }

  /// The host may lose its power before it has kept what a message asked for: it is there until then, and for a new driver, which waits
  /// for nothing that the old one handed on. Packets go meanwhile.
  @Test func aMessageStaysInItsStoreUntilWhatItAskedForIsKept() {
    let modem = started()
    modem.handle.modem.keepsMessages = true
    for place in [2, 3] { modem.store[place] = IncomingMessageTests.message("locate \(place)") }
    modem.say(["+CMTI: \"SM\",2", "+CMTI: \"SM\",3"])
    modem.run(for: .seconds(60))
    #expect(modem.replies == ["+31611111111\nlocate 2"] && modem.count("+CMGD") == 0 && modem.store.count == 2)
    modem.submit(by: .http)
    modem.deliver(within: .seconds(60))
    #expect(modem.store.count == 2)
    modem.noteKept()
    modem.run(for: .seconds(5))
    #expect(modem.replies.count == 2 && modem.store[2] == nil && modem.store[3] != nil, "\(modem.log.suffix(30))")
    // More often than there is something to be told of.
    modem.noteKept()
    modem.noteKept()
    modem.run(for: .seconds(5))
    #expect(modem.store.isEmpty && modem.replies.count == 2)
    modem.store[1] = IncomingMessageTests.message("locate 1")
    modem.say(["+CMTI: \"SM\",1"])
    modem.run(for: .seconds(5))
    #expect(modem.replies.count == 3 && modem.store.count == 1)
    // The power goes, and what was handed on is handed on again.
    modem.restartDriver(ScriptedModem.configuration())
    modem.submit(by: .http)
    modem.deliver(within: .seconds(60))
    modem.run(for: .seconds(60))
    #expect(modem.replies.count == 4 && modem.replies.last == "+31611111111\nlocate 1" && modem.store.isEmpty)
  }

  /// A host that never says so stops no later message.
  @Test func aHostThatKeepsNothingIsWaitedForTwoMinutes() {
    let modem = started()
    modem.handle.modem.keepsMessages = true
    for place in [2, 3] { modem.store[place] = IncomingMessageTests.message("locate \(place)") }
    modem.say(["+CMTI: \"SM\",2", "+CMTI: \"SM\",3"])
    modem.run(for: .seconds(115))
    #expect(modem.replies.count == 1 && modem.store.count == 2)
    modem.run(for: .seconds(20))
    #expect(modem.replies.count == 2 && modem.store.count == 1)
    modem.run(for: .seconds(130))
    #expect(modem.store.isEmpty)
    // Once it does, its word counts for the next message, not for those of before.
    modem.store[1] = IncomingMessageTests.message("locate 1")
    modem.say(["+CMTI: \"SM\",1"])
    modem.run(for: .seconds(30))
    #expect(modem.replies.count == 3 && modem.store.count == 1)
    modem.noteKept()
    modem.run(for: .seconds(5))
    #expect(modem.store.isEmpty)
  }

  /// Found by the look before a rest: no rest begins while the host takes its time to keep what the first asked for, and none is left there.
  @Test(arguments: [IdlePolicy.off, .sleep, .powerSaving]) func noRestBeginsWhileAMessageIsToBeKept(idle: IdlePolicy) {
    let modem = ScriptedModem(
      ScriptedModem.configuration {
        $0.idle = idle
        $0.idleAfter = .seconds(20)
        $0.wiring.hasDTR = true
      })
    modem.handle.modem.keepsMessages = true
    modem.submit(by: .http)
    modem.deliver(within: .seconds(60))
    for place in [2, 3] { modem.store[place] = IncomingMessageTests.message("locate \(place)") }
    let begun = modem.now
    for count in 1...2 {
      for _ in 0..<60 where modem.replies.count < count { modem.run(for: .seconds(1)) }
      let told = modem.commands.count
      modem.run(for: .seconds(40))
      #expect(modem.replies.count == count && modem.store.count == 3 - count && modem.handle.modem.phase == .running)
      // Nor is it asked again and again whether it may.
      #expect(modem.commands.count <= told + 4, "\(modem.commands.suffix(6))")
      modem.noteKept()
    }
    modem.run(for: .seconds(60))
    #expect(modem.store.isEmpty && modem.replies.count == 2)
    switch idle {
    case .sleep: #expect(modem.handle.modem.phase == .asleep)
    case .off: #expect(modem.count("+CPOWD=1", since: begun) == 1)
    default: #expect(modem.count("+CPSMS=1", since: begun) == 1)
    }
  }

  /// Behind a start the card is busy for some seconds: the store is not taken for empty, whether it can be listed or not, before a rest of
  /// hours.
  @Test(arguments: [true, false]) func aBusyCardIsNoEmptyStore(isListed: Bool) {
    let modem = ScriptedModem(
      ScriptedModem.configuration {
        $0.idle = .off
        $0.idleAfter = .seconds(20)
      })
    modem.store[2] = IncomingMessageTests.message("locate")
    var busyUntil = Instant.zero
    modem.script = { modem, command, _ in
      guard command.hasPrefix("+CMGL") || command.hasPrefix("+CMGR") else { return nil }
      if busyUntil == .zero { busyUntil = modem.now + .seconds(8) }
      if modem.now < busyUntil { return .say(["+CMS ERROR: 314"]) }
      return command.hasPrefix("+CMGL") && !isListed ? .say(["ERROR"]) : nil
    }
    modem.submit(by: .http)
    modem.deliver(within: .seconds(60))
    modem.run(for: .seconds(120))
    #expect(modem.replies == ["+31611111111\nlocate"] && modem.store.isEmpty)
    #expect(modem.handle.modem.phase == .off)
    // Once a second, and packets go meanwhile.
    #expect((5...12).contains(modem.commands.count { $0.hasPrefix("+CMGL") || $0 == "+CMGR=1" }), "\(modem.commands)")
  }

  /// A card that was out in the midst of a look is looked at anew: what it refused before may be there.
  @Test func aLookThatTheCardBrokeOffIsBegunAnew() {
    let modem = ScriptedModem()
    modem.listsStore = false
    modem.store = [2: IncomingMessageTests.message("two"), 3: IncomingMessageTests.message("three")]
    var outSince: Instant?
    modem.script = { modem, command, _ in
      guard command.hasPrefix("+CMGR") else { return nil }
      guard let since = outSince else {
        guard command == "+CMGR=2" else { return nil }
        outSince = modem.now
        modem.cardReady = modem.now + .seconds(28)
        modem.plan(["+CPIN: NOT INSERTED"], after: .milliseconds(5))
        modem.plan(["+CPIN: READY"], after: .seconds(28))
        modem.plan(["SMS Ready"], after: .seconds(30))
        return .say(["+CMS ERROR: 310"])
      }
      return modem.now < since + .seconds(31) ? .say(["+CMS ERROR: 314"]) : nil
    }
    modem.submit(by: .http)
    modem.deliver(within: .seconds(60))
    modem.run(for: .seconds(60))
    #expect(modem.replies.sorted() == ["+31611111111\nthree", "+31611111111\ntwo"], "\(modem.replies)")
  }

  /// A card that is out for a moment keeps its messages, and both are read when it is back.
  @Test func aCardThatIsOutForAMomentKeepsItsMessages() {
    let modem = started()
    modem.store = [1: IncomingMessageTests.message("one"), 2: IncomingMessageTests.message("two")]
    let begun = modem.now
    modem.script = { modem, command, _ in
      command.hasPrefix("+CMGR") && modem.now < begun + .seconds(5) ? .say(["+CMS ERROR: 310"]) : nil
    }
    modem.say(["+CMTI: \"SM\",1", "+CMTI: \"SM\",2"])
    modem.run(for: .seconds(10))
    #expect(modem.replies == ["+31611111111\none", "+31611111111\ntwo"] && modem.store.isEmpty, "\(modem.replies)")
  }

  /// One that is always busy is given up.
  @Test func aCardThatIsAlwaysBusyHoldsUpNothing() {
    let modem = ScriptedModem(ScriptedModem.configuration { $0.idle = .off })
    modem.script = { _, command, _ in
      command.hasPrefix("+CMGL") || command.hasPrefix("+CMGR") ? .say(["+CMS ERROR: 314"]) : nil
    }
    modem.submit(by: .http)
    #expect(modem.deliver(within: .seconds(60)))
    modem.run(for: .seconds(200))
    #expect(modem.handle.modem.phase == .off && modem.recoveries.isEmpty)
  }

  /// What comes in the midst of everything puts answers in doubt: the modem is told once after each start to keep it.
  @Test(arguments: ["+CBM: 1,50,0,1,1", "+CMT: \"+31611111111\",,\"26/11/22,16:00:00+04\""])
  func whatComesUnaskedIsSwitchedOffOnce(line: String) {
    for isTaken in [true, false] {
      let modem = ScriptedModem()
      modem.submit(by: .mqtt)
      modem.deliver(within: .seconds(60))
      modem.run(for: .seconds(60))
      modem.script = { _, command, _ in command == "+CNMI=2,1,0" && !isTaken ? .say(["ERROR"]) : nil }
      #expect(modem.count("+CNMI=2,1,0") == 0)
      for start in 1...2 {
        for _ in 0..<3 {
          modem.hand(Array("\r\n\(line)\r\nAmsterdam\r\n".utf8))
          modem.run(for: .seconds(5))
        }
        #expect(modem.count("+CNMI=2,1,0") == start)
        modem.restartByItself()
        modem.run(for: .seconds(60))
      }
      #expect(modem.recoveries.isEmpty)
    }
  }

  @Test func messagesFoundInTheStoreAreObeyedOnceAndDeleted() {
    let modem = ScriptedModem()
    modem.store = [1: IncomingMessageTests.message("one"), 3: IncomingMessageTests.message("two\r\nlines")]
    modem.submit(by: .http)
    modem.deliver(within: .seconds(60))
    modem.run(for: .seconds(30))
    #expect(modem.replies == ["+31611111111\none", "+31611111111\ntwo\nlines"])
    #expect(modem.store.isEmpty)
    let reads = modem.commands.filter { $0.hasPrefix("+CMGR") || $0.hasPrefix("+CMGD") }
    #expect(reads == ["+CMGR=1", "+CMGR=1", "+CMGD=1", "+CMGR=3", "+CMGR=3", "+CMGD=3"])
  }

  /// The modem has been on for long, its notices are past: the card has to be asked for.
  @Test func aDriverThatStartsAfterItsModemFindsTheMessages() {
    let modem = ScriptedModem(isOn: true)
    modem.store = [1: IncomingMessageTests.message("one")]
    modem.run(for: .seconds(320))
    #expect(modem.replies == ["+31611111111\none"] && modem.store.isEmpty)
    modem.store[2] = IncomingMessageTests.message("two")
    modem.say(["+CMTI: \"SM\",2"])
    modem.run(for: .seconds(5))
    #expect(modem.replies.last == "+31611111111\ntwo")
  }

  /// The card is only known by its answer.
  @Test func messagesAreFoundThoughTheFirstQueryOfTheCardHadNoAnswer() {
    let modem = ScriptedModem(isOn: true)
    modem.store = [1: IncomingMessageTests.message("one")]
    modem.script = { modem, command, _ in command == "+CPIN?" && modem.count(command) == 1 ? .nothing : nil }
    modem.run(for: .seconds(60))
    #expect(modem.count("+CPIN?") == 2 && modem.replies == ["+31611111111\none"] && modem.store.isEmpty)
  }

  /// And is not deleted unread.
  @Test func anAnnouncedMessageThatCanNotBeReadIsLeftAndTheNextIsRead() {
    let modem = started()
    modem.script = { _, command, _ in command == "+CMGR=1" ? .say(["+CMS ERROR: 500"]) : nil }
    modem.store[2] = IncomingMessageTests.message("two")
    modem.say(["+CMTI: \"SM\",1", "+CMTI: \"SM\",2"])
    modem.run(for: .seconds(5))
    let reads = modem.commands.filter { $0.hasPrefix("+CMGR") || $0.hasPrefix("+CMGD") }
    #expect(reads == ["+CMGR=1", "+CMGR=2", "+CMGR=2", "+CMGD=2"])
    #expect(modem.replies == ["+31611111111\ntwo"])
  }

  @Test func theStoreIsLookedThroughUpToItsEndOncePerStart() {
    let modem = ScriptedModem()
    modem.storeSize = 200
    modem.listsStore = false
    modem.submit(by: .http)
    modem.deliver(within: .seconds(60))
    modem.run(for: .seconds(700))
    // Later looks, each five minutes, see the places that a message comes to first.
    let places = Array(1...50) + Array(1...8) + Array(1...8)
    #expect(modem.commands.filter { $0.hasPrefix("+CMGR") } == places.map { "+CMGR=\($0)" })
    modem.storeSize = 2
    modem.restartByItself()
    let begun = modem.now
    modem.submit(by: .http)
    modem.deliver(within: .seconds(60))
    modem.run(for: .seconds(700))
    // An empty place may be an error: that is not the end.
    #expect(
      modem.heard.filter { $0.time > begun && $0.command.hasPrefix("+CMGR") }.map(\.command)
        == places.map { "+CMGR=\($0)" })
  }

  /// One place of the store is being read when another message is announced.
  @Test func aMessageAnnouncedWhileAnotherIsReadIsReadToo() {
    let modem = ScriptedModem()
    modem.storeSize = 9
    modem.store[1] = IncomingMessageTests.message("old")
    modem.script = { modem, command, _ in
      guard command == "+CMGR=1", modem.store[5] == nil else { return nil }
      modem.store[5] = IncomingMessageTests.message("new")
      modem.plan(["+CMTI: \"SM\",5"], after: .milliseconds(5))
      return .late(.milliseconds(200))
    }
    modem.submit(by: .http)
    modem.deliver(within: .seconds(60))
    modem.run(for: .seconds(30))
    #expect(modem.replies == ["+31611111111\nold", "+31611111111\nnew"] && modem.store.isEmpty)
    #expect(modem.commands.filter { $0.hasPrefix("+CMGD") } == ["+CMGD=1", "+CMGD=5"])
  }

  @Test(arguments: [false, true])
  func aMessageWhoseAnswerIsLostIsReadAgain(isAnnounced: Bool) {
    let modem = started()
    var isLost = true
    modem.script = { _, command, _ in
      guard command.hasPrefix("+CMGR"), isLost else { return nil }
      isLost = false
      return .nothing
    }
    modem.store[2] = IncomingMessageTests.message("locate")
    if isAnnounced { modem.say(["+CMTI: \"SM\",2"]) } else { modem.restartByItself() }
    modem.run(for: .seconds(60))
    #expect(modem.replies == ["+31611111111\nlocate"] && modem.store.isEmpty)
  }

  @Test func aMessageWhoseAnswerIsAlwaysLostDoesNotBlockTheOthers() {
    let modem = started()
    modem.script = { _, command, _ in command == "+CMGR=1" ? .nothing : nil }
    modem.store = [1: "", 2: IncomingMessageTests.message("two")]
    modem.say(["+CMTI: \"SM\",1", "+CMTI: \"SM\",2"])
    modem.run(for: .seconds(60))
    #expect(modem.commands.filter { $0 == "+CMGR=1" }.count == 3)
    #expect(modem.replies == ["+31611111111\ntwo"] && modem.store.count == 1)
  }

  /// Not told, or longer than a number can be.
  @Test(arguments: ["", "+316111111112222222222333"])
  func aMessageWithoutItsSenderIsHandedOverAndDeletedToo(sender: String) {
    for isAnnounced in [true, false] {
      let modem = started()
      modem.store[1] = "+CMGR: \"REC UNREAD\",\"\(sender)\",,\"26/11/22,16:00:00+04\"\r\nlocate"
      if isAnnounced { modem.say(["+CMTI: \"SM\",1"]) } else { modem.restartByItself() }
      modem.run(for: .seconds(60))
      #expect(modem.replies == ["\nlocate"] && modem.store.isEmpty, "\(isAnnounced)")
    }
  }

  @Test func eightAnnouncedMessagesWait() {
    let modem = started()
    modem.storeSize = 30
    modem.script = { _, command, _ in command == "+CSQ" ? .late(.seconds(4)) : nil }
    modem.run(for: .seconds(400)) { $0.handle.modem.step != .signalQuery }
    for place in 1...8 {
      modem.store[place] = IncomingMessageTests.message("no. \(place)")
      modem.say(["+CMTI: \"SM\",\(place)"])
    }
    modem.run(for: .seconds(30))
    #expect(modem.replies == (1...8).map { "+31611111111\nno. \($0)" })
    #expect(modem.store.isEmpty)
  }

  @Test func aMessageThatIsNotStoredHasItsTextInTheNextLine() {
    let modem = started()
    modem.say(["+CMT: \"+31611111111\",,\"26/11/22,16:00:00+04\"", "dismiss"])
    modem.run(for: .milliseconds(110))
    #expect(modem.replies == ["+31611111111\ndismiss"])
    // Only the next line.
    modem.say(["SMS something"])
    #expect(modem.replies.count == 1)
    #expect(modem.handle.modem.diagnostics.linesUnknown == 1)
    // What looks like a notice is the text all the same.
    modem.say(["+CMT: \"+31611111111\",,\"26/11/22,16:00:00+04\"", "+CMTI: \"SM\",1"])
    modem.run(for: .milliseconds(110))
    #expect(modem.replies.last == "+31611111111\n+CMTI: \"SM\",1")
  }

  /// Where messages come as digits, so does one that is not stored. It comes once: what is not as long as it says is no request.
  @Test func aMessageThatIsNotStoredMayComeAsDigits() {
    let digits = "07911326040000F0040B911346610089F60000208062917314080CC8F71D14969741F977FD07"
    for header in ["+CMT: \"\",30", "+CMT: ,30", "+CMT: \"A name\",30"] {
      let modem = started()
      modem.say([header, digits])
      modem.run(for: .milliseconds(110))
      #expect(modem.replies == ["+31641600986\nHow are you?"], "\(header)")
    }
    for (header, text) in [
      ("+CMT: \"\",31", digits), ("+CMT: \"\",30", String(digits.dropLast(2))),
      ("+CMT: \"\",30", "x" + digits.dropFirst()),
      ("+CMT: \"\"", digits), ("+CMT: \"\",", digits), ("+CMT: \"\",30", ""), ("+CMT: \"\",0", ""),
    ] {
      let modem = started()
      let before = modem.handle.modem.diagnostics.linesUnknown
      modem.say([header, text])
      modem.run(for: .milliseconds(110))
      #expect(modem.replies == [], "\(header) \(text)")
      #expect(modem.handle.modem.diagnostics.linesUnknown > before)
    }
  }

  @Test func withoutANumberNoMessageIsLookedFor() {
    let modem = ScriptedModem(ScriptedModem.configuration { $0.smsNumber = TelephoneNumber() })
    modem.store = [1: IncomingMessageTests.message("one")]
    modem.submit(by: .http)
    modem.deliver(within: .seconds(60))
    modem.say(["+CMTI: \"SM\",1"])
    modem.run(for: .seconds(900))
    #expect(modem.commands.allSatisfy { !$0.hasPrefix("+CMG") } && modem.replies.isEmpty)
  }

  /// Only receiving wants notices, and the store is looked at without.
  @Test func noticesThatAreRefusedThreeTimesAreDoneWithout() {
    let modem = ScriptedModem()
    modem.script = { _, command, _ in command == "+CNMI=2,1" ? .say(["+CMS ERROR: 500"]) : nil }
    modem.store = [1: IncomingMessageTests.message("one")]
    modem.submit(by: .http)
    modem.deliver(within: .seconds(60))
    modem.run(for: .seconds(60))
    #expect(modem.recoveries.isEmpty && modem.count("+CNMI") == 3 && modem.replies.count == 1)
  }

  @Test func messageSettingsThatFailTenTimesAreATrouble() {
    let modem = ScriptedModem()
    modem.script = { _, command, _ in command == "+CMGF=1" ? .say(["+CMS ERROR: 500"]) : nil }
    modem.submit(by: .sms)
    modem.run(for: .seconds(60)) { $0.recoveries.isEmpty }
    #expect(modem.recoveries.map(\.trouble) == [.refused] && modem.recoveries.map(\.rung) == [.retry])
    #expect(modem.count("+CMGF=1") == 10)
    for (first, second) in zip(modem.times("+CMGF=1"), modem.times("+CMGF=1").dropFirst()) {
      #expect(second - first > .seconds(1) && second - first < .milliseconds(1200))
    }
  }
}
