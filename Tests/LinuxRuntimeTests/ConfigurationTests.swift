import Foundation
import JSON5
import LinuxDevices
import Quantities
import Recording
import SIM7000
import StatusPage
import Testing
import Uplinks

@testable import LinuxRuntime

@Test func anEmptyFileIsTheDefaultsAndTellsThatPacketsStay() throws {
  let file = try configuration("{}")
  #expect(file.configuration == BoardConfiguration())
  #expect(file.warnings == ["f:1:1: no uplink is set: packets stay in the outbox"])
}

@Test func aFullFileSetsWhatItSays() throws {
  let text = """
    {
      profile: "bike", trackerId: "bike42", seed: 18446744073709551615, fallbackAfter: 7.5,
      gnss: { source: "serial", port: "/dev/ttyACM0", rate: 38400 },
      imu: { source: "i2c", bus: "/dev/i2c-3", address: 0x6A, part: "lsm6dso", rate: 208 },
      supply: { battery: "BAT1", interval: 30, root: "/r" },
      contacts: { tamper: { chip: "gpiochip0", line: 5 }, lock: { chip: "/dev/gpiochip1", line: 0, onWhenHigh: true } },
      presence: { tags: "c0:ff:ee:01:02:03 FD5A", adapter: "hci1", switch: { chip: "gpiochip0", line: 23, onWhenHigh: true } },
      modem: {
        port: "/dev/ttyUSB2", apn: "internet", apnPassword: { env: "APN" }, pin: "0042", radio: "catM1", catMBands: "8,3,20", transport: "mqtt",
        mqtt: { host: "m.example", port: 8883, tls: true, user: "u", password: "p" }, dtr: true, idle: "sleep", idleAfter: 2,
        listeningCycle: 20.48, powerKey: { chip: "gpiochip0", line: 4, inverted: true }, url: "https://h.example:8443/a/b?c",
      },
      uplinks: [
        { by: "mqtt", host: "b.example", tls: { authority: "/ca.pem" }, user: "u", password: { env: "MQTT" }, retain: true,
          will: { topic: "t/gone", payload: "gone" }, commandTopic: "t/c", keepAlive: 30 },
        { by: "http", url: "http://localhost:8080/pub", headers: { "X-Limit-U": "me" }, timeout: 5 },
        { by: "modem" },
      ],
      record: { folder: "/r", segmentMegabytes: 4, totalMegabytes: 64 },
      page: { port: 8700 },
      motion: { armAfter: 60, tiltLimit: 0.1 }, calibration: { mounting: "+y -x +z", angularRateOffset: [0.1, -2e-3, 0] },
      outbox: { window: 4 },
    }
    """
  let file = try configuration(text, environment: ["APN": "secret apn", "MQTT": "secret mqtt"])
  let board = file.configuration
  #expect(board.tracker.seed == .max && board.hasFixedSeed)
  #expect(board.fallbackAfter == Interval(microseconds: 7_500_000))
  #expect(board.gnss == .serial(port: "/dev/ttyACM0", bitsPerSecond: 38_400))
  #expect(board.imu == .i2c(bus: "/dev/i2c-3", address: 0x6A, part: "lsm6dso", hertz: 208))
  #expect(board.supply?.battery == "BAT1" && board.supply?.interval == .seconds(30) && board.supply?.root == "/r")
  #expect(try configuration("{}").configuration.supply == nil)
  #expect(try configuration("{ supply: {} }").configuration.supply == SupplySettings())
  let pressed = try configuration("{ barometer: { device: 'bmp280', interval: 10, root: '/r' } }").configuration
  #expect(pressed.barometer?.device == "bmp280" && pressed.barometer?.interval == .seconds(10))
  #expect(pressed.barometer?.root == "/r" && board.barometer == nil)
  #expect(try configuration("{ barometer: {} }").configuration.barometer == BarometerSettings())
  #expect(board.wheel == nil && board.tracker.tracker.wheelCircumference == 0)
  #expect(
    board.contacts == [
      .tamper: ContactLine(chip: "gpiochip0", line: 5, isOnWhenHigh: true),
      .lock: ContactLine(chip: "/dev/gpiochip1", line: 0, isOnWhenHigh: true),
    ])
  #expect(
    problems("{ contacts: { brake: { line: 4 } } }") == [
      "1:30: 'contacts.brake': expected both 'chip' and 'line', such as { chip: \"gpiochip0\", line: 17 }"
    ])
  #expect(board.presence?.tags.map(\.text) == ["C0:FF:EE:01:02:03", "0000fd5a-0000-1000-8000-00805f9b34fb"])
  #expect(board.presence?.adapter == "hci1")
  #expect(board.presence?.line == ContactLine(chip: "gpiochip0", line: 23, isOnWhenHigh: true))
  #expect(
    problems("{ presence: { switch: { line: 4 } } }") == [
      "1:31: 'presence.switch': expected both 'chip' and 'line', such as { chip: \"gpiochip0\", line: 23 }"
    ])
  #expect(try configuration("{ presence: {} }").configuration.presence == PresenceSettings())
  #expect(problems("{ presence: { tags: 'my phone' } }").first?.contains("one to eight addresses") == true)
  let modem = try #require(board.modem)
  #expect(modem.driver.accessPassword.string == "secret apn" && modem.driver.pin.string == "0042")
  #expect(modem.transport == .mqtt && modem.driver.mqttHost.string == "m.example" && modem.driver.mqttUsesTLS)
  #expect(modem.driver.httpServer.string == "https://h.example:8443" && modem.driver.httpPath.string == "/a/b?c")
  #expect(modem.driver.mqttClient.string == "leash-bike42")
  #expect((UInt8(1)...127).filter(modem.driver.catMBands.contains) == [3, 8, 20] && modem.driver.narrowBands.isEmpty)
  #expect(file.rows.first { $0.name == "modem.catMBands" }?.value == .text("3,8,20"))
  #expect(
    problems("{ modem: { port: '/dev/m', narrowBands: '8;20' } }").contains {
      $0.hasPrefix("1:41: 'modem.narrowBands': expected numbers of bands from 1 to 127, such as 8,20")
    })
  #expect(modem.powerKey == GPIOLine(chip: "gpiochip0", line: 4, isInverted: true))
  #expect(modem.driver.wiring.hasPowerKey && modem.driver.wiring.hasDTR && !modem.driver.wiring.hasStatus)
  #expect(modem.driver.listeningCycle == Interval(microseconds: 20_480_000) && !modem.driver.gnss)
  guard board.uplinks.count == 3, case .mqtt(let mqtt) = board.uplinks[0].kind,
    case .http(let http) = board.uplinks[1].kind
  else {
    Issue.record("\(board.uplinks)")
    return
  }
  #expect(mqtt.port == 8883 && mqtt.tls?.authorityFile == "/ca.pem" && mqtt.clientID == "leash-bike42")
  #expect(mqtt.password == Secret("secret mqtt") && mqtt.will?.payload == "gone" && mqtt.keepAlive == .seconds(30))
  #expect(http.headers.first?.name == "X-Limit-U" && http.headers.first?.value.revealed == "me")
  #expect(board.uplinks[2] == .modem)
  #expect(board.recording?.segmentBytes == 4 << 20 && board.recording?.totalBytes == 64 << 20)
  #expect(board.page == PageAddress(port: 8700))
  #expect(board.tracker.tracker.motion.armAfter == .seconds(60) && board.tracker.tracker.motion.tiltLimit == 0.1)
  #expect(board.tracker.tracker.calibration.mounting.text == "+y -x +z")
  #expect(board.tracker.tracker.calibration.angularRateOffset.y == -0.002)
  #expect(board.tracker.tracker.outbox.window == 4)
}

