import ATCommands
import Quantities
import Testing

@testable import SIM7000

/// Text messages on a line that loses and changes: a request is told once and as it was sent, whatever happens between its coming
/// and its deletion.
@Suite struct MessageReadingTests {
  private static func words(_ text: String, second: Int = 0) -> String {
    "+CMGR: \"REC UNREAD\",\"+31611111111\",,\"26/11/22,16:00:\(10 + second)+04\"\r\n\(text)"
  }

  /// How are you, of 22 November 2026, 16:00:10, an hour east of Greenwich.
  private static let digits = "07911326040000F0040B911316111111F1000062112261000140" + "0CC8F71D14969741F977FD07"
  private static let coded = "+CMGR: 0,\"\",\(digits.utf8.count / 2 - 8)\r\n\(digits)"

  private func started(_ change: (inout ModemConfiguration) -> Void = { _ in }) -> ScriptedModem {
    let modem = ScriptedModem(ScriptedModem.configuration(change))
    modem.submit(by: .http)
    modem.deliver(within: .seconds(60))
    modem.run(for: .seconds(15))
    return modem
  }

  // MARK: Found without a notice

  @Test func aMessageWhoseNoticeWasSwallowedIsReadWithinFiveMinutes() {
    let modem = started()
    modem.store[2] = MessageReadingTests.words("locate")
    modem.run(for: .seconds(310))
    #expect(modem.replies == ["+31611111111\nlocate"] && modem.store.isEmpty)
    // An empty store costs one short command a look.
    let begun = modem.now
    modem.run(for: .seconds(3000))
    #expect(modem.count("+CMGL", since: begun) == 10 && modem.count("+CMGR", since: begun) == 0)
  }

  @Test(arguments: ["+CMI: \"SM\",2", "+CMTI: \"SM\"2", "+CMTI: \"SM\",9", "+CM", "+CEREG: 5+CMTI: \"SM\",2"])
  func aDamagedNoticeIsReasonToLook(line: String) {
    let modem = started()
    modem.run(for: .seconds(40))
    modem.store[2] = MessageReadingTests.words("locate")
    modem.say([line])
    modem.run(for: .seconds(2))
    #expect(modem.replies == ["+31611111111\nlocate"] && modem.store.isEmpty)
  }

  @Test func aStoreThatRefusesBeforeTheModemIsReadyIsLookedAtWhenItIs() {
    let modem = ScriptedModem()
    modem.script = { modem, command, _ in
      command.hasPrefix("+CMGL") || command.hasPrefix("+CMGR") ? .say(["+CMS ERROR: 302"]) : nil
    }
    modem.store[2] = MessageReadingTests.words("locate")
    modem.submit(by: .http)
    modem.deliver(within: .seconds(60))
    modem.run(for: .seconds(20))
    modem.messagesReadyAfter = .seconds(45)
    modem.restartByItself()
    modem.run(for: .seconds(40))
    #expect(modem.replies.isEmpty)
    modem.script = { _, _, _ in nil }
    modem.run(for: .seconds(10))
    #expect(modem.replies == ["+31611111111\nlocate"] && modem.store.isEmpty)
  }

  @Test func theStoreOfACardThatIsBackIsLookedAtAtOnce() {
    let modem = started()
    modem.card = "NOT INSERTED"
    modem.say(["+CPIN: NOT INSERTED"])
    modem.run(for: .seconds(100))
    modem.store[2] = MessageReadingTests.words("locate")
    modem.card = "READY"
    modem.say(["+CPIN: READY"])
    modem.run(for: .seconds(2))
    modem.say(["SMS Ready"])
    modem.run(for: .seconds(2))
    #expect(modem.replies == ["+31611111111\nlocate"] && modem.store.isEmpty)
  }

  @Test func aMessageWithoutItsNoticeIsFoundInAStoreThatCanNotBeListed() {
    let modem = started()
    modem.storeSize = 30
    modem.listsStore = false
    modem.run(for: .seconds(310))
    modem.store[2] = MessageReadingTests.words("locate")
    modem.run(for: .seconds(310))
    #expect(modem.replies == ["+31611111111\nlocate"] && modem.store.isEmpty)
  }

