import ModemSimulation
import Quantities
import SIM7000
import SimulatedWorld

/// Shows a story as it happens: what is said on the line, what the driver is at, what goes wrong, what the servers get.
final class StoryTrace {
  private let console: Console
  private var toModem = LineSplitter()
  private var fromModem = LineSplitter()
  private var actions = 0
  private var received = 0
  private var strikes = 0
  private var phase: ModemPhase?
  private var step: ModemStep?

  init(_ console: Console) { self.console = console }

  /// Plays the story to its end.
  func run(_ story: FaultStory) -> FaultOutcome {
    console.out.writeLine(
      "\(story.transport), packets at \(story.packets.map { "\($0.secondsDouble) s" }.joined(separator: ", "))")
    for planned in story.faults { console.out.writeLine("fault \(StoryTrace.words(planned))") }
    for (mishap, count) in story.mishaps { console.out.writeLine("network: \(mishap) after \(count) more") }
    for (from, until) in story.outages {
      console.out.writeLine("network: no server from \(from.secondsDouble) s to \(until.secondsDouble) s")
    }
    if story.line != .none || story.lineToModule != .none {
      console.out.writeLine("line: faults until \(story.lineFaultsEnd.secondsDouble) s")
    }
    let driver = story.driver
    console.out.writeLine(
      "wiring: \(StoryTrace.words(driver.wiring)); idle \(driver.idle); GNSS \(driver.gnss ? "on, \(driver.sharing)" : "off")"
    )
    if !story.traits.isEmpty {
      console.out.writeLine("firmware: \(story.traits.map(\.rawValue).joined(separator: ", "))")
    }
    if !story.typedBefore.isEmpty { console.out.writeLine("typed before: \(story.typedBefore)") }
    console.out.writeLine()
    let run = FaultRun(story)
    run.bench.listener = { [unowned self, unowned run] time, isToModem, bytes in
      catchUp(run)
      let lines = isToModem ? toModem.receive(bytes, at: time) : fromModem.receive(bytes, at: time)
      for line in lines { show(line, isToModem: isToModem, at: time) }
    }
    run.watcher = { [unowned self] run in
      catchUp(run)
      if let line = toModem.flush(at: run.bench.now) { show(line, isToModem: true, at: run.bench.now) }
      if let line = fromModem.flush(at: run.bench.now) { show(line, isToModem: false, at: run.bench.now) }
    }
    let outcome = run.run()
    catchUp(run)
    return outcome
  }

  /// Shows what has happened since the last time, besides bytes.
  private func catchUp(_ run: FaultRun) {
    let bench = run.bench
    while strikes < run.strikes.count {
      let strike = run.strikes[strikes]
      strikes += 1
      write(strike.time, "!", StoryTrace.words(strike.fault), .red)
    }
    while actions < bench.actions.count {
      let (time, action) = bench.actions[actions]
      actions += 1
      write(time, "*", StoryTrace.words(action), .yellow)
    }
    while received < bench.network.received.count {
      let payload = bench.network.received[received]
      received += 1
      let text = EscapedBytes.escaped(payload.bytes)
      write(payload.time, "=", "\(payload.channel) \(payload.destination): \(text)", .green)
    }
    let modem = bench.driver
    guard modem.modem.phase != phase || modem.modem.step != step else { return }
    phase = modem.modem.phase
    step = modem.modem.step
    let exchange = modem.modem.step.map { ", \($0.name)" } ?? ""
    write(bench.now, "·", "\(modem.modem.phase.name)\(exchange)", .dim)
  }

  private func show(_ line: ModemLine, isToModem: Bool, at time: Instant) {
    write(time, isToModem ? ">" : "<", line.text + (line.isWhole ? "" : "…"), nil)
  }

  private func write(_ time: Instant, _ sign: String, _ text: String, _ style: Console.Style?) {
    let clock = TimeText.decimal(time.secondsDouble, 3)
    let padding = String(repeating: " ", count: max(0, 10 - clock.count))
    console.out.writeLine(
      console.styled(padding + clock, .dim) + " \(sign) " + (style.map { console.styled(text, $0) } ?? text))
  }

  private static func words(_ planned: PlannedFault) -> String {
    "F\(planned.fault.number) \(planned.fault) at \(planned.moment.name)"
  }

  private static func words(_ action: ModemAction) -> String {
    if case .recovery(let rung, let trouble) = action { return "rung \(rung.name), because of \(trouble.name)" }
    return "\(action)"
  }

  private static func words(_ wiring: ModemWiring) -> String {
    let lines = [
      ("STATUS", wiring.hasStatus), ("PWRKEY", wiring.hasPowerKey), ("RESET", wiring.hasReset), ("DTR", wiring.hasDTR),
      ("supply switch", wiring.hasSupplySwitch),
    ]
    return lines.filter(\.1).map(\.0).joined(separator: ", ")
  }
}
