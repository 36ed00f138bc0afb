import LinuxDevices
import ModemBridge
import ModemSimulation
import Quantities

/// Shows what happens to a simulated modem.
struct SimulatePrinter {
  private let console: Console
  private let isJSON: Bool
  private let isQuiet: Bool
  private let origin = MonotonicClock.now

  init(_ console: Console, isJSON: Bool, isQuiet: Bool) {
    self.console = console
    self.isJSON = isJSON
    self.isQuiet = isQuiet
  }

  /// Says where the modem is, first of all: scripts wait for this line.
  func showPort(_ path: String, link: String?) {
    if isJSON {
      let linked = link.map { ",\"link\":\(jsonString($0))" } ?? ""
      console.out.writeLine("{\"t\":0,\"event\":\"port\",\"path\":\(jsonString(path))\(linked)}")
    } else {
      console.out.writeLine(path + (link.map { " (\($0))" } ?? ""))
    }
    console.out.flush()
  }

  /// Shows an event.
  func show(_ event: ModemServerEvent) {
    guard let (kind, text) = words(event) else { return }
    if isQuiet && kind != "sms" && kind != "error" { return }
    let time = TimeText.decimal((MonotonicClock.now - origin).secondsDouble, 3)
    if isJSON {
      console.out.writeLine("{\"t\":\(time),\"event\":\"\(kind)\",\"text\":\(jsonString(text))}")
    } else {
      let padding = String(repeating: " ", count: max(0, 9 - time.count))
      let style: Console.Style = kind == "fault" || kind == "error" ? .red : kind == "sms" ? .green : .cyan
      console.out.writeLine(console.styled(padding + time, .dim) + " " + console.styled(kind, style) + " " + text)
    }
    console.out.flush()
  }

  private func words(_ event: ModemServerEvent) -> (String, String)? {
    switch event {
    case .clientCame: ("client", "opened the port")
    case .clientLeft: ("client", "closed the port")
    case .rateChanged(let rate): ("client", "speaks at \(rate) bit/s")
    case .power(let isOn): ("power", isOn ? "on: STATUS is high" : "off: STATUS is low")
    case .ring: ("ring", "RI is low: the module has data for its host")
    case .fault(let fault): ("fault", "F\(fault.number) \(fault.name)")
    case .notStored(let path, let code): ("error", DeviceFailure(.write, path, errorNumber: code, .other).message)
    case .request(let request): words(request)
    case .reply(let reply): words(reply)
    }
  }

  private func words(_ request: NetworkRequest) -> (String, String)? {
    switch request {
    case .sms(_, let recipient, let text, _): ("sms", "to \(recipient): \(text)")
    case .openSocket(_, let isUDP, let host, let port, let usesTLS):
      (isUDP ? "udp" : "tcp", "open \(host):\(port)" + (usesTLS ? " with TLS" : ""))
    case .send(_, let bytes): ("socket", "send \(bytes.count) bytes")
    case .closeSocket: ("socket", "close")
    case .httpConnect(_, let url): ("http", "connect \(url)")
    case .httpRequest(_, let method, let url, _, let body): ("http", "\(method) \(url), \(body.count) bytes")
    case .httpDisconnect: ("http", "disconnect")
    case .mqttConnect(_, let settings): ("mqtt", "connect \(settings.host):\(settings.port) as \(settings.clientID)")
    case .mqttPublish(_, _, let topic, let payload, let qos, _):
      ("mqtt", "publish \(topic), \(payload.count) bytes, QoS \(qos)")
    case .mqttSubscribe(_, _, let topic, _): ("mqtt", "subscribe \(topic)")
    case .mqttUnsubscribe(_, _, let topic): ("mqtt", "unsubscribe \(topic)")
    case .mqttDisconnect: ("mqtt", "disconnect")
    case .resolve(_, let host): ("dns", "look up \(host)")
    case .networkTime(_, let host): ("time", "ask \(host): answered from this machine's clock")
    }
  }

  private func words(_ reply: NetworkReply) -> (String, String)? {
    switch reply {
    case .opened: ("socket", "open")
    case .refused(_, let failure): ("socket", "no connection: \(words(failure))")
    case .received(_, let bytes): ("socket", "received \(bytes.count) bytes")
    case .closed: ("socket", "closed by the server")
    case .httpConnected: ("http", "connected")
    case .httpResponse(_, let status, _, let body): ("http", "answer \(status), \(body.count) bytes")
    case .httpFailed(_, let failure): ("http", "failed: \(words(failure))")
    case .httpClosed: ("http", "closed by the server")
    case .mqttConnected: ("mqtt", "connected")
    case .mqttRefused(_, let failure): ("mqtt", "no connection: \(words(failure))")
    case .mqttMessage(_, let topic, let payload): ("mqtt", "message on \(topic), \(payload.count) bytes")
    case .mqttClosed: ("mqtt", "closed by the broker")
    case .resolved(_, let address): ("dns", "found \(address)")
    case .unresolved: ("dns", "not found")
    case .sent, .mqttAcknowledged, .time, .smsAccepted, .smsRefused, .smsReported: nil
    }
  }

  private func words(_ failure: NetworkFailure) -> String {
    switch failure {
    case .refused: "refused"
    case .unreachable: "unreachable"
    case .noSuchHost: "no such host"
    case .timedOut: "timed out"
    case .tls: "no secure connection"
    }
  }
}
