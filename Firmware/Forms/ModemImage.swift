import ASCIIText
import CPUSupport
import InlineStorage
import Quantities
import SIM7000

/// What a firmware calls of a modem that sends by MQTT alone. It is linked and looked at, not run.
///
/// Configuration, bytes and times are what the compiler can't see through: all that the driver may do stays in.
func runImage() {
  guard let configuration = UnsafePointer<ModemConfiguration>(bitPattern: UInt(cpu_opaque(0x2000_1000))),
    let received = UnsafePointer<InlineBytes<64>>(bitPattern: UInt(cpu_opaque(0x2000_4000)))
  else { return }
  var modem = Modem(configuration: configuration.pointee, seed: UInt64(cpu_opaque(1)))
  var port = InlineBytes<1024>()
  while cpu_opaque(1) != 0 {
    let now = Instant.seconds(Int(cpu_opaque(2)))
    modem.setStatus(isHigh: cpu_opaque(3) == 0, at: now)
    modem.prepare(for: .mqtt, at: now)
    if !modem.submit(received.pointee.span, ticket: cpu_opaque(4), by: .mqtt, at: now) { modem.cancel(at: now) }
    modem.receive(received.pointee.span, at: now)
    modem.advance(to: now)
    while let action = modem.nextAction() {
      if case .reply = action { modem.drainReply(into: &port) }
      show(action)
    }
    modem.drainOutput(at: now, into: &port)
    if let deadline = modem.nextDeadline { cpu_write(UInt8(truncatingIfNeeded: deadline.microseconds)) }
    var place = 0
    while place < port.count {
      cpu_write(port[place])
      place += 1
    }
    port.removeAll()
  }
}

private func show(_ action: ModemAction) {
  switch action {
  case .delivered(let ticket), .undelivered(let ticket, _): cpu_write(UInt8(truncatingIfNeeded: ticket))
  case .setPowerKey(let isOn), .setReset(let isOn), .setDTR(let isOn), .setSupply(let isOn): cpu_write(isOn ? 1 : 0)
  case .setRate(let rate): cpu_write(UInt8(truncatingIfNeeded: rate))
  case .recovery(let rung, let trouble): cpu_write(rung.rawValue &+ trouble.rawValue)
  case .networkTime(let time): cpu_write(UInt8(truncatingIfNeeded: time.microseconds))
  case .reply(_, let count): cpu_write(UInt8(truncatingIfNeeded: count))
  case .fix, .started, .supplyLow: cpu_write(0)
  }
}
