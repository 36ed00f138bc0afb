import Glibc
import Quantities

/// The running buffer of one IIO device: frames in, samples out.
final class IndustrialIOBuffer {
  let files: IndustrialIOFiles
  /// For `epoll`; -1 after `close`.
  private(set) var descriptor: Int32
  /// Samples per second.
  let hertz: Double
  /// What starts a measurement; nil when the device does it by itself.
  let trigger: String?
  /// Frames whose timestamp made no sense; they were dated by arrival.
  private(set) var undatedCount = 0
  private let layout: ScanLayout
  private let channels: [IndustrialIOChannel]
  private let timestamp: ScanLayout.Element?
  private let difference: (TimestampClock) -> Int64
  private var conversion: TimestampConversion
  private var sampleClock: SampleClock
  private var last: Instant?
  private var rest: [UInt8] = []
  private var buffer: [UInt8]

  /// Opens the device, which keeps others out, and starts its buffer.
  ///
  /// - Parameters:
  ///   - difference: By how many nanoseconds a clock is ahead of the monotonic one.
  /// - Throws: One failure that says what is wrong; the device is closed then.
  init(
    _ files: IndustrialIOFiles, _ settings: InertialSettings, difference: @escaping (TimestampClock) -> Int64
  ) throws(DeviceFailure) {
    self.files = files
    self.difference = difference
    let descriptor = open(files.device, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.openFailure(files, errno) }
    do throws(DeviceFailure) {
      let result = try IndustrialIOSetup(files, settings).run()
      var channels: [IndustrialIOChannel] = []
      for kind in IndustrialIOChannel.Kind.allCases {
        if let channel = try IndustrialIOChannel(kind, of: files, layout: result.layout) { channels.append(channel) }
      }
      guard !channels.isEmpty else {
        throw DeviceFailure(
          .configure, files.folder,
          .explained("does not have three axes in its buffer; expected in_accel or in_anglvel"))
      }
      self.channels = channels
      layout = result.layout
      hertz = result.hertz
      trigger = result.trigger
      conversion = TimestampConversion(clock: result.clock)
    } catch {
      Glibc.close(descriptor)
      Self.switchOff(files)
      throw error
    }
    self.descriptor = descriptor
    timestamp = layout.element("timestamp")
    sampleClock = SampleClock(hertz: hertz)
    buffer = [UInt8](repeating: 0, count: max(4096, 8 * layout.frameLength))
  }

  deinit { close() }

  private static func openFailure(_ files: IndustrialIOFiles, _ number: Int32) -> DeviceFailure {
    switch number {
    case ENOENT:
      DeviceFailure(
        .open, files.device, errorNumber: number,
        .explained("missing although the device exists: its driver has no buffer, or udev did not create the file"))
    case EBUSY: .attribute(.open, files.device, number)
    default: DeviceFailure(.open, files.device, errorNumber: number)
    }
  }

  /// Stops the buffer and closes the device.
  func close() {
    guard descriptor >= 0 else { return }
    Self.switchOff(files)
    Glibc.close(descriptor)
    descriptor = -1
  }

  private static func switchOff(_ files: IndustrialIOFiles) {
    do throws(DeviceFailure) { try files.write("\(files.bufferFolder)/enable", "0") } catch {
      // Gone with the device.
    }
  }

  /// The clock of the timestamps; nil when frames have none.
  var clock: TimestampClock? { timestamp == nil ? nil : conversion.clock }

  /// True when the frames have that kind.
  func has(_ kind: IndustrialIOChannel.Kind) -> Bool { channels.contains { $0.kind == kind } }

  /// The largest value of a kind; nil when the frames do not have it.
  func limit(_ kind: IndustrialIOChannel.Kind) -> Double? { channels.first { $0.kind == kind }?.limit }

  /// Reads what there is, 4 KiB at most, and hands out the samples of the frames that are complete.
  ///
  /// - Throws: `.unplugged` when the device is gone.
  func read(at now: Instant, into sink: (InertialSample) -> Void) throws(DeviceFailure) {
    let count = try readBytes()
    guard count > 0 else { return }
    rest.append(contentsOf: buffer[..<count])
    let frames = rest.count / layout.frameLength
    guard frames > 0 else { return }
    if timestamp != nil { conversion.note(difference: difference(conversion.clock)) }
    let arrivals = timestamp == nil ? sampleClock.times(count: frames, before: now, after: now) : []
    for place in 0..<frames {
      let frame = rest[place * layout.frameLength..<(place + 1) * layout.frameLength]
      let time = timestamp == nil ? arrivals[place] : time(of: frame, behind: frames - 1 - place, at: now)
      last = time
      var sample = InertialSample(time: time)
      for channel in channels {
        let vector = channel.vector(of: frame)
        switch channel.kind {
        case .specificForce: sample.specificForce = vector
        case .angularRate: sample.angularRate = vector
        case .magneticFluxDensity: sample.magneticFluxDensity = vector
        }
      }
      sink(sample)
    }
    rest.removeFirst(frames * layout.frameLength)
  }

  private func readBytes() throws(DeviceFailure) -> Int {
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count > 0 { return count }
      if count == 0 { throw DeviceFailure(.read, files.device, .unplugged) }
      if errno == EAGAIN { return 0 }
      if errno != EINTR { throw DeviceFailure(.read, files.device, errorNumber: errno) }
    }
  }

  /// The frame's time; never before the one of the frame before.
  private func time(of frame: ArraySlice<UInt8>, behind newer: Int, at now: Instant) -> Instant {
    let spacing = Interval(microseconds: Int64(1_000_000 / hertz))
    let expected = last.map { $0 + spacing }
    var time: Instant?
    if let timestamp {
      let stamp = timestamp.type.value(frame.dropFirst(timestamp.offset))
      time = conversion.instant(nanoseconds: stamp, expected: expected, readAt: now)
    }
    if time == nil {
      undatedCount += 1
      time = now - Interval(microseconds: spacing.microseconds * Int64(newer))
    }
    let earliest = last.map { $0 + Interval(microseconds: 1) } ?? Instant(microseconds: .min)
    return max(time ?? now, earliest)
  }
}
