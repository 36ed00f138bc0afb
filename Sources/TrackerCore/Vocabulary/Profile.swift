public import ASCIIText
public import InlineStorage
public import Quantities
import Rules

/// The wearer of the tracker: a pet, a bike, or anything else.
///
/// What the owner has set is kept as it was set; `error` says whether it can be a profile.
@frozen public struct Profile: Equatable, BitwiseCopyable, Sendable {
  /// What it is.
  @frozen public enum Kind: UInt8, BitwiseCopyable, Sendable, CaseIterable, RequestWord {
    /// A dog.
    case dog
    /// A cat.
    case cat
    /// A horse.
    case horse
    /// A bicycle.
    case bike
    /// Anything else.
    case other

    /// Its word in requests.
    public var word: StaticString {
      switch self {
      case .dog: return "dog"
      case .cat: return "cat"
      case .horse: return "horse"
      case .bike: return "bike"
      case .other: return "other"
      }
    }
  }

  /// A part of a profile that can be asked for and changed by itself.
  @frozen public enum Field: UInt8, BitwiseCopyable, Sendable, CaseIterable, RequestWord {
    /// `name`.
    case name
    /// `kind`.
    case kind
    /// `birthday`.
    case birthday
    /// `weight`.
    case weight
    /// `colour`.
    case colour
    /// `note`.
    case note

    /// Its word in requests.
    public var word: StaticString {
      switch self {
      case .name: return "name"
      case .kind: return "kind"
      case .birthday: return "birthday"
      case .weight: return "weight"
      case .colour: return "colour"
      case .note: return "note"
      }
    }
  }

  /// What it is called, UTF-8; a profile needs one.
  public var name = InlineBytes<32>()
  /// What it is; a profile needs one.
  public var kind: Kind?
  /// Year of birth; 0 when that is not known.
  public var birthYear: UInt16 = 0
  /// Month of birth.
  public var birthMonth: UInt8 = 0
  /// Day of birth.
  public var birthDay: UInt8 = 0
  /// Weight in hundredths of a kilogram; 0 when that is not known.
  public var weightCentikilograms: UInt32 = 0
  /// Its colour, UTF-8; empty when that was not set.
  public var colour = InlineBytes<32>()
  /// What a finder should know, UTF-8; empty when nothing was set.
  public var note = InlineBytes<32>()

  /// Weights that are taken, 0.01 kg: from a kitten's to a cart horse's.
  public static var weights: ClosedRange<UInt32> { 1...150_000 }

  /// A profile without any field.
  public init() {}

  /// Its birthday; nil when it is not known, or there is no such day.
  public var birthday: CivilDate? {
    birthYear == 0 ? nil : CivilDate(year: Int(birthYear), month: Int(birthMonth), day: Int(birthDay))
  }

  /// Whole years of age on a day; nil when its birthday is not known, or later.
  public func age(on day: CivilDate) -> Int? {
    guard let birthday, birthday.daysSince1970 <= day.daysSince1970 else { return nil }
    let isBefore = day.month < birthday.month || (day.month == birthday.month && day.day < birthday.day)
    return Int(day.year - birthday.year) - (isBefore ? 1 : 0)
  }

  /// Why it is no profile; nil when it is one.
  ///
  /// - Parameter today: The day, so that nobody is born after it; nil while that is not known.
  public func error(on today: CivilDate?) -> ProfileError? {
    guard !name.isEmpty else { return .noName }
    guard isPrintableUTF8(name.span) else { return .badName }
    guard kind != nil else { return .noKind }
    if birthYear != 0 || birthMonth != 0 || birthDay != 0 {
      guard let birthday else { return .badBirthday }
      if let today, birthday.daysSince1970 > today.daysSince1970 { return .unborn }
    }
    if weightCentikilograms != 0, !Profile.weights.contains(weightCentikilograms) { return .badWeight }
    guard isPrintableUTF8(colour.span) else { return .badColour }
    guard isPrintableUTF8(note.span) else { return .badNote }
    return nil
  }

  /// Takes a field from another profile.
  mutating func take(_ field: Field, from other: Profile) {
    switch field {
    case .name: name = other.name
    case .kind: kind = other.kind
    case .birthday: (birthYear, birthMonth, birthDay) = (other.birthYear, other.birthMonth, other.birthDay)
    case .weight: weightCentikilograms = other.weightCentikilograms
    case .colour: colour = other.colour
    case .note: note = other.note
    }
  }

  /// True when a field is set.
  public func has(_ field: Field) -> Bool {
    switch field {
    case .name: return !name.isEmpty
    case .kind: return kind != nil
    case .birthday: return birthYear != 0 || birthMonth != 0 || birthDay != 0
    case .weight: return weightCentikilograms != 0
    case .colour: return !colour.isEmpty
    case .note: return !note.isEmpty
    }
  }

  /// Writes the value of a field as requests have it, texts without their quotes; nothing when it is not set.
  public func encode(_ field: Field, into sink: inout some ByteSink) {
    guard has(field) else { return }
    switch field {
    case .name: sink.append(bytes: name.span)
    case .kind: if let kind { sink.append(kind.word) }
    case .birthday:
      sink.append(decimal: Int64(birthYear), minimumDigits: 4)
      sink.append(0x2D)
      sink.append(decimal: Int64(birthMonth), minimumDigits: 2)
      sink.append(0x2D)
      sink.append(decimal: Int64(birthDay), minimumDigits: 2)
    case .weight: sink.append(trimmed: Int64(weightCentikilograms), decimals: 2)
    case .colour: sink.append(bytes: colour.span)
    case .note: sink.append(bytes: note.span)
    }
  }
}

/// Why a profile was not taken.
public enum ProfileError: UInt8, Error, Equatable, Sendable, CaseIterable {
  /// It has no name.
  case noName
  /// A name that is no UTF-8 without control characters and quotes.
  case badName
  /// It does not say what it is.
  case noKind
  /// A birthday that no calendar has.
  case badBirthday
  /// A birthday that is yet to come.
  case unborn
  /// A weight that is out of `Profile.weights`.
  case badWeight
  /// A colour that is no UTF-8 without control characters and quotes.
  case badColour
  /// A note that is no UTF-8 without control characters and quotes.
  case badNote
  /// There is no profile that could be changed.
  case noProfile

  /// Its name in answers, 19 bytes at most.
  public var name: StaticString {
    switch self {
    case .noName: return "noName"
    case .badName: return "badName"
    case .noKind: return "noKind"
    case .badBirthday: return "badBirthday"
    case .unborn: return "unborn"
    case .badWeight: return "badWeight"
    case .badColour: return "badColour"
    case .badNote: return "badNote"
    case .noProfile: return "noProfile"
    }
  }
}
