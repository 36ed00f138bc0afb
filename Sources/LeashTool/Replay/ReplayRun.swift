import PacketForms
import Quantities
import Recording
import TrackerRuntime
import SIM7000
import SimulatedWorld
import Telemetry
import TrackerCore

/// One replay: opens, merges, runs, writes.
final class ReplayRun {
  private let arguments: Arguments
  private let console: Console
  private let isJSON: Bool
  private let timeline: TimelineWriter
  private var sources: [any RecordingImporter] = []
  private let requests: [TimedRequest]
  /// Silence after the end, when it was asked for.
  private let silence: Interval?
  private var nextRequest = 0
  private var summary = ReplaySummary()
  private var progress: ProgressLine
  private var plot: EvidencePlot?

  init(_ arguments: Arguments, _ console: Console) throws(CommandFailure) {
    self.arguments = arguments
    self.console = console
    isJSON = arguments[ReplayCommand.json]
    timeline = TimelineWriter(console, showsAllPackets: arguments[ReplayCommand.packets])
    progress = ProgressLine(console)
    requests = try ReplayOptions.requests(arguments)
    let seconds = arguments[ReplayCommand.silence]
    guard seconds.map({ $0 >= 0 && $0 <= 31_536_000 }) ?? true else {
      throw .usage("option '--then': '\(seconds ?? 0)' is not a number of seconds from 0 to 31536000")
    }
    if arguments[ReplayCommand.plot] != nil { plot = EvidencePlot() }
    silence = seconds.map { Interval(microseconds: Int64(($0 * 1_000_000).rounded())) }
  }

  func run() throws(CommandFailure) -> ExitCode {
    // A wrong option is told before a wrong file.
    var unused = RunConfiguration()
    try ReplayOptions.apply(arguments, to: &unused)
    try open()
    var configuration = try recordedConfiguration()
    // The synthetic sensor sits on the seat tube, as the recorded ones do.
    if arguments[ReplayCommand.synthesize] {
      configuration.tracker.calibration.mounting = .axes(RideSource.syntheticMounting)
    }
    try ReplayOptions.apply(arguments, to: &configuration)
    packetFormat = configuration.tracker.packetFormat
    let recording = try merge()
    let source = try RideSource(recording, parts: sources, arguments, seed: configuration.seed)
    let log = try ReplayOptions.recordPath(arguments).map { path throws(CommandFailure) in
      try reading { () throws(RecordingError) in try LeashLogWriter(path: path) }
    }
    let plotTarget = try arguments[ReplayCommand.plot].map { path throws(CommandFailure) in
      try reading { () throws(RecordingError) in try ByteTarget(path: path) }
    }
    let started = ProgressLine.monotonicMicroseconds()
    if !isJSON { begin(source) }
    var failure: RecordingError?
    uplink = try arguments[ReplayCommand.modem].map { way throws(CommandFailure) in
      let format = way == .sms ? PacketFormat.text : packetFormat
      if format != packetFormat, packetFormat != .json {
        console.err.writeLine(
          "leash replay: text messages have the format text; '--format \(packetFormat.name)' is only printed")
      }
      if way == .tcp, format == .minimal || format == .ownTracksCompact {
        throw .usage(
          "option '--modem': over tcp a server acknowledges a packet by its number, which the format \(format.name) does not have; "
            + "http and mqtt acknowledge it without")
      }
      return ModemUplink(transport: way.transport, format: format, seed: configuration.seed)
    }
    let delivery = uplink.map {
      var way = PacketDelivery.Way($0, format: $0.transport == .sms ? .text : configuration.tracker.packetFormat)
      way.byteLimit = $0.transport.payloadLimit
      way.isTextMessage = $0.transport == .sms
      return PacketDelivery([way], parameters: configuration.tracker.outbox, seed: configuration.seed)
    }
    let tracker = try reading { () throws(RecordingError) in
      try TrackerRun(configuration, log: log, delivery: delivery) { [unowned self] output, bytes in
        self.take(output, bytes)
      }
    }
    do throws(RecordingError) {
      try feed(tracker, from: source)
    } catch {
      failure = error
    }
    progress.clear()
    try reading { () throws(RecordingError) in
      try tracker.advance(to: tracker.now + finalSilence)
      try log?.close()
    }
    if let plotTarget, let plot {
      try reading { () throws(RecordingError) in
        try plotTarget.append(plot.svg(title: sources.first?.reports.first?.file ?? "recording"))
        try plotTarget.close()
      }
    }
    finish(tracker, source, elapsed: ProgressLine.monotonicMicroseconds() - started)
    if let failure { throw CommandFailure(failure) }
    return .success
  }

  /// The last epoch of an NMEA log is complete only when nothing follows it. That of a run is as its tracker left it.
  private var finalSilence: Interval {
    let isOfRun = sources.contains { ($0 as? LeashLogImporter)?.isOfRun == true }
    return silence ?? (summary.hasBytes && !isOfRun ? .milliseconds(500) : .zero)
  }

  private func open() throws(CommandFailure) {
    for path in arguments[ReplayCommand.files] {
      sources.append(try reading { () throws(RecordingError) in try openRecording(path, port: Port.gnss.rawValue) })
    }
  }

  private func merge() throws(CommandFailure) -> any RecordingImporter {
    guard sources.count > 1 else { return sources[0] }
    return try reading { () throws(RecordingError) in try MergedRecording(sources) }
  }

