public import ASCIIText
import InlineStorage

/// The head of a section of a stored state: what it is, in which form, how old, how long.
///
/// A section stands for itself: the sign `S`, tag, version, length (two bytes), revision and checksum (four bytes each, the least
/// significant first), then its bytes. What one says does not depend on where it stands or on what is beside it, so damage
/// costs the section that it hits and no other.
@frozen public struct StoredSection: Equatable, BitwiseCopyable, Sendable {
  /// What every section begins with.
  @inlinable public static var sign: UInt8 { 0x53 }
  /// Bytes before the content.
  @inlinable public static var headLength: Int { 13 }
  /// The most bytes of content; a section that says more is none.
  @inlinable public static var capacity: Int { 1024 }

  /// What it is about.
  public var tag: UInt8
  /// The form of its content.
  public var version: UInt8
  /// Which keeping of the state it is of; of two sections of one tag the higher is the newer.
  public var revision: UInt32
  /// Where its content begins in the bytes it was read from.
  public private(set) var start = 0
  /// Bytes of content.
  public private(set) var length = 0
  /// Where it ends.
  public var end: Int { start + length }

  /// A section that is to be written.
  public init(tag: UInt8, version: UInt8, revision: UInt32) {
    self.tag = tag
    self.version = version
    self.revision = revision
  }

  /// Reads the section at a place.
  ///
  /// - Returns: nil when there is none, or one that is cut or damaged.
  public init?(_ bytes: Span<UInt8>, at place: Int) {
    guard place >= 0, place <= bytes.count - StoredSection.headLength, bytes[place] == StoredSection.sign else {
      return nil
    }
    var reader = RecordReader(at: place + 1)
    tag = reader.byte(bytes)
    version = reader.byte(bytes)
    length = Int(reader.uint16(bytes))
    revision = reader.uint32(bytes)
    let checksum = reader.uint32(bytes)
    start = reader.place
    guard length <= StoredSection.capacity, length <= bytes.count - start else { return nil }
    let sum = StoredSection.checksum(bytes.extracting(place + 1..<place + 9), bytes.extracting(start..<end))
    guard sum == checksum else { return nil }
  }

  /// The next section at a place or behind it; what lies between is damaged.
  public static func next(in bytes: Span<UInt8>, from place: Int) -> StoredSection? {
    var place = max(0, place)
    while place < bytes.count {
      if let section = StoredSection(bytes, at: place) { return section }
      place += 1
    }
    return nil
  }

  /// Writes the section.
  ///
  /// - Parameters:
  ///   - content: Its bytes, `capacity` at most.
  ///   - sink: Takes it.
  public func encode(_ content: Span<UInt8>, into sink: inout some ByteSink) {
    var head = InlineBytes<13>()
    head.append(StoredSection.sign)
    head.append(tag)
    head.append(version)
    head.append(littleEndian: UInt64(content.count), bytes: 2)
    head.append(littleEndian: UInt64(revision), bytes: 4)
    head.append(littleEndian: UInt64(StoredSection.checksum(head.span.extracting(1..<9), content)), bytes: 4)
    sink.append(bytes: head.span)
    sink.append(bytes: content)
  }

  /// The checksum of the head without its sign, and of the content.
  private static func checksum(_ head: Span<UInt8>, _ content: Span<UInt8>) -> UInt32 {
    CRC32.extend(CRC32.extend(0, head), content)
  }
}
