import Foundation
import LinuxRuntime
import Testing
import TrackerCore
import TrackerRuntime

@testable import LeashTool

@Test func theValueOfASettingIsShownWithItsNameAndUnit() {
  func line(_ request: String, _ answer: String?, _ value: String?) -> String {
    var reply = RequestReply()
    reply.answer = answer
    reply.value = value
    return reply.line(to: request)
  }
  #expect(line("get reports.distance", "setting", "777.0") == "reports.distance: 777.0 m")
  #expect(line("#17 get reports.phases", "setting", "riding+alarmed") == "reports.phases: riding+alarmed")
  #expect(line("buzzer 1 pulse", "sounding", nil) == "the buzzer sounds")
  #expect(line("alerts off", "alertsOff", nil) == "alerts are off")
  #expect(line("status", "asked", nil) == "status sent")
  #expect(line("status settings", "settings", "60 s 800 m") == "60 s 800 m")
  #expect(line("odometer", "odometerMeasured", "12000 31") == "odometer: 12000 m ± 31 m")
  #expect(line("odometer", "odometerImported", "12000 31") == "odometer: 12000 m ± 31 m, imported in part")
  #expect(line("odometer", "odometerCorrected", "12000 31") == "odometer: 12000 m ± 31 m, corrected")
  #expect(line("odometer add 5", "odometerImported", "12000") == "odometer before: 12000 m")
  #expect(line("info", "info", "11") == "refused requests: 11")
  #expect(line("gear add bike \"Red bike\"", "gearChanged", "Red bike") == "gear changed: Red bike")
  #expect(line("near", nil, nil) == "accepted" && line("near", "ofAnotherVersion", nil) == "ofAnotherVersion")
}

@Test(
  arguments: [
    (
      "gnss gpsd at 127.0.0.1:2947", "gpsd at 127.0.0.1:2947: nothing listens there", 4.2,
      ": nothing listens there; next attempt in 4 s"
    ),
    (
      "gnss /dev/ttyUSB3", "/dev/ttyUSB3: no such port; there are: /dev/ttyACM0", nil,
      ": no such port; there are: /dev/ttyACM0"
    ),
    ("mqtt broker:1883", "connection refused", 30, ": connection refused; next attempt in 30 s"),
    ("mqtt broker:1883", "roker:1883: refused", nil, ": roker:1883: refused"),
    ("imu", nil, nil, ""),
  ] as [(String, String?, Double?, String)])
func aTroubleDoesNotRepeatTheNameOfTheDevice(name: String, reason: String?, retry: Double?, text: String) throws {
  var members: [String: Any] = ["name": name, "state": "failed", "facts": [String]()]
  members["reason"] = reason
  members["retryInSeconds"] = retry
  let json = try JSONSerialization.data(withJSONObject: members)
  #expect(StatusText.trouble(of: try JSONDecoder().decode(BoardStatus.Device.self, from: json)) == text)
}

@Test func whoChangesTooManySettingsIsToldWhatMakesRoom() {
  func text(_ answer: String) -> String {
    RefusalText.text(answer: answer, value: nil, request: "set motion.armAfter 60")
  }
  #expect(text("settingsFull").hasPrefix("twelve settings differ from the configuration file"))
  #expect(text("settingsUnconfirmed").hasPrefix("four changes wait for a server's answer;"))
  #expect(text("disabled") == "the tracker is disabled" && text("ofAnotherVersion") == "ofAnotherVersion")
}

@Test func whatTheDoorDoesNotLetInIsToldInWords() {
  for reason in RequestRefusal.allCases {
    let words = RefusalText.text(door: "\(reason.word)")
    #expect(words.contains(" ") && !words.contains("\(reason.word)"), "\(reason)")
  }
  #expect(RefusalText.text(door: "ofAnotherVersion") == "ofAnotherVersion")
}

/// A shell takes the quotes of a name away.
@Test func anArgumentWithSpacesIsOneNameOrNothing() {
  #expect(RequestLine.text(["gear", "add", "bike", "Red bike"]) == "gear add bike \"Red bike\"")
  #expect(RequestLine.text(["gear", "add", "Red bike"]) == "gear add \"Red bike\"", "and no gear Red of kind bike")
  #expect(RequestLine.text(["gear add Red bike"]) == "gear add Red bike")
  #expect(RequestLine.text(["profile", "set", "note", ""]) == "profile set note \"\"")
  #expect(
    RequestLine.text(["fence", "1", "set", "\"my garden\"", "circle", "here", "50"])
      == "fence 1 set \"my garden\" circle here 50")
  let complaint = RequestKind.complaint(about: RequestLine.text(["gear", "set", "Red bike", "distance", "-5"]))
  #expect(!complaint.contains("can't read 'bike'"), "\(complaint)")
}

@Test func namesOfCountersAreWords() {
  #expect(StatusText.spaced("requestsRefused") == "requests refused" && StatusText.spaced("late") == "late")
}

/// A title that is longer moves what stands behind it out of its column.
@Test func theTitlesOfEventsFitTheirColumn() {
  var count = 0
  while let (name, title) = TrackerEvent.title(at: count) {
    #expect("\(title)".count < 20, "\(name)")
    count += 1
  }
  #expect(count > 10)
}

@Test func anArgumentBehindTheVersionIsAMistake() {
  #expect(ToolRun("--version").code == .success && ToolRun("--version", "--no-color").code == .success)
  let run = ToolRun("--version", "extra")
  #expect(run.code == .usage && run.out.isEmpty && run.err == "leash: unexpected argument 'extra'\n")
}

@Test func theOutboxIsEmptyOrHasPacketsWaiting() {
  #expect(StatusText.waiting(0, of: 32) == "empty")
  #expect(StatusText.waiting(2, of: 32) == "2 of 32 packets waiting")
}

@Test func anUnknownWordOfAListIsNamed() {
  let run = ToolRun("replay", "--set", "reports.phases=riding,parked", Places.leiden)
  let expected =
    "expected none, or one or more of riding, alarmed, joined by '+' or ','; found 'parked'"
  #expect(run.code == .usage && run.err.contains("reports.phases: \(expected)"), "\(run.err)")
  #expect(
    RequestKind.complaint(about: "set reports.phases riding+parked") == "'reports.phases': \(expected)")
  #expect(RequestKind.complaint(about: "set reports.phases riding+").hasSuffix("; found 'riding+'"))
}
