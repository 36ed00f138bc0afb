public import ASCIIText
import InlineStorage
import MotionDetection
import Positioning
import Quantities
import Telemetry

/// What a tracker keeps over a restart: numbering, odometer, phase, places, and the packets that wait, each in a section.
///
/// Whoever stores sections stores those of one `.persist` together: a packet that is gone while its number is not yet used up
/// would lose or double an alert. Sections of tags that are not known stay where they are.
extension Tracker {
  /// Writes sections of the state, one after another; 480 bytes at most.
  ///
  /// - Parameters:
  ///   - sections: Which; by default all but the mark.
  ///   - sink: Takes them.
  public func encodeState(_ sections: StateSections = .state, into sink: inout some ByteSink) {
    var tag: UInt8 = 1
    while tag <= StateSections.lastTag {
      let section = StateSections(tag: tag)
      if sections.contains(section) {
        var content = InlineBytes<208>()
        encode(section, into: &content)
        StoredSection(tag: tag, version: 1, revision: revision).encode(content.span, into: &sink)
      }
      tag += 1
    }
  }

  /// Writes the packet at a place of the outbox as a section, 160 bytes at most. It is always the same: where one of its number
  /// is kept it need not be kept again.
  public func encodePacket(at place: Int, into sink: inout some ByteSink) {
    outbox.encodeSection(at: place, revision: revision, into: &sink)
  }

  private func encode(_ section: StateSections, into content: inout InlineBytes<208>) {
    switch section {
    case .numbering:
      content.append(littleEndian: UInt64(outbox.boot), bytes: 4)
      content.append(littleEndian: UInt64(outbox.nextSequence), bytes: 4)
      content.append(littleEndian: UInt64(lastAlert), bytes: 4)
    case .alarm:
      content.append(littleEndian: UInt64(firstAlert), bytes: 4)
      encode(distance: alarmStartDistance, into: &content)
    case .trip:
      encode(distance: trip.distance, into: &content)
      encode(distance: rideStartDistance, into: &content)
      encode(distance: lastRideDistance, into: &content)
      encode(trip.last, accuracy: 0, into: &content)
    case .motion: encodeMotion(into: &content)
    case .places:
      encode(lastFix?.position, accuracy: Float(lastFix?.horizontalAccuracy ?? -1), into: &content)
      encode(parkingFix?.position, accuracy: Float(parkingFix?.horizontalAccuracy ?? -1), into: &content)
    case .waiting: encodeWaiting(into: &content)
    case .mark:
      let mark = numberingMark
      content.append(littleEndian: UInt64(mark.boot), bytes: 4)
      content.append(littleEndian: UInt64(mark.sequence), bytes: 4)
      content.append(littleEndian: UInt64(mark.alert), bytes: 4)
    default: break
    }
  }

  private func encodeMotion(into content: inout InlineBytes<208>) {
    let motion = monitor.snapshot
    content.append(motion.phase.rawValue)
    content.append(motion.alertsEnabled ? 1 : 0)
    encode(motion.up, into: &content)
    encode(motion.place, accuracy: motion.placeAccuracy, into: &content)
    encode(motion.turningNoise, into: &content)
    encode(motion.vibrationNoise, into: &content)
    encode(motion.rideAge, into: &content)
    encode(motion.rideIdle, into: &content)
  }

  private func encodeWaiting(into content: inout InlineBytes<208>) {
    content.append(littleEndian: UInt64(configuration.outbox.receivers.identity), bytes: 4)
    content.append(littleEndian: UInt64(outbox.nextSequence), bytes: 4)
    content.append(UInt8(clamping: outbox.count))
    var place = 0
    while place < outbox.count {
      let (sequence, kind) = outbox.name(at: place)
      content.append(littleEndian: UInt64(sequence), bytes: 4)
      content.append(kind.rawValue)
      content.append(outbox.pending(at: place).rawValue)
      place += 1
    }
  }

  /// How far numbering may come before the mark is written again.
  var numberingMark: NumberingMark {
    NumberingMark(boot: outbox.boot, nextSequence: outbox.nextSequence, lastAlert: lastAlert)
  }

  // What sensors and receivers say may be no number, or a time beyond reason. It is written as unknown, or at the end of what is
  // reasonable: a section that can't be read would lose all that is in it.

  private func encode(distance: Double, into content: inout InlineBytes<208>) {
    content.append(bits: distance.isFinite && distance >= 0 ? distance : 0)
  }

  private func encode(_ vector: Vector3?, into content: inout InlineBytes<208>) {
    guard let vector, vector.x.isFinite, vector.y.isFinite, vector.z.isFinite else {
      content.append(0)
      return
    }
    content.append(1)
    content.append(bits: vector.x)
    content.append(bits: vector.y)
    content.append(bits: vector.z)
  }

  private func encode(_ position: GeodeticPosition?, accuracy: Float, into content: inout InlineBytes<208>) {
    content.append(position == nil ? 0 : 1)
    guard let position else { return }
    content.append(littleEndian: UInt64(bitPattern: position.latitudeE9), bytes: 8)
    content.append(littleEndian: UInt64(bitPattern: position.longitudeE9), bytes: 8)
    content.append(bits: accuracy.isFinite ? accuracy : -1)
  }

  private func encode(_ value: Float?, into content: inout InlineBytes<208>) {
    guard let value, value.isFinite, value >= 0 else {
      content.append(0)
      return
    }
    content.append(1)
    content.append(bits: value)
  }

  private func encode(_ interval: Interval?, into content: inout InlineBytes<208>) {
    content.append(interval == nil ? 0 : 1)
    guard let interval else { return }
    let age = min(max(0, interval.microseconds), KeptState.longestAge)
    content.append(littleEndian: UInt64(age), bytes: 8)
  }
}