@Test func settingsThatHadAnotherNameAreTakenWithAHint() throws {
  let file = try configuration("{ reports: { nearGrace: 20, distance: 99 },\n  'reports.powerDelay': 9, uplinks: [] }")
  let tracker = file.configuration.tracker.tracker
  #expect(tracker.presence.holdFor == .seconds(20) && tracker.reports.distance == 99)
  #expect(tracker.readings.powerDelay == .seconds(9))
  #expect(file.warnings.contains("f:1:14: 'reports.nearGrace' is called 'owner.holdFor' now"), "\(file.warnings)")
  #expect(file.warnings.contains("f:2:3: 'reports.powerDelay' is called 'readings.powerDelay' now"), "\(file.warnings)")
  #expect(file.rows.contains { $0.name == "owner.holdFor" && $0.origin == .file(line: 1) })
  let twice = problems("{ reports: { nearGrace: 20 }, owner: { holdFor: 30 } }")
  #expect(twice.count == 1 && twice[0].contains("is set again"), "\(twice)")
}

@Test func theContentTypeFollowsTheFormatWhereItIsNotSet() throws {
  let form = "application/x-www-form-urlencoded"
  for (given, expected) in [
    ("", "application/json"), ("format: 'osmAnd'", form), ("format: 'ownTracks'", "application/json"),
    ("format: 'osmAnd', contentType: 'text/x'", "text/x"),
  ] {
    let board = try configuration("{ uplinks: [{ by: 'http', url: 'http://a.example', \(given) }] }").configuration
    guard case .http(let http) = board.uplinks[0].kind else { return #expect(Bool(false)) }
    #expect(http.contentType == expected, "\(given)")
  }
  let everywhere = try configuration("{ packetFormat: 'osmAnd', uplinks: [{ by: 'http', url: 'http://a.example' }] }")
  guard case .http(let http) = everywhere.configuration.uplinks[0].kind else { return #expect(Bool(false)) }
  #expect(http.contentType == form)
  for (given, expected) in [("", form), ("contentType: 'text/x',", "text/x")] {
    let file = try configuration(
      "{ modem: { port: '/dev/m', url: 'http://a.example', \(given) }, uplinks: [{ by: 'modem', format: 'osmAnd' }] }")
    #expect(file.configuration.modem?.driver.httpContentType.string == expected)
    #expect(file.rows.first { $0.name == "modem.contentType" }?.value == .text(expected))
  }
  // What goes as a text message says nothing about requests of HTTP.
  let both = try configuration(
    "{ modem: { port: '/dev/m', url: 'http://a.example', sms: '+31600000000' }, uplinks: [{ by: 'modem', format: 'osmAnd' }, "
      + "{ by: 'modem', transport: 'sms', format: 'text' }] }")
  #expect(both.configuration.modem?.driver.httpContentType.string == form)
}

@Test func uplinksToOneServerHaveNamesOfTheirOwn() throws {
  let file = try configuration(
    """
    { modem: { port: '/dev/m', url: 'http://m.example', sms: '+31600000000' }, uplinks: [
      { by: 'mqtt', host: 'a.example', topic: 'leash/packet' }, { by: 'mqtt', host: 'a.example', topic: 'owntracks/me/bike' },
      { by: 'mqtt', host: 'a.example', port: 1884 },
      { by: 'http', url: 'http://b.example/bot4711/send' }, { by: 'http', url: 'http://b.example/other' },
      { by: 'modem' }, { by: 'modem', transport: 'sms' } ] }
    """)
  let ways = try BoardParts(file.configuration, clock: MachineClock()).ways
  #expect(ways.map(\.byteLimit) == [nil, nil, nil, nil, nil, 1024, 160], "what its transports carry, and no more")
  let uplinks = ways.compactMap { $0.port as? any Uplink }
  #expect(
    uplinks.map(\.name) == [
      "mqtt a.example:1883 leash/packet", "mqtt a.example:1883 owntracks/me/bike", "mqtt a.example:1884",
      // A path may be a secret.
      "http b.example:80 (uplinks[3])", "http b.example:80 (uplinks[4])", "modem /dev/m", "modem /dev/m",
    ])
  let same = try configuration(
    "{ uplinks: [{ by: 'mqtt', host: 'a', topic: 't' }, { by: 'mqtt', host: 'a', topic: 't', receiver: 'b' }] }")
  let names = try BoardParts(same.configuration, clock: MachineClock()).ways.compactMap {
    ($0.port as? any Uplink)?.name
  }
  #expect(names == ["mqtt a:1883 (uplinks[0])", "mqtt a:1883 (uplinks[1])"])
}

@Test func allProblemsOfAFileAreToldAtOnceWithTheirPlaces() {
  let text = """
    {
      profle: "bike",
      trackerId: 42,
      motion: { armAfer: 60, tiltLimit: 9, standAfter: "5" },
      gnss: { source: "gpds" },
      imu: { source: "serial", port: "/dev/ttyS1", bus: "/dev/i2c-1" },
      uplinks: [ { by: "mqtt", host: "a b", port: 0 }, { by: "http", url: "http://http://track.example/" }, { by: "modem" } ],
      armAfter: 5,
      page: 8600,
      packetFormat: "jsn",
    }
    """
  #expect(
    problems(text) == [
      "2:3: unknown key 'profle'; did you mean 'profile'?",
      "3:14: 'trackerId': found 42, expected text of 1 to 32 bytes without control characters",
      "4:13: unknown key 'motion.armAfer'; did you mean 'armAfter'?",
      "4:37: 'motion.tiltLimit': found 9, expected a number from 0.001 to 3 (rad)",
      "4:52: 'motion.standAfter': found \"5\", expected a number from 1 to 604800 (s)",
      "5:19: 'gnss.source': found \"gpds\", expected one of \"gpsd\", \"serial\", \"modem\", \"none\"; did you mean 'gpsd'?",
      "6:48: 'imu.bus' belongs to source: \"i2c\"",
      "7:34: 'uplinks[0].host': expected the name or address of a host, such as track.example",
      "7:47: 'uplinks[0].port': found 0, expected a whole number from 1 to 65535",
      "7:71: 'uplinks[1].url': expected an address with only one http:// or https://",
      "7:111: 'uplinks': one is by \"modem\", which needs the section 'modem' with its port",
      "8:3: unknown key 'armAfter'; did you mean 'motion.armAfter'?",
      "9:9: 'page': found a number, expected an object { … }",
      "10:17: 'packetFormat': found \"jsn\", expected one of \"json\", \"minimal\", \"text\", \"ownTracks\", \"osmAnd\", \"traccar\", \"ownTracksCompact\"; did you mean 'json'?",
    ])
}

