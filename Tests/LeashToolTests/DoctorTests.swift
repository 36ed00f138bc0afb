import Foundation
import LinuxDevices
import LinuxRuntime
import Quantities
import SIM7000
import ServerSupport
import Testing
import Uplinks

@testable import LeashTool

/// A machine with nothing on it, on which nothing may be touched.
private func machine(root: String = "/nowhere") -> DoctorMachine {
  var machine = DoctorMachine()
  machine.root = root
  machine.user = "anna"
  machine.isRoot = false
  machine.canAccess = { _, _ in true }
  machine.ports = { [] }
  machine.holders = { _ in [] }
  machine.freeBytes = { _ in 1 << 32 }
  machine.clock = {
    SystemClock(
      utcSeconds: 1_790_000_000, monotonic: Instant(microseconds: 5), sinceStart: Instant(microseconds: 6),
      isSynchronised: true)
  }
  machine.tracker = { _ in .none }
  machine.sensor = { _ in nil }
  machine.industrialIO = { [] }
  machine.buses = { [] }
  return machine
}

private func run(
  _ check: DoctorCheck, _ machine: DoctorMachine, _ configuration: BoardConfiguration? = nil,
  tracker: RunningTracker = .none
) -> [Finding] {
  check.run(DoctorCase(machine, configuration, tracker: tracker))
}

private func status(sensors: [BoardStatus.Device] = [], uplinks: [BoardStatus.Device] = []) throws -> BoardStatus {
  let json = """
    {"version":"1","trackerID":"t","phase":"parked","isArmed":true,"alertsEnabled":true,"lastAlert":0,"requests":[],"pageTakesRequests":false,"odometerMetres":1,
    "lastRideMetres":0,"movementEvidence":0,"sensors":[],"uplinks":[],"outbox":{"waiting":[],"capacity":32,
    "acknowledged":0,"retries":0,"evicted":0,"refused":0},"store":{"path":"/s","commits":0,"failures":0,
    "longestCommitMilliseconds":0},"counters":[],"process":{"id":77,"uptimeSeconds":3,"cpuSeconds":0,
    "residentKibibytes":0,"turns":0,"longestTurnMilliseconds":1}}
    """
  var status = try JSONDecoder().decode(BoardStatus.self, from: Data(json.utf8))
  status.sensors = sensors
  status.uplinks = uplinks
  return status
}

private func device(_ name: String, _ state: String, reason: String? = nil) throws -> BoardStatus.Device {
  var device = try JSONDecoder().decode(
    BoardStatus.Device.self, from: Data("{\"name\":\"\(name)\",\"state\":\"\(state)\",\"facts\":[]}".utf8))
  device.reason = reason
  device.hertz = 99.5
  device.lastInputSeconds = 0.1
  return device
}

// MARK: The machine

@Test func aClockThatWasNeverSetFailsAndOneThatIsNotSynchronisedWarns() {
  var made = machine()
  #expect(run(.time, made).map(\.state) == [.ok])
  made.clock = { SystemClock(utcSeconds: 86_400, monotonic: .zero, sinceStart: .zero, isSynchronised: false) }
  let unset = run(.time, made)
  #expect(unset.map(\.state) == [.fail] && unset[0].found.contains("1970-01-02"))
  #expect(unset[0].advice?.contains("timedatectl") == true)
  made.clock = {
    SystemClock(
      utcSeconds: 1_790_000_000, monotonic: .zero, sinceStart: .zero + .seconds(90), isSynchronised: false)
  }
  let found = run(.time, made)
  #expect(found.map(\.state) == [.warn, .warn] && found[1].found.contains("suspended for 90 s"))
}

