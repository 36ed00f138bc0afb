/// How many sentences and bytes were refused or only partly used, by kind. Counts wrap at 2³².
///
/// Every received byte is in exactly one of `sentenceBytes`, `separatorBytes`, `junkBytes` or still waiting in the
/// framer, so that nothing can vanish without being seen here.
@frozen public struct RejectionCounts: Equatable, BitwiseCopyable, Sendable {
  /// Sentences framed with a right checksum, or with none.
  public var acceptedSentences: UInt32 = 0
  /// Among the accepted, those without checksum. Some receivers never send one; they are used, and counted.
  public var missingChecksum: UInt32 = 0
  /// Sentences whose checksum is wrong or is not two hexadecimal digits.
  public var wrongChecksum: UInt32 = 0
  /// Sentences longer than `SentenceFramer.maximumLength`, or position sentences longer than any real one.
  public var overLong: UInt32 = 0
  /// Sentences broken off by a byte that no sentence can hold, as when binary protocols share the line.
  public var binary: UInt32 = 0
  /// Sentences broken off by the `$` of the next one.
  public var interrupted: UInt32 = 0
  /// Sentences of a known kind with fewer fields than that kind needs.
  public var tooFewFields: UInt32 = 0
  /// Sentences with a field that makes no sense; the field reads as unknown, without a checksum all of it is refused.
  public var malformedField: UInt32 = 0
  /// Sentences with a well-formed address of a kind that is not read here.
  public var unknownSentence: UInt32 = 0
  /// Sentences of a manufacturer's own (`$P…`) that are not read here.
  public var proprietary: UInt32 = 0
  /// Sentences that begin with `!`: AIS and its like.
  public var encapsulated: UInt32 = 0
  /// Sentences whose address is none.
  public var malformedAddress: UInt32 = 0
  /// Epochs that were lost because nobody fetched them.
  public var droppedFixes: UInt32 = 0

  /// Bytes of all framed sentences from `$` to the end of the checksum, the refused ones included.
  public var sentenceBytes: UInt64 = 0
  /// Carriage returns and line feeds between sentences.
  public var separatorBytes: UInt64 = 0
  /// Other bytes between sentences.
  public var junkBytes: UInt64 = 0

  /// All zero.
  @inlinable public init() {}
}

@inlinable @inline(__always) func count(_ counter: inout UInt32) { counter = counter &+ 1 }
