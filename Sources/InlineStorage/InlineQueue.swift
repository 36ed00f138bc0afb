/// A first-in-first-out queue with a fixed capacity, stored in place; a full queue rejects and counts.
///
/// Making it touches none of its room, and it is never copied.
///
/// - Complexity: every operation is O(1); nothing allocates.
public struct InlineQueue<let capacity: Int, Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline var room = Room<capacity, Element>()
  @usableFromInline var held: UInt32 = 0
  @usableFromInline var begins: UInt32 = 0
  @usableFromInline var refused: UInt32 = 0

  /// Number of elements: stored in four bytes, as a tracker has many of these.
  @usableFromInline var used: Int {
    @inlinable @inline(__always) get { Int(truncatingIfNeeded: held) }
    @inlinable @inline(__always) set { held = UInt32(truncatingIfNeeded: newValue) }
  }

  /// The place of the oldest.
  @usableFromInline var head: Int {
    @inlinable @inline(__always) get { Int(truncatingIfNeeded: begins) }
    @inlinable @inline(__always) set { begins = UInt32(truncatingIfNeeded: newValue) }
  }

  /// An empty queue.
  @inlinable public init() {}

  /// Number of elements.
  @inlinable public var count: Int { used }
  /// How often `append` was refused because the queue was full.
  @inlinable public var rejectedCount: UInt32 { refused }
  /// True when there is nothing in it.
  @inlinable public var isEmpty: Bool { used == 0 }
  /// True when the next `append` will be refused.
  @inlinable public var isFull: Bool { used == capacity }

  /// The oldest element, left in place; nil when empty.
  @inlinable @inline(__always) public var first: Element? { used == 0 ? nil : room.start[head] }

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

  /// The element `offset` places behind the oldest.
  /// - Precondition: `0 ≤ offset < count`.
  @inlinable @inline(__always) public subscript(offset: Int) -> Element {
    precondition(offset >= 0 && offset < used, "offset out of the queue")
    var place = head + offset
    if place >= capacity { place -= capacity }
    return room.start[place]
  }

  /// Empties the queue; the count of rejections stays.
  @inlinable public mutating func removeAll() {
    head = 0
    used = 0
  }
}

extension InlineQueue: Sendable where Element: Sendable {}
