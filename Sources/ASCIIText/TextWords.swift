/// A word of a text: where it stands.
@frozen public struct TextWord: Equatable, BitwiseCopyable, Sendable {
  /// Its first byte.
  public var start: Int
  /// Behind its last byte.
  public var end: Int

  @inlinable init(start: Int, end: Int) {
    self.start = start
    self.end = end
  }

  /// The word between two places of a text.
  @inlinable public init(from start: Int, to end: Int) {
    self.start = start
    self.end = end
  }

  /// A text that is one word.
  @inlinable public init(in text: Span<UInt8>) {
    start = 0
    end = text.count
  }

  /// Number of bytes.
  @inlinable public var count: Int { end - start }

  /// Its bytes.
  @_lifetime(copy text)
  public func bytes(of text: Span<UInt8>) -> Span<UInt8> { text.extracting(start..<end) }

  /// True when it is this word.
  public func equals(_ word: StaticString, in text: Span<UInt8>) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    var place = 0
    while place < count {
      if text[start + place] != word.utf8Start[place] { return false }
      place += 1
    }
    return true
  }

  /// True when it is this word in small letters or capitals, as a phone begins a message with one.
  package func says(_ word: StaticString, in text: Span<UInt8>) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    var place = 0
    while place < count {
      if smallLetter(text[start + place]) != smallLetter(word.utf8Start[place]) { return false }
      place += 1
    }
    return true
  }

  @inline(__always) private func smallLetter(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }
}

/// Takes the words of a text one after another; spaces stand between them.
@frozen public struct TextWords: BitwiseCopyable, Sendable {
  /// Where the next word is looked for.
  public private(set) var place = 0

  /// At the beginning of a text.
  public init() {}

  /// The next word; nil at the end.
  public mutating func next(in text: Span<UInt8>) -> TextWord? {
    while place < text.count, text[place] == 0x20 { place += 1 }
    let start = place
    while place < text.count, text[place] != 0x20 { place += 1 }
    return place > start ? TextWord(start: start, end: place) : nil
  }

  /// The next word, or what stands between quotes, blanks included; nil at the end, and when a quote is not closed or goes on behind it.
  public mutating func nextPhrase(in text: Span<UInt8>) -> TextWord? {
    while place < text.count, text[place] == 0x20 { place += 1 }
    guard place < text.count, text[place] == 0x22 else { return next(in: text) }
    let start = place + 1
    var end = start
    while end < text.count, text[end] != 0x22 { end += 1 }
    guard end < text.count, end + 1 == text.count || text[end + 1] == 0x20 else { return nil }
    place = end + 1
    return TextWord(start: start, end: end)
  }
}
