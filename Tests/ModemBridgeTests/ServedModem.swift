import Foundation
import LinuxDevices
import ModemBridge
import ModemSimulation
import OtherPrograms
import Quantities
import Synchronization
import Testing

/// A modem that is served on a thread as long as the value lives.
final class ServedModem: Sendable {
  let path: String
  private let stop: WakeUp
  private let isDone = DispatchSemaphore(value: 0)
  private let log: EventLog

  /// What happened, for tests to wait for.
  private final class EventLog: Sendable {
    let events = Mutex<[ModemServerEvent]>([])
    let arrival = DispatchSemaphore(value: 0)
  }

  init(_ settings: ModemServer.Settings = ModemServer.Settings()) throws {
    let log = EventLog()
    let stop = try WakeUp()
    let server = try ModemServer(settings) { event in
      log.events.withLock { $0.append(event) }
      log.arrival.signal()
    }
    path = server.path
    self.log = log
    self.stop = stop
    let isDone = isDone
    nonisolated(unsafe) var own: ModemServer? = server
    let thread = Thread {
      do {
        try own?.run(until: stop.descriptor)
      } catch {
        Issue.record("\(error)")
      }
      // Gone before the test goes on: it may look for what the server leaves behind.
      own = nil
      isDone.signal()
    }
    thread.start()
  }

  deinit {
    stop.signal()
    isDone.wait()
  }

  /// The first event that fits, past ones included; nil when none comes for ten seconds.
  func event(where fits: (ModemServerEvent) -> Bool) -> ModemServerEvent? {
    repeat {
      if let event = log.events.withLock({ $0.first(where: fits) }) { return event }
    } while log.arrival.wait(timeout: .now() + 10) == .success
    return nil
  }
}

/// A client of a modem that is written here, with nothing of the tool's: it types and waits for text.
final class TypingClient {
  let port: any SerialTransport
  private(set) var heard = ""

  init(_ path: String, bitsPerSecond: Int = 115_200) throws {
    port = try SerialPort.open(path, bitsPerSecond: bitsPerSecond)
  }

  deinit { port.close() }

  /// Types and returns what came until the expected text, that included; an issue when it does not come.
  @discardableResult func type(
    _ text: String, until expected: String, within limit: Interval = .seconds(10),
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    heard = ""
    var rest = Array(text.utf8)[...]
    let deadline = MonotonicClock.now + limit
    var wait = EventWait()
    while true {
      rest = rest.dropFirst(try port.write(rest))
      heard += String(decoding: try port.read(), as: UTF8.self)
      if rest.isEmpty && heard.contains(expected) { return heard }
      guard MonotonicClock.now < deadline else {
        Issue.record("typed \(text), expected \(expected), came: \(heard)", sourceLocation: sourceLocation)
        return heard
      }
      wait.removeAll()
      wait.add(port.descriptor, writing: !rest.isEmpty)
      wait.wait(until: deadline)
    }
  }
}

/// Runs a program to its end and gives its exit code and output; it is killed after a minute.
func run(_ program: URL, _ arguments: [String], terminal: String? = nil) throws -> (code: Int32, output: String) {
  let run = try OtherProgram.output(of: [program.path] + arguments, terminal: terminal, within: .seconds(60))
  return (run.status, run.out + run.err)
}

/// A folder that goes away with the value.
final class Folder {
  let path = "/tmp/leash-bridge-\(UUID().uuidString)"

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
