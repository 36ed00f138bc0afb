import ASCIIText
import BoardHealth
import CPUSupport
import InlineStorage
import Quantities
import SIM7000
import TrackerCore
import TrackerLog

/// The debugger's console: what came of the run.
struct Report: ByteWriter {
  mutating func write(_ byte: UInt8) { cpu_write(byte) }
}

/// The tracker live: requests and events on the console, the modem, the satellite receiver and the inertial sensor on ports of their own.
///
/// The arguments of the debugger are the log that is written, the file that is the flash memory, the seconds after which the run ends,
/// and the server of the packets.
func runImage() {
  guard rings.areEmpty() else { cpu_exit(1) }
  Clock.start()
  Watch.start()
  Kept.begin()
  #if SLOTS
    Kept.noteSlot()
  #endif
  let leftOut = Kept.ledger.pointee.leftOut
  let start = readArguments()
  Board.openPorts()
  tellStart()
  if leftOut.hasNoTracker {
    idle(leftOut, until: start.end)
  } else {
    runTracker(start, without: leftOut)
  }
  cpu_exit(0)
}

/// What the debugger has given.
private struct Arguments {
  var text = InlineArray<256, UInt8>(repeating: 0)
  var log = TextWord(from: 0, to: 0)
  var flash = TextWord(from: 0, to: 0)
  var end = Instant(microseconds: 0)
  var server = ServerAddress()
}

@inline(never) private func readArguments() -> Arguments {
  var report = Report()
  var result = Arguments()
  let count = withUnsafeMutablePointer(to: &result.text) { place in
    place.withMemoryRebound(to: UInt8.self, capacity: 256) { Debugger.arguments(into: $0, 256) }
  }
  var text = InlineBytes<256>()
  for place in 0..<count { text.append(result.text[place]) }
  var words = TextWords()
  guard let log = words.next(in: text.span), let flash = words.next(in: text.span),
    let seconds = words.next(in: text.span), let server = words.next(in: text.span),
    let end = scanUnsigned(seconds.bytes(of: text.span)),
    let address = ServerAddress(server.bytes(of: text.span))
  else {
    write("trouble: expected LOG FLASH SECONDS SERVER\n", to: &report)
    cpu_exit(1)
  }
  result.log = log
  result.flash = flash
  result.end = Instant(microseconds: Int64(truncatingIfNeeded: end) * 1_000_000)
  result.server = address
  return result
}

/// Says on the console why the board runs; after a crash also what is known of it.
@inline(never) private func tellStart() {
  var sink = ConsoleSink()
  sink.append("@start {")
  Kept.ledger.pointee.encodeMembers(into: &sink)
  sink.append("}\n")
  guard Kept.ledger.pointee.cause.isFailure else { return }
  tellFault(&sink)
  sink.append(0x0A)
}

@inline(never) private func runTracker(_ start: Arguments, without leftOut: LeftOut) {
  enter(.start)
  var report = Report()
  guard let file = open(start.log, of: start, .write, life: Kept.ledger.pointee.restarts) else {
    write("trouble: the log can't be written\n", to: &report)
    cpu_exit(1)
  }
  guard let cells = open(start.flash, of: start, .change), let flash = FileFlash(cells) else {
    write("trouble: expected a file of whole blocks of 4096 bytes for the flash memory\n", to: &report)
    cpu_exit(1)
  }
  var log = LiveLog(file)
  let configured = InlineBytes<64>("trackerId=live\nseed=1\noutbox.spool=true\n")
  var configuration = TrackerConfiguration()
  guard configuration.read(log: configured.span) == nil else { cpu_exit(1) }
  log.write(configuration: configured.span)
  var modem = ModemConfiguration()
  modem.httpServer = start.server
  modem.wiring.hasStatus = false
  modem.wiring.hasPowerKey = false
  modem.wiring.hasReset = false
  var run = LiveRun(configuration, modem, log, flash, without: leftOut)
  run.restore()
  live(&run, until: start.end, without: leftOut)
  run.flush()
  tell(run, &report)
}

