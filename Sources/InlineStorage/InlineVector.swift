/// A list with a fixed capacity, stored in place; a full list rejects and counts.
///
/// - Complexity: `append` and the subscript are O(1), `remove(at:)` is O(n); nothing allocates.
@frozen public struct InlineVector<let capacity: Int, Element: BitwiseCopyable>: BitwiseCopyable {
  @usableFromInline var storage: InlineArray<capacity, Element>
  @usableFromInline var used: Int
  @usableFromInline var refused: UInt32
  /// Number of elements.
  @inlinable public var count: Int { used }
  /// How often `append` was refused because the list was full.
  @inlinable public var rejectedCount: UInt32 { refused }

  /// An empty list. `filler` is what unused places hold; it is never seen.
  @inlinable public init(filler: Element) {
    storage = InlineArray(repeating: filler)
    used = 0
    refused = 0
  }

  /// True when there is nothing in it.
  @inlinable public var isEmpty: Bool { count == 0 }

  /// True when the next `append` will be refused.
  @inlinable public var isFull: Bool { count == capacity }

  /// Adds at the end; false, counted and nothing changed, when full.
  @discardableResult @inlinable public mutating func append(_ element: Element) -> Bool {
    guard count < capacity else {
      refused = refused &+ 1
      return false
    }
    storage[count] = element
    used += 1
    return true
  }

  /// The element at a place.
  /// - Precondition: `0 ≤ index < count`.
  @inlinable public subscript(index: Int) -> Element {
    // Inlined, because a call looks at a copy of the whole list.
    @inline(__always) get {
      precondition(index >= 0 && index < count, "index out of the list")
      return storage[index]
    }
    @inline(__always) set {
      precondition(index >= 0 && index < count, "index out of the list")
      storage[index] = newValue
    }
  }

  /// Takes out one element; later ones move up.
  /// - Precondition: `0 ≤ index < count`.
  @discardableResult @inlinable public mutating func remove(at index: Int) -> Element {
    precondition(index >= 0 && index < count, "index out of the list")
    let removed = storage[index]
    var place = index
    while place + 1 < count {
      storage[place] = storage[place + 1]
      place += 1
    }
    used -= 1
    return removed
  }

  /// Puts an element before the one at `index`; false, counted and nothing changed, when full.
  /// - Precondition: `0 ≤ index ≤ count`.
  @discardableResult @inlinable public mutating func insert(_ element: Element, at index: Int) -> Bool {
    precondition(index >= 0 && index <= count, "index out of the list")
    guard count < capacity else {
      refused = refused &+ 1
      return false
    }
    var place = count
    while place > index {
      storage[place] = storage[place - 1]
      place -= 1
    }
    storage[index] = element
    used += 1
    return true
  }

  /// Empties the list; the count of rejections stays.
  @inlinable public mutating func removeAll() { used = 0 }
}

extension InlineVector: Sendable where Element: Sendable {}
