import LinuxDevices
import LinuxRuntime
import Quantities
import Uplinks

extension DoctorCheck {
  /// The ways to the server over the board's network. No packet is sent.
  static let servers = DoctorCheck(name: "server", limit: .seconds(60)) { patient in
    guard let configuration = patient.configuration else { return [] }
    guard !configuration.uplinks.isEmpty else {
      return [
        .warn(
          "server", "no uplink is configured: packets stay in the outbox",
          advice: "set 'uplinks': docs/board.md")
      ]
    }
    if case .running(let status) = patient.tracker {
      return status.uplinks.filter { !$0.name.hasPrefix("modem") }.map { told("server", $0) }
    }
    return configuration.uplinks.flatMap { way -> [Finding] in
      switch way.kind {
      case .mqtt(let settings): [broker(settings)]
      case .http(let settings): [web(settings)]
      case .modem: []
      }
    }
  }

  /// Connects under another name than the tracker's, so that neither it nor its session at the broker is disturbed.
  private static func broker(_ settings: MQTTSettings) -> Finding {
    var settings = settings
    settings.clientID += "-doctor"
    settings.keepsSession = false
    settings.will = nil
    settings.announcement = nil
    settings.commandTopic = nil
    let name = "mqtt \(settings.host):\(settings.port)"
    let uplink = MQTTUplink(settings, seed: 1)
    do throws(DeviceFailure) {
      let loop = try EventLoop()
      let start = MonotonicClock.now
      try uplink.start(in: loop, at: start)
      defer { uplink.stop() }
      while MonotonicClock.now < start + .seconds(12) {
        loop.turn(until: start + .seconds(12))
        switch uplink.state {
        case .open:
          let time = (MonotonicClock.now - start).microseconds / 1000
          return .ok(
            "server",
            "\(name): the broker accepts '\(settings.clientID)' (\(time) ms)\(settings.tls == nil ? ", without TLS" : ", with TLS")"
          )
        case .failed(let reason, _):
          return .fail(
            "server", "\(name): \(reason)",
            advice: advice(host: settings.host, port: "\(settings.port)", isLocal: "mosquitto"))
        case .idle, .opening: continue
        }
      }
      return .fail(
        "server", "\(name): no answer within 12 s",
        advice: advice(host: settings.host, port: "\(settings.port)", isLocal: "mosquitto"))
    } catch {
      return .fail("server", line: error.message)
    }
  }

  private static func web(_ settings: HTTPSettings) -> Finding {
    var settings = settings
    settings.timeout = min(settings.timeout, .seconds(12))
    let name = HTTPUplink(settings, seed: 1).name
    let start = MonotonicClock.now
    guard let problem = HTTPProbe.problem(reaching: settings) else {
      let time = (MonotonicClock.now - start).microseconds / 1000
      return .ok("server", "\(name): takes connections (\(time) ms); no packet was sent")
    }
    let place = name.split(separator: " ").last.map(String.init) ?? name
    let parts = place.split(separator: ":").map(String.init)
    return .fail(
      "server", "\(name): \(problem)", advice: advice(host: parts.first ?? place, port: parts.last ?? "", isLocal: nil))
  }

  private static func advice(host: String, port: String, isLocal service: String?) -> String {
    let isHere = ["localhost", "127.0.0.1", "::1"].contains(host)
    if isHere, let service { return "is it running? systemctl status \(service)" }
    return "getent hosts \(host); timeout 5 bash -c '</dev/tcp/\(host)/\(port)' && echo reachable"
  }
}
