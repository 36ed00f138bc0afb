import ServerSupport
import Testing

/// The whole story with real parts: parked, armed, moved, told, quiet; and the recording tells the same.
@Suite struct StoryTests {
  @Test func theStoryArrivesAtTheBrokerAsTheRecordingReplaysIt() async throws {
    try await withPlace {
      guard let broker = try MosquittoServer() else { return }
      let watcher = try MosquittoWatcher(port: broker.port)
      defer { watcher.stop() }
      let uplinks = "uplinks: [ { by: 'mqtt', host: '127.0.0.1', port: \(broker.port), topic: 'bike/packet' } ]"
      guard let rig = try BoardRig(PlayedIIODevice(), folder: BoardFolder(), rest: uplinks) else { return }
      try await rig.story()
      try await rig.stop()
      #expect(watcher.messages.allSatisfy { $0.topic == "bike/packet" })
      try await rig.expectAsReplayed(watcher.messages.map(\.text))
    }
  }

  @Test func theStoryArrivesAtTheHTTPServerAsTheRecordingReplaysIt() async throws {
    try await withPlace {
      let server = try HTTPServer()
      let uplinks = "uplinks: [ { by: 'http', url: 'http://127.0.0.1:\(server.port)/bike' } ]"
      guard let rig = try BoardRig(PlayedWitMotion(), folder: BoardFolder(), rest: uplinks) else { return }
      try await rig.story()
      try await rig.stop()
      #expect(server.requests.allSatisfy { $0.method == "POST" && $0.path == "/bike" })
      try await rig.expectAsReplayed(server.bodies)
    }
  }

  @Test func theStoryArrivesThroughTheModemAsTheRecordingReplaysIt() async throws {
    try await withPlace {
      let server = try HTTPServer()
      let folder = try BoardFolder()
      let modem = try ModemOnPort(link: "\(folder.path)/modem")
      let rest = """
        modem: { port: '\(modem.path)', url: 'http://127.0.0.1:\(server.port)/bike' }, uplinks: [ { by: 'modem' } ]
        """
      guard let rig = try BoardRig(PlayedIIODevice(), folder: folder, rest: rest) else { return }
      try await rig.story()
      try await rig.stop()
      try await rig.expectAsReplayed(server.bodies)
    }
  }
}
