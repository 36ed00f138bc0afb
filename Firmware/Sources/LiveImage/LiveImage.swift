import ASCIIText
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
  var report = Report()
  var arguments = InlineArray<256, UInt8>(repeating: 0)
  let count = withUnsafeMutablePointer(to: &arguments) { place in
    place.withMemoryRebound(to: UInt8.self, capacity: 256) { Debugger.arguments(into: $0, 256) }
  }
  var text = InlineBytes<256>()
  for place in 0..<count { text.append(arguments[place]) }
  var words = TextWords()
  guard let name = words.next(in: text.span), let memory = words.next(in: text.span),
    let seconds = words.next(in: text.span), let server = words.next(in: text.span),
    let end = scanUnsigned(seconds.bytes(of: text.span)),
    let address = ServerAddress(server.bytes(of: text.span))
  else {
    write("trouble: expected LOG FLASH SECONDS SERVER\n", to: &report)
    cpu_exit(1)
  }
  guard let file = open(name, of: &arguments, .write) else {
    write("trouble: the log can't be written\n", to: &report)
    cpu_exit(1)
  }
  guard let cells = open(memory, of: &arguments, .change), let flash = FileFlash(cells) else {
    write("trouble: expected a file of whole blocks of 4096 bytes for the flash memory\n", to: &report)
    cpu_exit(1)
  }
  var log = LiveLog(file)
  let configured = InlineBytes<64>("trackerId=live\nseed=1\noutbox.spool=true\n")
  var configuration = TrackerConfiguration()
  guard configuration.read(log: configured.span) == nil else { cpu_exit(1) }
  log.write(configuration: configured.span)
  var modem = ModemConfiguration()
  modem.httpServer = address
  modem.wiring.hasStatus = false
  modem.wiring.hasPowerKey = false
  modem.wiring.hasReset = false
  var run = LiveRun(configuration, modem, log, flash)
  Clock.start()
  guard rings.areEmpty() else { cpu_exit(1) }
  Board.openPorts()
  run.restore()
  live(&run, until: Instant(microseconds: Int64(truncatingIfNeeded: end) * 1_000_000))
  run.flush()
  tell(run, &report)
  cpu_exit(0)
}

/// The file that a word of the arguments names.
private func open(_ word: TextWord, of arguments: inout InlineArray<256, UInt8>, _ mode: Debugger.File.Mode)
  -> Debugger.File?
{
  // The end of the name as the debugger wants it.
  arguments[word.end] = 0
  return withUnsafePointer(to: &arguments) { place in
    place.withMemoryRebound(to: UInt8.self, capacity: 256) {
      Debugger.File(name: $0 + word.start, count: word.end - word.start, mode)
    }
  }
}

/// The loop: the oldest byte of all rings first, with those of its port that came before any other's; then what is due; then sleep.
@inline(never) private func live(_ run: inout LiveRun, until end: Instant) {
  while true {
    let now = Clock.microseconds
    if Int64(truncatingIfNeeded: now) >= end.microseconds { return }
    var chunk = InlineBytes<128>()
    if let (port, time) = rings.takeOldest(into: &chunk, now: now) {
      run.receive(chunk.span, on: port, at: time)
      continue
    }
    let instant = Instant(microseconds: Int64(truncatingIfNeeded: now))
    if let due = run.nextDeadline, due <= instant {
      run.pass(to: instant)
      continue
    }
    if run.tidy() { continue }
    // What comes after this look ends the wait all the same.
    cpu_hold_interrupts()
    if rings.areEmpty() { cpu_wait() }
    cpu_take_interrupts()
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