@Test func aUserOutsideTheGroupsIsToldHowToJoinThem() throws {
  let folder = try TemporaryFolder()
  try FileManager.default.createDirectory(atPath: folder.path("etc"), withIntermediateDirectories: true)
  _ = try folder.file("etc/group", "root:x:0:\ndialout:x:20:\ni2c:x:998:bo\n")
  var made = machine(root: folder.url.path)
  made.groups = ["anna", "dialout"]
  let found = run(.permissions, made)
  #expect(
    found == [
      .warn("groups", "anna is not in i2c", advice: "sudo usermod -aG i2c anna, and log in again")
    ])
  made.groups = ["dialout", "i2c"]
  #expect(run(.permissions, made).map(\.state) == [.ok])
}

@Test func placesThatCantBeWrittenAndDevicesThatCantBeUsedFail() {
  var made = machine()
  made.isRoot = true
  made.canAccess = { path, access in
    switch access {
    case .existing: ["/var", "/run", "/dev/ttyS9", "/"].contains(path)
    case .writing: path == "/run"
    case .reading, .both: false
    }
  }
  var configuration = BoardConfiguration()
  configuration.gnss = .serial(port: "/dev/ttyS9", bitsPerSecond: 9600)
  let found = run(.permissions, made, configuration)
  #expect(found.map(\.state) == [.fail, .fail])
  #expect(found[0].found.hasPrefix("/dev/ttyS9:") && found[0].advice?.contains("usermod -aG dialout anna") == true)
  #expect(found[1].found.hasPrefix("/var:") && found[1].found.contains("/var/lib/leash/state.db"))
}

@Test func aDiskThatIsAlmostFullWarnsAndAFullOneFails() {
  var made = machine()
  #expect(run(.storage, made).map(\.state) == [.ok])
  made.freeBytes = { _ in 50 << 20 }
  var configuration = BoardConfiguration()
  configuration.recording = RecordingSettings(folder: "/rides")
  #expect(run(.storage, made, configuration).map(\.state) == [.warn, .warn])
  made.freeBytes = { _ in 1 << 20 }
  #expect(run(.storage, made, configuration).map(\.state) == [.fail, .fail])
}

@Test func theServiceIsFoundWhereItIsAndWhetherItIsEnabled() throws {
  let folder = try TemporaryFolder()
  let made = machine(root: folder.url.path)
  func make(_ path: String) throws {
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    _ = try folder.file(path, "")
  }
  #expect(run(.service, made).map(\.state) == [.ok])
  try make("run/systemd/system/x")
  #expect(run(.service, made).first?.advice == "sudo make install")
  try make("usr/local/lib/systemd/system/leash.service")
  #expect(run(.service, made).first?.advice == "sudo systemctl enable --now leash")
  try make("etc/systemd/system/multi-user.target.wants/leash.service")
  #expect(run(.service, made).first?.found == "leash.service is enabled but no tracker answers")
  #expect(try run(.service, made, tracker: .running(status())).map(\.state) == [.ok])
}

@Test func portsAreListedWithTheirHoldersAndAMissingOneFails() throws {
  let folder = try TemporaryFolder()
  try FileManager.default.createDirectory(atPath: folder.path("proc"), withIntermediateDirectories: true)
  _ = try folder.file("proc/cmdline", "quiet console=ttyS0,115200 console=tty1 root=x\n")
  var made = machine(root: folder.url.path)
  made.ports = { [SerialPortDescription(path: "/dev/ttyS0", text: "mini UART")] }
  made.holders = { _ in [PortHolder(process: 812, name: "minicom")] }
  made.canAccess = { path, _ in path == "/dev/ttyS0" }
  var configuration = BoardConfiguration()
  configuration.gnss = .serial(port: "/dev/ttyACM0", bitsPerSecond: 0)
  configuration.modem = ModemSettings()
  let found = run(.ports, made, configuration)
  #expect(found.map(\.state) == [.ok, .fail, .fail])
  #expect(found[0].found == "/dev/ttyS0 (mini UART), used by minicom (process 812)")
  #expect(found[1].found == "gnss.port /dev/ttyACM0: no such port; there are: /dev/ttyS0")
  #expect(found[2].found.contains("the kernel's console uses it, too"))
}

// MARK: A running tracker

