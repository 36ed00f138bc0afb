import ASCIIText
import InlineStorage
import Quantities
import Telemetry

/// The wearer's profile, as told by the owner.
struct ProfileKeeper: TrackerPart {
  /// The profile; nil while none is told, and once it was deleted.
  private(set) var profile: Profile?
  /// True once there was a profile: from then on there is a section.
  private(set) var isUsed = false

  static var sections: StateSections { .profile }

  func isUsed(_ section: StateSections) -> Bool { isUsed }

  /// Puts a profile into the place of the one before.
  ///
  /// - Returns: Why it was not taken; all is as before then.
  mutating func set(_ wanted: Profile, on today: CivilDate?) -> ProfileError? {
    if let error = wanted.error(on: today) { return error }
    profile = wanted
    isUsed = true
    return nil
  }

  /// Changes a field of the profile there is.
  mutating func edit(_ field: Profile.Field, _ wanted: Profile, on today: CivilDate?) -> ProfileError? {
    guard var changed = profile else { return .noProfile }
    changed.take(field, from: wanted)
    return set(changed, on: today)
  }

  /// Takes the profile out; false when there is none.
  mutating func delete() -> Bool {
    defer { profile = nil }
    return profile != nil
  }

  // MARK: State

  func encode(_ section: StateSections, at time: Instant, into content: inout SectionContent) {
    guard let profile else {
      content.append(0)
      return
    }
    content.append(1)
    content.append(text: profile.name)
    content.append(profile.kind?.rawValue ?? 0)
    content.append(littleEndian: UInt64(profile.birthYear), bytes: 2)
    content.append(profile.birthMonth)
    content.append(profile.birthDay)
    content.append(littleEndian: UInt64(profile.weightCentikilograms), bytes: 4)
    content.append(text: profile.colour)
    content.append(text: profile.note)
  }

  /// True for a section that holds a profile, or that there is none any more.
  @inline(never) static func isKept(_ section: StoredSection, of bytes: Span<UInt8>) -> Bool {
    var keeper = ProfileKeeper()
    return keeper.restore(section, of: bytes)
  }

  /// Goes on where an earlier life was.
  ///
  /// - Returns: False, with nothing changed, when the section holds no profile.
  @discardableResult @inline(never) mutating func restore(_ section: StoredSection, of bytes: Span<UInt8>) -> Bool {
    var reader = RecordReader(at: section.start)
    var read: Profile?
    if reader.flag(bytes) {
      var kept = Profile()
      kept.name = reader.text(bytes)
      kept.kind = Profile.Kind(rawValue: reader.byte(bytes))
      kept.birthYear = reader.uint16(bytes)
      kept.birthMonth = reader.byte(bytes)
      kept.birthDay = reader.byte(bytes)
      kept.weightCentikilograms = reader.uint32(bytes)
      kept.colour = reader.text(bytes)
      kept.note = reader.text(bytes)
      reader.require(kept.error(on: nil) == nil)
      read = kept
    }
    guard reader.isValid, reader.place == section.end else { return false }
    profile = read
    isUsed = true
    return true
  }
}
