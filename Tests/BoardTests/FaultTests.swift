import Glibc
import LinuxDevices
import LinuxRuntime
import Quantities
import ServerSupport
import Testing

/// Devices of the board go and come back; the other ones go on, and no alert is lost or invented.
@Suite struct DeviceFaultTests {
  @Test func anAlertArrivesWhileGPSDIsGoneAndPositionsComeAgainWithIt() async throws {
    try await withPlace {
      let server = try HTTPServer()
      let uplinks = "uplinks: [ { by: 'http', url: 'http://127.0.0.1:\(server.port)/' } ]"
      guard let rig = try BoardRig(PlayedIIODevice(), folder: BoardFolder(), rest: uplinks) else { return }
      try await rig.park()
      let place = try #require(rig.status()?.sensors.firstIndex { $0.name.hasPrefix("gnss") })
      try await rig.status("fixes") { ($0.sensors[place].inputs ?? 0) > 2 }
      rig.gpsd.kill()
      try await rig.status("gpsd is missed") { $0.sensors[place].state == "failed" }
      try await rig.steal()
      try await rig.waits(for: "the alert") { !alerts(in: server.bodies).isEmpty }
      let before = try #require(rig.status()?.sensors[place].inputs)
      try rig.gpsd.restart()
      let start = MonotonicClock.now
      try await rig.status("fixes") { $0.sensors[place].state == "running" && ($0.sensors[place].inputs ?? 0) > before }
      tellRecovery("gpsd", since: start)
      try await rig.park()
      #expect(rig.leash.problems.contains { $0.contains("gpsd at") && $0.hasSuffix("trying again") })
      #expect(rig.leash.problems.contains { $0.contains("gpsd at") && $0.hasSuffix("works again") })
      try await rig.status("an empty outbox") { $0.outbox.waiting.isEmpty }
      try await rig.stop()
      try await rig.expectAsReplayed(server.bodies)
    }
  }

  /// Takes the inertial sensor away while it is armed: that is no movement. Once it is back, movement is an alert.
  private func comesAndGoes(_ sensor: some PlayedSensor, _ name: String) async throws {
    let server = try HTTPServer()
    let uplinks = "uplinks: [ { by: 'http', url: 'http://127.0.0.1:\(server.port)/' } ]"
    guard let rig = try BoardRig(sensor, folder: BoardFolder(), rest: uplinks) else { return }
    try await rig.park()
    let place = try #require(rig.status()?.sensors.firstIndex { $0.name.hasPrefix("imu") })
    try sensor.vanish()
    try await rig.status("the sensor is missed") { $0.sensors[place].state == "failed" }
    let before = try #require(rig.status()?.sensors[place].inputs)
    try sensor.comeBack()
    let start = MonotonicClock.now
    try await rig.status("samples") { $0.sensors[place].state == "running" && ($0.sensors[place].inputs ?? 0) > before }
    tellRecovery(name, since: start)
    let fresh = try await rig.status("two seconds of samples") { ($0.sensors[place].inputs ?? 0) > before + 200 }
    #expect(fresh.lastAlert == 0 && (fresh.sensors[place].failures ?? 0) >= 1)
    try await rig.story()
    try await rig.stop()
    try await rig.expectAsReplayed(server.bodies)
  }

  @Test func anIIODeviceThatVanishesComesBackAndTheAlertAfterItArrives() async throws {
    try await withPlace { try await comesAndGoes(try PlayedIIODevice(), "IIO device") }
  }

  @Test func aSerialSensorThatVanishesComesBackAndTheAlertAfterItArrives() async throws {
    try await withPlace { try await comesAndGoes(try PlayedWitMotion(), "serial sensor") }
  }