@Test func devicesOfARunningTrackerAreNotTouched() throws {
  var made = machine()
  made.sensor = { _ in
    Issue.record("a sensor was made")
    return nil
  }
  made.buses = {
    Issue.record("a bus was read")
    return []
  }
  made.open = { path, _ throws(DeviceFailure) in
    Issue.record("a port was opened")
    throw DeviceFailure(.open, path, .other)
  }
  var configuration = BoardConfiguration()
  configuration.imu = .i2c(bus: "/dev/i2c-1", address: 0x68, part: "mpu6050", hertz: 100)
  configuration.gnss = .serial(port: "/dev/ttyACM0", bitsPerSecond: 0)
  configuration.modem = ModemSettings()
  configuration.uplinks = [.mqtt(MQTTSettings()), .modem]
  let now = try status(
    sensors: [
      device("gnss nmea at /dev/ttyACM0", "running"), device("imu mpu6050", "failed", reason: "no part at 0x68"),
    ],
    uplinks: [device("mqtt localhost:1883", "open"), device("modem at /dev/ttyS0", "opening")])
  for tracker in [RunningTracker.running(now), .hidden(owner: "leash"), .mute(reason: "hangs")] {
    for check in [DoctorCheck.satellites, .inertial, .modem] {
      let found = run(check, made, configuration, tracker: tracker)
      #expect(found.count == 1 && found[0].name == check.name)
      if case .running = tracker { continue }
      #expect(found[0].state == .warn && found[0].advice?.contains("sudo leash doctor") == true)
    }
  }
  #expect(run(.satellites, made, configuration, tracker: .running(now))[0].state == .ok)
  let failed = run(.inertial, made, configuration, tracker: .running(now))[0]
  #expect(failed.state == .fail && failed.found.contains("no part at 0x68"))
  #expect(run(.servers, made, configuration, tracker: .running(now)).map(\.state) == [.ok])
}

// MARK: Sensors

@Test func aPartThatLiesStillIsMeasured() {
  let findings = InertialVerdict(stillSamples()).findings(name: "imu x", facts: "", wanted: 100)
  #expect(findings.map(\.state) == [.ok])
  #expect(findings[0].found == "imu x: 100.0 Hz, |a| 9.81 ± 0.020 m/s², |ω| 0.0100 ± 0.0020 rad/s")
}

@Test func eachThingThatCanBeWrongWithAPartIsTold() {
  func found(_ samples: [InertialSample], wanted: Double = 100) -> [Finding] {
    Array(InertialVerdict(samples).findings(name: "imu x", facts: "", wanted: wanted))
  }
  #expect(found(stillSamples(count: 3)).map(\.state) == [.fail])
  #expect(found(stillSamples(), wanted: 200)[1].found == "100.0 samples a second, 200 are wanted")
  #expect(found(stillSamples(rateNoise: 0.5))[1].found.contains("it is moving"))
  #expect(found(stillSamples(force: 4.9)).map(\.state) == [.fail, .fail])
  #expect(found(stillSamples(force: 10.5))[1].advice?.hasPrefix("leash calibrate accelerometer") == true)
  #expect(found(stillSamples(rate: 0.4))[1].found.contains("shows at rest"))
  #expect(found(stillSamples(forceNoise: 0, rateNoise: 0))[1].found.contains("never change"))
  let bare = stillSamples().map { InertialSample(time: $0.time, specificForce: $0.specificForce) }
  #expect(found(bare)[1].found.hasPrefix("no gyroscope"))
}

