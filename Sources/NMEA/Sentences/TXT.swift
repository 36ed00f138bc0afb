public import InlineStorage

/// A text for people.
///
/// | field | meaning | unit | since |
/// |---|---|---|---|
/// | 0 | address, `--TXT` |  | 2.3 |
/// | 1 | number of sentences |  | 2.3 |
/// | 2 | number of this sentence |  | 2.3 |
/// | 3 | identifier: 00 error, 01 warning, 02 notice, 07 user |  | 2.3 |
/// | 4 | text |  | 2.3 |
@frozen public struct TXT: BitwiseCopyable, Sendable {
  /// Fields that a sentence of this kind must at least have, the address included.
  @inlinable static var minimumFieldCount: Int { 4 }

  /// Source of the data.
  public var talker: Talker
  /// Number of sentences of this text.
  public var sentenceCount: UInt16?
  /// Number of this sentence, from 1.
  public var sentenceNumber: UInt16?
  /// What the text is about.
  public var identifier: UInt16?
  /// The text, commas in it included; longer ones are cut.
  public var text: InlineBytes<64>

  /// Reads the fields; what is empty, missing or malformed is nil.
  @inlinable public init(_ fields: inout SentenceFields) {
    talker = Talker(fields)
    sentenceCount = fields.integer(1)
    sentenceNumber = fields.integer(2)
    identifier = fields.integer(3)
    text = InlineBytes()
    let end = fields.bodyLength
    var place = fields.count > 4 ? fields.startOffset(4) : end
    while place < end {
      text.append(fields.base[place])
      place &+= 1
    }
  }

  /// A sentence in which everything is unknown, to fill in and write.
  public init() {
    talker = .gps
    sentenceCount = nil
    sentenceNumber = nil
    identifier = nil
    text = InlineBytes()
  }
}
