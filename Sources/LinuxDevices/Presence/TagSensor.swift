public import Quantities

/// Tells that the owner is near while one of the owner's tags is heard.
///
/// A tag that advertises itself ten times a second is reported every five seconds. That none is heard is not reported: the tracker knows by
/// the silence.
public final class TagSensor: SensorSource {
  /// Takes what it hears; set it before `start`.
  public var sink: (SensorInput) -> Void = { _ in }
  /// Why it gives nothing any more since the last `start`; nil while it works.
  public var failure: DeviceFailure? { scanner.failure }

  /// Between two readings of the same tag.
  static var interval: Interval { .seconds(5) }

  private let tags: [OwnerTag]
  private let scanner: any TagScanner
  private var told: [Int: Instant] = [:]

  /// - Parameters:
  ///   - tags: What the owner carries; their places from 1 are the tokens of readings.
  ///   - scanner: What looks out for them.
  public init(_ tags: [OwnerTag], scanner: any TagScanner) {
    self.tags = tags
    self.scanner = scanner
    scanner.onSighting = { [unowned self] address, services, time in hear(address, services, at: time) }
  }

  /// As in `presence by Bluetooth, 2 tags`.
  public var name: String { "presence by \(scanner.name), \(tags.count) \(tags.count == 1 ? "tag" : "tags")" }

  /// Begins to look.
  ///
  /// - Throws: When there is nothing to look with.
  public func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    told = [:]
    try scanner.start(in: loop, at: now)
  }

  /// Looks no more.
  public func stop() { scanner.stop() }

  private func hear(_ address: String, _ services: Set<String>, at time: Instant) {
    for (place, tag) in tags.enumerated() {
      switch tag {
      case .address(let own): if own != address { continue }
      case .service(let own): if !services.contains(own) { continue }
      }
      if let last = told[place], time - last < TagSensor.interval { continue }
      told[place] = time
      sink(.reading(.presence(PresenceReading(time: time, isNear: true, token: UInt8(clamping: place + 1)))))
    }
  }

  /// No descriptors of its own.
  public func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}
  /// It waits for nothing itself.
  public var nextDeadline: Instant? { nil }
  /// Nothing is due by itself.
  public func advance(to now: Instant) {}

  /// Which tags were heard.
  public var facts: [(name: String, value: String)] {
    tags.enumerated().map { place, tag in ("tag \(place + 1)", told[place] == nil ? "not heard" : "heard: \(tag.text)")
    }
  }

  /// The owner may be away for weeks.
  public var patience: Interval? { nil }
}
