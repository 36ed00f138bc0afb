import Glibc
import LinuxDevices
import OtherPrograms
import Quantities
import SkippedTests

/// A real gpsd on a free port of this machine, fed with recorded sentences; it ends with the value.
///
/// `GPSDServer(feeding: log)` runs; `kill` and `restart` are what happens on a board, on the same port.
package final class GPSDServer {
  /// The port that clients connect to.
  package let port: UInt16
  /// The receivers, in the order given.
  package let feeders: [NMEAFeeder]
  private let program: String
  private let folder: String
  private let hasReceivers: Bool
  private var process: OtherProgram?

  /// Starts gpsd with a receiver for each log, which is silent until `begin`.
  ///
  /// - Returns: nil when gpsd is not installed, which is said on the console.
  package convenience init?(feeding logs: [String]..., pace: Interval = .milliseconds(4), repeats: Bool = false) throws
  {
    try self.init(feeders: try logs.map { try NMEAFeeder($0, pace: pace, repeats: repeats) })
  }

  /// Starts gpsd with these receivers.
  ///
  /// - Parameter hasReceivers: False for a gpsd that is told of none of them yet; see `add`.
  package init?(feeders: [NMEAFeeder], hasReceivers: Bool = true) throws {
    guard let program = OtherProgram.path(of: "gpsd") else {
      noteSkipped("there is no gpsd; the Debian package gpsd has it")
      return nil
    }
    self.program = program
    self.feeders = feeders
    self.hasReceivers = hasReceivers
    port = try LoopbackSocket.freePort()
    folder = "/tmp/leash-gpsd-\(getpid())-\(port)"
    guard mkdir(folder, 0o755) == 0 else { throw SetUpFailure("\(folder): \(String(cString: strerror(errno)))") }
    try restart()
  }

  deinit {
    kill()
    unlink(folder + "/control")
    rmdir(folder)
  }

  /// The path that gpsd gives a receiver.
  package func device(_ place: Int = 0) -> String { "tcp://127.0.0.1:\(feeders[place].port)" }

  /// Lets the sentences of all receivers flow.
  package func begin() { for feeder in feeders { feeder.begin() } }

  /// Ends gpsd at once.
  package func kill() {
    process?.kill()
    process = nil
  }

  /// Ends gpsd if it runs, and starts it on the same port.
  package func restart() throws {
    kill()
    // -n: receivers are opened at once, as on a board whose clock is set by them.
    let receivers = hasReceivers ? feeders.indices.map { device($0) } : []
    unlink(folder + "/control")
    let process = try OtherProgram([program, "-N", "-n", "-S", "\(port)", "-F", folder + "/control"] + receivers)
    guard process.waits(within: .seconds(10), for: { LoopbackSocket.isOpen(port) }) else {
      throw SetUpFailure("gpsd does not listen on port \(port)")
    }
    self.process = process
  }

  /// Gives gpsd one of the receivers while it runs, as `gpsdctl add` does.
  package func add(_ place: Int) throws { try control("+" + device(place)) }

  /// Takes a receiver from it.
  package func remove(_ place: Int) throws { try control("-" + device(place)) }

  private func control(_ line: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array((folder + "/control").utf8).prefix(107)) }
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isConnected, LoopbackSocket.send(Array((line + "\r\n").utf8), to: descriptor) else {
      throw SetUpFailure("gpsd does not take '\(line)'")
    }
    var wait = EventWait()
    wait.add(descriptor)
    wait.wait(until: MonotonicClock.now + .seconds(5))
    var answer = [UInt8](repeating: 0, count: 64)
    let count = recv(descriptor, &answer, answer.count, 0)
    guard count >= 2, answer.starts(with: Array("OK".utf8)) else { throw SetUpFailure("gpsd refuses '\(line)'") }
  }
}