/// The file that a word of the arguments names.
///
/// - Parameter life: The number of a restart, which the name of a log has at its end, as each life writes its own; 0 for none.
private func open(_ word: TextWord, of arguments: Arguments, _ mode: Debugger.File.Mode, life: UInt32 = 0) -> Debugger
  .File?
{
  // The end of the name as the debugger wants it.
  var name = InlineBytes<256>()
  for place in word.start..<word.end { name.append(arguments.text[place]) }
  if life > 0 {
    name.append(".")
    name.append(decimal: UInt64(life))
  }
  let count = name.count
  name.append(0)
  return name.span.withUnsafeBufferPointer { bytes in
    bytes.baseAddress.flatMap { Debugger.File(name: $0, count: count, mode) }
  }
}

/// The loop: the oldest byte of all rings first, with those of its port that came before any other's; then what is due; then sleep.
@inline(never) private func live(_ run: inout LiveRun, until end: Instant, without leftOut: LeftOut) {
  var watch = LoopWatch()
  #if SLOTS
    var trial = LiveTrial()
  #endif
  while true {
    let now = Clock.microseconds
    if Int64(truncatingIfNeeded: now) >= end.microseconds { return }
    var chunk = InlineBytes<128>()
    if let (port, time) = rings.takeOldest(into: &chunk, now: now) {
      run.receive(chunk.span, on: port, at: time)
      continue
    }
    watch.finish(.bytes)
    let instant = Instant(microseconds: Int64(truncatingIfNeeded: now))
    if let due = run.nextDeadline, due <= instant {
      run.pass(to: instant)
      continue
    }
    watch.finish(.deadlines)
    if run.tidy() { continue }
    #if SLOTS
      trial?.look(delivered: run.deliveredCount)
    #endif
    let isBusy = run.advanceUpdate()
    watch.finish(.storage)
    rest(&watch, leftOut, isBusy: isBusy)
  }
}

/// Ends a turn of the loop: the watchdog is fed, if it went through all its parts, and the board sleeps.
///
/// - Parameter isBusy: True when there is more to do at once, a piece in each turn.
private func rest(_ watch: inout LoopWatch, _ leftOut: LeftOut, isBusy: Bool) {
  if watch.endTurn() { Watch.feed() }
  if Kept.ledger.pointee.look(at: Clock.milliseconds) { cpu_reset() }
  guard !isBusy, !leftOut.contains(.sleep) else { return }
  enter(.sleep)
  // What comes after this look ends the wait all the same.
  cpu_hold_interrupts()
  if rings.areEmpty() { cpu_wait() }
  cpu_take_interrupts()
}

/// The loop of a board whose tracker has crashed again and again: only the console is heard.
@inline(never) private func idle(_ leftOut: LeftOut, until end: Instant) {
  var watch = LoopWatch()
  var console = IdleConsole()
  while true {
    let now = Clock.microseconds
    if Int64(truncatingIfNeeded: now) >= end.microseconds { return }
    var chunk = InlineBytes<128>()
    if let (port, _) = rings.takeOldest(into: &chunk, now: now) {
      guard port == .console, !leftOut.contains(.console) else { continue }
      enter(.console)
      for place in 0..<chunk.count { console.hear(chunk.span[place]) }
      continue
    }
    watch.finish(.bytes)
    watch.finish(.deadlines)
    let isBusy = console.advanceUpdate()
    watch.finish(.storage)
    rest(&watch, leftOut, isBusy: isBusy)
  }
}

private func tell(_ run: borrowing LiveRun, _ report: inout Report) {
  write("samples", run.sampleCount, to: &report)
  write("events", run.eventCount, to: &report)
  write("packets", run.packetCount, to: &report)
  write("delivered", run.deliveredCount, to: &report)
  run.tellStorage(&report)
  tell("console", rings.counts(of: .console), &report)
  tell("modem", rings.counts(of: .modem), &report)
  tell("receiver", rings.counts(of: .receiver), &report)
  tell("sensor", rings.counts(of: .sensor), &report)
  write("stack used", cpu_stack_mark(), to: &report)
  write("stack room", cpu_stack_room(), to: &report)
}

private func tell(
  _ name: StaticString, _ counts: (received: UInt32, lost: UInt32, most: UInt32), _ report: inout Report
) {
  write(name, to: &report)
  write(" bytes", counts.received, to: &report)
  write(name, to: &report)
  write(" lost", counts.lost, to: &report)
  write(name, to: &report)
  write(" most waiting", counts.most, to: &report)
}
