import FaultInjection
import ModemSimulation
import Quantities

/// Kinds of faults in the life of a tracker; each seed leaves some out.
package enum FaultClass: String, CaseIterable, Sendable {
  /// The modem's own (`ModemFault`).
  case modem
  /// Bytes on the serial line, both ways.
  case line
  /// Connections, requests and answers between modem and servers, and times without any server.
  case network
  /// The tracker's supply.
  case power
  /// Text messages of people who have nothing to say to it.
  case strangers
  /// The inertial sensor and the receiver.
  case sensors
  /// The second server.
  case servers
  /// The sensor of the wheel, where there is one.
  case wheel
}

/// What is left of the changes that were on their way to the storage when the power went.
package enum StoreLoss: String, CaseIterable, Sendable {
  /// All of them.
  case nothing
  /// The earlier half.
  case later
  /// None.
  case unsettled
  /// All but the last; of that the first commands, and of one more a piece: the power goes while it is written.
  case torn
  /// The same, but of one more any of its bytes, as a part that programs a page in an order of its own leaves it.
  case shuffled
}

/// A loss of the tracker's supply.
package struct PowerCut: Equatable, Sendable {
  /// How long it is off.
  package var off: Interval
  /// What becomes of changes under way.
  package var loss: StoreLoss
  /// Changes of the state that the tracker still begins to keep after the moment; the next one it does not. Nil: it goes at the moment.
  package var changesBefore: Int?
  /// True when the modem has the same supply.
  package var takesModem: Bool
}

/// Who writes a text message to the tracker.
package enum TextSender: String, CaseIterable, Sendable {
  /// The owner, who signs.
  case owner
  /// The owner's message once more, as somebody has heard it.
  case echo
  /// Somebody without the key, who signs with another.
  case forger
  /// Somebody who does not sign.
  case stranger
}

/// Something that goes wrong, or is asked, at an instant.
package enum LifeFault: Equatable, Sendable {
  /// A fault of the modem.
  case modem(ModemFault)
  /// The line between driver and modem is bad for a time.
  case line(to: LineFaultRates, from: LineFaultRates, lasting: Interval)
  /// No server can be reached for a time.
  case outage(Interval)
  /// The next such occasion goes wrong.
  case mishap(NetworkMishap)
  /// The supply goes.
  case power(PowerCut)
  /// Power from outside, which charges the battery, comes or goes.
  case charger(isOn: Bool)
  /// A text message arrives.
  case text(String, TextSender)
  /// The owner asks at the tracker itself.
  case request(String)
  /// A sensor is out of order for a time.
  case sensor(SensorFault, lasting: Interval)
  /// The sensor of the wheel is out of order for a time.
  case wheel(WheelFault, lasting: Interval)
  /// The second server has a fault for a time.
  case server(ServerFault, lasting: Interval)

  /// The class; nil for what the owner asks.
  package var kind: FaultClass? {
    switch self {
    case .modem: .modem
    case .line: .line
    case .outage, .mishap: .network
    case .power, .charger: .power
    case .text(_, .owner), .request: nil
    case .text: .strangers
    case .sensor: .sensors
    case .server: .servers
    case .wheel: .wheel
    }
  }

  /// In words, such as `modem freeze`.
  package var name: String {
    switch self {
    case .modem(let fault): "modem \(fault.name)"
    case .line(_, _, let lasting): "bad line for \(lasting.microseconds / 1_000_000) s"
    case .outage(let length): "no server for \(length.microseconds / 1_000_000) s"
    case .mishap(let mishap): "network \(mishap)"
    case .power(let cut):
      "no supply for \(cut.off.microseconds / 1_000_000) s\(cut.takesModem ? ", modem included" : ""), "
        + (cut.changesBefore.map { "at the \($0 + 1). change of the state after it, " } ?? "")
        + "lost of what was being kept: \(cut.loss.rawValue)"
    case .charger(let isOn): "charger \(isOn ? "connected" : "taken away")"
    case .sensor(let fault, let length): "sensor \(fault.rawValue) for \(length.microseconds / 1_000_000) s"
    case .wheel(let fault, let length): "wheel \(fault.rawValue) for \(length.microseconds / 1_000_000) s"
    case .server(let fault, let length): "second server \(fault.rawValue) for \(length.microseconds / 1_000_000) s"
    case .request(let text): "request at the tracker: \(text)"
    case .text(let text, let sender): "text message of \(sender.rawValue): \(text)"
    }
  }
}

/// A fault and its instant.
package struct LifeEvent: Equatable, Sendable {
  /// When, on the world's clock.
  package var time: Instant
  /// What.
  package var fault: LifeFault

  /// A fault at an instant.
  package init(_ fault: LifeFault, at time: Instant) {
    self.time = time
    self.fault = fault
  }
}