@Test func theConfiguredSensorsAreStartedAndStopped() {
  var made = machine()
  made.sensor = { configuration in
    if configuration.imu != .none { return FakeSensor("imu fake", stillSamples(count: 250).map { .inertial($0) }) }
    var fix = GNSSFix(time: .zero)
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeDegrees: 50, longitudeDegrees: 5)
    return FakeSensor("gnss fake", [.fix(fix)], facts: [("gpsd", "3.22")])
  }
  var configuration = BoardConfiguration()
  configuration.imu = .witMotion(port: "/dev/x", bitsPerSecond: 9600)
  #expect(run(.inertial, made, configuration).map(\.state) == [.ok])
  let gnss = run(.satellites, made, configuration)
  #expect(gnss == [.ok("gnss", "gnss fake: 50.00000 5.00000; gpsd 3.22")])
  made.sensor = { _ in FakeSensor("gnss fake", fails: "nothing listens there; start gpsd") }
  #expect(
    run(.satellites, made, configuration) == [.fail("gnss", "gnss fake: nothing listens there", advice: "start gpsd")])
  // Nobody has asked for a gpsd on a machine without a configuration.
  #expect(run(.satellites, made).map(\.state) == [.warn])
}

// MARK: Modem and servers

@Test func aModemIsAskedForItsCardItsSignalAndItsNetwork() throws {
  let more = [
    "AT+CPIN?": "+CPIN: READY", "AT+CGMM": "SIM7000E", "AT+CGMR": "Revision:1529B11SIM7000G",
    "AT+CGREG?": "+CGREG: 0,0", "AT+CREG?": "+CREG: 0,0",
  ]
  let modem = try BenchModem(
    answers: benchAnswers.merging(more.mapValues { "\r\n\($0)\r\n\r\nOK\r\n" }) { $1 })
  var made = machine()
  made.open = { path, rate throws(DeviceFailure) in try SerialPort.open(path, bitsPerSecond: rate) }
  var configuration = BoardConfiguration()
  configuration.modem = ModemSettings()
  configuration.modem?.port = modem.path
  let found = run(.modem, made, configuration)
  #expect(found.map(\.name) == ["modem", "firmware", "sim", "signal", "network"])
  #expect(found.allSatisfy { $0.state == .ok }, "\(found)")
  // What it says besides is named only where nobody knows it, also if all works.
  func besides(_ line: String, in command: String) throws -> [Finding] {
    let modem = try BenchModem(
      answers: benchAnswers.merging(more.mapValues { "\r\n\($0)\r\n\r\nOK\r\n" }) { $1 }.merging([
        command: "\r\n\(line)\r\n\r\n\(more[command] ?? "+CSQ: 20,99")\r\n\r\nOK\r\n"
      ]) { $1 })
    configuration.modem?.port = modem.path
    return Array(run(.modem, made, configuration).dropFirst(5))
  }
  for command in ["AT+CGMM", "AT+CGMR", "AT+CPIN?", "AT+CSQ", "AT+CREG?"] {
    let found = try besides("+MYSTERY: 7", in: command)
    #expect(found.map(\.name) == ["modem"] && found.first?.state == .warn, "\(command) \(found)")
    #expect(
      found.first?.found.contains("'+MYSTERY: 7'") == true
        && found.first?.advice?.contains("leash modem record") == true)
  }
  for known in [
    "RING", "DST: 0", "*PSUTTZ: 2026,11,28,0,44,0,\"+4\",0", "+CMTI: \"SM\",1", "$GPGSV,1,1,00*79", "0, CLOSED",
  ]
  where try !besides(known, in: "AT+CSQ").isEmpty { Issue.record("\(known) is known") }
  #expect(try besides("+CMT: \"+31600\",\"\",\"26/11/22,16:00:00+04\"\r\nwhere are you", in: "AT+CSQ").isEmpty)
  // The rest of a text is nobody's business, and what comes behind an end is heard with the next.
  for text in [
    "+CMT: \"+31600\",\"\",\"26/11/22,16:00:00+04\"\r\nwhere\r\nare you", "+SMSUB: \"leash\",\"one\r\ntwo\r\nthree\"",
  ] {
    #expect(try besides(text, in: "AT+CSQ").isEmpty)
  }
  #expect(try besides("SIM ready\r\n\r\nOK\r\n%%LATE", in: "AT+CSQ").contains { $0.found.contains("which is unknown") })
  // Its model, whatever comes before.
  for first in [
    "SMS Ready", "RING", "$GPGSV,1,1,00*79", "+CMT: \"+31600\",\"\",\"26/11/22,16:00:00+04\"\r\nhello world",
  ] {
    #expect(
      ModemVerdict.model(first.split(whereSeparator: \.isNewline).map(String.init) + ["SIMCOM_SIM7000G"])
        == "SIMCOM_SIM7000G")
  }
  #expect(ModemVerdict.model(["ERROR"]) == "a modem" && ModemVerdict.model(["%%MYSTERY 7", "BG96"]) == "BG96")
  #expect(try besides("%%A 1\r\n\r\n%%B 2", in: "AT+CSQ").first?.found.contains("'%%A 1', and 1 more,") == true)
  #expect(found[1].found == "1529B11SIM7000G" && found[3].found == "-74 dBm" && found[4].found == "registered, roaming")
}

