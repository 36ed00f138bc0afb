import ASCIIText
import InlineStorage
import Quantities
import SIM7000
import SimulatedWorld

/// A driver and a modem that answers every command as a test says: for answers that no sound modem gives.
final class AnsweringModem {
  /// The driver, with echo not checked.
  let handle: Handle
  /// What was asked for and told.
  var actions: [(time: Instant, action: ModemAction)] = []
  /// Every command, without `AT`.
  var commands: [String] = []
  /// The time.
  var now = Instant.zero
  /// A command's own answer; nil for the usual one.
  var answer: (String) -> [String]? = { _ in nil }
  /// True while the modem hears and speaks.
  var isOn = true
  private var pending: [UInt8] = []

  /// Holds the driver, which can't be copied.
  final class Handle {
    var modem: Modem
    init(_ modem: consuming Modem) { self.modem = modem }
  }

  init(_ configuration: ModemConfiguration) {
    var configuration = configuration
    configuration.verifiesEcho = false
    handle = Handle(Modem(configuration: configuration, seed: 1))
    handle.modem.setStatus(isHigh: configuration.wiring.hasStatus, at: now)
  }

  /// Lets time pass, answering what is asked.
  func run(until end: Instant, while condition: (AnsweringModem) -> Bool = { _ in true }) {
    pass()
    while condition(self), let next = handle.modem.nextDeadline, next <= end {
      now = max(now + .milliseconds(1), next)
      handle.modem.advance(to: now)
      pass()
    }
    if condition(self), now < end {
      now = end
      handle.modem.advance(to: now)
      pass()
    }
  }

  /// The modem says something by itself.
  func say(_ lines: [String]) {
    let bytes = Array(lines.map { $0.hasPrefix(">") ? "\r\n> " : "\r\n\($0)\r\n" }.joined().utf8)
    handle.modem.receive(bytes.span, at: now)
    pass()
  }

  /// Passes bytes and actions on, until there are no more.
  func pass() {
    while true {
      while let action = handle.modem.nextAction() { actions.append((now, action)) }
      var output = InlineBytes<1100>()
      handle.modem.drainOutput(at: now, into: &output)
      guard !output.isEmpty else { return }
      guard isOn else { continue }
      for place in 0..<output.count { pending.append(output[place]) }
      while let end = pending.firstIndex(where: { $0 == 0x0D || $0 == 0x0A }) {
        let line = String(decoding: pending[..<end], as: UTF8.self)
        pending.removeFirst(end + 1)
        guard !line.isEmpty else { continue }
        let command = line.hasPrefix("AT") ? String(line.dropFirst(2)) : line
        commands.append(command)
        say(answer(command) ?? usual(command))
      }
    }
  }

  private func usual(_ command: String) -> [String] {
    switch command {
    case "+IPR?": return ["+IPR: 115200", "OK"]
    case "+CGMR": return ["Revision:1351B08SIM7000E", "OK"]
    case "+CPIN?": return ["+CPIN: READY", "OK"]
    case "+CEREG?": return ["+CEREG: 1,1", "OK"]
    case "+CNACT?": return ["+CNACT: 1,\"10.0.0.2\"", "OK"]
    case "+CSQ": return ["+CSQ: 20,99", "OK"]
    case "+CBC": return ["+CBC: 0,80,3900", "OK"]
    default: return ["OK"]
    }
  }
}
