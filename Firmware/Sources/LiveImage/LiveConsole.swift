import ASCIIText
import BoardHealth
import CPUSupport
import FlashStorage
import InlineStorage
import Quantities
import Telemetry
import TrackerCore

/// The console of the board.
struct ConsoleSink: ByteSink {
  @discardableResult mutating func append(_ byte: UInt8) -> Bool {
    Board.write(byte)
    return true
  }

  mutating func append(_ name: StaticString, _ number: UInt32) {
    append(name)
    append(decimal: UInt64(number))
  }
}

// What the console is asked: a line that begins with `@` is for the board, and answered by one that begins with the same word; every
// other is a request to the tracker. Nothing asked here changes what a tracker does but `inject`, whose bytes are in the log as a
// port's own, and `restart`.
extension LiveRun {
  /// How long a port's own bytes are set aside after the last that stood in for them.
  private static var injectionPause: Interval { .seconds(2) }

  mutating func hear(_ byte: UInt8, at time: Instant) {
    guard let line = reader.receive(byte) else { return }
    switch line {
    case .request: request(at: time)
    case .command(let command): answer(command, at: time)
    case .garbage(let kind):
      #if HANGS
        if Plan.take(reader.line.span) { return }
      #endif
      tellGarbage(kind)
    }
  }

  private mutating func answer(_ command: ConsoleCommand, at time: Instant) {
    var sink = ConsoleSink()
    switch command {
    case .status: tellStatus(&sink, at: time)
    case .fault: tellFault(&sink)
    case .selfTest: tellSelfTest(&sink, at: time)
    case .tail:
      let count = tail.encode(behind: "@tail ", into: &sink)
      sink.append("@tail end ", count)
    case .logLength:
      sink.append("@log ")
      sink.append(decimal: log.length)
    case .log(let place): tellLog(from: place, &sink)
    case .inject(let port, let piece):
      let count = inject(piece, into: port, at: time)
      sink.append("@inject {\"port\":\"")
      sink.append(port.name)
      sink.append("\",\"bytes\":", count)
      sink.append(",\"total\":", injectedCount)
      sink.append("}")
    case .restart:
      sink.append("@restart {}\n")
      restart()
    case .update:
      guard update.take(reader.line.span, into: &sink) else {
        reader.countGarbage()
        return tellGarbage(.argument)
      }
    }
    sink.append(0x0A)
  }

  private func tellGarbage(_ kind: ConsoleGarbage) {
    var sink = ConsoleSink()
    reader.encodeGarbage(kind, into: &sink)
    sink.append(0x0A)
  }

  /// Restarts as somebody wants it.
  mutating func restart() {
    log.flush()
    Kept.ledger.pointee.noteRequest()
    cpu_reset()
  }

  private mutating func inject(_ piece: ConsolePiece, into port: InjectedPort, at time: Instant) -> UInt32 {
    let line: LinePort = port == .receiver ? .receiver : .sensor
    guard !leftOut.contains(line.part) else { return 0 }
    injectedUntil[Int(port.rawValue)] = time + LiveRun.injectionPause
    take(piece.bytes.span, on: line, at: time)
    let count = UInt32(truncatingIfNeeded: piece.bytes.count)
    injectedCount &+= count
    return count
  }

  private mutating func tellLog(from place: UInt64, _ sink: inout ConsoleSink) {
    var bytes = InlineBytes<128>()
    log.read(from: place, into: &bytes)
    sink.append("@log ")
    sink.append(decimal: place)
    sink.append(0x20)
    ConsolePiece(bytes.span).encode(into: &sink)
  }

  private func tellStatus(_ sink: inout ConsoleSink, at time: Instant) {
    sink.append("@status {")
    Kept.ledger.pointee.encodeMembers(into: &sink)
    sink.append(",\"uptime\":")
    sink.append(fixed: time.microseconds / 1000, decimals: 3)
    sink.append(",\"life\":", tracker.outbox.boot)
    sink.append(",\"waiting\":", waitingCount)
    sink.append(",\"samples\":", sampleCount)
    sink.append(",\"events\":", eventCount)
    sink.append(",\"packets\":", packetCount)
    sink.append(",\"delivered\":", deliveredCount)
    sink.append(",\"log\":")
    sink.append(decimal: log.length)
    let counts = state.store.counts
    sink.append(",\"flash\":{\"changes\":", counts.changes)
    sink.append(",\"failures\":", counts.failures)
    sink.append(",\"damaged\":", counts.damaged)
    sink.append(",\"cutOff\":", counts.unfinished)
    sink.append("},\"stackUsed\":", cpu_stack_mark())
    sink.append(",\"stackRoom\":", cpu_stack_room())
    sink.append(",\"garbageLines\":", reader.garbageLines)
    sink.append(",\"garbageBytes\":", reader.garbageBytes)
    sink.append(",\"injected\":", injectedCount)
    sink.append(",\"setAside\":", setAsideCount)
    sink.append(",\"ports\":{")
    for number in 0..<UInt8(LinePort.count) {
      guard let port = LinePort(rawValue: number) else { continue }
      let counts = rings.counts(of: port)
      sink.append(number == 0 ? "\"" : ",\"")
      sink.append(port.part.name)
      sink.append("\":{\"bytes\":", counts.received)
      sink.append(",\"lost\":", counts.lost)
      sink.append(",\"mostWaiting\":", counts.most)
      sink.append("}")
    }
    sink.append("}}")
  }