private let fiveReceivers: String = {
  let ways = (0..<5).map { "{ by: 'http', url: 'http://a', receiver: 'r\($0)' }" }
  return "{ uplinks: [" + ways.joined(separator: ", ") + "] }"
}()

@Test(arguments: [
  ("{ gnss: { source: 'modem' } }", "1:19: 'gnss.source' is \"modem\", which needs the section 'modem' with its port"),
  (
    "{ modem: { port: '/dev/a' }, gnss: { source: 'serial', port: '/dev/a' } }",
    "1:18: 'modem.port': \"/dev/a\" is the port of 'gnss.port' already, expected different ports"
  ),
  ("{ modem: {}, uplinks: [{ by: 'modem' }] }", "1:3: 'modem.url' is missing, which the transport \"http\" needs"),
  (
    "{ modem: { transport: 'sms' }, uplinks: [{ by: 'modem' }] }",
    "1:23: 'modem.sms' is missing, which the transport \"sms\" needs"
  ),
  (
    "{ modem: { transport: 'legacyHTTP', url: 'https://a.example' }, uplinks: [{ by: 'modem' }] }",
    "1:42: 'modem.url': the transport \"legacyHTTP\" has no https; \"http\" has"
  ),
  ("{ modem: { idle: 'sleep' } }", "1:18: 'modem.idle' is \"sleep\", which needs 'modem.dtr': true"),
  ("{ modem: { idle: 'off' } }", "1:18: 'modem.idle': the modem can't be woken without 'modem.powerKey'"),
  (
    "{ modem: { powerKey: { line: 4 } } }",
    "1:30: 'modem.powerKey': expected both 'chip' and 'line', such as { chip: \"gpiochip0\", line: 4 }"
  ),
  (
    "{ record: { folder: '/r', segmentMegabytes: 16, totalMegabytes: 20 } }",
    "1:65: 'record.totalMegabytes': expected at least twice 'record.segmentMegabytes', or no earlier file is left when a new file begins"
  ),
  ("{ record: {} }", "1:3: 'record.folder' is missing, expected a path"),
  (
    "{ uplinks: [{ by: 'mqtt', host: 'a', password: 'x' }] }",
    "1:48: 'uplinks[0].user' is missing, expected a user for the password"
  ),
  ("{ uplinks: { by: 'mqtt' } }", "1:12: 'uplinks': found an object, expected a list [ { by: … } ]"),
  ("{ uplinks: [{ host: 'a' }] }", "1:13: 'uplinks[0].by' is missing, expected one of \"mqtt\", \"http\", \"modem\""),
  ("{ motion: { travelSpeed: 0.4 } }", "1:26: 'motion.continuedSpeed' is greater than 'motion.travelSpeed'"),
  (
    "{ uplinks: [{ by: 'mqtt', host: 'a', tls: false, 'tls.verify': true }] }",
    "1:64: 'uplinks[0].tls' is false, but settings of it are given"
  ),
  ("{ uplink: [] }", "1:3: unknown key 'uplink'; did you mean 'uplinks'?"),
  ("[]", "1:1: found a list, expected an object { … } with the settings"),
  ("{ a: 1", "1:7: found the end of the text, expected ',' or '}'"),
  (
    "{ motion: { armAfter: 5 }, 'motion.armAfter': 6 }",
    "1:47: 'motion.armAfter' is set again, it is set on line 1 already"
  ),
  (
    "{ modem: { port: '/dev/a', url: 'http://a.example' }, uplinks: [{ by: 'modem' }, { by: 'modem' }] }",
    "1:82: 'uplinks[1]': the modem with the transport \"http\" is set twice, expected once"
  ),
  (
    "{ uplinks: [{ by: 'mqtt', host: 'a', clientId: 'x' }, { by: 'mqtt', host: 'a', clientId: 'x', receiver: 'b' }] }",
    "1:55: 'uplinks[1].clientId': \"x\" is used by another uplink to the same broker, which would disconnect it; expected different names"
  ),
  (
    "{ uplinks: [{ by: 'http', url: 'http://a', kinds: 'ride' }, { by: 'http', url: 'http://b', kinds: 'all' }] }",
    "1:61: 'uplinks[1]': its 'kinds' are not those of 'uplinks[0]', which has the same receiver \"server\"; expected a 'receiver' of its own for one of them, or the same 'kinds'"
  ),
  (
    "{ uplinks: [{ by: 'http', url: 'http://a' }, { by: 'http', url: 'http://b', kinds: 'location+parking' }] }",
    "1:46: 'uplinks[1]': its 'kinds' are not those of 'uplinks[0]', which has the same receiver \"server\"; expected a 'receiver' of its own for one of them, or the same 'kinds'"
  ),
  (
    "{ uplinks: [{ by: 'http', url: 'http://a', kinds: 'ride' }, { by: 'http', url: 'http://b' }, { by: 'http', url: 'http://c', kinds: 'ride' }] }",
    "1:61: 'uplinks[1]': its 'kinds' are not those of 'uplinks[0]', which has the same receiver \"server\"; expected a 'receiver' of its own for one of them, or the same 'kinds'"
  ),
  (
    "{ modem: { port: '/dev/a', sms: '+1234567' }, uplinks: [{ by: 'modem', transport: 'sms', format: 'json' }] }",
    "1:57: 'uplinks[0].format': a text message has 160 characters, too few for \"json\"; expected \"text\""
  ),
  (
    "{ uplinks: [{ by: 'http', url: 'http://a', kinds: 'alerts' }] }",
    "1:51: 'uplinks[0].kinds': found \"alerts\", expected one or more of \"all\", \"location\", \"parking\", \"movement\", \"ride\", \"status\", \"fence\", \"transition\""
  ),
  (
    "{ uplinks: [{ by: 'http', url: 'http://a', kinds: ['all', 'ride'] }] }",
    "1:51: 'uplinks[0].kinds': expected \"all\" alone, or one or more other kinds"
  ),
  (
    "{ uplinks: [{ by: 'http', url: 'http://a', kinds: [] }] }",
    "1:51: 'uplinks[0].kinds': expected \"all\" alone, or one or more other kinds"
  ),
  (
    "{ reports: { phases: 'riding+alarm' } }",
    "1:22: 'reports.phases': found \"alarm\", expected one or more of \"riding\", \"alarmed\"; did you mean 'alarmed'?"
  ),
  (
    "{ reports: { phases: ['riding', 'parked'] } }",
    "1:33: 'reports.phases': found \"parked\", expected one or more of \"riding\", \"alarmed\""
  ),
  (
    "{ reports: { phases: 7 } }",
    "1:22: 'reports.phases': found 7, expected a list, or text joined by '+', of \"riding\", \"alarmed\""
  ),
  (
    "{ uplinks: [{ by: 'http', url: 'https://a.example', format: 'osmAnd', encryptionKey: 'x' }] }",
    "1:13: 'uplinks[0].encryptionKey': only the format \"ownTracks\" has encryption; expected it as 'format'"
  ),
  (
    "{ uplinks: [{ by: 'http', url: 'https://a.example', encryptionKey: '123456789012345678901234567890123' }] }",
    "1:13: 'uplinks[0].encryptionKey': found 33 bytes, expected 1 to 32"
  ),
  (
    fiveReceivers,
    "1:3: 'uplinks': 5 receivers, expected 4 at most"
  ),
])
func whatDoesNotFitTogetherIsAProblem(text: String, problem: String) {
  #expect(problems(text) == [problem])
}

