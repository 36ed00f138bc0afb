import Foundation
import LinuxDevices
import LinuxRuntime
import OtherPrograms
import Quantities
import ServerSupport
import Testing

/// A board with everything about it: a receiver behind a real gpsd, an inertial sensor, and `leash run` as a process.
final class BoardRig {
  let folder: BoardFolder
  /// A real gpsd that is fed with a recorded log, over and over.
  let gpsd: GPSDServer
  let sensor: any PlayedSensor
  /// The process that runs now.
  private(set) var leash: OtherProgram
  /// Everything after the sensors in the configuration.
  private(set) var rest = ""
  private var environment: [String: String] = [:]

  var configuration: String { "\(folder.path)/leash.json5" }
  var control: String { "\(folder.path)/control" }
  var recordings: String { "\(folder.path)/rides" }

  /// Sets everything up and starts `leash run`.
  ///
  /// - Parameters:
  ///   - rest: Keys of the configuration beside those that every board has: modem, uplinks.
  ///   - gnss: The section `gnss`; the real gpsd when it is not given.
  /// - Returns: nil when gpsd is not installed, which is told.
  init?(
    _ sensor: some PlayedSensor, folder: BoardFolder, rest: String, gnss: String? = nil,
    environment: [String: String] = [:]
  ) throws {
    self.folder = folder
    self.sensor = sensor
    self.rest = rest
    self.environment = environment
    // The receiver stood still: 35 lines a second as it sent them, but nearly at twice the pace.
    guard let gpsd = try GPSDServer(feeders: [NMEAFeeder(BoardRig.log(), pace: .milliseconds(16), repeats: true)])
    else { return nil }
    self.gpsd = gpsd
    self.gnss = gnss ?? "gnss: { source: 'gpsd', port: \(gpsd.port) }"
    leash = try OtherProgram(["/bin/true"])
    gpsd.begin()
    try configure(rest)
    try start()
  }

  private let gnss: String

  deinit { leash.kill() }

