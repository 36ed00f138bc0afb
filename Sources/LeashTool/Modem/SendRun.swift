import CellularDelivery
import Delivery
import JSON5
import LinuxDevices
import PacketDecoding
import Quantities
import TrackerRuntime
import SIM7000
import Telemetry
import Uplinks

/// The driver on a real line and the real clock, for one packet of one receiver that has one way: delivered by the program that a
/// board and a replay run.
final class SendRun {
  private let settings: SendSettings
  private let console: Console
  private let isVerbose: Bool
  private let isJSON: Bool
  private let port: any SerialTransport
  private let signals: StopSignals
  private var modem: Modem
  private var way: ModemWay
  private var dispatcher: Dispatcher
  /// Makes a dialogue of what is said, when there is one.
  var recorder: DialogueRecorder?
  /// Which command speaks: one that records says so.
  private var program: String { recorder == nil ? "leash modem send" : "leash modem record" }
  private var unwritten: [UInt8] = []
  /// What came without the end of its line yet.
  private var heard: [UInt8] = []
  private let begun = MonotonicClock.now
  private var outcome: ModemOutcome?
  private var failure: CommandFailure?

  init(_ settings: SendSettings, _ console: Console, isVerbose: Bool, isJSON: Bool) throws(CommandFailure) {
    self.settings = settings
    self.console = console
    self.isVerbose = isVerbose
    self.isJSON = isJSON
    signals = try device { () throws(DeviceFailure) in try StopSignals() }
    port = try device { () throws(DeviceFailure) in
      try SerialPort.open(settings.path, bitsPerSecond: Int(settings.driver.rate))
    }
    let seed = UInt64(begun.microseconds.magnitude)
    modem = Modem(configuration: settings.driver, seed: seed)
    way = ModemWay(seed: seed)
    dispatcher = Dispatcher(seed: seed)
    dispatcher.add(DeliveryWay(port: 0))
  }

  func run() throws(CommandFailure) -> ExitCode {
    defer { port.close() }
    dispatcher.take(settings.ticket, .alert, for: ReceiverSet(0), at: now)
    try passOn()
    let limit = now + settings.timeout
    var isStopped = false
    while outcome == nil, !isStopped, now < limit {
      try passOn()
      if outcome != nil { break }
      isStopped = try wait(until: min(nextDeadline ?? limit, limit))
    }
    if isStopped { throw .environment("stopped before the packet was delivered") }
    return try report()
  }

  /// The driver's time begins with the run.
  private var now: Instant { .zero + (MonotonicClock.now - begun) }

  /// When the driver, its way or delivery has something to do.
  private var nextDeadline: Instant? {
    [modem.nextDeadline, way.troubleUntil, dispatcher.nextDeadline].compactMap { $0 }.min()
  }

  /// What the driver wants done, and its bytes.
  private func passOn() throws(CommandFailure) {
    way.advance(to: now)
    dispatcher.advance(to: now)
    repeat {
      while let action = modem.nextAction() { try perform(action) }
      dispatcher.setState(way.state(of: modem), of: 0, at: now)
    } while outcome == nil && deliver()
    var output = ByteBuffer()
    modem.drainOutput(at: now, into: &output)
    if !output.bytes.isEmpty {
      show(output.bytes, isToModem: true)
      recorder?.hear(host: output.bytes, at: now)
      unwritten += output.bytes
    }
    guard !unwritten.isEmpty else { return }
    let taken = try device { () throws(DeviceFailure) in try port.write(unwritten[...]) }
    unwritten.removeFirst(taken)
  }

  /// Does what delivery wants; true when the driver may have something to say to it.
  private func deliver() -> Bool {
    var hasActed = false
    while let step = dispatcher.nextStep() {
      switch step {
      case .give(let sequence, _, _):
        let payload = settings.payload
        hasActed = true
        let isTaken = way.begin(
          payload.span, sequence: sequence, way: 0, kind: .movement, by: settings.transport, on: &modem, at: now)
        if !isTaken { dispatcher.handedBack(sequence, by: 0, at: now) }
      case .forget(let sequence, _):
        hasActed = true
        way.forget(sequence, way: 0, on: &modem, at: now)
      // There is one packet.
      case .makeRoom, .acknowledged, .gaveUp: break
      }
    }
    return hasActed
  }

  /// Tells delivery what became of the packet, and ends the run with it: whoever sends one by hand decides whether to send it again.
  private func note(_ news: ModemOutcome) {
    outcome = news
    switch news {
    case .delivered(let sequence, _): dispatcher.delivered(sequence, on: 0, at: now)
    case .undelivered(let sequence, _, _): dispatcher.handedBack(sequence, by: 0, at: now)
    }
  }

  private func perform(_ action: ModemAction) throws(CommandFailure) {
    if let news = way.take(action, of: modem, at: now) { note(news) }
    switch action {
    case .setRate(let rate):
      try device { () throws(DeviceFailure) in try port.setRate(Int(rate)) }
      remark("the line is now at \(rate) bit/s")
    case .started: remark("the modem has started")
    case .supplyLow: remark("the modem says that its supply is low")
    case .recovery(let rung, let trouble): remark("\(trouble.words(port: settings.path)): climbing to '\(rung.name)'")
    case .reply(let source, _):
      var reply = ByteBuffer()
      modem.drainReply(into: &reply)
      remark("from the \(source): \(terminalText(String(decoding: reply.bytes, as: UTF8.self)))")
    case .setPowerKey, .setReset, .setDTR, .setSupply, .fix, .networkTime, .delivered,
      .undelivered:
      break
    }
  }