  /// A modem that chatters does not have its store listed all the time.
  @Test func damagedLinesLeadToALookInHalfAMinuteAtMost() {
    let modem = started()
    let begun = modem.now
    for _ in 0..<120 {
      modem.say(["+WHAT: 1"])
      modem.run(for: .seconds(1))
    }
    let looks = modem.times("+CMGL").filter { $0 >= begun }
    #expect(looks.count >= 3 && looks.count <= 4)
  }

  @Test func aTornNoticeWakesFromSleep() {
    let modem = started {
      $0.idle = .sleep
      $0.wiring.hasDTR = true
    }
    modem.run(for: .seconds(60))
    #expect(modem.handle.modem.phase == .asleep)
    modem.store[2] = MessageReadingTests.words("locate")
    modem.hand(Array("\r\n+CM".utf8))
    modem.run(for: .seconds(5))
    #expect(modem.replies == ["+31611111111\nlocate"] && modem.store.isEmpty)
    #expect(modem.handle.modem.phase == .asleep)
  }

  /// Its notice wakes the modem, and what is read then is damaged: it is not slept over.
  @Test(arguments: ["+CMGR", "+CMGR \"REC UNREAD\",\"+3161", "\u{7F}"])
  func aMessageThatWasReadInVainIsReadBeforeTheLongSleep(line: String) {
    let modem = started {
      $0.idle = .sleep
      $0.wiring.hasDTR = true
    }
    modem.run(for: .seconds(60))
    modem.store[2] = MessageReadingTests.words("locate")
    var isSpoilt = true
    modem.script = { _, command, _ in
      guard command == "+CMGR=2", isSpoilt else { return nil }
      isSpoilt = false
      return .say([line, "OK"])
    }
    modem.say(["+CMTI: \"SM\",2"])
    modem.run(for: .seconds(40))
    #expect(modem.replies == ["+31611111111\nlocate"] && modem.store.isEmpty)
    #expect(modem.handle.modem.phase == .asleep)
  }