@Test func aFileOfAnotherKindIsNotToldToTheEnd() throws {
  do throws(BoardConfigurationFailure) {
    let text = "{" + (0..<2_000).map { "k\($0): 1," }.joined() + "}"
    _ = try BoardConfigurationFile(text: text, name: "f")
    Issue.record("read")
  } catch {
    #expect(error.lines.count == 101 && error.lines.last == "f: and 1900 more", "\(error.lines.last ?? "")")
  }
}

@Test(arguments: [
  (
    "{ page: { host: '0.0.0.0' }, uplinks: [{ by: 'http', url: 'http://localhost' }] }",
    "everybody on the network can see"
  ),
  ("{ uplinks: [] }", "packets stay in the outbox"),
  ("{ gnss: { source: 'none' }, uplinks: [{ by: 'http', url: 'http://localhost' }] }", "the tracker sees nothing"),
  ("{ modem: {}, uplinks: [{ by: 'http', url: 'http://localhost' }] }", "neither 'uplinks' nor 'gnss' uses it"),
  ("{ uplinks: [{ by: 'mqtt', host: 'b.example', user: 'u', password: 'p' }] }", "without encryption"),
  ("{ uplinks: [{ by: 'mqtt', host: 'b.example', tls: { verify: false } }] }", "can be intercepted and changed"),
])
func whatIsAllowedAndDangerousIsAWarning(text: String, warning: String) throws {
  let warnings = try configuration(text).warnings
  #expect(warnings.count == 1 && warnings[0].contains(warning), "\(warnings)")
}

