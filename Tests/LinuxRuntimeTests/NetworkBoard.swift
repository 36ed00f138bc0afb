import LinuxDevices
import Quantities
import Testing
import Uplinks

@testable import LinuxRuntime

/// A board on virtual time with a gpsd, and one server of each kind that is wanted; below libcurl, libmosquitto and libgps all is the
/// test's, and above them all is the program of `leash run`.
final class NetworkBoard {
  let clock = VirtualClock(at: .seconds(1000))
  let gpsd: VirtualGPSD
  let server: VirtualHTTPServer
  let broker: VirtualBroker
  var configuration = BoardConfiguration()
  /// Sensors beside gpsd.
  var sensors: [any SensorSource] = []
  private(set) var run: BoardRun?

  /// Reports to the uplinks of these kinds.
  init(_ folder: Folder, _ uplinks: UplinkSettings...) {
    gpsd = VirtualGPSD(clock)
    server = VirtualHTTPServer(clock)
    broker = VirtualBroker(clock)
    configuration.stateFile = folder("state.db")
    configuration.hasFixedSeed = true
    configuration.uplinks = uplinks
  }

  static func hour(_ hours: Double) -> Instant { VirtualBoard.hour(hours) }

  /// Begins a life.
  func start() throws {
    var libraries = BoardLibraries()
    libraries.http = { [server] in server.exchange($0) }
    libraries.mqtt = { [broker] in broker.client($0) }
    libraries.gpsd = { [gpsd] (host, port, name) throws(DeviceFailure) in
      try gpsd.open(host: host, port: port, name: name)
    }
    var seed: UInt64 = 0
    libraries.drawSeed = {
      seed += 1
      return seed
    }
    let loop = try EventLoop(clock: clock)
    loop.add(broker)
    loop.add(gpsd)
    var parts = try BoardParts(configuration, clock: clock, libraries: libraries)
    parts.sensors += sensors
    let run = try BoardRun(
      configuration, parts: parts,
      storage: BoardStorage(configuration, clock: clock, isBesideLoop: false), loop: loop, at: clock.now)
    try run.start()
    self.run = run
  }

  /// Lets it live until then.
  func live(until end: Instant) { while clock.now < end { run?.turn(until: end) } }

  /// Ends the life in good order.
  func stop() {
    run?.stop()
    run = nil
  }

  /// Has the parked vehicle wheeled away at `start`, 5 m/s for a minute.
  func wheelAway(at start: Instant) {
    gpsd.north = { max(0, min(300, ($0 - start).secondsDouble * 5)) }
    gpsd.speed = { start <= $0 && $0 < start + .seconds(60) ? 5 : 0 }
  }

  /// How the only way to the server stands, and why.
  var way: BoardStatus.Device {
    get throws { try #require(run).status(version: "").uplinks[0] }
  }

  /// How gpsd stands, and why.
  var receiver: BoardStatus.Device {
    get throws { try #require(run).status(version: "").sensors[0] }
  }
}

/// The waits between tries that fall into a time.
func pauses(_ tries: [Instant], in time: Range<Instant>) -> [Double] {
  let tries = tries.filter { time.contains($0) }
  return zip(tries, tries.dropFirst()).map { ($1 - $0).secondsDouble }
}