  @Test(arguments: [IdlePolicy.off, .sleep, .powerSaving])
  func theStoreIsLookedAtBeforeARest(idle: IdlePolicy) {
    let modem = started {
      $0.idle = idle
      $0.wiring.hasDTR = true
    }
    modem.store[2] = MessageReadingTests.words("locate")
    modem.run(for: .seconds(12))
    #expect(modem.replies == ["+31611111111\nlocate"] && modem.store.isEmpty)
    let last = modem.heard.last { $0.command.hasPrefix("+CMGL") }
    let rest = modem.heard.last { $0.command.hasPrefix("+CPOWD") || $0.command.hasPrefix("+CPSMS=1") }
    if idle != .sleep { #expect(last.map { l in rest.map { $0.time > l.time } ?? false } ?? false) }
  }

  // MARK: Deletions

  /// The modem did not delete it, or did and did not say so.
  @Test(arguments: [false, true])
  func aDeletionWithoutAnAnswerIsMadeAgainAndTheMessageToldOnce(isDone: Bool) {
    let modem = started()
    var isLost = true
    modem.script = { modem, command, _ in
      guard command == "+CMGD=2", isLost else { return nil }
      isLost = false
      if isDone { modem.store[2] = nil }
      return .nothing
    }
    modem.store[2] = MessageReadingTests.words("locate")
    modem.say(["+CMTI: \"SM\",2"])
    modem.run(for: .seconds(60))
    #expect(modem.replies == ["+31611111111\nlocate"] && modem.store.isEmpty)
    #expect(modem.count("+CMGD=2") == (isDone ? 1 : 2))
  }

  /// The place was free and another message came to it before the driver knew.
  @Test func aMessageInThePlaceOfOneDeletedIsNotDeletedUnread() {
    let modem = started()
    var isLost = true
    modem.script = { modem, command, _ in
      guard command == "+CMGD=2", isLost else { return nil }
      isLost = false
      modem.store[2] = MessageReadingTests.words("dismiss", second: 5)
      return .nothing
    }
    modem.store[2] = MessageReadingTests.words("locate")
    modem.say(["+CMTI: \"SM\",2"])
    modem.run(for: .seconds(60))
    #expect(modem.replies == ["+31611111111\nlocate", "+31611111111\ndismiss"] && modem.store.isEmpty)
  }

  @Test func aStartBetweenTellingAndDeletingLosesNothingAndTellsNothingTwice() {
    let modem = started()
    var starts = 0
    modem.script = { modem, command, _ in
      guard command == "+CMGD=2", starts < 2 else { return nil }
      starts += 1
      modem.begin()
      return .dead
    }
    modem.store[2] = MessageReadingTests.words("locate")
    modem.say(["+CMTI: \"SM\",2"])
    modem.run(for: .seconds(120))
    #expect(starts == 2 && modem.store.isEmpty)
    #expect(modem.replies == ["+31611111111\nlocate"])
  }

  @Test func theSameTextSentAgainIsAnotherRequest() {
    let modem = started()
    for count in 1...3 {
      modem.store[1] = MessageReadingTests.words("locate")
      modem.say(["+CMTI: \"SM\",1"])
      modem.run(for: .seconds(5))
      #expect(modem.replies.count == count && modem.store.isEmpty)
    }
  }

  /// Told as digits, and found again as words.
  @Test func aMessageIsKnownAgainInItsOtherForm() {
    let modem = started()
    modem.takesDigits = true
    modem.handle.modem.quirks.hasNoDigits = false
    modem.script = { modem, command, _ in
      guard command == "+CMGD=2" else { return nil }
      modem.script = { _, _, _ in nil }
      modem.store[2] = "+CMGR: \"REC READ\",\"+31611111111\",\"\",\"26/11/22,16:00:10+04\"\r\nHow are you?"
      return .nothing
    }
    modem.store[2] = MessageReadingTests.coded
    modem.say(["+CMTI: \"SM\",2"])
    modem.run(for: .seconds(60))
    #expect(modem.replies == ["+31611111111\nHow are you?"] && modem.store.isEmpty)
  }

  @Test func aMessageThatCanNotBeDeletedIsToldOnceAndTheOthersAreRead() {
    let modem = started()
    modem.script = { _, command, _ in command == "+CMGD=1" ? .say(["+CMS ERROR: 500"]) : nil }
    modem.store = [1: MessageReadingTests.words("one"), 2: MessageReadingTests.words("two")]
    modem.say(["+CMTI: \"SM\",1", "+CMTI: \"SM\",2"])
    modem.run(for: .seconds(1500))
    #expect(modem.replies == ["+31611111111\none", "+31611111111\ntwo"])
    // At each look two readings and a try, not more.
    #expect(modem.count("+CMGD=1") <= 7 && modem.count("+CMGR=1") <= 14)
  }

  // MARK: Readings

  @Test func aReadingThatTheLineHasChangedIsNotObeyed() {
    let modem = started()
    var answers = ["lacate", "locate", "locete"].map { MessageReadingTests.words($0) }
    modem.script = { _, command, _ in
      command == "+CMGR=2" && !answers.isEmpty ? .say([answers.removeFirst(), "OK"]) : nil
    }
    modem.store[2] = MessageReadingTests.words("locate")
    modem.say(["+CMTI: \"SM\",2"])
    modem.run(for: .seconds(5))
    #expect(modem.replies == ["+31611111111\nlocate"] && modem.store.isEmpty)
    #expect(modem.count("+CMGR=2") == 8)
  }

  /// Where one reading was spoilt more may be, and alike: of words four have to agree then, and those that differ count against each other.
  @Test func whereTheLineIsBadTwoReadingsAreNotEnough() {
    let modem = started()
    var answers = ["locate", "lacate", "lacate"].map { MessageReadingTests.words($0) }
    modem.script = { _, command, _ in
      command == "+CMGR=2" && !answers.isEmpty ? .say([answers.removeFirst(), "OK"]) : nil
    }
    modem.store[2] = MessageReadingTests.words("locate")
    modem.say(["+CMTI: \"SM\",2"])
    modem.run(for: .seconds(5))
    #expect(modem.replies == ["+31611111111\nlocate"] && modem.store.isEmpty)
    // A line that was damaged not long ago is as much of a reason.
    let begun = modem.now
    modem.say(["+CM"])
    modem.store[1] = MessageReadingTests.words("status", second: 5)
    modem.say(["+CMTI: \"SM\",1"])
    modem.run(for: .seconds(5))
    #expect(modem.replies.count == 2 && modem.count("+CMGR=1", since: begun) == 4)
    modem.run(for: .seconds(60))
    let later = modem.now
    modem.store[1] = MessageReadingTests.words("unlock", second: 9)
    modem.say(["+CMTI: \"SM\",1"])
    modem.run(for: .seconds(5))
    #expect(modem.replies.count == 3 && modem.count("+CMGR=1", since: later) == 2)
  }

  /// A bad line may lose any of the eight ones of a number: three readings are spoilt alike behind a whole one.
  @Test func readingsThatDifferNeedAClearLead() {
    let modem = started()
    let whole = MessageReadingTests.words("locate")
    let short = whole.replacing("+31611111111", with: "+3161111111")
    var answers = [whole, short, short, short, short, whole]
    modem.script = { _, command, _ in
      command == "+CMGR=2" ? .say([answers.isEmpty ? whole : answers.removeFirst(), "OK"]) : nil
    }
    modem.store[2] = whole
    modem.say(["+CMTI: \"SM\",2"])
    modem.run(for: .seconds(5))
    // Nine readings have no clear lead: it stays where it is.
    #expect(modem.replies.isEmpty && modem.store.count == 1 && modem.count("+CMGR=2") == 9)
    // Soon the line may be better, and nobody has to wait for the next survey.
    modem.run(for: .seconds(40))
    #expect(modem.replies == ["+31611111111\nlocate"] && modem.store.isEmpty)
  }

  /// The same fault twice in a row: the line end between header and text is lost.
  @Test func aTextThatHasRunIntoItsHeaderIsNoEmptyMessage() {
    let modem = started()
    var spoilt = 2
    modem.script = { _, command, _ in
      guard command == "+CMGR=2", spoilt > 0 else { return nil }
      spoilt -= 1
      return .say([MessageReadingTests.words("locate").replacing("\r\n", with: ""), "OK"])
    }
    modem.store[2] = MessageReadingTests.words("locate")
    modem.say(["+CMTI: \"SM\",2"])
    modem.run(for: .seconds(5))
    #expect(modem.replies == ["+31611111111\nlocate"] && modem.store.isEmpty)
  }

  /// One digit less, one more, a header that is not there, a line that is not there.
  @Test func aReadingThatIsNotAsLongAsItsHeaderSaysIsMadeAgain() {
    let digits = MessageReadingTests.digits
    let header = "+CMGR: 0,\"\",\(digits.utf8.count / 2 - 8)"
    for spoilt in [[header + "\r\n" + digits.dropLast(2)], [header + "\r\n" + digits + "00"], [header], [digits]] {
      let modem = started()
      modem.takesDigits = true
      modem.handle.modem.quirks.hasNoDigits = false
      var isFirst = true
      modem.script = { _, command, _ in
        guard command == "+CMGR=2", isFirst else { return nil }
        isFirst = false
        return .say(spoilt + ["OK"])
      }
      modem.store[2] = MessageReadingTests.coded
      modem.say(["+CMTI: \"SM\",2"])
      modem.run(for: .seconds(40))
      #expect(modem.replies == ["+31611111111\nHow are you?"] && modem.store.isEmpty, "\(spoilt)")
    }
  }

  @Test func aMessageThatIsNotStoredAndComesWhileAnotherIsReadSpoilsNeither() {
    let modem = started()
    modem.takesDigits = true
    modem.handle.modem.quirks.hasNoDigits = false
    var isFirst = true
    modem.script = { modem, command, _ in
      guard command == "+CMGR=2", isFirst else { return nil }
      isFirst = false
      modem.plan(["+CMT: \"+31622222222\",,\"26/11/22,16:00:00+04\"", "dismiss"], after: .milliseconds(50))
      return .late(.milliseconds(300))
    }
    modem.store[2] = MessageReadingTests.coded
    modem.say(["+CMTI: \"SM\",2"])
    modem.run(for: .seconds(5))
    #expect(modem.replies == ["+31622222222\ndismiss", "+31611111111\nHow are you?"])
    #expect(modem.store.isEmpty)
  }

  @Test func whatCanNotBeReadIsDeletedAtTheThirdLookAndCounted() {
    let modem = started()
    modem.script = { _, command, _ in command == "+CMGR=1" ? .say(["+CMS ERROR: 500"]) : nil }
    modem.store[1] = MessageReadingTests.words("one")
    modem.say(["+CMTI: \"SM\",1"])
    modem.run(for: .seconds(400))
    #expect(modem.store.count == 1 && modem.handle.modem.diagnostics.messagesUnread == 0)
    modem.run(for: .seconds(600))
    #expect(modem.store.isEmpty && modem.handle.modem.diagnostics.messagesUnread == 1)
    #expect(modem.count("+CMGD=1") == 1 && modem.replies.isEmpty)
    // Another message at the same place has its own three.
    modem.store[1] = MessageReadingTests.words("two")
    modem.say(["+CMTI: \"SM\",1"])
    modem.run(for: .seconds(30))
    #expect(modem.store.count == 1)
  }

  /// A queue that nobody empties is no place for a request: the store is.
  @Test func aMessageForWhichThereIsNoRoomStaysInTheStore() {
    let modem = started()
    modem.storeSize = 20
    modem.fetchesReplies = false
    for place in 1...9 { modem.store[place] = MessageReadingTests.words("no. \(place)") }
    modem.run(for: .seconds(400))
    #expect(modem.store.keys.sorted() == [9])
    modem.fetchesReplies = true
    modem.fetchReplies(8)
    modem.run(for: .seconds(400))
    #expect(modem.replies == (1...9).map { "+31611111111\nno. \($0)" } && modem.store.isEmpty)
  }

  // MARK: What is remembered

  @Test func theLastEightMessagesAreRemembered() {
    func digest(_ number: Int64) -> MessageDigest {
      var digest = MessageDigest()
      digest.add(number)
      return digest
    }
    var told = ToldMessages()
    for number in 0..<9 { told.append(digest(Int64(number))) }
    #expect(!told.contains(digest(0)) && (1..<9).allSatisfy { told.contains(digest(Int64($0))) })
    told.remove(digest(4))
    #expect(!told.contains(digest(4)) && told.contains(digest(3)) && told.contains(digest(5)))
  }

  @Test func aPlaceIsGivenUpAtTheThirdFailureOfThreeIntervals() {
    var places = UnreadPlaces()
    func isGivenUp(_ place: UInt8, _ seconds: Int) -> Bool {
      places.count(place, at: .seconds(seconds), interval: .seconds(100))
    }
    let first = [isGivenUp(1, 0), isGivenUp(1, 99), isGivenUp(2, 99), isGivenUp(1, 100)]
    #expect(first == [false, false, false, false])
    let third = [isGivenUp(1, 200), isGivenUp(2, 200)]
    #expect(third == [true, false])
    places.clear(1)
    // There is no account of the places behind: they are left.
    let later = [isGivenUp(1, 300)] + [400, 500, 600, 700].map { isGivenUp(64, $0) }
    #expect(later.allSatisfy { !$0 })
  }

  @Test func theTimeOfAMessageIsTheSameInBothForms() throws {
    let bytes = Array(MessageReadingTests.digits.utf8)
    let line = Array("+CMGR: \"REC READ\",\"+31611111111\",\"\",\"26/11/22,16:00:10+04\"".utf8)
    let time = try #require(CMGR.Get.decode(ATLine(line.span))?.time?.utc)
    #expect(MessagePDU.time(bytes.span) == time)
    // West of Greenwich; a month that there is not.
    let west = Array(MessageReadingTests.digits.replacing("01400CC8", with: "01480CC8").utf8)
    #expect(MessagePDU.time(west.span) == time + .seconds(7200))
    let wrong = Array(MessageReadingTests.digits.replacing("621122", with: "623122").utf8)
    #expect(MessagePDU.time(wrong.span) == nil)
    for count in 0..<52 {
      let part = Array(bytes.prefix(count))
      #expect(MessagePDU.time(part.span) == nil)
    }
  }
}
