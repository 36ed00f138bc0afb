/// A first-in-first-out queue with a fixed capacity, stored in place; a full queue rejects and counts.
///
/// - Complexity: every operation is O(1); nothing allocates.
@frozen public struct InlineQueue<let capacity: Int, Element: BitwiseCopyable>: BitwiseCopyable {
  @usableFromInline var storage: InlineArray<capacity, Element>
  @usableFromInline var used: Int
  @usableFromInline var refused: UInt32
  @usableFromInline var head: Int
  /// Number of elements.
  @inlinable public var count: Int { used }
  /// How often `append` was refused because the queue was full.
  @inlinable public var rejectedCount: UInt32 { refused }

  /// An empty queue. `filler` is what unused places hold; it is never seen.
  @inlinable public init(filler: Element) {
    storage = InlineArray(repeating: filler)
    head = 0
    used = 0
    refused = 0
  }

  /// True when there is nothing in it.
  @inlinable public var isEmpty: Bool { count == 0 }

  /// True when the next `append` will be refused.
  @inlinable public var isFull: Bool { count == capacity }

  /// The oldest element, left in place; nil when empty.
  @inlinable @inline(__always) public var first: Element? { count == 0 ? nil : storage[head] }

  /// Adds at the end; false, counted and nothing changed, when full.
  @discardableResult @inlinable public mutating func append(_ element: Element) -> Bool {
    guard count < capacity else {
      refused = refused &+ 1
      return false
    }
    var place = head + count
    if place >= capacity { place -= capacity }
    storage[place] = element
    used += 1
    return true
  }

  /// Takes out the oldest element; nil when empty.
  @inlinable public mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = storage[head]
    head += 1
    if head == capacity { head = 0 }
    used -= 1
    return element
  }

  /// The element `offset` places behind the oldest.
  /// - Precondition: `0 ≤ offset < count`.
  @inlinable @inline(__always) public subscript(offset: Int) -> Element {
    precondition(offset >= 0 && offset < count, "offset out of the queue")
    var place = head + offset
    if place >= capacity { place -= capacity }
    return storage[place]
  }

  /// Empties the queue; the count of rejections stays.
  @inlinable public mutating func removeAll() {
    head = 0
    used = 0
  }
}

extension InlineQueue: Sendable where Element: Sendable {}