  /// The configuration a log was written with, or the default.
  private func recordedConfiguration() throws(CommandFailure) -> RunConfiguration {
    for source in sources {
      guard let log = source as? LeashLogImporter, let text = log.configurationText else { continue }
      do throws(RunConfiguration.Refusal) {
        return try RunConfiguration(text: text)
      } catch {
        throw .environment(
          "\(log.reports[0].file): setting '\(error.name)' in its configuration is unknown to this version")
      }
    }
    return RunConfiguration()
  }

  private func begin(_ source: RideSource) {
    for line in source.provenance { console.out.writeLine(line) }
    console.out.writeLine()
    timeline.begin()
  }

  private var tracker: TrackerRun?
  private var uplink: ModemUplink?
  private var packetFormat = PacketFormat.json

  private func take(_ output: RunOutput, _ bytes: Span<UInt8>) {
    summary.count(output)
    if case .event(let event) = output { plot?.add(event) }
    if isJSON {
      if case .packet(let sequence, _) = output, packetFormat != .json {
        writePacket(sequence)
      } else {
        console.out.append(bytes: bytes)
        console.out.append(0x0A)
      }
      return
    }
    if case .packet(_, .location) = output, !arguments[ReplayCommand.packets] {
      timeline.write(output, bytes: [], rideDistance: 0)
      return
    }
    progress.clear()
    timeline.write(
      output, bytes: bytes.withUnsafeBufferPointer { Array($0) }, rideDistance: tracker?.lastRideDistance ?? 0)
  }

  /// Writes a packet in the format that was asked for, a line for each of its messages; one that the format can't carry has none.
  private func writePacket(_ sequence: UInt32) {
    var part = 0
    while true {
      var buffer = ByteBuffer()
      let head = tracker?.look { tracker in
        tracker.outbox.place(of: sequence).flatMap {
          tracker.encodePacket(at: $0, part: part, as: packetFormat, into: &buffer)
        }
      }
      guard let head else { return }
      console.out.append(bytes: buffer.bytes.span)
      console.out.append(0x0A)
      if head.isLast { return }
      part += 1
    }
  }

  private func feed(_ tracker: TrackerRun, from source: RideSource) throws(RecordingError) {
    self.tracker = tracker
    var untilUpdate = 0
    while let input = try source.next() {
      try give(requestsUntil: input.time, to: tracker)
      remarks(of: source, until: input.time, tracker)
      summary.count(input)
      try give(input, payload: source.payload, to: tracker)
      plot?.add(tracker, after: input)
      untilUpdate -= 1
      if untilUpdate < 0 {
        untilUpdate = 1000
        progress.update("replaying: \(TimeText.elapsed(input.time)) of the ride, \(tracker.phase.name)")
      }
    }
    try give(requestsUntil: tracker.now + finalSilence, to: tracker)
  }

  /// A Leash log holds what the servers of its run had, too. This replay has a server of its own, but when they told, the tracker
  /// was told the time: samples that came later and were measured before were late for it, and are to be late again.
  private func give(_ input: TrackerInput, payload: [UInt8], to tracker: TrackerRun) throws(RecordingError) {
    switch input {
    case .acknowledgement(let time, _), .settlement(let time, _, _, _):
      if time > tracker.now { try tracker.advance(to: time) }
    case .spooled, .recalled, .spoolCount: break
    // Ticks are inputs like the others: a live run begins with one, from which the tracker counts the time without motion.
    case .tick, .inertial, .fix, .reading, .bytes, .command, .restoration: try tracker.feed(input, payload: payload)
    }
  }

  private func give(requestsUntil time: Instant, to tracker: TrackerRun) throws(RecordingError) {
    while nextRequest < requests.count, requests[nextRequest].time <= time {
      let request = requests[nextRequest]
      nextRequest += 1
      try tracker.feed(.command(request.time), payload: request.text)
    }
  }

  private func remarks(of source: RideSource, until time: Instant, _ tracker: TrackerRun) {
    while let remark = source.nextRemark(until: time) {
      guard !isJSON else { continue }
      progress.clear()
      timeline.remark(remark.text, at: remark.time, utc: tracker.utc(of: remark.time))
    }
  }

  private func finish(_ tracker: TrackerRun, _ source: RideSource, elapsed: Int64) {
    for line in ReplaySummary.problems(source.reports) { console.err.writeLine("leash replay: " + line) }
    for request in requests[nextRequest...] {
      let text = String(decoding: request.text, as: UTF8.self)
      let end = TimeText.elapsed(tracker.now)
      console.err.writeLine("leash replay: '\(text)' was not given: the recording ends before, at \(end)")
    }
    guard !isJSON else { return }
    timeline.end(at: tracker.now, utc: tracker.utc(of: tracker.now))
    console.out.writeLine()
    console.out.write(summary.text(tracker, source))
    if let uplink { ModemReport(uplink: uplink, console: console).write() }
    // How fast it was differs from run to run, so it is no part of the output.
    let seconds = max(1e-6, Double(elapsed) / 1_000_000)
    let multiple = TimeText.count(Int((summary.duration.secondsDouble / seconds).rounded()))
    console.err.writeLine("replayed in \(TimeText.decimal(seconds, 2)) s, \(multiple) × real time")
  }
}

/// Runs what reads or writes a recording, and tells its failure as the command's.
func reading<Value>(_ body: () throws(RecordingError) -> Value) throws(CommandFailure) -> Value {
  do throws(RecordingError) {
    return try body()
  } catch {
    throw CommandFailure(error)
  }
}

extension ReplayCommand.Transport {
  /// The driver's name for it.
  var transport: ModemTransport {
    switch self {
    case .http: .http
    case .mqtt: .mqtt
    case .tcp: .tcp
    case .sms: .sms
    }
  }
}