  private func tellSelfTest(_ sink: inout ConsoleSink, at time: Instant) {
    let counts = state.store.counts
    let flash = counts.failures == 0 && counts.damaged == 0
    // The difference that libgcc rounds wrongly (`docs/elementary.md`).
    let sum = 1 - Double(bitPattern: 0x3DE0_4CCF_3333_68AF | UInt64(cpu_opaque(0)))
    let results: InlineArray<8, CheckResult> = [
      sum.bitPattern == 0x3FEF_FFFF_FFEF_B331 ? .ok : .failed,
      leftOut.contains(.storage) ? .leftOut : flash ? .ok : .failed,
      log.isBroken ? .failed : .ok,
      cpu_stack_room() - cpu_stack_mark() > 8192 ? .ok : .failed,
      Board.hasWatchdog ? .ok : .failed,
      result(of: .modem, within: .seconds(86_400), at: time),
      result(of: .receiver, within: .seconds(10), at: time),
      result(of: .sensor, within: .seconds(10), at: time),
    ]
    let names: InlineArray<8, StaticString> = [
      "arithmetic", "flash", "log", "stack", "watchdog", "modem", "receiver", "sensor",
    ]
    var isPassed = true
    for place in 0..<8 where results[place] != .ok { isPassed = false }
    sink.append(isPassed ? "@self-test {\"passed\":true,\"checks\":{" : "@self-test {\"passed\":false,\"checks\":{")
    for place in 0..<8 {
      sink.append(place == 0 ? "\"" : ",\"")
      sink.append(names[place])
      sink.append("\":\"")
      sink.append(results[place].name)
      sink.append("\"")
    }
    sink.append("}}")
  }

  private func result(of port: LinePort, within limit: Interval, at time: Instant) -> CheckResult {
    if leftOut.contains(port.part) { return .leftOut }
    guard let heard = lastHeard[Int(port.rawValue)] else { return .silent }
    return time - heard < limit ? .ok : .silent
  }
}

/// What the console tells of the last crash, without the end of the line.
func tellFault(_ sink: inout ConsoleSink) {
  sink.append("@fault ")
  Kept.ledger.pointee.fault.encodeJSON(into: &sink)
}

/// The console of a board that does without its tracker: only what needs none is answered, the rest by `null`.
struct IdleConsole: ~Copyable {
  private var reader = ConsoleReader()
  var update = LiveUpdate()

  mutating func hear(_ byte: UInt8) {
    guard let line = reader.receive(byte) else { return }
    var sink = ConsoleSink()
    switch line {
    case .request: sink.append("@request null")
    case .garbage(let kind): reader.encodeGarbage(kind, into: &sink)
    case .command(.status):
      sink.append("@status {")
      Kept.ledger.pointee.encodeMembers(into: &sink)
      sink.append(",\"uptime\":")
      sink.append(fixed: Int64(Clock.milliseconds), decimals: 3)
      sink.append(",\"garbageLines\":", reader.garbageLines)
      sink.append(",\"garbageBytes\":", reader.garbageBytes)
      sink.append("}")
    case .command(.fault): tellFault(&sink)
    case .command(.tail): sink.append("@tail end 0")
    case .command(.logLength), .command(.log): sink.append("@log null")
    case .command(.inject): sink.append("@inject null")
    case .command(.selfTest): sink.append("@self-test null")
    case .command(.restart):
      sink.append("@restart {}\n")
      Kept.ledger.pointee.noteRequest()
      cpu_reset()
    case .command(.update):
      if !update.take(reader.line.span, into: &sink) {
        reader.countGarbage()
        reader.encodeGarbage(.argument, into: &sink)
      }
    }
    sink.append(0x0A)
  }
}
