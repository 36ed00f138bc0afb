/// Uninitialised room for `capacity` elements, which costs nothing to make.
///
/// The unsafe core of the list and the queue, and all of it. Whoever has a room knows which of its places were written, and reads no
/// other. Elements are `BitwiseCopyable`: nothing is to be done for one that is overwritten or left behind. What has a raw layout
/// can't be copied or loaded as a value, so that an address is good as long as the room is borrowed (decision 0009).
@_rawLayout(likeArrayOf: Element, count: capacity)
@usableFromInline struct Room<let capacity: Int, Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  @inlinable init() {}

  /// The first place, to be looked at.
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
