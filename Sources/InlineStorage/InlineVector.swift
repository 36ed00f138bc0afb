/// A list with a fixed capacity, stored in place; a full list rejects and counts.
///
/// Making it touches none of its room, it is never copied, and its elements are looked at and changed where they are.
///
/// - Complexity: `append` and the subscript are O(1), `remove(at:)` and `insert` are O(n); nothing allocates.
public struct InlineVector<let capacity: Int, Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline var room = Room<capacity, Element>()
  @usableFromInline var held: UInt32 = 0
  @usableFromInline var refused: UInt32 = 0

  /// Number of elements: stored in four bytes, as a tracker has many of these.
  @usableFromInline var used: Int {
    @inlinable @inline(__always) get { Int(truncatingIfNeeded: held) }
    @inlinable @inline(__always) set { held = UInt32(truncatingIfNeeded: newValue) }
  }

  /// An empty list.
  @inlinable public init() {}

  /// Number of elements.
  @inlinable public var count: Int { used }
  /// How often `append` or `insert` was refused because the list was full.
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

  /// Puts an element before the one at `index`; false, counted and nothing changed, when full.
  /// - Precondition: `0 ≤ index ≤ count`.
  @discardableResult @inlinable public mutating func insert(_ element: Element, at index: Int) -> Bool {
    precondition(index >= 0 && index <= used, "index out of the list")
    guard used < capacity else {
      refused = refused &+ 1
      return false
    }
    let place = room.mutableStart() + index
    (place + 1).update(from: place, count: used - index)
    place.pointee = element
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
  /// Not a span of a copy (decision 0007): a list is never copied.
  @inlinable public var span: Span<Element> {
    @_lifetime(borrow self) borrowing get {
      _overrideLifetime(Span(_unsafeStart: room.start, count: used), borrowing: self)
    }
  }

  /// The elements, to be changed.
  @inlinable public var mutableSpan: MutableSpan<Element> {
    @_lifetime(&self) mutating get {
      _overrideLifetime(MutableSpan(_unsafeStart: room.mutableStart(), count: used), mutating: &self)
    }
  }

  /// Takes out one element; later ones move up.
  /// - Precondition: `0 ≤ index < count`.
  @discardableResult @inlinable public mutating func remove(at index: Int) -> Element {
    precondition(index >= 0 && index < used, "index out of the list")
    used -= 1
    let place = room.mutableStart() + index
    let removed = place.pointee
    place.update(from: place + 1, count: used - index)
    return removed
  }

  /// Empties the list; the count of rejections stays.
  @inlinable public mutating func removeAll() { used = 0 }
}

extension InlineVector: Sendable where Element: Sendable {}
