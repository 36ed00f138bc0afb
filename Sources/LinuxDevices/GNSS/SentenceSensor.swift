public import Quantities

/// A satellite receiver on a serial port that speaks NMEA 0183.
///
/// Its bytes go to the sink as they come; only their framing is looked at here, to notice silence and a wrong speed. With a
/// speed of 0 the usual ones are tried until whole sentences come.
public final class SentenceSensor: SensorSource {
  /// The speeds that are tried in turn, the commonest of receivers on boards first.
  public static let usualRates = [9600, 115_200, 38_400, 4800]
  /// How long one speed is tried: a receiver at 1 Hz says something twice.
  static let trialTime = Interval.milliseconds(2500)
  /// How long there may be no whole sentence.
  static let silencePatience = Interval.seconds(15)

  /// `gnss nmea at /dev/ttyAMA0`.
  public let name: String
  /// Takes the bytes.
  public var sink: (SensorInput) -> Void = { _ in }
  /// Why it gives nothing any more.
  public private(set) var failure: DeviceFailure?
  /// 20 s: its own time-out, which can say why, comes first.
  public var patience: Interval? { Self.silencePatience + .seconds(5) }

  private let path: String
  private let rates: [Int]
  private let open: (String, Int) throws(DeviceFailure) -> any SerialTransport
  private var port: (any SerialTransport)?
  private var loop: EventLoop?
  private var rate = 0
  private var count = SentenceCount()
  private var sentenceCount = 0
  private var byteCount = 0
  /// While speeds are tried: when the next one is.
  private var trialEnd: Instant?
  private var silenceEnd: Instant?
  private var buffer = [UInt8](repeating: 0, count: 4096)

  /// - Parameters:
  ///   - port: The serial port.
  ///   - bitsPerSecond: Its speed; 0 for trying the usual ones.
  public convenience init(port: String, bitsPerSecond: Int = 0) {
    self.init(port: port, rates: bitsPerSecond == 0 ? Self.usualRates : [bitsPerSecond]) {
      path, rate throws(DeviceFailure) in try SerialPort.open(path, bitsPerSecond: rate)
    }
  }

  /// With its own way to open a port.
  ///
  /// - Parameter rates: The speeds to try; one only is kept whatever comes.
  init(
    port: String, rates: [Int], open: @escaping (String, Int) throws(DeviceFailure) -> any SerialTransport
  ) {
    path = port
    name = "gnss nmea at \(port)"
    self.rates = rates.isEmpty ? Self.usualRates : rates
    self.open = open
  }

  deinit { stop() }

  private var isAutomatic: Bool { rates.count > 1 }

  /// Opens the port at the speed that worked last, or the first.
  public func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    stop()
    failure = nil
    count = SentenceCount()
    sentenceCount = 0
    byteCount = 0
    let port = try open(path, rates[rate])
    do throws(DeviceFailure) {
      loop.add(self)
      try loop.watch(port.descriptor, for: .reading, by: self)
    } catch {
      loop.remove(self)
      port.close()
      throw error
    }
    self.port = port
    self.loop = loop
    trialEnd = isAutomatic ? now + Self.trialTime : nil
    silenceEnd = now + Self.silencePatience
  }

  /// Leaves the loop and closes the port.
  public func stop() {
    // Watched descriptors are forgotten before they are closed.
    loop?.remove(self)
    loop = nil
    port?.close()
    port = nil
    trialEnd = nil
    silenceEnd = nil
  }

  private func fail(_ reason: DeviceFailure) {
    stop()
    failure = reason
  }

  /// When the next speed is tried, or patience ends.
  public var nextDeadline: Instant? {
    guard let trialEnd, let silenceEnd else { return trialEnd ?? silenceEnd }
    return min(trialEnd, silenceEnd)
  }

  /// Tries the next speed, or gives up.
  public func advance(to now: Instant) {
    if let silenceEnd, now >= silenceEnd {
      fail(DeviceFailure(.read, path, .explained(reasonForSilence)))
    } else if let trialEnd, now >= trialEnd, let port {
      rate = (rate + 1) % rates.count
      do throws(DeviceFailure) {
        try port.setRate(rates[rate])
      } catch {
        // The driver can't make it; the next one is tried in its turn.
      }
      port.discardInput()
      count = SentenceCount()
      self.trialEnd = now + Self.trialTime
    }
  }

  /// Reads what has come.
  public func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {
    guard let port else { return }
    do throws(DeviceFailure) {
      let length = try port.read(into: &buffer)
      if length > 0 { take(buffer[..<length], at: now) }
    } catch {
      fail(error)
    }
  }

  private func take(_ bytes: ArraySlice<UInt8>, at now: Instant) {
    byteCount += bytes.count
    let before = count.right
    count.receive(bytes)
    if count.right > before {
      sentenceCount += count.right - before
      trialEnd = nil
      silenceEnd = now + Self.silencePatience
    }
    // At a wrong speed there is nothing for anybody.
    if trialEnd == nil { sink(.sentences(Array(bytes), at: now)) }
  }

  private var reasonForSilence: String {
    let tried = rates.map { "\($0)" }.joined(separator: ", ")
    if byteCount == 0 {
      return "no data; check the receiver's power, and that its TX is connected to RX of this port"
    }
    if isAutomatic { return "bytes but no NMEA sentences at \(tried) bit/s; is it an NMEA 0183 receiver?" }
    let others = Self.usualRates.filter { $0 != rates[0] }.map { "\($0)" }.joined(separator: ", ")
    return "bytes but no NMEA sentences at \(tried) bit/s: wrong speed? Try 0 for automatic, or \(others)"
  }

  /// Speed and counts.
  public var facts: [(name: String, value: String)] {
    var facts: [(name: String, value: String)] = [("speed", "\(rates[rate]) bit/s\(speedRemark)")]
    facts.append(("bytes", "\(byteCount)"))
    facts.append(("sentences", "\(sentenceCount)"))
    if byteCount > Self.bytesThatTell, sentenceCount == 0 {
      facts.append(("remark", "bytes but no sentences: wrong speed?"))
    }
    return facts
  }

  /// As many bytes as hold a sentence, wherever they begin.
  private static let bytesThatTell = 200

  private var speedRemark: String {
    guard isAutomatic else { return "" }
    return trialEnd == nil ? " (found)" : " (trying)"
  }
}
