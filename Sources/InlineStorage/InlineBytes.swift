/// Bytes in a buffer of fixed capacity, stored in place; a full buffer rejects and counts.
@frozen public struct InlineBytes<let capacity: Int>: BitwiseCopyable, Sendable {
  @usableFromInline var storage: InlineArray<capacity, UInt8>
  @usableFromInline var held: UInt32
  @usableFromInline var refused: UInt32

  /// Number of bytes: stored in four bytes, as a tracker has many of these.
  @usableFromInline var used: Int {
    @inlinable @inline(__always) get { Int(truncatingIfNeeded: held) }
    @inlinable @inline(__always) set { held = UInt32(truncatingIfNeeded: newValue) }
  }
  /// Number of bytes.
  @inlinable public var count: Int { used }
  /// Number of bytes refused because the buffer was full.
  @inlinable public var rejectedCount: UInt32 { refused }

  /// An empty buffer.
  @inlinable public init() {
    storage = InlineArray(repeating: 0)
    held = 0
    refused = 0
  }

  /// A buffer with the bytes of a literal; what does not fit is refused and counted.
  @inlinable public init(_ text: StaticString) {
    self.init()
    append(text)
  }

  /// True when there is nothing in it.
  @inlinable public var isEmpty: Bool { count == 0 }

  /// True when a byte was refused since the last `removeAll`: what it holds is not whole.
  @inlinable public var isTruncated: Bool { rejectedCount > 0 }

  /// Adds one byte at the end; false and counted when full.
  @discardableResult @inlinable public mutating func append(_ byte: UInt8) -> Bool {
    guard count < capacity else {
      refused = refused &+ 1
      return false
    }
    storage[count] = byte
    used += 1
    return true
  }

  /// Adds bytes at the end as far as there is room; false when some were refused.
  @discardableResult @inlinable public mutating func append(contentsOf bytes: Span<UInt8>) -> Bool {
    bytes.withUnsafeBufferPointer { append(copying: $0) }
  }

  /// Adds the bytes of a literal as far as there is room.
  @inlinable public mutating func append(_ text: StaticString) {
    append(copying: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// One copy in place of a loop with two checks per byte; what is too long for the room is cut and counted.
  @discardableResult @inlinable mutating func append(copying bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let room = capacity - used
    let taken = bytes.count <= room ? bytes.count : room
    if taken > 0, let source = bytes.baseAddress {
      let place = used
      var whole = storage.mutableSpan
      whole.withUnsafeMutableBufferPointer { target in
        if let base = target.baseAddress { (base + place).update(from: source, count: taken) }
      }
      used += taken
    }
    refused = refused &+ UInt32(truncatingIfNeeded: bytes.count - taken)
    return taken == bytes.count
  }

  /// Lends the room behind the bytes.
  ///
  /// - Parameter body: Takes its beginning and its end, and gives a result and where what it wrote ends.
  @inlinable package mutating func appendInPlace<Result>(
    _ body: (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>) -> (Result, UnsafeMutablePointer<UInt8>)
  ) -> Result {
    let start = used
    var end = start
    var whole = storage.mutableSpan
    let result = whole.withUnsafeMutableBufferPointer { room in
      // A buffer without room has no address, and no text is written into it.
      var nothing: UInt8 = 0
      return withUnsafeMutablePointer(to: &nothing) { nowhere in
        let base = room.baseAddress ?? nowhere
        let (result, place) = body(base + start, base + room.count)
        end = place - base
        return result
      }
    }
    used = end
    return result
  }

  /// Counts bytes that had no room.
  @inlinable package mutating func reject(_ count: Int) { refused = refused &+ UInt32(truncatingIfNeeded: count) }

  /// The byte at a place.
  /// - Precondition: `0 ≤ index < count`.
  @inlinable public subscript(index: Int) -> UInt8 {
    precondition(index >= 0 && index < count, "index out of the buffer")
    return storage[index]
  }

  /// The bytes, as long as the buffer is not changed.
  ///
  /// Transparent, because the optimiser may otherwise give back a span of a copy that is gone (decision 0007).
  @_transparent public var span: Span<UInt8> {
    @_lifetime(borrow self) get { storage.span.extracting(0..<count) }
  }

  /// Keeps the first bytes only; nothing when there are not more.
  @inlinable public mutating func truncate(to count: Int) {
    if count >= 0, count < used { used = count }
  }

  /// Takes the first bytes out; all of them when there are not more.
  @inlinable public mutating func removeFirst(_ count: Int) {
    guard count > 0 else { return }
    var place = count
    while place < used {
      storage[place - count] = storage[place]
      place += 1
    }
    used = count < used ? used - count : 0
  }

  /// Empties the buffer and forgets the rejections.
  @inlinable public mutating func removeAll() {
    used = 0
    refused = 0
  }

  /// Equal when both hold the same bytes.
  public static func == (a: InlineBytes, b: InlineBytes) -> Bool {
    guard a.count == b.count else { return false }
    var place = 0
    while place < a.count {
      if a.storage[place] != b.storage[place] { return false }
      place += 1
    }
    return true
  }
}

extension InlineBytes: Equatable {}