  /// Waits for bytes, room, a signal or a time; true when it is to stop.
  private func wait(until deadline: Instant) throws(CommandFailure) -> Bool {
    var waiting = EventWait()
    let line = waiting.add(port.descriptor, writing: !unwritten.isEmpty)
    let stop = waiting.add(signals.descriptor)
    waiting.wait(until: begun + (deadline - .zero))
    if waiting.isReadable(stop) { return true }
    if waiting.isReadable(line) {
      let bytes = try device { () throws(DeviceFailure) in try port.read() }
      if !bytes.isEmpty {
        show(bytes, isToModem: false)
        recorder?.hear(modem: bytes, at: now)
        modem.receive(bytes.span, at: now)
        return false
      }
    }
    modem.advance(to: now)
    return false
  }

  private func remark(_ text: String) {
    guard !isJSON else { return }
    let seconds = TimeText.decimal(now.secondsDouble, 1)
    console.err.writeLine("\(program): \(seconds) s: \(text)")
  }

  /// Shows what is said, by lines: a serial port hands bytes on as they come.
  private func show(_ bytes: [UInt8], isToModem: Bool) {
    guard isVerbose, !isJSON else { return }
    if isToModem {
      write(heard, "←")
      heard = []
      write(bytes, "→")
      return
    }
    heard += bytes
    guard let end = heard.lastIndex(of: 0x0A) else { return }
    write(Array(heard[...end]), "←")
    heard.removeSubrange(...end)
  }

  private func write(_ bytes: [UInt8], _ arrow: String) {
    let seconds = TimeText.decimal(now.secondsDouble, 3)
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      console.out.writeLine("\(seconds) \(arrow) \(String(decoding: line, as: UTF8.self))")
    }
    console.out.flush()
  }

  private func report() throws(CommandFailure) -> ExitCode {
    let seconds = TimeText.decimal(now.secondsDouble, 1)
    let attempts = modem.diagnostics.attempts
    guard case .delivered? = outcome else {
      let reason = reason
      if isJSON {
        console.out.writeLine(
          "{\"delivered\":false,\"seconds\":\(seconds),\"attempts\":\(attempts),\"reason\":\"\(reason)\"}")
      } else {
        console.err.writeLine("\(program): not delivered: \(reason)")
      }
      return .checkFailed
    }
    if isJSON {
      let unknown = strangeLine.map { ",\"unknownLine\":\(json5Quoted($0))" } ?? ""
      console.out.writeLine("{\"delivered\":true,\"seconds\":\(seconds),\"attempts\":\(attempts)\(unknown)}")
    } else {
      let tries = attempts == 1 ? "" : ", at the \(attempts). try"
      console.out.writeLine("delivered in \(seconds) s\(tries)")
      if let strangeLine { console.err.writeLine("\(program): \(SendRun.offer(strangeLine))") }
    }
    return .success
  }

  private var reason: String {
    if modem.wasNeverHeard {
      return
        "no modem answers AT on \(settings.path), tried at \(rates) bit/s; is it switched on, and are TX and RX crossed?"
    }
    switch outcome {
    case .undelivered(_, _, .rejected(let status))?: return "the server refused it with status \(status)"
    case .undelivered(_, _, .messageRefused(let code))?: return "the message service refused it with error \(code)"
    case .undelivered(_, _, .messageFailed(let status))?:
      return "the network reports that the message was not delivered: status \(status)"
    case .undelivered(_, _, .messageUnreported)?: return "the network does not report whether the message was delivered"
    case .undelivered(_, _, .unsupported)?:
      // What was refused says more than that nothing is left to try.
      guard modem.refusedCommand?.isOfCertificate != true else { return "no server is trusted" + accessPoint }
      return "the modem's firmware does not support this transport" + accessPoint + strange
    case .undelivered(_, _, .timedOut(let trouble))?:
      return "no success in time" + words(trouble) + accessPoint + strange
    default: return "no success in time" + words(modem.trouble) + accessPoint + strange
    }
  }

  /// The rates that were tried, each once.
  private var rates: String {
    let own = Int(settings.driver.rate)
    let all = [own] + [115_200, 9600, 57_600, 38_400, 19_200].filter { $0 != own }
    return all.dropLast().map(String.init).joined(separator: ", ") + " and \(all[all.count - 1])"
  }

  /// The line that was not understood last.
  private var strangeLine: String? {
    guard !modem.strangeLine.isEmpty else { return nil }
    return String(decoding: (0..<modem.strangeLine.count).map { modem.strangeLine[$0] }, as: UTF8.self)
  }

  /// What to do with it.
  private static func offer(_ line: String) -> String {
    // Whatever the modem sends must not reach the terminal as it is.
    "the line '\(terminalText(line))' is unknown: 'leash modem record' records the dialogue for a report"
  }

  private var strange: String { strangeLine.map { "; " + SendRun.offer($0) } ?? "" }

  private var accessPoint: String {
    guard let refusal = modem.refusedCommand else { return "" }
    var words = ByteBuffer()
    refusal.write(into: &words)
    return "; \(String(decoding: words.bytes, as: UTF8.self)), \(refusal.consequence)"
  }

  private func words(_ trouble: ModemTrouble?) -> String {
    trouble.map { "; last problem: \($0.words(port: settings.path))" } ?? ""
  }
}