@Test(arguments: [
  "http://http://a.example/", "https://http://a.example", "http://", "http:///path", "ftp://a.example", "a.example", "",
  "http://a b/",
  "http://a.example:0/", "http://a.example:99999", "http://a.example:x/", "http://user:pw@a.example/",
  "http://a.example/#x",
  "http://é.example", "http://a.example/\"", "http://:80", "http://[::1", "HTTP//a", "http:/a", "http://a..:b:c",
])
func aMalformedAddressIsAProblemAndNoCrash(url: String) {
  for text in ["{ uplinks: [{ by: 'http', url: \(quoted(url)) }] }", "{ modem: { url: \(quoted(url)) } }"] {
    let found = problems(text)
    #expect(found.count == 1 && found[0].contains("url'") && !found[0].contains("pw"), "\(url): \(found)")
  }
}

@Test func anAddressComesApart() throws {
  let address = try WebAddress("https://[::1]:8443?a=b")
  #expect(address == (try WebAddress("https://[::1]:8443/?a=b")))
  #expect(
    address.host == "::1" && address.server == "https://[::1]:8443" && address.path == "/?a=b" && address.isSecure)
}

@Test func theCollarsDefaultsComeAfterTheFileAndBeforeTheProgram() throws {
  let file = try configuration("{\n profile: 'collar',\n reports: { distance: 75 } }")
  #expect(!file.configuration.tracker.tracker.alertsEnabled)
  #expect(file.configuration.tracker.tracker.reports.distance == 75)
  #expect(file.configuration.tracker.tracker.reports.parkedInterval == .seconds(900))
  func origin(_ name: String) -> ConfigurationOrigin? { file.rows.first { $0.name == name }?.origin }
  #expect(origin("alertsEnabled") == .profile("collar"))
  #expect(origin("reports.distance") == .file(line: 3))
  #expect(origin("motion.armAfter") == .standard)
  for profile in BoardProfile.allCases {
    for setting in profile.settings {
      let file = try configuration("{ profile: '\(profile)' }")
      #expect(file.rows.first { $0.name == setting.name }?.value == setting.value, "\(setting.name)")
    }
  }
}

