import Quantities
import SIM7000
import TrackerRuntime

/// What comes from servers and people.
extension CellularUplink {
  /// The transport that a request came by.
  func channel(of source: ReplySource) -> UInt8? {
    switch source {
    case .mqtt, .server: ModemTransport.mqtt.rawValue
    case .tcp: settings.transport == .applicationTCP ? settings.transport.rawValue : ModemTransport.tcp.rawValue
    case .http, .sms: nil
    }
  }

  package func noteKept(at now: Instant) {
    modem.noteKept(at: time(now))
    if port != nil { pass(at: now) }
  }

  /// A text message: the sender's number stands in the first line.
  func textMessage(_ bytes: [UInt8]) -> UplinkNews {
    let end = bytes.firstIndex(of: 0x0A) ?? bytes.startIndex
    let sender = String(decoding: bytes[..<end], as: UTF8.self)
    let text = Array(bytes[end...].drop { $0 == 0x0A })
    return .textMessage(text, isListedSender: !sender.isEmpty && settings.senders.contains(sender))
  }
}