/// The tracker goes on with whatever the modem has; only the doctor sees why no packet arrives.
@Test func anAccessPointThatTheModemDoesNotTakeIsTold() throws {
  func found(_ contexts: String, _ setting: String) throws -> Finding? {
    let more = [
      "AT+CGDCONT?": "\r\n\(contexts)\r\n\r\nOK\r\n",
      "AT+CGDCONT=1,\"IP\",\"iot.example\"": "\r\n\(setting)\r\n",
    ]
    let modem = try BenchModem(answers: benchAnswers.merging(more) { $1 })
    var made = machine()
    made.open = { path, rate throws(DeviceFailure) in try SerialPort.open(path, bitsPerSecond: rate) }
    var configuration = BoardConfiguration()
    configuration.modem = ModemSettings()
    configuration.modem?.port = modem.path
    configuration.modem?.driver.accessPoint = try #require(AccessPointName("iot.example"))
    return run(.modem, made, configuration).first { $0.name == "apn" }
  }
  #expect(try found("+CGDCONT: 1,\"IP\",\"IOT.example\",\"0.0.0.0\",0,0", "ERROR") == .ok("apn", "iot.example"))
  let refused = try #require(try found("+CGDCONT: 1,\"IP\",\"other\",\"0.0.0.0\",0,0", "+CME ERROR: 3"))
  #expect(refused.state == .warn)
  #expect(
    refused.found
      == "the modem answers AT+CGDCONT=1,\"IP\",\"iot.example\" with '+CME ERROR: 3', and does not store it")
  #expect(refused.advice?.contains("AT+CFUN=4, AT+CGDCONT=1,\"IP\",\"iot.example\", AT+CFUN=1") == true)
  // One that says so and does not do it.
  #expect(try found("+CGDCONT: 13,\"IP\",\"iot.example\"", "OK")?.state == .warn)
}

@Test func aRunningTrackerTellsWhatItsModemDoesNotTake() throws {
  var configuration = BoardConfiguration()
  configuration.modem = ModemSettings()
  var line = try device("modem at /dev/ttyS0", "open")
  let fact = "[{\"name\":\"apn\",\"value\":\"the modem answers AT+CGDCONT with '+CME ERROR: 3'\"}]"
  line.facts = try JSONDecoder().decode([BoardStatus.Fact].self, from: Data(fact.utf8))
  let found = run(.modem, machine(), configuration, tracker: .running(try status(sensors: [], uplinks: [line])))
  #expect(found.map(\.name) == ["modem", "apn"] && found[1].state == .warn)
  #expect(found[1].found.contains("AT+CGDCONT") && found[1].advice?.contains("leash modem talk") == true)
}

