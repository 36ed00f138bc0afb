import ASCIIText
import InlineStorage
import Quantities

/// What a request changes of the profile.
@frozen public enum ProfileChange: Equatable, BitwiseCopyable, Sendable {
  /// Puts a whole profile into the place of the one before; name and kind must be told.
  case set(Profile)
  /// Changes one field of the profile there is, as this one has it.
  case edit(Profile.Field, Profile)
  /// Takes the profile out.
  case delete
  /// Tells a field.
  case tell(Profile.Field)
}

extension ProfileChange {
  /// `set NAME KIND [FIELD VALUE]…`, `FIELD VALUE`, `FIELD`, `delete`, or nothing, which tells the name.
  init?(_ words: inout TextWords, _ text: Span<UInt8>) {
    guard let first = words.next(in: text) else {
      self = .tell(.name)
      return
    }
    if first.equals("delete", in: text) {
      self = .delete
      return
    }
    var profile = Profile()
    if let field = Profile.Field(first, text) {
      var rest = words
      guard rest.next(in: text) != nil else {
        self = .tell(field)
        return
      }
      guard profile.read(field, &words, text) else { return nil }
      self = .edit(field, profile)
      return
    }
    // Fields in any order, each once: what is missing is told when it is tried.
    guard first.equals("set", in: text) else { return nil }
    while let word = words.next(in: text) {
      guard let field = Profile.Field(word, text), !profile.has(field), profile.read(field, &words, text) else {
        return nil
      }
    }
    self = .set(profile)
  }

  func encode(into sink: inout some ByteSink) {
    switch self {
    case .delete: sink.append(" delete")
    case .tell(let field):
      sink.append(0x20)
      sink.append(field.word)
    case .edit(let field, let profile): profile.encodeText(field, into: &sink)
    case .set(let profile):
      sink.append(" set")
      var number: UInt8 = 0
      while let field = Profile.Field(rawValue: number) {
        if profile.has(field) { profile.encodeText(field, into: &sink) }
        number += 1
      }
    }
  }
}

extension Profile.Field {
  fileprivate init?(_ word: TextWord, _ text: Span<UInt8>) {
    var number: UInt8 = 0
    while let field = Profile.Field(rawValue: number) {
      if word.equals(field.word, in: text) {
        self = field
        return
      }
      number += 1
    }
    return nil
  }
}

extension Profile {
  /// Reads the value of a field. A value that can't be is kept, and told by `error`; what has no room, or no form, is none.
  fileprivate mutating func read(_ field: Field, _ words: inout TextWords, _ text: Span<UInt8>) -> Bool {
    guard let value = field.isText ? words.nextPhrase(in: text) : words.next(in: text) else { return false }
    let bytes = value.bytes(of: text)
    switch field {
    case .name: return name.append(contentsOf: bytes)
    case .colour: return colour.append(contentsOf: bytes)
    case .note: return note.append(contentsOf: bytes)
    case .kind:
      var number: UInt8 = 0
      while let kind = Kind(rawValue: number), !value.equals(kind.word, in: text) { number += 1 }
      kind = Kind(rawValue: number)
      return kind != nil
    case .birthday:
      guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D,
        let year = scanUnsigned(bytes.extracting(0..<4)), let month = scanUnsigned(bytes.extracting(5..<7)),
        let day = scanUnsigned(bytes.extracting(8..<10))
      else { return false }
      (birthYear, birthMonth, birthDay) = (UInt16(year), UInt8(month), UInt8(day))
      return has(.birthday)
    case .weight:
      guard let weight = scanFixed(bytes, decimals: 2), weight > 0, let exact = UInt32(exactly: weight) else {
        return false
      }
      weightCentikilograms = exact
      return true
    }
  }

  /// Writes a field with its word, as a request has it.
  fileprivate func encodeText(_ field: Field, into sink: inout some ByteSink) {
    sink.append(0x20)
    sink.append(field.word)
    sink.append(0x20)
    if field.isText { sink.append(0x22) }
    encode(field, into: &sink)
    if field.isText { sink.append(0x22) }
  }
}

extension Profile.Field {
  /// True for what stands between quotes.
  fileprivate var isText: Bool { self == .name || self == .colour || self == .note }
}
