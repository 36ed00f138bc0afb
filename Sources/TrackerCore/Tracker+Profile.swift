import ASCIIText
import InlineStorage
import Quantities
import Telemetry

extension Tracker {
  /// True when the profile says that an animal wears the tracker.
  package var wearerIsAnimal: Bool {
    switch wearer.profile?.kind {
    case .dog, .cat, .horse, .other: return true
    case .bike, nil: return false
    }
  }
}

extension Tracker {
  /// When the last fix was, and how fast it was, m/s.
  package var lastSpeed: (time: Instant, speed: Double?)? { places.lastFix.map { ($0.time, $0.speed) } }
}

// What requests about the profile do.
extension Tracker {
  @inline(never) mutating func changeProfile(_ change: ProfileChange, request number: UInt32) {
    let today = journal.utc(of: now)?.date
    var error: ProfileError?
    switch change {
    case .set(let profile): error = wearer.set(profile, on: today)
    case .edit(let field, let profile): error = wearer.edit(field, profile, on: today)
    case .delete: if !wearer.delete() { error = .noProfile }
    case .tell(let field):
      guard let profile = wearer.profile else {
        error = .noProfile
        break
      }
      var text = InlineBytes<32>()
      profile.encode(field, into: &text)
      // Not in the middle of a character.
      var end = min(text.count, PacketText.capacity)
      if end < text.count { while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 } }
      text.truncate(to: end)
      sendStatus(.profile, request: number, value: text.span)
      return
    }
    if let error {
      sendStatus(.profileRefused, request: number, value: InlineBytes<20>(error.name).span)
      return
    }
    journal.noteChange(.profile)
    sendStatus(.profileChanged, request: number)
  }
}
