import Foundation
import LinuxDevices
import OtherPrograms
import Quantities
import SkippedTests
import Testing

/// What a shell command in the repository does.
private func shell(_ script: String, _ variables: [String: String] = [:]) throws -> (code: Int32, out: String) {
  let run = try OtherProgram.output(
    of: ["/bin/sh", "-c", "exec 2>&1; \(script)"], environment: variables, folder: Places.root.path)
  return (run.status, run.out)
}

/// The command as it was built beside these tests.
private let leash = OtherProgram.leash

@Test func installPutsEachFileInItsPlaceAndUninstallTakesItAway() throws {
  let folder = try TemporaryFolder()
  let root = folder.path("root")
  for (prefix, under) in [("/usr/local", "usr/local"), ("/usr", "usr")] {
    let variables = ["DESTDIR": root, "BINARY": leash, "PREFIX": prefix]
    let first = try shell("packaging/install.sh install", variables)
    #expect(first.code == 0, "\(first.out)")
    let files = try shell("cd \"$DESTDIR\" && find . -type f -printf '%m %P\\n' | sort -k2", variables).out
    let expected: [String] = [
      "640 etc/leash/leash.json5", "755 \(under)/bin/leash", "644 \(under)/lib/systemd/system/leash.service",
      "644 \(under)/lib/sysusers.d/leash.conf", "644 \(under)/lib/udev/rules.d/60-leash.rules",
    ]
    #expect(files.split(separator: "\n").map(String.init) == expected)
    // An owner's configuration is never written over.
    try "mine".write(toFile: root + "/etc/leash/leash.json5", atomically: true, encoding: .utf8)
    let second = try shell("packaging/install.sh install", variables)
    #expect(second.code == 0 && second.out.contains("stays as it is"))
    #expect(try String(contentsOfFile: root + "/etc/leash/leash.json5", encoding: .utf8) == "mine")
    let last = try shell("packaging/install.sh uninstall", variables)
    #expect(last.code == 0, "\(last.out)")
    #expect(try shell("cd \"$DESTDIR\" && find . -type f", variables).out == "./etc/leash/leash.json5\n")
    #expect(try shell("cd \"$DESTDIR\" && find . -mindepth 1 -not -path './etc*'", variables).out.isEmpty)
    try FileManager.default.removeItem(atPath: root)
  }
}

@Test func theInstalledConfigurationIsGoodAndTheServiceReadsIt() throws {
  let folder = try TemporaryFolder()
  let root = folder.path("root")
  #expect(try shell("packaging/install.sh install", ["DESTDIR": root, "BINARY": leash]).code == 0)
  #expect(ToolRun("config", "check", root + "/etc/leash/leash.json5").code == .success)
  let unit = try String(contentsOfFile: root + "/usr/local/lib/systemd/system/leash.service", encoding: .utf8)
  #expect(unit.contains("\nExecStart=/usr/local/bin/leash run /etc/leash/leash.json5\n") && !unit.contains("@BINDIR@"))
  #expect(unit.contains("\nLimitCORE=0\n"), "the owner's key is in its memory")
}

@Test func theServiceIsValidAndWellConfined() throws {
  guard FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze") else {
    noteSkipped("there is no /usr/bin/systemd-analyze; the Debian package systemd has it")
    return
  }
  let folder = try TemporaryFolder()
  let root = folder.path("root")
  #expect(try shell("packaging/install.sh install", ["DESTDIR": root, "BINARY": leash]).code == 0)
  // verify wants the program to be there.
  let unit = try String(contentsOfFile: root + "/usr/local/lib/systemd/system/leash.service", encoding: .utf8)
  let file = try folder.file("leash.service", unit.replacingOccurrences(of: "/usr/local/bin/leash", with: leash))
  let verified = try shell("systemd-analyze verify \"$UNIT\"", ["UNIT": file])
  #expect(verified.code == 0 && verified.out.isEmpty, "\(verified.out)")
  // 10 is a service that may do everything; docs/board.md states the level.
  let security = try shell(
    "systemd-analyze security --offline=yes --threshold=20 --no-pager \"$UNIT\" | tail -1", ["UNIT": file])
  let level = security.out.split(separator: " ").compactMap { Double($0) }.first
  #expect(try #require(level) <= 2.0, "\(security.out)")
}

/// A socket as systemd gives it to a service, with what the service says there.
private final class NotifySocket {
  let path: String
  private let descriptor: Int32
  private(set) var said: [String] = []

  init(_ path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix(107)) }
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0 else { throw POSIXError(.EADDRINUSE) }
  }

  deinit { close(descriptor) }

  /// Waits until the service has said a line that begins so, once more; false when it did not.
  func hears(_ beginning: String) -> Bool {
    let deadline = MonotonicClock.now + .seconds(20)
    var buffer = [UInt8](repeating: 0, count: 4096)
    while MonotonicClock.now < deadline {
      var wait = EventWait()
      wait.add(descriptor)
      wait.wait(until: deadline)
      guard wait.isReadable(0) else { return false }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return false }
      let text = String(decoding: buffer[..<count], as: UTF8.self)
      said.append(text)
      if text.split(separator: "\n").contains(where: { $0.hasPrefix(beginning) }) { return true }
    }
    return false
  }
}

@Test func theServiceTellsSystemdThatItIsReadyAliveReadingAgainAndStopping() throws {
  let folder = try TemporaryFolder()
  let notify = try NotifySocket(folder.path("notify"))
  let file = try folder.file(
    "c.json5",
    "{ gnss: { source: 'none' }, state: '\(folder.path("state.db"))', control: '\(folder.path("control"))' }")
  let program = try OtherProgram(
    [leash, "run", file], environment: ["NOTIFY_SOCKET": notify.path, "WATCHDOG_USEC": "200000"])
  defer { program.kill() }
  #expect(notify.hears("READY=1"))
  #expect(notify.hears("WATCHDOG=1"))
  #expect(notify.hears("WATCHDOG=1"))
  program.send(SIGHUP)
  #expect(notify.hears("RELOADING=1"))
  #expect(notify.said.last?.contains("MONOTONIC_USEC=") == true)
  #expect(notify.hears("READY=1"))
  #expect(notify.hears("WATCHDOG=1"))
  program.send(SIGTERM)
  #expect(notify.hears("STOPPING=1"), "\(notify.said)")
  #expect(try program.end() == 0)
}
