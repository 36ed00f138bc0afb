import ASCIIText
public import InlineStorage
import Quantities

/// A place on the way that the owner marks. Packets have its title; the note and the picture stand in the log, and go out with its rides.
@frozen public struct Checkpoint: Equatable, BitwiseCopyable, Sendable {
  /// Title, note and picture, one behind the other, UTF-8.
  private var bytes = InlineBytes<120>()
  private var titleCount: UInt8 = 0
  private var noteCount: UInt8 = 0

  /// The most bytes of a title: packets have no more.
  package static var longestTitle: Int { 19 }
  /// The most bytes of a note.
  package static var longestNote: Int { 69 }
  /// The most bytes of what names a picture.
  package static var longestPicture: Int { 32 }

  /// A place without a word.
  package init() {}

  /// A place with a title: as much of it as there is room for.
  package init(title: InlineBytes<32>) { titleCount = add(title.span, upTo: Checkpoint.longestTitle) }

  /// What it is called; empty for nothing.
  package var title: InlineBytes<32> { part(0..<Int(titleCount)) }
  /// What is told of it; empty for nothing.
  package var note: InlineBytes<120> { part(Int(titleCount)..<Int(titleCount) + Int(noteCount)) }
  /// The name or the address of a picture; empty for none.
  package var picture: InlineBytes<120> { part(Int(titleCount) + Int(noteCount)..<bytes.count) }

  private func part<let capacity: Int>(_ range: Range<Int>) -> InlineBytes<capacity> {
    var result = InlineBytes<capacity>()
    result.append(contentsOf: bytes.span.extracting(range))
    return result
  }

  /// - Returns: How many bytes of it there was room for.
  private mutating func add(_ text: Span<UInt8>, upTo limit: Int) -> UInt8 {
    let length = min(text.count, limit)
    bytes.append(contentsOf: text.extracting(0..<length))
    return UInt8(length)
  }

  /// What stands behind `checkpoint`; nil when that is none.
  init?(_ words: inout some RequestWords, _ text: Span<UInt8>) {
    guard words.hasNext(in: text) else { return }
    guard let title = words.nextText("a title", 0...Checkpoint.longestTitle, in: text) else { return nil }
    titleCount = add(title.bytes(of: text), upTo: Checkpoint.longestTitle)
    guard words.hasNext(in: text) else { return }
    words.expect(.words("note or picture"))
    guard var word = words.next(in: text) else { return nil }
    if word.says("note", in: text) {
      guard let note = words.nextText("a note", 1...Checkpoint.longestNote, in: text) else { return nil }
      noteCount = add(note.bytes(of: text), upTo: Checkpoint.longestNote)
      guard words.hasNext(in: text) else { return }
      words.expect(.words("picture"))
      guard let next = words.next(in: text) else { return nil }
      word = next
    }
    guard word.says("picture", in: text),
      let picture = words.nextText("a picture's name or address", 1...Checkpoint.longestPicture, in: text)
    else { return nil }
    bytes.append(contentsOf: picture.bytes(of: text))
  }

  /// Writes it as text that reads back to the same.
  func encode(into sink: inout some ByteSink) {
    guard !bytes.isEmpty else { return }
    append(title.span, into: &sink)
    if noteCount > 0 {
      sink.append(" note")
      append(note.span, into: &sink)
    }
    guard bytes.count > Int(titleCount) + Int(noteCount) else { return }
    sink.append(" picture")
    append(picture.span, into: &sink)
  }

  private func append(_ text: Span<UInt8>, into sink: inout some ByteSink) {
    sink.append(0x20)
    sink.append(0x22)
    sink.append(bytes: text)
    sink.append(0x22)
  }
}