/// The driver delivers all the same, and nobody would hear of it.
@Test func aLineThatNobodyKnowsIsNamedAndOffered() {
  for line in ["Revision:LE20B04SIM7600G22", "ERROR", "R1951.02"] {
    let found = ModemVerdict.firmware([line])
    #expect(found.state == .warn && found.found.contains("'\(line)'"))
    #expect(found.advice?.contains("leash modem record") == true)
  }
  #expect(ModemVerdict.firmware([]).state == .warn)
  #expect(ModemVerdict.firmware(["1351B05SIM7000E"]) == .ok("firmware", "1351B05SIM7000E"))
  for found in [
    ModemVerdict.card("+CPIN: BLOCKED", hasPIN: false), ModemVerdict.signal("+CSQ: good"),
    ModemVerdict.registration(["+CEREG: yes"]),
  ] {
    #expect(found.state == .warn && found.found.contains("which is unknown"))
    #expect(found.advice?.contains("leash modem record") == true)
  }
  #expect(ModemVerdict.registration(["ERROR", "ERROR", "+CREG: 0,1"]) == .ok("network", "registered"))
}

@Test func whatAModemSaysIsTurnedIntoAdvice() {
  #expect(ModemVerdict.card("+CPIN: SIM PIN", hasPIN: false).state == .fail)
  #expect(ModemVerdict.card("+CPIN: SIM PIN", hasPIN: true).state == .ok)
  #expect(ModemVerdict.card("+CPIN: SIM PUK", hasPIN: true).found.contains("PUK"))
  #expect(ModemVerdict.card("+CME ERROR: SIM not inserted", hasPIN: false).found.contains("no card"))
  // What the modem says by itself may come first, and blanks be missing.
  let lines = ["*PSUTTZ: 2026,11,28,0,44,0,\"+4\",0", "RING", "+CPIN:READY"]
  #expect(ModemVerdict.card(ModemVerdict.line("+CPIN:", in: lines), hasPIN: false) == .ok("sim", "ready"))
  #expect(ModemVerdict.signal(ModemVerdict.line("+CSQ:", in: ["RING", "+CSQ:20,99"])) == .ok("signal", "-74 dBm"))
  #expect(ModemVerdict.registration(["+CREG:0,5"]) == .ok("network", "registered, roaming"))
  #expect(ModemVerdict.card(ModemVerdict.line("+CPIN:", in: ["+CME ERROR: 14"]), hasPIN: false).state == .warn)
  #expect(ModemVerdict.card("+CME ERROR: SIM busy", hasPIN: false).found == "not ready yet")
  #expect(ModemVerdict.card("+CPIN: NOT READY", hasPIN: false).state == .warn)
  #expect(ModemVerdict.card("+CPIN: NOT INSERTED", hasPIN: false).found.contains("no card"))
  #expect(ModemVerdict.signal("+CSQ: 99,99").state == .warn)
  #expect(ModemVerdict.signal("+CSQ: 3,0").found == "-108 dBm: weak")
  #expect(ModemVerdict.signal("ERROR").state == .warn)
  #expect(ModemVerdict.registration(["+CEREG: 0,3", "+CGREG: 0,1"]).state == .ok)
  #expect(ModemVerdict.registration(["+CEREG: 0,2"]).found == "searching")
  #expect(ModemVerdict.registration(["+CEREG: 0,3"]).state == .fail)
  #expect(ModemVerdict.registration([]).state == .warn)
}

@Test func aBrokerIsGreetedAndARefusalTold() throws {
  var settings = MosquittoServer.Settings()
  settings.users = [("bike", "right")]
  guard let broker = try MosquittoServer(settings) else { return }
  var mqtt = MQTTSettings()
  mqtt.host = "127.0.0.1"
  mqtt.port = broker.port
  mqtt.user = "bike"
  mqtt.password = Secret("right")
  var configuration = BoardConfiguration()
  configuration.uplinks = [.mqtt(mqtt)]
  let good = run(.servers, machine(), configuration)
  #expect(good.map(\.state) == [.ok] && good[0].found.contains("accepts 'leash-doctor'"))
  mqtt.password = Secret("wrong")
  configuration.uplinks = [.mqtt(mqtt)]
  let bad = run(.servers, machine(), configuration)
  #expect(bad.map(\.state) == [.fail] && !bad[0].found.contains("wrong"))
}

