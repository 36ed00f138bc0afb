public import Telemetry

/// Which packets waited for whom, as it lies in the bytes of a state.
public struct WaitingList: BitwiseCopyable, Sendable {
  /// Whose receivers the bits stand for, `ReceiverList.identity`.
  public let identity: UInt32
  /// The number that the next packet was to get.
  public let nextSequence: UInt32
  /// Packets that waited.
  public let count: Int
  private let start: Int

  /// A packet of the list.
  public struct Entry: BitwiseCopyable, Sendable {
    /// Its number.
    public var sequence: UInt32
    /// What it reports, `PacketKind`.
    public var kind: UInt8
    /// Who did not have it.
    public var pending: ReceiverSet
  }

  /// Bytes of an entry: number, kind, receivers.
  private static var entryLength: Int { 6 }

  /// Reads a list; nil when the section is none.
  public init?(_ section: StoredSection, of bytes: Span<UInt8>) {
    guard StateSections(tag: section.tag) == .waiting, section.version == 1 else { return nil }
    var reader = RecordReader(at: section.start)
    identity = reader.uint32(bytes)
    nextSequence = reader.uint32(bytes)
    count = Int(reader.byte(bytes))
    start = reader.place
    guard reader.isValid, start + count * WaitingList.entryLength == section.end else { return nil }
  }

  /// An entry, 0 to `count` - 1.
  public func entry(_ place: Int, of bytes: Span<UInt8>) -> Entry {
    var reader = RecordReader(at: start + place * WaitingList.entryLength)
    let sequence = reader.uint32(bytes)
    let kind = reader.byte(bytes)
    return Entry(sequence: sequence, kind: kind, pending: ReceiverSet(rawValue: reader.byte(bytes)))
  }

  /// Who waited for a packet; nil when it is not in the list.
  func pending(_ sequence: UInt32, of bytes: Span<UInt8>) -> ReceiverSet? {
    var place = 0
    while place < count {
      let entry = entry(place, of: bytes)
      if entry.sequence == sequence { return entry.pending }
      place += 1
    }
    return nil
  }
}
