import ASCIIText

/// Cuts an arbitrary byte stream into checked sentences and hands each to a visitor.
///
/// A sentence begins with `$` or `!` and ends with `*` and two hexadecimal digits, or, without checksum, with a carriage
/// return or line feed. What the line ends with after a checksum does not matter. A `$` inside a sentence begins a new
/// one: bytes were lost. A byte that is not printable ASCII ends the attempt, so that binary protocols on the same line
/// (UBX, SiRF, SkyTraq, Garmin …) cost at most the sentence they cut into.
///
/// A sentence that lies wholly inside the given bytes is parsed where it lies; only one that spans two calls is copied
/// into the buffer. The result is the same for every way of cutting the stream.
@frozen public struct SentenceFramer: BitwiseCopyable, Sendable {
  /// The longest sentence that is framed, in bytes from `$` to before the line end. NMEA 0183 allows 80, receivers send
  /// 200 and more in sentences of their own; 250 keeps every offset in a byte.
  @inlinable public static var maximumLength: Int { 250 }

  /// The longest position sentence that is believed, in bytes from `$` to before the line end. Some Garmin receivers run
  /// two sentences together now and then and put a right checksum on them; those are longer than any real one.
  @inlinable public static var maximumPositionLength: Int { 100 }

  /// Where the star can be at most, so that the checksum still fits.
  @usableFromInline static var maximumStarPlace: Int { @inline(__always) get { maximumLength &- 3 } }

  @usableFromInline var buffer: InlineArray<256, UInt8>
  @usableFromInline var used: Int
  @usableFromInline var starPlace: Int
  @usableFromInline var line: LinePlace
  /// What was refused, by kind.
  public var counts: RejectionCounts

  /// Number of the field that was malformed last; 0 when none was.
  public internal(set) var lastMalformedField: UInt8
  /// Number of fields of the last sentence that had too few.
  public internal(set) var lastFieldCount: UInt8

  /// A framer between sentences.
  public init() {
    buffer = InlineArray(repeating: 0)
    used = 0
    starPlace = 0
    line = .atStart
    counts = RejectionCounts()
    lastMalformedField = 0
    lastFieldCount = 0
  }

  /// Number of bytes of a begun sentence that wait for the rest.
  @inlinable public var pendingByteCount: Int { used }

  /// Forgets a begun sentence, as at the end of a file; its bytes are counted as junk.
  public mutating func reset() {
    counts.junkBytes &+= UInt64(used)
    used = 0
    starPlace = 0
  }

