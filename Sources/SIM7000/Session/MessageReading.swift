import InlineStorage
import Quantities

/// A message of the store that is being read until two readings of it are alike: a serial line has no checksum, and a request
/// that was spoilt on it must not be obeyed.
struct MessageReading: BitwiseCopyable {
  /// What one reading has brought so far.
  enum Content: UInt8, BitwiseCopyable {
    /// No line of a message: the place is empty, or the lines were lost.
    case nothing
    /// The header of a message as digits, which stand in the next line.
    case header
    /// A message as words.
    case words
    /// A message as digits, as many as its header says.
    case digits
    /// A report of what became of a message that was sent.
    case report
    /// Something whole that is no message from anybody.
    case other
    /// Not what its header says.
    case damaged
  }

  /// Its place in the store; 0 while none is read.
  var place: UInt8 = 0
  /// It was announced, or listed: there is something at its place.
  var isAnnounced = false
  /// Nothing is left to do with it but to delete it.
  var isToBeDeleted = false
  /// It was handed on.
  var isTold = false
  /// Readings so far, and those of them without an end.
  var tries: UInt8 = 0
  var losses: UInt8 = 0
  var content = Content.nothing
  /// Octets behind the centre's address, as the header says.
  var octets: UInt16 = 0
  /// When the centre had it; nil when it was not told.
  var time: UTCTime?
  /// The report that it is.
  var report: StatusReportNotice?
  /// Of the present reading once it is whole, of what others before have agreed on, and by how many more than have not.
  var digest = MessageDigest()
  var earlier = MessageDigest()
  var agreement: UInt8 = 0
  /// Two whole readings were not alike.
  var isDisputed = false

  /// Readings of one message in a row: three, and as many more for each of two deletions without an answer.
  static var mostTries: UInt8 { 9 }
  /// Readings without an end, each of which takes its time-out.
  static var mostLosses: UInt8 { 3 }

  /// Takes the present reading, which is whole. False when it is not what those before have agreed on.
  mutating func agrees() -> Bool {
    if agreement > 0, earlier == digest {
      agreement += 1
      return true
    }
    if agreement > 0 { agreement -= 1 }
    if agreement == 0 {
      earlier = digest
      agreement = 1
    }
    return false
  }

  /// A reading of a place begins.
  mutating func begin() {
    tries += 1
    content = .nothing
    octets = 0
    time = nil
    report = nil
    digest = MessageDigest()
  }
}

/// What tells a message from others: a sum of its sender, text and time (FNV-1a, 32 bits).
///
/// - Source: our derivation; one of four thousand million different messages is taken for another.
struct MessageDigest: Equatable, BitwiseCopyable {
  private var value: UInt32 = 2_166_136_261

  mutating func add(_ byte: UInt8) { value = (value ^ UInt32(byte)) &* 16_777_619 }

  mutating func add(_ bytes: Span<UInt8>) {
    var place = 0
    while place < bytes.count {
      add(bytes[place])
      place += 1
    }
  }

  mutating func add(_ number: Int64) {
    var rest = UInt64(bitPattern: number)
    for _ in 0..<8 {
      add(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }
}

/// Messages that were handed on and may still be in the store: what is found there again was obeyed.
struct ToldMessages: ~Copyable {
  private var digests = InlineVector<8, MessageDigest>()

  func contains(_ digest: MessageDigest) -> Bool { place(of: digest) != nil }

  private func place(of digest: MessageDigest) -> Int? {
    var place = 0
    while place < digests.count {
      if digests[place] == digest { return place }
      place += 1
    }
    return nil
  }

  /// Remembers the last eight.
  mutating func append(_ digest: MessageDigest) {
    if digests.isFull { digests.remove(at: 0) }
    digests.append(digest)
  }

  /// It is known to be deleted: the same text sent once more is another request.
  mutating func remove(_ digest: MessageDigest) {
    if let place = place(of: digest) { digests.remove(at: place) }
  }
}

/// Places of the store whose message could not be read. One that can't be read at three times far apart would fill the card.
struct UnreadPlaces: BitwiseCopyable {
  private var once: UInt64 = 0
  private var twice: UInt64 = 0
  /// Places that were counted since then.
  private var counted: UInt64 = 0
  private var since: Instant?

  private static func bit(_ place: UInt8) -> UInt64 { place < 64 ? 1 << UInt64(place) : 0 }

  /// Counts a failure, one for each place in an interval; true for the third.
  mutating func count(_ place: UInt8, at now: Instant, interval: Interval) -> Bool {
    if since.map({ now - $0 >= interval }) ?? true {
      since = now
      counted = 0
    }
    let bit = UnreadPlaces.bit(place)
    guard counted & bit == 0 else { return false }
    counted |= bit
    if twice & bit != 0 { return true }
    if once & bit != 0 { twice |= bit } else { once |= bit }
    return false
  }

  /// The message is gone, or was read.
  mutating func clear(_ place: UInt8) {
    let rest = ~UnreadPlaces.bit(place)
    once &= rest
    twice &= rest
    counted &= rest
  }
}