/// A broker that stands in for another is worth nothing when it can't be reached on the day that it has to.
@Test func everyBrokerThatStandsInIsGreetedToo() throws {
  guard let broker = try MosquittoServer(), let other = try MosquittoServer() else { return }
  var mqtt = MQTTSettings()
  mqtt.host = "127.0.0.1"
  mqtt.port = broker.port
  mqtt.others = [MQTTHost(name: "127.0.0.1", port: 1), MQTTHost(name: "127.0.0.1", port: other.port)]
  var configuration = BoardConfiguration()
  configuration.uplinks = [.mqtt(mqtt)]
  let found = run(.servers, machine(), configuration)
  #expect(found.map(\.state) == [.ok, .fail, .ok], "\(found)")
  #expect(found[0].found.contains(":\(broker.port)") && found[2].found.contains(":\(other.port)"))
  #expect(found[1].found.contains("127.0.0.1:1: connection refused"), "\(found[1].found)")
}

@Test func aWebServerIsReachedWithoutARequest() throws {
  let server = try HTTPServer()
  var http = HTTPSettings()
  http.url = "http://127.0.0.1:\(server.port)/pub"
  var configuration = BoardConfiguration()
  configuration.uplinks = [.http(http)]
  #expect(run(.servers, machine(), configuration).map(\.state) == [.ok])
  #expect(server.requests.isEmpty)
  // And each that stands in for it.
  http.otherURLs = ["http://127.0.0.1:1/pub", http.url]
  configuration.uplinks = [.http(http)]
  #expect(run(.servers, machine(), configuration).map(\.state) == [.ok, .fail, .ok])
  http.otherURLs = []
  http.url = "http://127.0.0.1:\(try freeLoopbackPort())/pub"
  configuration.uplinks = [.http(http)]
  let refused = run(.servers, machine(), configuration)
  #expect(refused.map(\.state) == [.fail] && refused[0].found.contains("refused"))
}

// MARK: The command

@Test func aCheckThatHangsIsGivenUp() {
  let hanging = DoctorCheck(name: "bus", limit: .milliseconds(50)) { _ in
    var wait = EventWait()
    wait.wait(until: MonotonicClock.now + .seconds(2))
    return [.ok("bus", "never told")]
  }
  let start = MonotonicClock.now
  let found = hanging.findings(DoctorCase(machine()))
  #expect(found.map(\.state) == [.fail] && found[0].found.contains("no result within"))
  #expect(MonotonicClock.now - start < .seconds(1))
}

@Test func findingsAreAlignedAndTheExitCodeFollowsTheWorst() throws {
  let checks = [
    DoctorCheck(name: "a") { _ in [.ok("a", "fine"), .warn("servers", "slow", advice: "look")] },
    DoctorCheck(name: "b") { _ in [.fail("b", "\"broken\"", advice: nil)] },
  ]
  let console = Console.captured()
  #expect(DoctorCommand.examine(DoctorCase(machine()), first: [], [checks[0]], console, isJSON: false) == .success)
  #expect(
    console.outText == """
      ok    a            fine
      warn  servers      slow
                         → look
      no failures, 1 warning

      """)
  let json = Console.captured()
  #expect(DoctorCommand.examine(DoctorCase(machine()), first: [], checks, json, isJSON: true) == .checkFailed)
  #expect(
    json.outText == """
      {"name":"a","state":"ok","found":"fine","advice":null}
      {"name":"servers","state":"warn","found":"slow","advice":"look"}
      {"name":"b","state":"fail","found":"\\"broken\\"","advice":null}

      """)
}

@Test func theDoctorNeedsAConfigurationThatCanBeRead() throws {
  #expect(ToolRun("doctor", "/nowhere/leash.json5").code == .environment)
  let folder = try TemporaryFolder()
  let run = ToolRun("doctor", try folder.file("c.json5", "{ gnss: { source: 'gps' } }"))
  #expect(run.code == .checkFailed && run.err.contains("did you mean 'gpsd'?"))
}
