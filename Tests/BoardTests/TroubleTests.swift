import Glibc
import OtherPrograms
import ServerSupport
import Testing

/// Trouble is told in one line each; what may mend itself is tried again.
@Suite struct TroubleTests {
  /// The lines that name something, without what comes and goes.
  private func lines(_ rig: BoardRig, naming name: String) -> [String] {
    rig.leash.problems.filter { $0.contains(name) }
  }

  @Test func aWrongConfigurationEndsItWithOneAndALineForEachProblem() async throws {
    let folder = try BoardFolder()
    let file = try folder.write("{\n  trackerID: 'x',\n  fallbackAfter: -1,\n}\n", to: "leash.json5")
    let run = try await OtherProgram.run([OtherProgram.leash, "run", file])
    #expect(run.exitStatus == 1)
    #expect(run.problems.count == 2)
    #expect(run.problems[0].hasPrefix("\(file):2:") && run.problems[0].contains("trackerId"))
    #expect(run.problems[1].hasPrefix("\(file):3:") && run.problems[1].contains("fallbackAfter"))
    let missing = try await OtherProgram.run([OtherProgram.leash, "run", "\(folder.path)/none.json5"])
    #expect(missing.exitStatus == 3)
    #expect(missing.problems.count == 1 && missing.problems[0].contains("none.json5"))
    let noStatus = try await OtherProgram.run([OtherProgram.leash, "status", "--socket", "\(folder.path)/control"])
    #expect(noStatus.exitStatus == 3 && noStatus.problems.count == 1)
  }

  @Test func whatIsMissingAtTheStartIsToldOnceAndFoundLater() async throws {
    try await withPlace {
      let sensor = try PlayedWitMotion()
      try sensor.vanish()
      let folder = try BoardFolder()
      let rest = "modem: { port: '\(folder.path)/modem', url: 'http://127.0.0.1:9/' }, uplinks: [ { by: 'modem' } ]"
      let gnss = "gnss: { source: 'serial', port: '\(folder.path)/receiver' }"
      guard let rig = try BoardRig(sensor, folder: folder, rest: rest, gnss: gnss) else { return }
      let status = try await rig.status("everything is tried again") { status in
        status.sensors.allSatisfy { ($0.failures ?? 0) >= 2 } && status.uplinks[0].state == "failed"
      }
      #expect(status.sensors.allSatisfy { $0.state == "failed" && $0.retryInSeconds != nil })
      for name in ["\(folder.path)/receiver", "/imu:", "\(folder.path)/modem"] {
        #expect(lines(rig, naming: name).count == 1, "\(rig.leash.problems)")
        #expect(lines(rig, naming: name).allSatisfy { $0.contains("no such port") && $0.hasSuffix("trying again") })
      }
      try sensor.comeBack()
      try await rig.status("samples") { $0.sensors.contains { $0.state == "running" && ($0.inputs ?? 0) > 10 } }
      try await rig.stop()
    }
  }

  @Test func aPortThatAnotherProcessHoldsIsToldWithItsNameAndTakenOnceItIsFree() async throws {
    try await withPlace {
      let sensor = try PlayedWitMotion()
      guard let first = try BoardRig(sensor, folder: BoardFolder(), rest: "") else { return }
      try await first.status("samples") { $0.sensors.contains { ($0.inputs ?? 0) > 10 } }
      guard let second = try BoardRig(sensor, folder: BoardFolder(), rest: "", gnss: "gnss: { source: 'none' }") else {
        return
      }
      let busy = try await second.status("a busy port") { $0.sensors[0].state == "failed" }
      let reason = busy.sensors[0].reason ?? ""
      // This process is named, too: it has the other side of the line.
      #expect(
        reason.contains("busy: used by ") && reason.contains("leash (process \(first.leash.number))"), "\(reason)")
      try await second.waits(for: "the line") { lines(second, naming: "busy").count == 1 }
      try await first.stop()
      try await second.status("samples") { $0.sensors[0].state == "running" && ($0.sensors[0].inputs ?? 0) > 10 }
      try await second.waits(for: "the good news") { second.leash.problems.contains { $0.hasSuffix("works again") } }
      // Once for the tracker that had it; while that one ended, it may have been said anew who is left.
      #expect(lines(second, naming: "leash (process \(first.leash.number))").count == 1)

      // The state and the socket of a tracker that runs are its own.
      let third = try await OtherProgram.run([OtherProgram.leash, "run", second.configuration])
      #expect(third.exitStatus == 3)
      let told = third.problems.filter { !$0.hasSuffix("(warning)") }
      #expect(told.count == 1 && told[0].contains("in use by leash (process \(second.leash.number))"), "\(told)")
      #expect(second.status() != nil)
      try await second.stop()
    }
  }

  @Test func aBrokerThatRefusesThePasswordIsToldAndTheRightOneHelps() async throws {
    try await withPlace {
      var settings = MosquittoServer.Settings()
      settings.users = [("bike", "right")]
      guard let broker = try MosquittoServer(settings) else { return }
      let watcher = try MosquittoWatcher(port: broker.port, user: "bike", password: "right")
      defer { watcher.stop() }
      func uplinks(_ password: String) -> String {
        "uplinks: [ { by: 'mqtt', host: '127.0.0.1', port: \(broker.port), user: 'bike', password: '\(password)' } ]"
      }
      guard let rig = try BoardRig(PlayedIIODevice(), folder: BoardFolder(), rest: uplinks("wrong")) else { return }
      let refused = try await rig.status("the refusal") { $0.uplinks[0].state == "failed" }
      #expect(refused.uplinks[0].retryInSeconds != nil)
      try await rig.story(isDelivered: false)
      #expect(lines(rig, naming: "mqtt").filter { $0.hasSuffix("trying again") }.count == 1, "\(rig.leash.problems)")
      #expect(watcher.messages.isEmpty)
      try rig.configure(uplinks("right"))
      rig.leash.send(SIGHUP)
      try await rig.waits(for: "the alert") { !alerts(in: watcher.messages.map(\.text)).isEmpty }
      try await rig.status("an empty outbox") { $0.outbox.waiting.isEmpty }
      try await rig.stop()
      #expect(!rig.leash.problems.contains { $0.contains("wrong") || $0.contains("right") })
      try await rig.expectAsReplayed(watcher.messages.map(\.text))
    }
  }
}
