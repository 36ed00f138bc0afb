import LinuxDevices
import LinuxRuntime
import Quantities
import TrackerRuntime
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
    let remarks = UplinkSettings.remarks(of: configuration.uplinks)
    return zip(configuration.uplinks, remarks).flatMap { way, remark -> [Finding] in
      switch way.kind {
      case .mqtt(let settings): brokers(settings)
      case .http:
        way.alternatives.compactMap { way in
          if case .http(let settings) = way.kind { web(settings, remark) } else { nil }
        }
      case .modem: []
      }
    }
  }

  /// Connects to a broker and to those that stand in for it, all at once: one that nobody has tried is worth nothing on the day that it
  /// has to. Under other names than the tracker's, so that neither it nor its session at the broker is disturbed, and each under one of
  /// its own: nodes of a cluster would throw the others out.
  private static func brokers(_ settings: MQTTSettings) -> [Finding] {
    let trials = settings.hosts.enumerated().map { place, host in
      var settings = settings
      (settings.host, settings.port, settings.others) = (host.name, host.port, [])
      settings.clientID += place == 0 ? "-doctor" : "-doctor-\(place + 1)"
      settings.keepsSession = false
      settings.will = nil
      settings.announcement = nil
      settings.commandTopic = nil
      return (settings: settings, uplink: MQTTUplink(settings, seed: 1))
    }
    var found = [Finding?](repeating: nil, count: trials.count)
    do throws(DeviceFailure) {
      let loop = try EventLoop(clock: MachineClock())
      let start = MonotonicClock.now
      defer { for trial in trials { trial.uplink.stop() } }
      for trial in trials { try trial.uplink.start(in: loop, at: start) }
      while found.contains(nil), MonotonicClock.now < start + .seconds(12) {
        loop.turn(until: start + .seconds(12))
        for (place, trial) in trials.enumerated() where found[place] == nil {
          found[place] = finding(trial.settings, trial.uplink.state, MonotonicClock.now - start)
        }
      }
    } catch {
      return [.fail("server", line: error.message)]
    }
    return trials.indices.map { found[$0] ?? failure("no answer within 12 s", of: trials[$0].settings) }
  }

  /// What came of a trial; nil while it goes on.
  private static func finding(_ settings: MQTTSettings, _ state: UplinkState, _ time: Interval) -> Finding? {
    switch state {
    case .open:
      let security = settings.tls == nil ? ", without TLS" : ", with TLS"
      return .ok(
        "server",
        "mqtt \(settings.host):\(settings.port): the broker accepts '\(settings.clientID)' (\(time.microseconds / 1000) ms)\(security)"
      )
    case .failed(let reason, _): return failure(reason, of: settings)
    case .idle, .opening: return nil
    }
  }

  private static func failure(_ reason: String, of settings: MQTTSettings) -> Finding {
    // It runs, and has answered.
    let isRefused = reason.hasPrefix("the broker refused")
    return .fail(
      "server", "mqtt \(settings.host):\(settings.port): \(reason)",
      advice: isRefused
        ? "compare 'user', 'password' and 'clientId' of the uplink with the broker's settings"
        : advice(host: settings.host, port: "\(settings.port)", isLocal: "mosquitto"))
  }

  private static func web(_ settings: HTTPSettings, _ remark: String) -> Finding {
    var settings = settings
    settings.timeout = min(settings.timeout, .seconds(12))
    let server = HTTPUplink(settings, seed: 1).name
    let name = server + remark
    let start = MonotonicClock.now
    guard let problem = HTTPProbe.problem(reaching: settings) else {
      let time = (MonotonicClock.now - start).microseconds / 1000
      return .ok("server", "\(name): takes connections (\(time) ms); no packet was sent")
    }
    let place = server.split(separator: " ").last.map(String.init) ?? server
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
