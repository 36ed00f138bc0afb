import ASCIIText
import Quantities
import SIM7000

/// What the driver needs of a board.
protocol ModemBoard: AnyObject, ByteSink {
  var now: Instant { get }
  var statusIsHigh: Bool { get }
  func set(_ action: ModemAction)
  /// Bytes of the modem, none when the time is over or STATUS has changed.
  func read(until deadline: Instant?) -> [UInt8]
}

/// Delivers one packet; true when the server has it.
func deliver(_ packet: [UInt8], over board: some ModemBoard, _ configuration: ModemConfiguration) -> Bool {
  var modem = Modem(configuration: configuration, seed: 1)
  var port = board
  modem.setStatus(isHigh: board.statusIsHigh, at: board.now)
  guard modem.submit(packet.span, ticket: 7, by: .mqtt, at: board.now) else { return false }
  while true {
    while let action = modem.nextAction() {
      switch action {
      case .delivered(let ticket) where ticket == 7: return true
      case .undelivered: return false
      default: board.set(action)
      }
    }
    modem.drainOutput(at: board.now, into: &port)
    let bytes = board.read(until: modem.nextDeadline)
    modem.setStatus(isHigh: board.statusIsHigh, at: board.now)
    modem.receive(bytes.span, at: board.now)
  }
}
