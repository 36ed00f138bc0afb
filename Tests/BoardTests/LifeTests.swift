import Glibc
import ServerSupport
import Testing

/// How a life of `leash run` begins, changes and ends.
@Suite struct LifeTests {
  @Test func aCleanStopSaysGoodbyeAndTheNextLifeSendsWhatWaited() async throws {
    try await withPlace {
      guard let broker = try MosquittoServer() else { return }
      let watcher = try MosquittoWatcher(port: broker.port)
      defer { watcher.stop() }
      let uplinks = """
        uplinks: [ { by: 'mqtt', host: '127.0.0.1', port: \(broker.port), topic: 'bike/packet',
          will: { topic: 'bike/will', payload: 'gone' } } ]
        """
      guard let rig = try BoardRig(PlayedIIODevice(), folder: BoardFolder(), rest: uplinks) else { return }
      try await rig.story()
      try await rig.stop()
      #expect(rig.leash.problems.last == "leash run: stopped; no unsent packets")
      #expect(access(rig.control, F_OK) != 0)
      watcher.publish("mark", to: "test")
      try await wait(for: "the mark") { watcher.messages.contains { $0.topic == "test" } }
      #expect(!watcher.messages.contains { $0.topic == "bike/will" })

      // A life that ends with the broker down, and an alert that nobody has.
      try rig.start()
      try await rig.park(afterRestart: true)
      broker.kill()
      let waiting = try await rig.steal()
      try await rig.stop()
      try broker.start()
      let late = try MosquittoWatcher(port: broker.port)
      defer { late.stop() }
      rig.sensor.player.show(.standing)
      try rig.start()
      try await rig.waits(for: "the alert that waited") { alerts(in: late.messages.map(\.text)).contains(waiting) }
      try await rig.park(afterRestart: true)
      try await rig.status("an empty outbox") { $0.outbox.waiting.isEmpty }
      // Without a goodbye the broker tells.
      rig.leash.kill()
      try await wait(for: "the will") { late.messages.contains { $0.topic == "bike/will" && $0.text == "gone" } }
      let packets = (watcher.messages + late.messages).filter { $0.topic == "bike/packet" }.map(\.text)
      rig.expectAllAlerts(packets, thefts: 2)
      // One number, one packet, over all lives.
      #expect(Dictionary(grouping: Set(packets)) { Packet($0)?.sequence }.values.allSatisfy { $0.count == 1 })
    }
  }

  @Test func aChangedConfigurationHoldsAfterAReloadAndABrokenOneDoesNot() async throws {
    try await withPlace {
      let server = try HTTPServer()
      func uplinks(_ path: String) -> String {
        "uplinks: [ { by: 'http', url: 'http://127.0.0.1:\(server.port)/\(path)' } ]"
      }
      guard let rig = try BoardRig(PlayedIIODevice(), folder: BoardFolder(), rest: uplinks("old")) else { return }
      try await rig.story()
      try rig.configure("uplinks: [ { by: 'http', uri: 'http://127.0.0.1/' } ]")
      rig.leash.send(SIGHUP)
      try await rig.waits(for: "the refusal") {
        rig.leash.problems.contains("leash run: the configuration has errors; using the previous one")
      }
      #expect(rig.leash.problems.contains { $0.hasPrefix("\(rig.configuration):") && $0.contains("url") })
      try await rig.steal()
      try await rig.park()
      try await rig.status("an empty outbox") { $0.outbox.waiting.isEmpty }
      #expect(server.requests.allSatisfy { $0.path == "/old" })

      let count = server.requests.count
      try rig.configure(uplinks("new"))
      rig.leash.send(SIGHUP)
      try await rig.waits(for: "the reload") {
        rig.leash.problems.contains("leash run: reloading the configuration") && rig.status() != nil
      }
      try await rig.story()
      try await rig.stop()
      #expect(server.requests.dropFirst(count).allSatisfy { $0.path == "/new" })
      #expect(server.requests.count > count)
      #expect(try rig.runs().count == 2)
      try await rig.expectAsReplayed(server.bodies, thefts: 3)
    }
  }
}
