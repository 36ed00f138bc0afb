import Testing

@testable import LeashTool

/// Values in units of machines, beside them what people write.
@Suite struct DecodeUnitTests {
  @Test(arguments: [
    ("X0,542A46AA,k,-33868800,7575769,26,4,7,5,872", "lat   -33868800 1e-6 ° = -33.868800 °  latitude"),
    ("X0,542A46AA,k,-33868800,7575769,26,4,7,5,872", "tst   542A46AA hex s since 1970 = 2014-09-30T05:59:06"),
    ("id=a&lat=1&lon=2&timestamp=1442068686579", "timestamp  1442068686579 ms since 1970 = 2015-09-12T14:38:06"),
    ("id=a&lat=1&lon=2&timestamp=1377177267", "timestamp  1377177267 s since 1970 = 2013-08-22T13:14:27"),
    ("id=a&lat=1&lon=2&timestamp=2016-01-27T18%3A55%3A47Z", "timestamp  2016-01-27T18:55:47Z ISO 8601  when"),
  ])
  func placesAndTimesAreToldAsPeopleWriteThem(message: String, line: String) {
    let run = ToolRun("decode", message)
    #expect(run.lines.contains { $0.contains(line) }, "\(run.out)")
  }
}