  /// Takes bytes as they come and calls the visitor for every sentence that they complete.
  ///
  /// - Complexity: O(bytes); nothing allocates.
  @inlinable public mutating func receive<Visitor: SentenceVisitor & ~Copyable>(
    _ bytes: Span<UInt8>, into visitor: inout Visitor
  ) {
    bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      receive(base, count: buffer.count, into: &visitor)
    }
  }

  @inlinable mutating func receive<Visitor: SentenceVisitor & ~Copyable>(
    _ base: UnsafePointer<UInt8>, count total: Int, into visitor: inout Visitor
  ) {
    var table = SeparatorTable(repeating: 0)
    withUnsafeMutablePointer(to: &table) { table in
      let ends = UnsafeMutableRawPointer(table).assumingMemoryBound(to: UInt8.self)
      receive(base, count: total, ends, into: &visitor)
    }
  }

  /// Room for the offsets of the separators of one sentence.
  @usableFromInline typealias SeparatorTable = InlineArray<48, UInt8>

  @inlinable @inline(__always) mutating func receive<Visitor: SentenceVisitor & ~Copyable>(
    _ base: UnsafePointer<UInt8>, count total: Int, _ ends: UnsafeMutablePointer<UInt8>, into visitor: inout Visitor
  ) {
    var place = 0
    if used > 0 { place = resume(base, count: total, into: &visitor) }
    var sentenceBytes: UInt64 = 0
    var separatorBytes: UInt64 = 0
    while true {
      place = skip(base, from: place, to: total, &separatorBytes)
      if place >= total { break }
      var fields = SentenceFields(base: base + (place &+ 1), ends: ends)
      let outcome = scan(base + place, limit: total &- place, &fields)
      if outcome.isIncomplete {
        keep(base + place, count: total &- place)
        break
      }
      sentenceBytes &+= UInt64(outcome.length)
      let isEncapsulated = base[place] == 0x21
      place &+= outcome.length
      if outcome.isWhole {
        NMEA.count(&counts.acceptedSentences)
        if isEncapsulated {
          NMEA.count(&counts.encapsulated)
        } else {
          dispatch(&fields, &visitor)
        }
      } else {
        countFailure(outcome)
      }
    }
    counts.sentenceBytes &+= sentenceBytes
    counts.separatorBytes &+= separatorBytes
  }

  /// Passes over what lies between sentences: line ends, junk, and whole lines that begin with `#`, which are the
  /// comments of recorded logs and may quote sentences.
  @inlinable @inline(__always) mutating func skip(
    _ base: UnsafePointer<UInt8>, from first: Int, to total: Int, _ separatorBytes: inout UInt64
  ) -> Int {
    var place = first
    while place < total {
      let byte = base[place]
      if byte == 0x0D || byte == 0x0A {
        separatorBytes &+= 1
        line = .atStart
      } else if byte == 0x24 || byte == 0x21, line != .comment {
        line = .other
        break
      } else {
        passJunk(byte)
      }
      place &+= 1
    }
    return place
  }

  @usableFromInline @inline(never) mutating func passJunk(_ byte: UInt8) {
    counts.junkBytes &+= 1
    switch line {
    case .atStart:
      // A byte order mark may come before the first comment.
      let isMark = byte == 0xEF || byte == 0xBB || byte == 0xBF
      line = byte == 0x23 ? .comment : isMark ? .atStart : .other
    case .comment: if byte < 0x20, byte != 0x09 { line = .other }
    case .other: break
    }
  }

  /// Where in a line the bytes between sentences are.
  @usableFromInline enum LinePlace: UInt8, BitwiseCopyable, Sendable { case atStart, comment, other }

  /// How the scan of one sentence ended.
  @frozen @usableFromInline struct Outcome {
    @usableFromInline enum Kind { case whole, incomplete, wrongChecksum, binary, interrupted, overLong }
    @usableFromInline var kind: Kind
    /// Bytes from `$` that belong to this attempt.
    @usableFromInline var length: Int
    @inlinable @inline(__always) init(_ kind: Kind, _ length: Int) {
      self.kind = kind
      self.length = length
    }
    @inlinable @inline(__always) var isIncomplete: Bool { kind == .incomplete }
    @inlinable @inline(__always) var isWhole: Bool { kind == .whole }
  }

  @usableFromInline @inline(never) mutating func countFailure(_ outcome: Outcome) {
    switch outcome.kind {
    case .wrongChecksum: NMEA.count(&counts.wrongChecksum)
    case .binary: NMEA.count(&counts.binary)
    case .interrupted: NMEA.count(&counts.interrupted)
    case .overLong: NMEA.count(&counts.overLong)
    case .whole, .incomplete: break
    }
  }

  /// Finds the separators, the end and the checksum of the sentence that begins at `start`, eight bytes at a time.
  ///
  /// All bytes that can mean something here, comma, star, dollar, control and non-ASCII, are below 0x30 or above 0x7E;
  /// a word is searched for those and for commas, and each hit that is no comma is looked at. The sum of the bytes
  /// between is built from whole words.
  @usableFromInline @inline(never) mutating func scan(
    _ start: UnsafePointer<UInt8>, limit: Int, _ fields: inout SentenceFields
  ) -> Outcome {
    let bound = limit < SentenceFramer.maximumLength &+ 1 ? limit : SentenceFramer.maximumLength &+ 1
    var place = 1
    var sum: UInt64 = 0
    var used = 0
    let seven: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    let high: UInt64 = 0x8080_8080_8080_8080
    let ones: UInt64 = 0x0101_0101_0101_0101
    while place &+ 8 <= bound, used <= SentenceFields.capacity &- 8 {
      let word = UInt64(littleEndian: UnsafeRawPointer(start + place).loadUnaligned(as: UInt64.self))
      let low = ((word & seven) &+ 0x5050_5050_5050_5050) ^ high
      let different = word ^ 0x2C2C_2C2C_2C2C_2C2C
      let commas = ~(((different & seven) &+ seven) | different) & high
      let delete = (word & seven) &+ ones
      let offset = endOffset(start, place, (low | word | delete) & high & ~commas)
      if offset < 8 {
        let below = (1 as UInt64) &<< UInt64(truncatingIfNeeded: offset &* 8) &- 1
        record(commas & below, at: place, &used, fields.ends)
        fields.used = used
        return end(start, place &+ offset, limit, sum ^ (word & below), &fields)
      }
      record(commas, at: place, &used, fields.ends)
      sum ^= word
      place &+= 8
    }
    fields.used = used
    return scanTail(start, from: place, bound: bound, limit: limit, sum, &fields)
  }

  /// Judges a sentence by the byte that ends it.
  @inline(__always) private mutating func end(
    _ start: UnsafePointer<UInt8>, _ place: Int, _ limit: Int, _ sum: UInt64, _ fields: inout SentenceFields
  ) -> Outcome {
    let byte = start[place]
    return byte == 0x2A ? finish(start, place, limit, sum, &fields) : stop(byte, at: place, &fields)
  }

  /// The same byte by byte, for the end of the given bytes and for sentences of very many fields.
  @usableFromInline @inline(never) mutating func scanTail(
    _ start: UnsafePointer<UInt8>, from first: Int, bound: Int, limit: Int, _ firstSum: UInt64,
    _ fields: inout SentenceFields
  ) -> Outcome {
    var place = first
    var sum = firstSum
    while place < bound {
      let byte = start[place]
      if byte == 0x2C {
        fields.appendEnd(place &- 1)
      } else if byte == 0x2A, place <= SentenceFramer.maximumStarPlace {
        return finish(start, place, limit, sum, &fields)
      } else if byte < 0x20 || byte == 0x24 || byte >= 0x7F {
        return stop(byte, at: place, &fields)
      }
      sum ^= UInt64(byte)
      place &+= 1
    }
    return Outcome(limit > SentenceFramer.maximumLength ? .overLong : .incomplete, place)
  }

  /// Compares the two digits after the star at `star` with the sum.
  @inlinable @inline(__always) mutating func finish(
    _ start: UnsafePointer<UInt8>, _ star: Int, _ limit: Int, _ sum: UInt64, _ fields: inout SentenceFields
  ) -> Outcome {
    if star &+ 2 >= limit { return shortFinish(start, star, limit) }
    fields.appendEnd(star &- 1)
    var folded = sum ^ (sum &>> 32)
    folded ^= folded &>> 16
    folded ^= folded &>> 8
    let isRight =
      start[star &+ 1] == hexadecimalDigit(UInt8(truncatingIfNeeded: folded &>> 4) & 15)
      && start[star &+ 2] == hexadecimalDigit(UInt8(truncatingIfNeeded: folded) & 15)
    if isRight || isLowerCaseSum(start + star, UInt8(truncatingIfNeeded: folded)) {
      fields.hasChecksum = true
      return Outcome(.whole, star &+ 3)
    }
    return badFinish(start, star)
  }

  /// The sentence ends at a byte that is not part of it.
  @usableFromInline @inline(never) mutating func stop(
    _ byte: UInt8, at place: Int, _ fields: inout SentenceFields
  ) -> Outcome {
    if byte == 0x0D || byte == 0x0A {
      if place > SentenceFramer.maximumStarPlace { return Outcome(.overLong, place) }
      fields.appendEnd(place - 1)
      NMEA.count(&counts.missingChecksum)
      return Outcome(.whole, place)
    }
    return Outcome(byte == 0x24 ? .interrupted : .binary, place)
  }

  /// Starts the buffer with the beginning of a sentence whose end has not come yet.
  @usableFromInline @inline(never) mutating func keep(_ start: UnsafePointer<UInt8>, count: Int) {
    var place = 0
    starPlace = 0
    while place < count {
      buffer[place] = start[place]
      if start[place] == 0x2A, starPlace == 0, place <= SentenceFramer.maximumStarPlace { starPlace = place }
      place += 1
    }
    used = count
  }

  /// Goes on with the sentence in the buffer.
  ///
  /// - Returns: How many of the given bytes it took.
  @inlinable @inline(never) mutating func resume<Visitor: SentenceVisitor & ~Copyable>(
    _ base: UnsafePointer<UInt8>, count total: Int, into visitor: inout Visitor
  ) -> Int {
    var taken = 0
    while taken < total {
      let byte = base[taken]
      // The byte that ends a sentence from outside is left to whoever comes next.
      let isInside = isSentenceByte(byte)
      if isInside {
        buffer[used] = byte
        if byte == 0x2A, starPlace == 0, used <= SentenceFramer.maximumStarPlace { starPlace = used }
        used += 1
        taken += 1
        let isOverLong = used > SentenceFramer.maximumLength
        guard isOverLong || (starPlace > 0 && used == starPlace + 3) else { continue }
      }
      complete(terminator: isInside ? nil : byte, into: &visitor)
      return taken
    }
    return taken
  }

  /// Judges the whole sentence in the buffer.
  @inlinable @inline(never) mutating func complete<Visitor: SentenceVisitor & ~Copyable>(
    terminator: UInt8?, into visitor: inout Visitor
  ) {
    let length = used
    used = 0
    starPlace = 0
    counts.sentenceBytes &+= UInt64(length)
    var work = buffer
    var end = length
    if let terminator {
      work[end] = terminator
      end += 1
    }
    let isEncapsulated = work[0] == 0x21
    var table = SeparatorTable(repeating: 0)
    withUnsafeMutablePointer(to: &work) { work in
      withUnsafeMutablePointer(to: &table) { table in
        let base = UnsafePointer(UnsafeMutableRawPointer(work).assumingMemoryBound(to: UInt8.self))
        let ends = UnsafeMutableRawPointer(table).assumingMemoryBound(to: UInt8.self)
        var fields = SentenceFields(base: base + 1, ends: ends)
        let outcome = scan(base, limit: end, &fields)
        if outcome.isWhole {
          NMEA.count(&counts.acceptedSentences)
          if isEncapsulated {
            NMEA.count(&counts.encapsulated)
          } else {
            dispatch(&fields, &visitor)
          }
        } else {
          countFailure(outcome)
        }
      }
    }
  }
}

