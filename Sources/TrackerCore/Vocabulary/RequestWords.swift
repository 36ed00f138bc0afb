import ASCIIText
import Quantities

/// What a request has in a place, told where it is read, with the limits by which it is read.
package enum RequestExpectation: Sendable {
  /// What words say: `on or off`.
  case words(StaticString)
  /// What else there may be, and a number of a row: `a number from 1 to 255, list or clear`.
  case rowNumber(or: StaticString)
  /// A whole number in a unit: `minutes, 1 to 120`.
  case count(StaticString, ClosedRange<Int>)
  /// What else there may be, and a time: `off, or seconds, a week at most`.
  case seconds(or: StaticString, upTo: Interval)
  /// A word with a limit of bytes.
  case word(StaticString, upTo: Int)
  /// A text with limits of bytes, in quotes if it has spaces: `a title of up to 19 bytes, in quotes if it has spaces`.
  case text(StaticString, ClosedRange<Int>)
}

/// A word that stands for a case of a type; the cases have numbers from 0.
package protocol RequestWord: RawRepresentable<UInt8> {
  /// The word.
  var word: StaticString { get }
}

extension RequestWord {
  /// The case of a word; nil when there is none.
  package init?(_ word: TextWord, of text: Span<UInt8>) {
    var number: UInt8 = 0
    while let value = Self(rawValue: number) {
      if word.says(value.word, in: text) {
        self = value
        return
      }
      number += 1
    }
    return nil
  }
}

/// The words of a request, which the one grammar of requests takes one after another.
///
/// Before it takes one it says what it expects there. `TextWords` does not keep that, so that firmware has no text of it; whoever
/// tells what is wrong in a request reads it with words that do.
package protocol RequestWords {
  /// Where the next word is looked for.
  var place: Int { get }
  /// The next word; nil at the end.
  mutating func next(in text: Span<UInt8>) -> TextWord?
  /// The next word, or what stands between quotes; nil at the end, and when a quote is not closed.
  mutating func nextPhrase(in text: Span<UInt8>) -> TextWord?
  /// What is expected in the place of the next word.
  mutating func expect(_ expectation: RequestExpectation)
  /// The next word is expected to be one of a type.
  mutating func expect<Word: RequestWord>(wordOf type: Word.Type)
}

extension TextWords: RequestWords {
  /// Keeps nothing of it.
  @inline(__always) package mutating func expect(_ expectation: RequestExpectation) {}
  /// Keeps nothing of it.
  @inline(__always) package mutating func expect<Word: RequestWord>(wordOf type: Word.Type) {}
}

extension RequestWords {
  /// One of the words of a type.
  mutating func next<Word: RequestWord>(_ type: Word.Type, in text: Span<UInt8>) -> Word? {
    expect(wordOf: type)
    guard let word = next(in: text) else { return nil }
    return Word(word, of: text)
  }

  /// `on` or `off`.
  mutating func nextFlag(in text: Span<UInt8>) -> Bool? {
    expect(.words("on or off"))
    guard let word = next(in: text) else { return nil }
    if word.says("on", in: text) { return true }
    return word.says("off", in: text) ? false : nil
  }

  /// Seconds, to the microsecond, more than none.
  ///
  /// - Parameter other: What else there may be, as the caller has found that there is not.
  mutating func nextSeconds(or other: StaticString = "", upTo limit: Interval, in text: Span<UInt8>) -> Interval? {
    expect(.seconds(or: other, upTo: limit))
    guard let word = next(in: text), let microseconds = scanFixed(word.bytes(of: text), decimals: 6),
      microseconds > 0, microseconds <= limit.microseconds
    else { return nil }
    return Interval(microseconds: microseconds)
  }

  /// A whole number in a unit.
  package mutating func nextCount(_ unit: StaticString, _ limits: ClosedRange<Int>, in text: Span<UInt8>) -> Int? {
    expect(.count(unit, limits))
    guard let word = next(in: text), let value = scanUnsigned(word.bytes(of: text)),
      let count = Int(exactly: value), limits.contains(count)
    else { return nil }
    return count
  }

  /// A whole number of 32 bits.
  mutating func nextNumber(_ what: StaticString, in text: Span<UInt8>) -> UInt32? {
    expect(.words(what))
    guard let word = next(in: text), let value = scanUnsigned(word.bytes(of: text)) else { return nil }
    return UInt32(exactly: value)
  }

  /// A text, between quotes if it has spaces.
  package mutating func nextText(_ what: StaticString, _ bytes: ClosedRange<Int>, in text: Span<UInt8>) -> TextWord? {
    expect(.text(what, bytes))
    guard let phrase = nextPhrase(in: text), bytes.contains(phrase.count) else { return nil }
    // Nobody can read a text of spaces.
    let readable = phrase.bytes(of: text)
    for place in readable.indices where readable[place] != 0x20 { return phrase }
    return phrase.count == 0 ? phrase : nil
  }

  /// True when there is another word.
  package func hasNext(in text: Span<UInt8>) -> Bool {
    var place = place
    while place < text.count, text[place] == 0x20 { place += 1 }
    return place < text.count
  }
}
