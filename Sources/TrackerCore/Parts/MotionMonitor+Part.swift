import ASCIIText
import InertialFusion
import InlineStorage
import MotionDetection
import Quantities
import Telemetry

// Motion detection as a part of the tracker: what it says in packets, and its section of the state.
extension MotionMonitor: TrackerPart {
  static var sections: StateSections { .motion }

  mutating func configure(_ configuration: TrackerConfiguration) { configure(configuration.motion) }

  mutating func process(_ reading: Reading, _ journal: inout TrackerJournal) {
    if case .contacts(let reading) = reading { process(reading) }
  }

  mutating func advance(to time: Instant, _ journal: inout TrackerJournal) -> Bool {
    advance(to: time)
    return hasEvents
  }

  func describe(in packet: inout Packet) {
    guard estimator.attitude.isAligned else { return }
    let up = estimator.attitude.levelFromBody.conjugate.rotate(Vector3(0, 0, 1))
    let level = (up.y * up.y + up.z * up.z).squareRoot()
    packet.rollDecidegrees = decidegrees(Elementary.atan2(up.y, up.z))
    packet.pitchDecidegrees = decidegrees(Elementary.atan2(-up.x, level))
  }

  private func decidegrees(_ angle: Float) -> Int16 {
    Int16(clamping: Elementary.roundedInteger(Double(angle) * (1800 / Double.pi)))
  }

  mutating func restore(_ kept: borrowing KeptState, at time: Instant) { restore(kept.motion, at: time) }

  func encode(_ section: StateSections, at time: Instant, into content: inout SectionContent) {
    let motion = snapshot
    content.append(motion.phase.rawValue)
    let given: UInt8 = motion.givenAlertsEnabled == true ? 6 : 2
    content.append(motion.alertsEnabled ? given | 1 : given)
    content.append(vector: motion.up)
    content.append(place: motion.place, accuracy: motion.placeAccuracy)
    content.append(noise: motion.turningNoise)
    content.append(noise: motion.vibrationNoise)
    content.append(age: motion.rideAge)
    content.append(age: motion.rideIdle)
  }
}

extension MotionSnapshot {
  /// Reads the section.
  init(_ bytes: Span<UInt8>, _ reader: inout RecordReader) {
    self.init()
    let phase = MotionPhase(rawValue: reader.byte(bytes))
    reader.require(phase != nil)
    self.phase = phase ?? .starting
    let alerts = reader.byte(bytes)
    reader.require(alerts < 8)
    alertsEnabled = alerts & 1 != 0
    givenAlertsEnabled = alerts & 2 != 0 ? alerts & 4 != 0 : nil
    if reader.flag(bytes) {
      let x = reader.float(bytes)
      let y = reader.float(bytes)
      up = Vector3(x, y, reader.float(bytes))
    }
    if let place = reader.place(bytes) {
      self.place = place.position
      placeAccuracy = max(0, place.accuracy)
    }
    turningNoise = reader.noise(bytes)
    vibrationNoise = reader.noise(bytes)
    rideAge = reader.age(bytes)
    rideIdle = reader.age(bytes)
  }
}
