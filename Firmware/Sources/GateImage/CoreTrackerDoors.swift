import ASCIIText
import InertialFusion
import InlineStorage
import MotionDetection
import NMEA
import Quantities
import SIM7000
import Telemetry
import TrackerCore

// What the doors of a tracker take of the stack at most: sentences of a receiver, alarms, a full outbox, a state that is restored
// with all of its packets. Nothing of it goes into the fingerprint.

extension CoreRun {
  /// Goes through each door where it has the most to do.
  mutating func trackerDoors() {
    noteSizes()
    var configuration = TrackerConfiguration()
    configuration.motion.armAfter = .seconds(10 + Int(opaque(0)))
    var state = InlineBytes<5376>()
    alarms(configuration, &state)
    restoreAll(configuration, &state)
    ruleDoors(configuration, &state)
    configuration.outbox.hasSpool = true
    spool(configuration, &state)
  }

  private mutating func noteSizes() {
    sizes[.tracker] = UInt32(MemoryLayout<Tracker>.size)
    sizes[.outbox] = UInt32(MemoryLayout<Outbox<32>>.size)
    sizes[.monitor] = UInt32(MemoryLayout<MotionMonitor>.size)
    sizes[.receiver] = UInt32(MemoryLayout<NMEAReceiver>.size)
    sizes[.filter] = UInt32(MemoryLayout<AttitudeFilter>.size)
    sizes[.liteFilter] = UInt32(MemoryLayout<LiteAttitudeFilter>.size)
    sizes[.modem] = UInt32(MemoryLayout<Modem>.size)
    sizes[.packet] = UInt32(MemoryLayout<Packet>.size)
    sizes[.fix] = UInt32(MemoryLayout<GNSSFix>.size)
    sizes[.event] = UInt32(MemoryLayout<TrackerEvent>.size)
    sizes[.configuration] = UInt32(MemoryLayout<TrackerConfiguration>.size)
  }

  @inline(never) private mutating func alarms(_ configuration: TrackerConfiguration, _ state: inout InlineBytes<5376>) {
    var device = through(.trackerInit) { Tracker(configuration: configuration) }
    var time = Instant.seconds(1)
    var line = InlineBytes<512>()
    var step = 0
    // Standing until it is armed, then shaken and tilted, then carried away, while the server is silent.
    while step < 120 {
      sentences(second: step, north: step < 60 ? 0 : (step - 60) * 20, into: &line)
      through(.trackerReceive) { device.receive(line.span, from: .gnss, at: time) }
      fetch(&device, &state)
      var sample = 0
      while sample < 10 {
        let shake: Float = step >= 20 ? (sample & 1 == 0 ? 3 : -3) : 0
        let moved = InertialSample(
          time: time + .milliseconds(100 * sample + 1), angularRate: Vector3(0.1 * shake, opaque(0), 0),
          specificForce: Vector3(step >= 20 ? 3 : 0, shake, 9.8))
        through(.trackerSample) { device.process(moved) }
        fetch(&device, &state)
        sample += 1
      }
      time = time + .seconds(1)
      through(.trackerAdvance) { device.advance(to: time) }
      fetch(&device, &state)
      step += 1
    }
    submit(.locate, &device, at: time, &state)
    submit(.setAlerts(enabled: false), &device, at: time, &state)
    submit(.setAlerts(enabled: true), &device, at: time, &state)
    submit(.dismiss(alert: 1), &device, at: time, &state)
    var words = InlineBytes<64>()
    words.append("set reports.distance 500 reports.staleAfter 90.5")
    if let request = Request(words.span) { submit(request, &device, at: time, &state) }
    expect(device.configuration.reports.distance == 500)
    words.removeAll()
    words.append("reset reports.distance")
    through(.trackerSubmit) { device.take(.command(time), payload: words.span) }
    fetch(&device, &state)
    expect(device.configuration.reports.distance == 250)
    var more = 0
    while more < 33 {
      submit(.locate, &device, at: time, &state)
      more += 1
    }
    expect(device.lastAlert > 0)
    expect(device.outbox.count == 32)
  }

