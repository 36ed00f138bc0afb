import Foundation
import LinuxDevices
import OtherPrograms
import Quantities
import SkippedTests
import Synchronization

@testable import StatusPage

/// A page that is served on a thread as long as the value lives.
final class ServedPage: Sendable {
  /// Where it is.
  let link: String
  private let stop: WakeUp
  private let isDone = DispatchSemaphore(value: 0)

  /// Ends the loop.
  private final class Stopper: LoopMember {
    var isStopped = false
    var nextDeadline: Instant? { nil }
    func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) { isStopped = true }
    func advance(to now: Instant) {}
  }

  /// What the thread tells the test.
  private final class Beginning: Sendable {
    let result = Mutex<Result<String, any Error>>(.success(""))
    let isTold = DispatchSemaphore(value: 0)

    func tell(_ told: Result<String, any Error>) {
      result.withLock { $0 = told }
      isTold.signal()
    }
  }

  /// - Parameters:
  ///   - parts: What it answers.
  ///   - count: After so many answers to `/status.json` it is gone.
  init(_ parts: PageContentParts, answers count: Int = .max) throws {
    let stop = try WakeUp()
    let beginning = Beginning()
    let isDone = isDone
    let thread = Thread {
      do {
        let loop = try EventLoop(clock: MachineClock())
        let stopper = Stopper()
        loop.add(stopper)
        try loop.watch(stop.descriptor, for: .reading, by: stopper)
        var left = count
        let server = StatusPageServer(
          PageAddress(port: 0),
          content: PageContent(
            status: {
              left -= 1
              return Array(parts.status.utf8)
            }, history: { parts.history($0) }, dialogue: { _ in Array(parts.dialogue.utf8) },
            fences: { Array(parts.fences.utf8) }))
        try server.start(in: loop, at: MonotonicClock.now)
        beginning.tell(.success(server.link ?? ""))
        while !stopper.isStopped {
          loop.turn()
          if left <= 0 { server.stop() }
        }
        server.stop()
      } catch {
        beginning.tell(.failure(error))
      }
      isDone.signal()
    }
    thread.start()
    beginning.isTold.wait()
    link = try beginning.result.withLock { try $0.get() }
    self.stop = stop
  }

  deinit {
    stop.signal()
    isDone.wait()
  }
}

/// Chromium without a window.
struct Browser {
  private let program: URL

  /// nil, told on the console, when it is not installed.
  init?() {
    let path = "/usr/bin/chromium"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      noteSkipped("there is no \(path); the Debian package chromium has it")
      return nil
    }
    program = URL(filePath: path)
  }

  /// The document after the page's scripts have run for a while, in the browser's own time.
  func document(of link: String, after milliseconds: Int = 2500) throws -> String {
    try run(["--virtual-time-budget=\(milliseconds)", "--window-size=1280,1600", "--dump-dom", link])
  }

  /// Writes what it shows as a picture.
  ///
  /// - Returns: The path of the PNG.
  func screenshot(of link: String, named name: String, width: Int, height: Int, dark: Bool) throws -> URL {
    let picture = try Self.pictures().appending(path: name + ".png")
    try? FileManager.default.removeItem(at: picture)
    _ = try run(
      (dark ? ["--force-dark-mode"] : []) + [
        "--virtual-time-budget=2500", "--hide-scrollbars", "--window-size=\(width),\(height)",
        "--screenshot=\(picture.path)", link,
      ])
    return picture
  }

  /// `LEASH_SCREENSHOTS`, or `.build/screenshots` beside the package.
  private static func pictures() throws -> URL {
    var root = URL(filePath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let named = ProcessInfo.processInfo.environment["LEASH_SCREENSHOTS"].map { URL(filePath: $0) }
    let folder = named ?? root.appending(path: ".build/screenshots")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private func run(_ arguments: [String]) throws -> String {
    let home = FileManager.default.temporaryDirectory.appending(path: "leash-browser-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }
    return try OtherProgram.output(
      of: [program.path, "--headless=new", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(home.path)"] + arguments
    ).out
  }
}
