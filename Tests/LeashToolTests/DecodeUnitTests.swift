import Testing

@testable import LeashTool

/// Values in units of machines, beside them what people write.
@Suite struct DecodeUnitTests {
  @Test(arguments: [
    ("X0,542A46AA,k,-33868800,7575769,26,4,7,5,872", "lat   -33868800 1e-6 ° = -33.868800 °  latitude"),
    ("X0,542A46AA,k,-33868800,7575769,26,4,7,5,872", "tst   542A46AA hex s since 1970 = 2014-09-30T05:59:06"),
    ("id=a&lat=1&lon=2&timestamp=1442068686579", "timestamp  1442068686579 ms since 1970 = 2015-09-12T14:38:06.579Z"),
    ("X0,542A46AA,k,-33868800,7575769,26,4,7,5,872", "cog   26 10 ° = 260 °  course"),
    ("X0,542A46AA,k,-33868800,7575769,26,4,-7,5,872", "alt   -7 10 m = -70 m  height"),
    ("X0,542A46AA,9,-33868800,7575769,26,4,7,5,872", "t     9  what made it: battery low"),
    (#"{"_type":"location","lat":1,"lon":2,"acc":5,"tst":1700000000,"t":"s"}"#, "t      s  what made it: too fast"),
    ("id=a&lat=1&lon=2&timestamp=1700000000.5", "timestamp  1700000000.5 s or ms since 1970"),
    ("id=a&lat=1&lon=2&timestamp=1700000000.5", "(! not a whole number)"),
    ("bike: movement 3 (tilt), 2026-01-01 00:00 UTC, https://osm.org/?mlat=9.0&mlon=5.9 #3", "00:00 UTC  when"),
    (#"leash/bike42/packet/state {"outbox":3,"live":false,"tamper":false}"#, "outbox  3  packets that wait"),
    ("id=a&lat=1&lon=2&x=a%E2%80%AEb", "x    a?b  an attribute"),
    ("id=a&lat=1&lon=2&timestamp=1377177267", "timestamp  1377177267 s since 1970 = 2013-08-22T13:14:27"),
    ("id=a&lat=1&lon=2&timestamp=2016-01-27T18%3A55%3A47Z", "timestamp  2016-01-27T18:55:47Z ISO 8601  when"),
  ])
  func placesAndTimesAreToldAsPeopleWriteThem(message: String, line: String) {
    let run = ToolRun("decode", message)
    #expect(run.lines.contains { $0.contains(line) }, "\(run.out)")
  }

  /// What a message of ours says beside its letter is what happened; what a letter alone does not say is not made up.
  @Test(arguments: [
    (#""t":"c","fence":"garden","event":"leave""#, "geofenceExit"),
    (#""t":"c","fence":"garden","event":"enter""#, "geofenceEnter"), (#""t":"c""#, nil),
    (#""t":"!","tow":true,"detector":"speed""#, "tow"), (#""t":"!","tow":true,"detector":"tilt""#, "movement"),
    (#""t":"!","tow":true"#, "tow"), (#""t":"!""#, "movement"), (#""t":"!","fence":"garden""#, "geofenceExit"),
    (#""t":"h","reason":"hardBraking""#, "hardBraking"), (#""t":"h""#, nil), (#""t":"s""#, "overspeed"),
    (#""t":"9""#, "lowBattery"), (#""t":"e""#, "powerCut"), (#""t":"E""#, "powerRestored"), (#""t":"1""#, "powerOn"),
    (#""t":"a""#, "parking"), (#""t":"I""#, nil), (#""t":"r","reason":"pong""#, nil),
  ])
  func theAlarmIsThatOfTheMessage(members: String, alarm: String?) {
    let run = ToolRun("decode", #"{"_type":"location","lat":1,"lon":2,"acc":5,"tst":1700000000,\#(members)}"#)
    #expect(run.lines.last { $0.hasPrefix("  = alarm ") } == alarm.map { "  = alarm \($0)" }, "\(run.out)")
  }

  @Test func cellsAndAccessPointsMayComeAgain() {
    let several = "cell=262,1,2,3&cell=262,1,2,4&wifi=a,-60&wifi=b,-70"
    let run = ToolRun("decode", "id=a&timestamp=1700000000&\(several)&lat=1&lat=2&lon=2")
    #expect(run.lines.filter { $0.contains("repeated") }.map { $0.prefix(5) } == ["! lat"], "\(run.out)")
  }
}
