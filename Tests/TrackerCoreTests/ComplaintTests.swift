import Foundation
import Rules
import Testing
import TrackerCore
import TrackerRuntime

/// What an owner is told of a text that is no request: which word is wrong, and what is expected there.
@Suite struct ComplaintTests {
  @Test(arguments: [
    (
      "dismiss it",
      "can't read 'it' after 'dismiss'; expected the number of an alert, as in dismiss ALERT"
    ),
    (
      "dismiss",
      "'dismiss' is not complete; expected the number of an alert, as in dismiss ALERT"
    ),
    (
      "#17 dismiss it",
      "can't read 'it' after 'dismiss'; expected the number of an alert, as in dismiss ALERT"
    ),
    (
      "track off 5",
      "can't read '5' after 'track off'; expected nothing more, as in track off|SECONDS DURATION"
    ),
    (
      "track 10 604801",
      "can't read '604801' after 'track 10'; expected seconds, a week at most, as in track off|SECONDS DURATION"
    ),
    (
      "buzzer 3601",
      "can't read '3601' after 'buzzer'; expected seconds, an hour at most, as in buzzer SECONDS [steady|pulse]"
    ),
    (
      "buzzer 5 loud",
      "can't read 'loud' after 'buzzer 5'; expected steady or pulse, as in buzzer SECONDS [steady|pulse]"
    ),
    ("alerts maybe", "can't read 'maybe' after 'alerts'; expected on or off, as in alerts on|off"),
    ("locate me", "can't read 'me' after 'locate', which takes no words"),
    (
      "odometer ad 5",
      "can't read 'ad' after 'odometer'; expected set, add or carried, as in odometer [set METRES|add METRES|carried]"
    ),
    (
      "odometer set x",
      "can't read 'x' after 'odometer set'; expected metres, as in odometer [set METRES|add METRES|carried]"
    ),
    ("get reports.distnce", "unknown setting 'reports.distnce'; did you mean 'reports.distance'?"),
    (
      "checkpoint \"a title with too many\"",
      "can't read '\"a title with too many\"' after 'checkpoint'; expected a title of up to 19 bytes, in quotes if it has spaces, "
        + "as in checkpoint [TITLE] [note TEXT] [picture NAME]"
    ),
    (
      "checkpoint \"  \"",
      "can't read '\"  \"' after 'checkpoint'; expected a title of up to 19 bytes, in quotes if it has spaces, "
        + "as in checkpoint [TITLE] [note TEXT] [picture NAME]"
    ),
    (
      "checkpoint bridge nota windy",
      "can't read 'nota' after 'checkpoint bridge'; expected note or picture, as in checkpoint [TITLE] [note TEXT] [picture NAME]"
    ),
    (
      "profile set name Rex kind wolf",
      "can't read 'wolf' after 'profile set name Rex kind'; expected dog, cat, horse, bike or other, "
        + "as in profile [set FIELD VALUE...|FIELD [VALUE]|delete]"
    ),
    (
      "#x locate",
      "can't read '#x locate'; expected a request, after its number (#17) and before its signature if it has them"
    ),
  ])
  func theWrongWordIsNamed(text: String, complaint: String) {
    #expect(Request(text: text) == nil && RequestKind.complaint(about: text) == complaint)
  }

  @Test(arguments: [
    (
      "fence 1 set x square 52,4 9",
      "'square' after 'fence 1 set x'; expected circle, polygon or corridor, as in fence "
    ),
    ("fence set x square 52,4 9", "'square' after 'fence set x'; expected circle, polygon or corridor, as in fence "),
    (
      "fence 1 set \"my garden\" square",
      "'square' after 'fence 1 set \"my garden\"'; expected circle, polygon or corridor,"
    ),
    (
      "fence 256 on",
      "'256' after 'fence'; expected a number from 1 to 255, set, only, list or clear, as in"
    ),
    (
      "fence 1 set x circle 52.0 50",
      "'52.0' after 'fence 1 set x circle'; expected a place as 52.0,4.0, or here, as in"
    ),
    (
      "fence 1 set x circle 52.0,4.0 -5",
      "'-5' after 'fence 1 set x circle 52.0,4.0'; expected its radius, 1 to 1000000 m, as in"
    ),
    (
      "fence 1 set x polygon 52.0,4.0 52.1",
      "'52.1' after 'fence 1 set x polygon 52.0,4.0'; expected a place as 52.0,4.0, or hole"
    ),
    (
      "fence 1 set \"my garden circle 52.0,4.0 50",
      "'\"my garden circle 52.0,4.0 50' after 'fence 1 set'; expected a closing quote with a space or nothing behind it"
    ),
    (
      "place 3 on",
      "'on' after 'place 3'; expected set or delete, as in place list|clear|NUMBER [set PLACE|delete], with "
        + "examples in"
    ),
    (
      "alarm 1 set x at 7:30",
      "'7:30' after 'alarm 1 set x at'; expected a time as 07:30, as in alarm "
    ),
    (
      "alarm 1 set x at 07:30 funday",
      "'funday' after 'alarm 1 set x at 07:30'; expected days, inside, outside, nofix, sound, snooze or disabled, each "
        + "once"
    ),
    (
      "alarm 1 set x at 07:30 from 10:00 to 11:00",
      "'from' after 'alarm 1 set x at 07:30'; expected days,"
    ),
    (
      "alarm 1 set x stay 0 inside 1",
      "'0' after 'alarm 1 set x stay'; expected minutes, 1 to 1440, as in"
    ),
    (
      "alarm 1 set x at 07:30 sound 3601",
      "'3601' after 'alarm 1 set x at 07:30 sound'; expected seconds, 0 to 3600,"
    ),
    (
      "alarm 1 set x at 07:30 sound 5 sound 6",
      "'sound' after 'alarm 1 set x at 07:30 sound 5'; expected days, inside,"
    ),
    (
      "alarm 1 set x guard from 08:00 until 09:00",
      "'until' after 'alarm 1 set x guard from 08:00'; expected 'to' and a time,"
    ),
    (
      "alarm 1 set x guard 08:00",
      "'08:00' after 'alarm 1 set x guard'; expected inside, outside, from, nofix, sound, snooze or disabled, each once,"
    ),
    (
      "alarm 1 set x guard from 08:00 to 09:00 funday",
      "'funday' after 'alarm 1 set x guard from 08:00 to 09:00'; expected days, inside, outside, nofix, sound, snooze or"
    ),
    (
      "alarm 1 set x arrive outside 2",
      "'outside' after 'alarm 1 set x arrive'; expected inside and the number of a fence,"
    ),
    (
      "zone \(String(repeating: "A", count: 49))",
      "'\(String(repeating: "A", count: 49))' after 'zone'; expected UTC or a POSIX time zone as CET-1CEST,M3.5.0,M10.5.0/3, 48 "
        + "bytes at most, as in zone"
    ),
  ])
  func inARuleToo(text: String, complaint: String) {
    let told = RequestKind.complaint(about: text)
    #expect(Request(text: text) == nil && told.hasPrefix("can't read \(complaint)"), "\(told)")
    #expect(!told.contains("\n"))
  }

