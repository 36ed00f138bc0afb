import Foundation
import LinuxDevices
import Quantities
import ServerSupport
import Synchronization
import Testing

/// A receiver on a pseudo-terminal that rides north at 20 m/s, ten fixes a second, whoever listens.
private final class RidingReceiver: Sendable {
  private let state = Mutex((isOver: false, metres: 0.0))
  let path: String

  /// - Throws: When there is no pseudo-terminal.
  init() throws {
    // The port lives as long as its thread.
    nonisolated(unsafe) let port = try PseudoTerminal()
    path = port.path
    let isStarted = BackgroundThread.start { [self] in
      var due = MonotonicClock.now
      var count = 0
      while true {
        var wait = EventWait()
        wait.wait(until: due)
        due = due + .milliseconds(100)
        count += 1
        let isOver = state.withLock { state in
          state.metres += 2
          return state.isOver
        }
        if isOver { return }
        port.discardUnread()
        _ = try? port.write(RidingReceiver.sentences(count)[...])
        _ = try? port.read()
      }
    }
    guard isStarted else { throw SetUpFailure("no thread") }
  }

  func stop() { state.withLock { $0.isOver = true } }

  /// How far it has come, m.
  var metres: Double { state.withLock { $0.metres } }

  private static func sentences(_ count: Int) -> [UInt8] {
    func padded(_ text: String, _ width: Int) -> String {
      String(repeating: "0", count: max(0, width - text.count)) + text
    }
    let tenths = count % 864_000
    let time =
      padded("\(tenths / 36_000)", 2) + padded("\(tenths / 600 % 60)", 2) + padded("\(tenths / 10 % 60)", 2)
      + ".\(tenths % 10)"
    // A minute of latitude is 1,852 m; here in millionths of it.
    let minutes = Int(Double(count) * 2 / 1852 * 1_000_000)
    let latitude = "50" + padded("\(minutes / 1_000_000)", 2) + "." + padded("\(minutes % 1_000_000)", 6)
    let bodies = [
      "GPRMC,\(time),A,\(latitude),N,00530.000000,E,38.9,0.0,150626,,,A",
      "GPGGA,\(time),\(latitude),N,00530.000000,E,1,09,0.9,250.0,M,47.0,M,,",
    ]
    return bodies.flatMap { body in
      let sum = String(body.utf8.reduce(UInt8(0)) { $0 ^ $1 }, radix: 16, uppercase: true)
      return Array("$\(body)*\(padded(sum, 2))\r\n".utf8)
    }
  }
}

@Test(.timeLimit(.minutes(10)))
func killedAgainAndAgainOnARideItsOdometerNeverGoesBack() throws {
  let folder = try ServerFolder()
  let receiver = try RidingReceiver()
  defer { receiver.stop() }
  let audience = KillAudience(seed: 3)
  let server = try HTTPServer { _, _ in audience.answer() }
  defer { server.stop() }
  let configuration = try folder.write(
    """
    {
      trackerId: 'kill', alertsEnabled: false, state: '\(folder.path)/state.db', control: '\(folder.path)/control',
      gnss: { source: 'serial', port: '\(receiver.path)', rate: 115200 }, imu: { source: 'none' },
      uplinks: [{ by: 'http', url: 'http://127.0.0.1:\(server.port)/pub' }],
      motion: { travelConfirmation: 0 }, reports: { distance: 1, minimumInterval: 0 },
      outbox: { acknowledgementTimeout: 2 },
    }
    """, to: "leash.json5")
  var random = KillRandom(seed: 4)
  let kills = (ProcessInfo.processInfo.environment["LEASH_KILLS"].flatMap { Int($0) } ?? 200) / 8
  for place in 0...kills {
    let isLast = place == kills
    let life = try KillLife(configuration: configuration, errors: folder.path + "/errors")
    let count = Int.random(in: 3...6, using: &random)
    audience.begin(life, isLast ? .receipt(0) : random.oneIn(2) ? .receipt(count) : .reply(count, .milliseconds(1)))
    if !isLast { life.die(at: MonotonicClock.now + .milliseconds(Int.random(in: 300...1200, using: &random))) }
    do {
      if isLast { try life.wait(for: "packets of the last life") { audience.state.withLock { $0.answered } >= 30 } }
      if !isLast { try life.waitForDeath() }
    } catch is KillLife.Over {
    }
    audience.begin(nil, .receipt(0))
    let end = life.end(with: isLast ? SIGTERM : SIGKILL)
    #expect(end == (isLast ? -1 : SIGKILL), "life \(place) ended with \(end)")
  }
  let travelled = receiver.metres
  let arrivals = try KillLedger.arrivals(server.bodies)
  let metres = Double(arrivals.last?.distance ?? 0)
  print("\(kills) kills, \(arrivals.count) packets, the odometer shows \(Int(metres)) m of \(Int(travelled)) m")
  // The way between two lives is known by their places; only the first fixes of a ride do not count.
  #expect(metres > travelled / 2 && metres <= travelled + 10)
}
