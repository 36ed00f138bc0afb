/// Uninitialised room for `capacity` elements, which costs nothing to make.
@_rawLayout(likeArrayOf: Element, count: capacity)
@usableFromInline struct Room<let capacity: Int, Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  @inlinable init() {}

  /// The first place, to be looked at; good as long as the storage is borrowed, for such a value is never moved.
  @inlinable var start: UnsafePointer<Element> {
    @inline(__always) borrowing get {
      withUnsafePointer(to: self) { UnsafeRawPointer($0).assumingMemoryBound(to: Element.self) }
    }
  }

  /// The same, to be written.
  @inlinable @inline(__always) mutating func mutableStart() -> UnsafeMutablePointer<Element> {
    withUnsafeMutablePointer(to: &self) { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Element.self) }
  }
}

/// A first-in-first-out queue as `InlineQueue`, for a value that stays in its place: it needs no filler, and making it touches
/// none of its room.
///
/// - Complexity: every operation is O(1); nothing allocates.
public struct InPlaceQueue<let capacity: Int, Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline var room = Room<capacity, Element>()
  @usableFromInline var used = 0
  @usableFromInline var refused: UInt32 = 0
  @usableFromInline var head = 0

  /// An empty queue.
  @inlinable public init() {}

  /// Number of elements.
  @inlinable public var count: Int { used }
  /// How often `append` was refused because the queue was full.
  @inlinable public var rejectedCount: UInt32 { refused }
  /// True when there is nothing in it.
  @inlinable public var isEmpty: Bool { used == 0 }

  /// Adds at the end; false, counted and nothing changed, when full.
  @discardableResult @inlinable public mutating func append(_ element: Element) -> Bool {
    guard used < capacity else {
      refused = refused &+ 1
      return false
    }
    var place = head + used
    if place >= capacity { place -= capacity }
    room.mutableStart()[place] = element
    used += 1
    return true
  }

  /// Takes out the oldest element; nil when empty.
  @inlinable public mutating func popFirst() -> Element? {
    guard used > 0 else { return nil }
    let place = head
    head = head + 1 == capacity ? 0 : head + 1
    used -= 1
    return room.start[place]
  }
}

extension InPlaceQueue: Sendable where Element: Sendable {}

/// A list as `InlineVector`, for a value that stays in its place: it needs no filler, making it touches none of its room, and
/// its elements are looked at and changed where they are.
///
/// - Complexity: `append` and the subscript are O(1), `remove(at:)` is O(n); nothing allocates.
public struct InPlaceVector<let capacity: Int, Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline var room = Room<capacity, Element>()
  @usableFromInline var used = 0
  @usableFromInline var refused: UInt32 = 0

  /// An empty list.
  @inlinable public init() {}

  /// Number of elements.
  @inlinable public var count: Int { used }
  /// How often `append` was refused because the list was full.
  @inlinable public var rejectedCount: UInt32 { refused }
  /// True when there is nothing in it.
  @inlinable public var isEmpty: Bool { used == 0 }
  /// True when the next `append` will be refused.
  @inlinable public var isFull: Bool { used == capacity }

  /// Adds at the end; false, counted and nothing changed, when full.
  @discardableResult @inlinable public mutating func append(_ element: Element) -> Bool {
    guard used < capacity else {
      refused = refused &+ 1
      return false
    }
    room.mutableStart()[used] = element
    used += 1
    return true
  }

  /// The element at a place, where it lies.
  /// - Precondition: `0 ≤ index < count`.
  @inlinable public subscript(index: Int) -> Element {
    @inline(__always) unsafeAddress {
      precondition(index >= 0 && index < used, "index out of the list")
      return room.start + index
    }
    @inline(__always) unsafeMutableAddress {
      precondition(index >= 0 && index < used, "index out of the list")
      return room.mutableStart() + index
    }
  }

  /// The elements, as long as the list is not changed.
  ///
  /// Not a span of a copy (decision 0007): what has such a list is never copied.
  @inlinable public var span: Span<Element> {
    @_lifetime(borrow self) borrowing get {
      _overrideLifetime(Span(_unsafeStart: room.start, count: used), borrowing: self)
    }
  }

  /// Takes out one element; later ones move up.
  /// - Precondition: `0 ≤ index < count`.
  @inlinable public mutating func remove(at index: Int) {
    precondition(index >= 0 && index < used, "index out of the list")
    used -= 1
    let start = room.mutableStart() + index
    start.update(from: start + 1, count: used - index)
  }

  /// Empties the list; the count of rejections stays.
  @inlinable public mutating func removeAll() { used = 0 }
}

extension InPlaceVector: Sendable where Element: Sendable {}