  @Test func whatIsMissingIsSaid() {
    for (text, missing) in [
      ("fence", "'fence' is not complete; expected a number from 1 to 255, set, only, list or clear,"),
      (
        "fence 1 set", "'fence 1 set' is not complete; expected a name of up to 32 bytes, in quotes if it has spaces,"
      ),
      (
        "fence 1 set x circle here",
        "'fence 1 set x circle here' is not complete; expected its radius, 1 to 1000000 m,"
      ),
      ("alarm 1 set x arrive", "'alarm 1 set x arrive' is not complete; expected inside and the number of a fence,"),
      (
        "alarm 1 set x at 07:30 nofix", "'alarm 1 set x at 07:30 nofix' is not complete; expected last, ring or skip,"
      ),
      ("fence only", "'fence only' is not complete; expected a number from 1 to 255,"),
      ("track 5", "'track 5' is not complete; expected seconds, a week"),
      ("privacy", "'privacy' is not complete; expected on or off,"),
      ("odometer set", "'odometer set' is not complete; expected metres,"),
    ] {
      let told = RequestKind.complaint(about: text)
      #expect(Request(text: text) == nil && told.hasPrefix(missing), "\(told)")
    }
  }

  /// What has words behind its own says what they may be: a new request, too.
  @Test(arguments: RequestKind.allCases)
  func everyRequestSaysWhatItExpects(kind: RequestKind) {
    let syntax = "\(kind.syntax)"
    let told = RequestKind.complaint(about: "\(kind.word) ~").components(separatedBy: "; expected ")
    if !syntax.contains(" ") {
      #expect(told == ["can't read '~' after '\(syntax)', which takes no words"])
    } else if told.count == 2 {
      #expect(told[1].contains(", as in \(syntax)") && !told[1].hasPrefix(syntax), "\(told)")
    } else {
      // Settings, and texts that may be anything.
      #expect(told[0].hasPrefix("unknown setting '~'") || Request(text: "\(kind.word) ~") != nil, "\(told)")
    }
  }

  /// The words of a type are all named, and each is taken.
  @Test func allWordsOfATypeAreNamed() {
    for (text, words) in [
      ("buzzer 5", SoundPattern.allCases.map { "\($0.word)" }),
      ("profile kind", Profile.Kind.allCases.map { "\($0.word)" }),
      ("alarm 1 set x at 07:30 nofix", PlacePolicy.allCases.map { "\($0.word)" }),
    ] {
      let told = RequestKind.complaint(about: "\(text) ~")
      let all = words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
      #expect(told.contains("; expected \(all), as in"), "\(told)")
      for word in words { #expect(Request(text: "\(text) \(word)") != nil) }
    }
  }

  /// The limits that are told are those by which a request is read.
  @Test(arguments: [
    ("near", 3600, "seconds, an hour at most"), ("buzzer", 3600, "seconds, an hour at most"),
    ("track 10", 604_800, "seconds, a week at most"), ("snooze", 120, "minutes, 1 to 120"),
    ("alarm 1 set x at 07:30 sound", 3600, "seconds, 0 to 3600"),
    ("alarm 1 set x at 07:30 snooze", 120, "minutes, 1 to 120"),
    ("alarm 1 set x quiet inside", 255, "the number of a fence, 1 to 255"),
    ("fence only", 255, "a number from 1 to 255"),
  ])
  func theLimitThatIsToldIsTheOneThatHolds(text: String, limit: Int, words: String) {
    #expect(Request(text: "\(text) \(limit)") != nil)
    #expect(RequestKind.complaint(about: "\(text) \(limit + 1)").contains("; expected \(words), as in"))
  }

  @Test(arguments: [
    ("checkpoint", 19, "a title of up to 19"), ("checkpoint x note", 69, "a note of 1 to 69"),
    ("checkpoint x picture", 32, "a picture's name or address of 1 to 32"), ("secure", 32, "a name of 1 to 32"),
    ("profile name", 32, "a text of up to 32"),
  ])
  func theBytesThatAreToldAreThoseThatFit(text: String, limit: Int, words: String) {
    #expect(Request(text: "\(text) \(String(repeating: "n", count: limit))") != nil)
    let told = RequestKind.complaint(about: "\(text) \(String(repeating: "n", count: limit + 1))")
    #expect(told.contains("\(words) bytes, in quotes if it has spaces"), "\(told)")
  }
}