// What looks at bytes only. No methods of the framer, which would look at a copy of it.

/// Where in a word the sentence ends, 8 when it goes on; `hits` has the high bit of each byte to look at.
@inline(__always) private func endOffset(_ start: UnsafePointer<UInt8>, _ place: Int, _ hits: UInt64) -> Int {
  var rest = hits
  while rest != 0 {
    let offset = rest.trailingZeroBitCount &>> 3
    let byte = start[place &+ offset]
    if byte != 0x2E, byte != 0x2D {
      if byte == 0x2A, place &+ offset <= SentenceFramer.maximumStarPlace { return offset }
      if byte < 0x20 || byte == 0x24 || byte >= 0x7F { return offset }
    }
    rest &= rest &- 1
  }
  return 8
}

/// Notes the commas of a word; `hits` has the high bit of each.
@inline(__always) private func record(
  _ hits: UInt64, at place: Int, _ used: inout Int, _ ends: UnsafeMutablePointer<UInt8>
) {
  var rest = hits
  while rest != 0 {
    ends[used] = UInt8(truncatingIfNeeded: place &+ rest.trailingZeroBitCount &>> 3 &- 1)
    used &+= 1
    rest &= rest &- 1
  }
}

/// True when the two digits after the star are the sum in lower case.
@usableFromInline @inline(never) func isLowerCaseSum(_ star: UnsafePointer<UInt8>, _ sum: UInt8) -> Bool {
  hexadecimalValue(star[1]) == sum >> 4 && hexadecimalValue(star[2]) == sum & 15
}

/// The line, or the bytes at hand, end within the checksum.
@usableFromInline @inline(never) func shortFinish(
  _ start: UnsafePointer<UInt8>, _ star: Int, _ limit: Int
) -> SentenceFramer.Outcome {
  if star + 1 < limit, !isSentenceByte(start[star + 1]) { return SentenceFramer.Outcome(.wrongChecksum, star + 1) }
  return SentenceFramer.Outcome(.incomplete, limit)
}

/// A wrong checksum ends before a byte that can't belong to it, so that a following sentence is not eaten.
@usableFromInline @inline(never) func badFinish(_ start: UnsafePointer<UInt8>, _ star: Int) -> SentenceFramer.Outcome {
  if !isSentenceByte(start[star + 1]) { return SentenceFramer.Outcome(.wrongChecksum, star + 1) }
  if !isSentenceByte(start[star + 2]) { return SentenceFramer.Outcome(.wrongChecksum, star + 2) }
  return SentenceFramer.Outcome(.wrongChecksum, star + 3)
}

@usableFromInline func isSentenceByte(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F && byte != 0x24 }