@Test func rangesAndTheMakersFileOfAnInertialPartAreRead() throws {
  let board = try configuration(
    """
    { imu: { source: "i2c", address: 0x68, part: "bmi270", specificForceRange: 16, angularRateRange: 2000,
      configurationFile: "/lib/firmware/bmi270.fw" } }
    """
  ).configuration
  #expect(
    board.imu
      == .i2c(
        bus: "/dev/i2c-1", address: 0x68, part: "bmi270", hertz: 100, specificForceRange: .g16,
        angularRateRange: .degrees2000, configurationFile: "/lib/firmware/bmi270.fw"))
  #expect(
    problems("{ imu: { source: \"i2c\", address: 0x68, part: \"bmi270\", specificForceRange: 3 } }") == [
      "1:46: 'imu.configurationFile' is missing: a bmi270 needs its maker's file of 8192 bytes",
      "1:76: 'imu.specificForceRange': expected one of 2, 4, 8, 16",
    ])
}

@Test func everyReceiverHasItsWaysItsKindsAndItsForms() throws {
  let file = try configuration(
    """
    { modem: { port: '/dev/a', url: 'http://a.example', sms: '+1234567' },
      uplinks: [
        { by: 'mqtt', host: 'localhost', receiver: 'home' }, { by: 'http', url: 'http://localhost/' },
        { by: 'modem' }, { by: 'modem', transport: 'sms', receiver: 'phone', kinds: 'movement+parking' },
        { by: 'mqtt', host: 'localhost' } ] }
    """)
  let board = file.configuration
  #expect(board.receivers == ["home", "server", "phone"])
  let list = board.tracker.tracker.outbox.receivers
  #expect(list.count == 3 && list[0] == .all && list[1] == .all)
  #expect(list[2].contains(.movement) && list[2].contains(.parking) && !list[2].contains(.location))
  #expect(board.uplinks.map(\.isModem) == [false, false, true, true, false] && board.uplinks[3].kind == .modem(.sms))
  // Two sessions at one broker have two names.
  let names = board.uplinks.compactMap { if case .mqtt(let mqtt) = $0.kind { mqtt.clientID } else { nil } }
  #expect(names == ["leash-leash", "leash-leash-2"])
  let parts = try BoardParts(board, clock: MachineClock())
  #expect(parts.ways.map(\.receiver) == [0, 1, 1, 2, 1])
  #expect(parts.ways.map(\.format) == [.json, .json, .json, .text, .json])
  #expect(parts.ways[2].port === parts.ways[3].port && parts.ways[2].channel != parts.ways[3].channel)
}

