import Glibc
import LinuxDevices
import Quantities
import Synchronization

/// A satellite receiver that speaks NMEA over TCP, as gpsd can read one: `tcp://127.0.0.1:PORT`.
///
/// Everybody who connects gets the same lines at the same pace, from the beginning, once `begin` was called. After the last
/// line the connection stays open and silent, unless it repeats.
package final class NMEAFeeder: Sendable {
  /// Where it listens.
  package let port: UInt16
  private let listener: Int32
  private let gate: Gate

  /// What the threads of the connections share.
  private final class Gate: Sendable {
    struct State {
      var isOpen = false
      var isOver = false
      var isQuiet = false
      var connections: Set<Int32> = []
    }
    let state = Mutex(State())
  }

  /// - Parameters:
  ///   - lines: Sentences without their line ends; comments of recorded logs, which begin with `#`, are left out.
  ///   - pace: Time between two lines.
  ///   - repeats: Whether it begins again at the end.
  package init(_ lines: [String], pace: Interval = .milliseconds(4), repeats: Bool = false) throws {
    let sentences = lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }.map { Array(($0 + "\r\n").utf8) }
    let (listener, port) = try LoopbackSocket.listen()
    let gate = Gate()
    (self.listener, self.port, self.gate) = (listener, port, gate)
    guard
      BackgroundThread.start({
        while true {
          let connection = accept(listener, nil, nil)
          guard connection >= 0 else { break }
          gate.state.withLock { _ = $0.connections.insert(connection) }
          _ = BackgroundThread.start {
            NMEAFeeder.feed(connection, sentences, pace: pace, repeats: repeats, gate)
            gate.state.withLock { _ = $0.connections.remove(connection) }
            close(connection)
          }
        }
        // Only here: its number may be another's as soon as it is closed.
        close(listener)
      })
    else { throw SetUpFailure("no thread for the feeder") }
  }

  deinit { stop() }

  /// Lets the sentences flow.
  package func begin() { gate.state.withLock { $0.isOpen = true } }

  /// True stops the sentences and leaves the connections open; false lets them flow again.
  package func setQuiet(_ isQuiet: Bool) { gate.state.withLock { $0.isQuiet = isQuiet } }

  /// Closes all connections, as a receiver that is unplugged; new ones are taken.
  package func unplug() {
    gate.state.withLock { state in
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
    }
  }

  /// Closes everything.
  package func stop() {
    let isFirst = gate.state.withLock { state in
      defer { state.isOver = true }
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
      return !state.isOver
    }
    guard isFirst else { return }
    shutdown(listener, Int32(SHUT_RDWR))
  }

  private static func feed(
    _ connection: Int32, _ sentences: [[UInt8]], pace: Interval, repeats: Bool, _ gate: Gate
  ) {
    var place = 0
    while true {
      var wait = EventWait()
      let slot = wait.add(connection)
      wait.wait(until: MonotonicClock.now + pace)
      if wait.isReadable(slot) {
        // gpsd writes to receivers, to find out what they are.
        var discarded = [UInt8](repeating: 0, count: 1024)
        if recv(connection, &discarded, discarded.count, 0) <= 0 { return }
        continue
      }
      let (isFlowing, isOver) = gate.state.withLock { ($0.isOpen && !$0.isQuiet, $0.isOver) }
      if isOver { return }
      guard isFlowing, place < sentences.count else { continue }
      guard LoopbackSocket.send(sentences[place], to: connection) else { return }
      place += 1
      if repeats && place == sentences.count { place = 0 }
    }
  }
}
