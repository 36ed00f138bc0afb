import ASCIIText
import Quantities
import TrackerCore
import TrackerLog

/// Bytes on their way, with a hash of all of them: FNV-1a.
struct HashedSink<Writer: ByteWriter>: ByteSink {
  private var writer: Writer
  private(set) var hash: UInt32 = 0x811C_9DC5

  init(_ writer: Writer) { self.writer = writer }

  @discardableResult mutating func append(_ byte: UInt8) -> Bool {
    hash = (hash ^ UInt32(byte)) &* 0x0100_0193
    writer.write(byte)
    return true
  }
}

/// Bytes that only the hash sees.
struct NoWriter: ByteWriter {
  mutating func write(_ byte: UInt8) {}
}

/// What came of a replay.
struct ReplayResult {
  /// Why a log can't be replayed.
  enum Trouble {
    /// It is none, or of another version.
    case notALog
    /// Its first record is no configuration.
    case noConfiguration
    /// A line of the configuration, from 1, is no setting of this version.
    case setting(Int)
    /// It continues another.
    case continuation
  }

  var trouble: Trouble?
  var inputCount: UInt32 = 0
  var eventCount: UInt32 = 0
  var packetCount: UInt32 = 0
  var keptCount: UInt32 = 0
  /// Hash of the events and packets.
  var outputHash: UInt32 = 0
  /// Hash of every section of the state that was to be kept, and of all of it at the end.
  var stateHash: UInt32 = 0
  var damage = LogDamage()
}

/// Gives the inputs of a log to a tracker and writes what it does, a line of JSON for each event and each packet, in the order in
/// which a run on a host does it: one input, then its actions until nothing is left.
///
/// What a log says that a tracker did is passed over.
///
/// - Parameter lap: Called when the tracker is ready, and after each input with its time.
func replay<Window: LogWindow & ~Copyable, Writer: ByteWriter>(
  _ reader: inout LogReader<Window>, to writer: Writer, lap: (borrowing Tracker, Instant?) -> Void
) -> ReplayResult {
  var result = ReplayResult()
  switch reader.readHeader() {
  case .intact, .damaged: break
  case .short, .foreign, .version:
    result.trouble = .notALog
    return result
  }
  guard case .configuration? = reader.next() else {
    result.trouble = .noConfiguration
    return result
  }
  var configuration = TrackerConfiguration()
  if let line = configuration.read(log: Span(_unsafeElements: reader.payload)) {
    result.trouble = .setting(line)
    return result
  }
  return run(configuration, &reader, HashedSink(writer), lap)
}

@inline(never) private func run<Window: LogWindow & ~Copyable, Writer: ByteWriter>(
  _ configuration: TrackerConfiguration, _ reader: inout LogReader<Window>, _ sink: HashedSink<Writer>,
  _ lap: (borrowing Tracker, Instant?) -> Void
) -> ReplayResult {
  var result = ReplayResult()
  var sink = sink
  var states = HashedSink(NoWriter())
  var tracker = Tracker(configuration: configuration)
  lap(tracker, nil)
  records: while let record = reader.next() {
    switch record {
    case .input(let input):
      tracker.take(input, payload: Span(_unsafeElements: reader.payload))
      result.inputCount &+= 1
      // What comes back from the spool comes together; how much is left is told at its end.
      if case .recalled = input { continue records }
      drain(&tracker, &sink, &states, &result)
      lap(tracker, input.time)
    case .continuation:
      result.trouble = .continuation
      break records
    case .configuration, .action, .output, .note: break
    }
  }
  tracker.encodeState(into: &states)
  result.outputHash = sink.hash
  result.stateHash = states.hash
  result.damage = reader.damage
  return result
}

private func drain<Writer: ByteWriter>(
  _ tracker: inout Tracker, _ sink: inout HashedSink<Writer>, _ states: inout HashedSink<NoWriter>,
  _ result: inout ReplayResult
) {
  while let action = tracker.nextAction() {
    switch action {
    // What is to be kept is kept before anything that follows from it is told.
    case .persist(let sections):
      tracker.encodeState(sections, into: &states)
      result.keptCount &+= 1
    case .sound, .sense, .restart: break
    // What the spool answered is the next input; the rest follows from it.
    case .spool, .recall: return
    case .event(let event):
      event.encodeJSON(into: &sink)
      sink.append(0x0A)
      result.eventCount &+= 1
    case .transmit:
      tracker.drainOutput(for: .uplink, into: &sink)
      sink.append(0x0A)
      result.packetCount &+= 1
    }
  }
}

/// Writes a result, a name and a number a line.
func write(_ result: ReplayResult, to writer: inout some ByteWriter) {
  if let trouble = result.trouble {
    switch trouble {
    case .notALog: write("trouble: no Leash log of this version\n", to: &writer)
    case .noConfiguration: write("trouble: no configuration at the beginning\n", to: &writer)
    case .setting(let line):
      write("trouble: no setting of this version in line ", to: &writer)
      write(decimal: UInt32(truncatingIfNeeded: line), to: &writer)
      write("\n", to: &writer)
    case .continuation: write("trouble: it continues another log\n", to: &writer)
    }
  }
  write("inputs", result.inputCount, to: &writer)
  write("events", result.eventCount, to: &writer)
  write("packets", result.packetCount, to: &writer)
  write("kept", result.keptCount, to: &writer)
  write("output hash ", hexadecimal: result.outputHash, to: &writer)
  write("state hash ", hexadecimal: result.stateHash, to: &writer)
  write("damaged stretches", UInt32(truncatingIfNeeded: result.damage.stretchCount), to: &writer)
  write("overlong records", UInt32(truncatingIfNeeded: result.damage.overlongCount), to: &writer)
}