@Test func aTopicThatSomeBrokersRefuseIsAWarning() throws {
  let file = try configuration("{ uplinks: [{ by: 'mqtt', host: 'localhost', topic: 'my bike/a.b' }] }")
  #expect(file.warnings.contains { $0.contains("topic") && $0.contains("which some brokers refuse") })
  let system = try configuration("{ uplinks: [{ by: 'mqtt', host: 'localhost', topic: '$SYS/bike' }] }")
  #expect(system.warnings.contains { $0.contains("'uplinks[0].topic': \"$SYS/bike\" begins with '$'") })
  let plain = try configuration("{ uplinks: [{ by: 'mqtt', host: 'localhost', topic: 'a/$b', commandTopic: 'a/c' }] }")
  #expect(!plain.warnings.contains { $0.contains("topic") })
}

@Test func aTrackerThatWouldHearItselfIsRefused() {
  #expect(
    problems("{ uplinks: [{ by: 'mqtt', host: 'localhost', topic: 'a', commandTopic: 'a' }] }") == [
      "1:72: 'uplinks[0].commandTopic' is the same as 'topic': the tracker would take its own messages for requests"
    ])
  // The topic that is not written is one, too.
  #expect(
    problems("{ uplinks: [{ by: 'mqtt', host: 'localhost', commandTopic: 'leash/packet' }] }").first?
      .contains("is the same as 'topic'") == true)
  let will = "will: { topic: 'b', payload: 'locate' }"
  #expect(
    problems("{ uplinks: [{ by: 'mqtt', host: 'localhost', topic: 'a', commandTopic: 'b', \(will) }] }").first?
      .contains("is the same as 'will.topic'") == true)
}

