import Quantities
import TrackerCore
import TrackerRuntime

extension BoardStatus.ProfileStatus {
  /// A profile, with the age of a day.
  init(_ profile: Profile, on today: CivilDate?) {
    func text(_ field: Profile.Field) -> String? {
      guard profile.has(field) else { return nil }
      var buffer = ByteBuffer()
      profile.encode(field, into: &buffer)
      return String(decoding: buffer.bytes, as: UTF8.self)
    }
    name = text(.name) ?? ""
    kind = text(.kind) ?? ""
    birthday = text(.birthday)
    ageYears = today.flatMap { profile.age(on: $0) }
    weightKilograms = profile.has(.weight) ? Double(profile.weightCentikilograms) / 100 : nil
    colour = text(.colour)
    note = text(.note)
  }
}