  @Test func anAlertRaisedWhileTheModemIsGoneArrivesOnceItIsBack() async throws {
    try await withPlace {
      let server = try HTTPServer()
      let folder = try BoardFolder()
      let modem = try ModemOnPort(link: "\(folder.path)/modem")
      let rest = """
        modem: { port: '\(modem.path)', url: 'http://127.0.0.1:\(server.port)/bike' }, uplinks: [ { by: 'modem' } ]
        """
      guard let rig = try BoardRig(PlayedIIODevice(), folder: folder, rest: rest) else { return }
      try await rig.park()
      try await rig.status("the first packets") { $0.outbox.waiting.isEmpty && $0.outbox.acknowledged > 0 }
      modem.unplug()
      try await rig.status("the modem is missed") { $0.uplinks[0].state == "failed" }
      try await rig.steal()
      let fresh = try ModemOnPort(link: "\(folder.path)/modem")
      let start = MonotonicClock.now
      try await rig.waits(for: "the alert", within: .seconds(180)) {
        !alerts(in: server.bodies).isEmpty
      }
      tellRecovery("modem", since: start)
      try await rig.park()
      try await rig.status("an empty outbox") { $0.outbox.waiting.isEmpty }
      try await rig.stop()
      try await rig.expectAsReplayed(server.bodies)
      fresh.unplug()
    }
  }
}

/// Servers go and come back.
@Suite struct ServerFaultTests {
  @Test func anAlertRaisedWhileTheBrokerIsDownArrivesOnceItIsBack() async throws {
    try await withPlace {
      guard let broker = try MosquittoServer() else { return }
      let early = try MosquittoWatcher(port: broker.port)
      defer { early.stop() }
      let uplinks = "uplinks: [ { by: 'mqtt', host: '127.0.0.1', port: \(broker.port) } ]"
      guard let rig = try BoardRig(PlayedIIODevice(), folder: BoardFolder(), rest: uplinks) else { return }
      try await rig.park()
      try await rig.status("the first packets") { $0.outbox.waiting.isEmpty && $0.outbox.acknowledged > 0 }
      broker.kill()
      try await rig.status("the broker is missed") { $0.uplinks[0].state == "failed" }
      try await rig.steal()
      try await rig.park()
      // Nobody but the watcher is to be there first: the broker keeps nothing for those who come later.
      rig.leash.send(SIGSTOP)
      try broker.start()
      let late = try MosquittoWatcher(port: broker.port)
      defer { late.stop() }
      rig.leash.send(SIGCONT)
      let start = MonotonicClock.now
      try await rig.waits(for: "the alert") { !alerts(in: late.messages.map(\.text)).isEmpty }
      tellRecovery("broker killed", since: start)
      try await rig.status("an empty outbox") { $0.outbox.waiting.isEmpty }
      try await rig.stop()
      try await rig.expectAsReplayed((early.messages + late.messages).map(\.text))
    }
  }

  @Test func anAlertTakesTheOtherWayWhileTheBrokerHangs() async throws {
    try await withPlace {
      guard let broker = try MosquittoServer() else { return }
      let watcher = try MosquittoWatcher(port: broker.port)
      defer { watcher.stop() }
      let server = try HTTPServer()
      let uplinks = """
        uplinks: [ { by: 'mqtt', host: '127.0.0.1', port: \(broker.port) },
          { by: 'http', url: 'http://127.0.0.1:\(server.port)/' } ]
        """
      guard let rig = try BoardRig(PlayedIIODevice(), folder: BoardFolder(), rest: uplinks) else { return }
      try await rig.park()
      try await rig.status("the first packets") { $0.outbox.waiting.isEmpty && $0.outbox.acknowledged > 0 }
      broker.pause()
      defer { broker.resume() }
      try await rig.steal()
      try await rig.waits(for: "the alert") { !alerts(in: server.bodies).isEmpty }
      broker.resume()
      let start = MonotonicClock.now
      let count = watcher.messages.count
      try await rig.waits(for: "a packet at the broker") { watcher.messages.count > count }
      tellRecovery("broker that hung", since: start)
      try await rig.park()
      try await rig.status("an empty outbox") { $0.outbox.waiting.isEmpty }
      try await rig.stop()
      try await rig.expectAsReplayed(watcher.messages.map(\.text) + server.bodies)
    }
  }
}