  private static func log() throws -> [String] {
    var root = URL(filePath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let text = try String(contentsOf: root.appending(path: "fixtures/nmea/ublox-zed-f9p-nmea.log"), encoding: .utf8)
    return text.split(whereSeparator: \.isNewline).map(String.init)
  }

  /// Writes the configuration.
  func configure(_ rest: String) throws {
    self.rest = rest
    try folder.write(
      """
      {
        trackerId: "board", state: "\(folder.path)/state.db", control: "\(control)", fallbackAfter: 4,
        \(gnss),
        \(sensor.section),
        record: { folder: "\(recordings)" },
        motion: { armAfter: 1.5, standAfter: 1, silenceAfter: 2, calmAfter: 1, quietAfter: 2, stolenAfter: 600 },
        reports: { alarmInterval: 2 },
        outbox: { acknowledgementTimeout: 4, maximumTimeout: 6 },
        \(rest)
      }
      """, to: "leash.json5")
  }

  /// Starts `leash run`.
  func start() throws {
    let words = [OtherProgram.leash, "run", "--json", configuration]
    // By way of a shell when there is an environment: a preloaded library that adds to the one of a process moves it
    // away from the stack, where Swift looks for the arguments.
    let shell = environment.isEmpty ? [] : ["/bin/sh", "-c", "exec \"$0\" \"$@\""]
    leash = try OtherProgram(shell + words, environment: environment)
  }

  // MARK: Looking at it

  /// How it stands; nil while nobody answers.
  func status() -> BoardStatus? {
    guard let answer = try? ControlClient.ask(.status, at: control) else { return nil }
    return try? JSONDecoder().decode(BoardStatus.self, from: Data(answer))
  }

  /// Waits until the status is as wanted; gives it.
  @discardableResult func status(
    _ what: String, within limit: Interval = .seconds(90), where holds: (BoardStatus) -> Bool
  ) async throws -> BoardStatus {
    var last: BoardStatus?
    try await waits(for: what, within: limit) {
      last = status()
      return last.map(holds) ?? false
    }
    return try #require(last)
  }

  /// Waits until something holds; a process that ends meanwhile is a failure.
  func waits(for what: String, within limit: Interval = .seconds(90), until holds: () throws -> Bool) async throws {
    try await wait(for: what, within: limit, detail: { self.description }) {
      if try holds() { return true }
      if let code = leash.exitStatus { throw SetUpFailure("'leash run' ended with \(code)\n\(description)") }
      return false
    }
  }

  /// What a failed test wants to know.
  private var description: String {
    let status =
      (try? ControlClient.ask(.status, at: control)).map { String(decoding: $0, as: UTF8.self) } ?? "no status"
    return "\(leash.lines.suffix(20).joined(separator: "\n"))\n\(leash.problems.joined(separator: "\n"))\n\(status)"
  }

  // MARK: The story

  /// The bike stands until it is parked and armed.
  ///
  /// For three seconds at least in a first life, in which the tracker learns the noise of its sensor: who moves the bike from
  /// the first sample on has that taken for noise. After a restart the noise is known.
  func park(afterRestart: Bool = false) async throws {
    sensor.player.show(.standing)
    try await status("parked and armed") { status in
      status.phase == "parked" && status.isArmed
        && status.sensors.contains { $0.name.hasPrefix("imu") && ($0.inputs ?? 0) >= (afterRestart ? 1 : 300) }
    }
  }

  /// The bike is moved until there is one more alert; gives the number of the alert.
  @discardableResult func steal() async throws -> UInt32 {
    let before = try #require(status()).lastAlert
    sensor.player.show(.ridden)
    return try await status("an alert") { $0.lastAlert > before }.lastAlert
  }

  /// Everything from settling to the quiet after the alert, with an empty outbox at the end if servers are there.
  func story(isDelivered: Bool = true) async throws {
    try await park()
    try await steal()
    try await park()
    guard isDelivered else { return }
    try await status("an empty outbox") { $0.outbox.waiting.isEmpty }
  }

  /// Number of the last alert, as the process told before it was ended.
  private(set) var lastAlert: UInt32 = 0

  /// Ends `leash run` in good order.
  func stop() async throws {
    lastAlert = status()?.lastAlert ?? lastAlert
    leash.send(SIGTERM)
    try await wait(for: "the end", detail: { self.leash.problems.joined(separator: "\n") }) { leash.hasEnded }
    #expect(leash.exitStatus == 0, "\(leash.problems)")
  }

  // MARK: The recordings

  /// The files of each run, in order.
  func runs() throws -> [[String]] {
    let files = try FileManager.default.contentsOfDirectory(atPath: recordings).sorted()
    var runs: [(name: Substring, files: [String])] = []
    for file in files {
      let name = file.dropLast("-000.leash".count)
      if runs.last?.name != name { runs.append((name, [])) }
      runs[runs.count - 1].files.append("\(recordings)/\(file)")
    }
    return runs.map(\.files)
  }

  /// The packets that a replay of the recordings sends, after a check that each recording replays to the same.
  func replayedPackets(sourceLocation: SourceLocation = #_sourceLocation) async throws -> [String] {
    var packets: [String] = []
    for files in try runs() {
      let check = try await OtherProgram.run([OtherProgram.leash, "replay", "--check"] + files)
      #expect(check.exitStatus == 0, "\(files) \(check.lines) \(check.problems)", sourceLocation: sourceLocation)
      let replay = try await OtherProgram.run([OtherProgram.leash, "replay", "--json"] + files)
      #expect(replay.exitStatus == 0, "\(replay.problems)", sourceLocation: sourceLocation)
      packets += replay.lines.filter { !$0.contains("\"type\":\"event\"") }
    }
    return packets
  }

  /// What arrived at the servers is what a replay sends: nothing is missing, nothing is invented, and no byte differs.
  ///
  /// - Parameters:
  ///   - arrived: What arrived, looked at until nothing is missing: a broker has acknowledged the last message before it
  ///     has handed it to all who watch.
  ///   - thefts: So often the bike was moved; each gives an alert at least.
  func expectAsReplayed(
    _ arrivals: @autoclosure () -> [String], thefts: UInt32 = 1, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let replayed = Set(try await replayedPackets(sourceLocation: sourceLocation))
    try? await wait(for: "the last packets", within: .seconds(10)) { replayed.isSubset(of: arrivals()) }
    let arrived = arrivals()
    let missing = replayed.subtracting(arrived)
    let invented = Set(arrived).subtracting(replayed)
    #expect(missing.isEmpty, "lost", sourceLocation: sourceLocation)
    #expect(invented.isEmpty, "invented", sourceLocation: sourceLocation)
    expectAllAlerts(arrived, thefts: thefts, sourceLocation: sourceLocation)
  }

  /// Every alert that the tracker told of has arrived, and no other.
  func expectAllAlerts(_ arrived: [String], thefts: UInt32, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(lastAlert >= thefts, sourceLocation: sourceLocation)
    #expect(alerts(in: arrived) == Set(stride(from: 1, through: lastAlert, by: 1)), sourceLocation: sourceLocation)
  }
}

/// What tests look at in a packet.
struct Packet {
  /// Its number.
  var sequence: Int
  /// Number of the alert; nil when it is none.
  var alert: UInt32?
  /// ISO 8601; nil while no receiver has told it.
  var utc: String?

  /// Reads the JSON; nil when it is none.
  init?(_ text: String) {
    guard let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
      let sequence = object["sequence"] as? Int
    else { return nil }
    self.sequence = sequence
    alert = ((object["alert"] as? [String: Any])?["id"] as? Int).map { UInt32($0) }
    utc = object["utc"] as? String
  }
}

/// Numbers of the alerts among packets.
func alerts(in packets: some Sequence<String>) -> Set<UInt32> { Set(packets.compactMap { Packet($0)?.alert }) }

/// Runs a test on a board of its own, when there is a place for it.
func withPlace(_ body: () async throws -> Void) async throws {
  await BoardPlaces.shared.take()
  do {
    try await body()
  } catch {
    await BoardPlaces.shared.giveBack()
    throw error
  }
  await BoardPlaces.shared.giveBack()
}

/// Says how long something took to work again.
func tellRecovery(_ what: String, since start: Instant) {
  let tenths = (MonotonicClock.now - start).microseconds / 100_000
  print("recovery: \(what) \(tenths / 10).\(tenths % 10) s")
}
