import Foundation
import Glibc
import LinuxDevices
import OtherPrograms
import Quantities
import ServerSupport
import SkippedTests
import Testing

/// The machine itself gives trouble: its disk is full, its clock is set.
@Suite struct MachineFaultTests {
  /// Lets no file of a running process grow, or lets them grow again.
  private func setDisk(of process: pid_t, isFull: Bool) async throws {
    let program = try #require(OtherProgram.path(of: "prlimit"))
    let run = try await OtherProgram.run([program, "--pid", "\(process)", "--fsize=\(isFull ? "0" : "unlimited"):"])
    guard run.exitStatus == 0 else { throw SetUpFailure("no limit: \(run.problems)") }
  }

  @Test func alertsGoOnWithAFullDiskAndEverythingIsKeptAgainAfterwards() async throws {
    try await withPlace {
      let server = try HTTPServer()
      let uplinks = "uplinks: [ { by: 'http', url: 'http://127.0.0.1:\(server.port)/' } ]"
      guard let rig = try BoardRig(PlayedIIODevice(), folder: BoardFolder(), rest: uplinks) else { return }
      try await rig.park()
      try await setDisk(of: rig.leash.number, isFull: true)
      try await rig.status("a recording that stops") { $0.recording?.problem != nil }
      try await rig.steal()
      try await rig.waits(for: "the alert") { !alerts(in: server.bodies).isEmpty }
      let full = try await rig.status("a state that is not kept") { $0.store.problem != nil }
      #expect(full.store.failures > 0 && (full.recording?.lost ?? 0) > 0)
      #expect(rig.leash.problems.contains { $0.contains("File too large") }, "\(rig.leash.problems)")
      try await setDisk(of: rig.leash.number, isFull: false)
      let start = MonotonicClock.now
      try await rig.status("a state that is kept") { $0.store.problem == nil }
      tellRecovery("state after a full disk", since: start)
      let bytes = try #require(rig.status()?.recording?.bytes)
      try await rig.status("a recording") { $0.recording.map { $0.problem == nil && $0.bytes > bytes } ?? false }
      tellRecovery("recording after a full disk", since: start)
      try await rig.park()
      try await rig.steal()
      try await rig.park()
      try await rig.status("an empty outbox") { $0.outbox.waiting.isEmpty }
      // Only what is on the storage is there for the next life.
      rig.leash.kill()
      try rig.start()
      let next = try await rig.status("the next life") { _ in true }
      #expect(next.lastAlert >= 2)
      try await rig.stop()
      rig.expectAllAlerts(server.bodies, thefts: 2)
    }
  }

  @Test func aWallClockThatIsSetByAnHourChangesNothing() async throws {
    try await withPlace {
      let folders = ["x86_64", "aarch64", "arm"].map {
        "/usr/lib/\($0)-linux-gnu\($0 == "arm" ? "eabihf" : "")/faketime"
      }
      guard let library = folders.map({ $0 + "/libfaketimeMT.so.1" }).first(where: { access($0, R_OK) == 0 }) else {
        noteSkipped("there is no libfaketime; the Debian package faketime has it")
        return
      }
      let server = try HTTPServer()
      let uplinks = "uplinks: [ { by: 'http', url: 'http://127.0.0.1:\(server.port)/' } ]"
      let folder = try BoardFolder()
      let clock = try folder.write("+0\n", to: "clock")
      let environment = [
        "LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": clock, "FAKETIME_NO_CACHE": "1", "DONT_FAKE_MONOTONIC": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
      ]
      guard let rig = try BoardRig(PlayedIIODevice(), folder: folder, rest: uplinks, environment: environment) else {
        return
      }
      defer { for kind in ["sem.faketime_sem", "faketime_shm"] { unlink("/dev/shm/\(kind)_\(rig.leash.number)") } }
      try await rig.park()
      let isPreloaded = systemText("/proc/\(rig.leash.number)/maps")?.contains("libfaketime") == true
      #expect(isPreloaded)
      for step in ["+3600", "-3600", "+0"] {
        try folder.write(step + "\n", to: "clock")
        let before = try #require(rig.status())
        try await rig.status("two seconds after the step") { status in
          zip(status.sensors, before.sensors).allSatisfy {
            $0.state == "running" && ($0.inputs ?? 0) > ($1.inputs ?? 0) + 3
          }
            && status.sensors.contains { ($0.inputs ?? 0) > (before.sensors[1].inputs ?? 0) + 200 }
        }
        #expect(rig.status()?.lastAlert == before.lastAlert, "no alert by the step")
        try await rig.steal()
        try await rig.park()
      }
      try await rig.status("an empty outbox") { $0.outbox.waiting.isEmpty }
      try await rig.stop()
      try await rig.expectAsReplayed(server.bodies, thefts: 3)
      // The receiver's time, which is years ago, and not the machine's.
      #expect(server.bodies.compactMap { Packet($0)?.utc }.allSatisfy { $0.hasPrefix("2019-04-12T00:") })
      #expect(rig.leash.problems.allSatisfy { !$0.contains("failed") && !$0.contains("trying again") })
    }
  }
}
