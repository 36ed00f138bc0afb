import SIM7000

/// Lines of the board to the modem, beside those of the serial port; what is nil is not connected.
package struct ModemLines {
  /// Pulls the power key low, or lets it go.
  package var setPowerKey: ((_ isLow: Bool) -> Void)?
  /// Pulls RESET low, or lets it go.
  package var setReset: ((_ isLow: Bool) -> Void)?
  /// Switches the supply.
  package var setSupply: ((_ isOn: Bool) -> Void)?
  /// Reads STATUS: true while the modem is on. After a change call `CellularUplink.statusChanged`.
  package var readStatus: (() -> Bool)?

  /// None.
  package init() {}
}

extension ModemTrouble {
  /// What it means to people.
  package func words(port: String) -> String {
    switch self {
    case .refused: "the modem refused a command"
    case .unanswered: "the modem does not answer in time"
    case .silent: "no modem answers on \(port); is it switched on, and are TX and RX crossed?"
    case .noStart: "the modem does not start; check its supply and the power key"
    case .simFailure: "the SIM card is missing or broken"
    case .simLocked: "the SIM card is locked: the PIN is missing or was refused"
    case .notRegistered: "no network was found; check the antenna"
    case .denied: "the network rejects this SIM card"
    case .searchEnded: "the modem stopped searching for a network; check the antenna"
    case .serverFault: "the server reports an error, or is busy"
    case .noBearer: "no data connection; check the access point's name"
    case .noSession: "the server can't be reached over the modem"
    case .sessionLost: "the session with the server was lost"
    case .unacknowledged: "the server does not acknowledge"
    case .supply: "the modem's supply is too low"
    }
  }
}

extension UndeliveredReason {
  /// What it means to people.
  func words(port: String) -> String {
    switch self {
    case .timedOut(let trouble?): "no success in time: \(trouble.words(port: port))"
    case .timedOut(nil): "no success in time"
    case .rejected(let status): "the server refused it with status \(status)"
    case .messageRefused(let code): "the message service refused it with error \(code)"
    case .messageFailed(let status): "the network reports that the message was not delivered: status \(status)"
    case .messageUnreported: "the network does not report whether the message was delivered"
    case .cancelled: "cancelled"
    case .unsupported: "the modem's firmware does not support this transport"
    }
  }
}