  private mutating func submit(
    _ request: Request, _ device: inout Tracker, at time: Instant, _ state: inout InlineBytes<5376>
  ) {
    through(.trackerSubmit) { device.submit(request, at: time) }
    fetch(&device, &state)
  }

  @inline(never) private mutating func restoreAll(
    _ configuration: TrackerConfiguration, _ state: inout InlineBytes<5376>
  ) {
    var device = Tracker(configuration: configuration)
    let isRestored = through(.trackerRestore) { device.restore(state.span, at: .seconds(500)) }
    expect(isRestored)
    expect(device.outbox.count == 32)
    let sequence = device.outbox.nextSequence - 32
    fetch(&device, &state)
    through(.trackerAcknowledge) { device.acknowledge(sequence, at: .seconds(501)) }
  }

  private mutating func fetch(_ device: inout Tracker, _ state: inout InlineBytes<5376>) {
    while let action = through(.trackerNextAction, { device.nextAction() }) {
      switch action {
      case .persist: keep(&device, in: &state)
      case .event, .spool, .recall, .sound, .sense, .restart: break
      case .transmit:
        var text = TextSum()
        through(.trackerDrainOutput) { _ = device.drainOutput(for: .uplink, into: &text) }
      }
    }
  }

  /// An owner whose spool counts what goes in, and gives the last of it back as often as it is asked.
  @inline(never) private mutating func spool(_ configuration: TrackerConfiguration, _ state: inout InlineBytes<5376>) {
    var device = Tracker(configuration: configuration)
    var section = InlineBytes<160>()
    var count = 0
    var step = 0
    while step < 40 {
      through(.trackerSubmit) { device.submit(.locate, at: .seconds(step + 1)) }
      fetch(&device, &state, &section, &count)
      step += 1
    }
    expect(count == 24)
    expect(device.outbox.spooledCount == 24)
    var sequence: UInt32 = 1
    while sequence <= 16 {
      through(.trackerAcknowledge) { device.acknowledge(sequence, at: .seconds(100)) }
      fetch(&device, &state, &section, &count)
      sequence += 1
    }
    expect(count < 24)
  }

  private mutating func fetch(
    _ device: inout Tracker, _ state: inout InlineBytes<5376>, _ section: inout InlineBytes<160>, _ count: inout Int
  ) {
    while let action = through(.trackerNextAction, { device.nextAction() }) {
      switch action {
      case .persist: keep(&device, in: &state)
      case .event, .transmit: break
      case .spool(let sequence):
        section.removeAll()
        if let place = device.outbox.place(of: sequence) {
          through(.trackerEncodePacket) { device.encodePacket(at: place, into: &section) }
        }
        count += 1
        through(.trackerSpooled) { device.spooled(sequence, isKept: true) }
      case .sound, .sense, .restart: break
      case .recall:
        through(.trackerRecall) { device.recall(section.span, pending: ReceiverSet(0)) }
        count -= 1
        device.noteSpool(count: count)
      }
    }
  }

  /// The sentences of one second.
  private func sentences(second: Int, north: Int, into line: inout InlineBytes<512>) {
    line.removeAll()
    line.append("$GPGGA,1015")
    line.append(decimal: UInt64(second % 60), minimumDigits: 2)
    line.append(".00,5321.")
    line.append(decimal: UInt64(1000 + north), minimumDigits: 4)
    line.append(",N,00615.0000,W,1,08,1.2,20.0,M,55.0,M,,\r\n$GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.9,1.2,1.5\r\n")
    line.append("$GPRMC,1015")
    line.append(decimal: UInt64(second % 60), minimumDigits: 2)
    line.append(".00,A,5321.")
    line.append(decimal: UInt64(1000 + north), minimumDigits: 4)
    line.append(",N,00615.0000,W,0.1,090.0,010626,,,A\r\n")
  }
}
