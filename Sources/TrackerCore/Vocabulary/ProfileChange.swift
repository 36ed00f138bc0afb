import ASCIIText
import InlineStorage
import Quantities

/// What a request changes of the profile.
@frozen public enum ProfileChange: Equatable, BitwiseCopyable, Sendable {
  /// Puts a whole profile into the place of the one before; name and kind must be given.
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
  init?(_ words: inout some RequestWords, _ text: Span<UInt8>) {
    words.expect(.words("set, delete or a field: name, kind, birthday, weight, colour or note"))
    guard let first = words.next(in: text) else {
      self = .tell(.name)
      return
    }
    if first.equals("delete", in: text) {
      self = .delete
      return
    }
    var profile = Profile()
    if let field = Profile.Field(first, of: text) {
      guard words.hasNext(in: text) else {
        self = .tell(field)
        return
      }
      guard profile.read(field, &words, text) else { return nil }
      self = .edit(field, profile)
      return
    }
    // Fields in any order, each once: what is missing is told when it is tried.
    guard first.equals("set", in: text) else { return nil }
    while words.hasNext(in: text) {
      words.expect(.words("a field that is not in the request yet: name, kind, birthday, weight, colour or note"))
      guard let word = words.next(in: text), let field = Profile.Field(word, of: text), !profile.has(field),
        profile.read(field, &words, text)
      else { return nil }
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

extension Profile {
  /// Reads the value of a field. A value that can't be is kept, and told by `error`; what has no room, or no form, is none.
  fileprivate mutating func read(_ field: Field, _ words: inout some RequestWords, _ text: Span<UInt8>) -> Bool {
    switch field {
    case .name: return Profile.read(&name, &words, text)
    case .colour: return Profile.read(&colour, &words, text)
    case .note: return Profile.read(&note, &words, text)
    case .kind:
      kind = words.next(Kind.self, in: text)
      return kind != nil
    case .birthday:
      words.expect(.words("a date as 2021-05-03"))
      guard let value = words.next(in: text), value.count == 10 else { return false }
      let bytes = value.bytes(of: text)
      guard bytes[4] == 0x2D, bytes[7] == 0x2D,
        let year = scanUnsigned(bytes.extracting(0..<4)), let month = scanUnsigned(bytes.extracting(5..<7)),
        let day = scanUnsigned(bytes.extracting(8..<10))
      else { return false }
      (birthYear, birthMonth, birthDay) = (UInt16(year), UInt8(month), UInt8(day))
      return has(.birthday)
    case .weight:
      words.expect(.words("kilograms"))
      // What is less than a hundredth is not rounded up to one.
      guard let value = words.next(in: text), let weight = scanFixed(value.bytes(of: text), decimals: 2), weight > 0,
        let fine = scanFixed(value.bytes(of: text), decimals: 4), fine >= 100, let exact = UInt32(exactly: weight)
      else { return false }
      weightCentikilograms = exact
      return true
    }
  }

  private static func read(
    _ field: inout InlineBytes<32>, _ words: inout some RequestWords, _ text: Span<UInt8>
  ) -> Bool {
    guard let value = words.nextText("a text", 0...longestRuleName, in: text) else { return false }
    return field.append(contentsOf: value.bytes(of: text))
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