@Test func aPartsDataSheetFillsWhatTheFileLeavesOpenAndTheFileTakesPrecedence() throws {
  func sensor(_ text: String) throws -> SensorDescription {
    try configuration(text).configuration.tracker.tracker.sensor
  }
  let i2c =
    "imu: { source: 'i2c', address: 0x68, part: 'mpu6050', rate: 200, specificForceRange: 4, angularRateRange: 500 }"
  let part = try sensor("{ \(i2c) }")
  #expect(part.latency == Interval(microseconds: 2800), "98 Hz, the highest below half of 200 Hz")
  #expect(abs(part.angularRateRange - 8.731) < 0.001 && abs(part.specificForceRange - 39.225) < 0.001)
  #expect(part.angularRateNoise == 0 && part.specificForceNoise == 0 && part.magneticDeclination == 0)
  let own = try sensor("{ \(i2c), sensor: { latency: 0.001, angularRateRange: 0, magneticDeclination: -0.2 } }")
  #expect(own.latency == .milliseconds(1) && own.angularRateRange == 0 && own.magneticDeclination == -0.2)
  #expect(own.specificForceRange == part.specificForceRange)
  let driver = try sensor("{ imu: { source: 'iio', device: 'lsm6dso', specificForceRange: 4, angularRateRange: 500 } }")
  #expect(
    driver.latency == .zero && abs(driver.angularRateRange - 10.008) < 0.001, "beyond 500 °/s, as its numbers are")
  let serial = try sensor("{ imu: { source: 'serial', port: '/dev/ttyUSB0' } }")
  #expect(abs(serial.angularRateRange - 34.906) < 0.001 && abs(serial.specificForceRange - 156.902) < 0.001)
  for nothing in ["{ }", "{ imu: { source: 'none' } }", "{ imu: { source: 'iio', device: 'iio:device0' } }"] {
    #expect(try sensor(nothing) == SensorDescription())
  }
  let file = try configuration("{ \(i2c), sensor: { latency: 0.001 } }")
  let text = file.text(isEffective: true)
  #expect(text.contains("latency: 0.001,") && text.contains("// data sheet of mpu6050"), "\(text)")
  #expect(!file.text(isEffective: false).contains("data sheet"))
  let lines = file.jsonLines(isEffective: true).split(separator: "\n")
  #expect(
    lines.contains {
      $0.hasPrefix("{\"key\":\"sensor.angularRateRange\"") && $0.hasSuffix("\"from\":\"part\",\"part\":\"mpu6050\"}")
    })
  #expect(try configuration(text).configuration.tracker == file.configuration.tracker, "what is shown reads back")
}

@Test func whatIsWrongAboutASensorIsToldWithItsPlaceAndWhatWouldBeRight() {
  let text = """
    { imu: { source: 'i2c', address: 0x68, part: 'mpu605' },
      sensor: { latency: 4.8, latensy: 0.1,
        angularRateRange: 2000 } }
    """
  let parts = ["mpu6050", "mpu6500", "mpu9250", "lsm6ds3", "lsm6dso", "bmi160", "bmi270"].map { "\"\($0)\"" }
  #expect(
    problems(text) == [
      "1:46: 'imu.part': found \"mpu605\", expected one of \(parts.joined(separator: ", ")); did you mean 'mpu6050'?",
      "2:22: 'sensor.latency': found 4.8, expected a number from 0 to 0.1 (s)",
      "2:27: unknown key 'sensor.latensy'; did you mean 'latency'?",
      "3:23: 'sensor.angularRateRange': found 2000, expected a number from 0 to 200 (rad/s)",
    ])
}
