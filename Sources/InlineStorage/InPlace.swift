/// As a stored property of a non-copyable type it keeps values of that type where they are.
///
/// Swift may otherwise treat even a value of many kilobytes as something to be loaded, handed on and stored as a whole: a getter then
/// looks at a copy of it, and an initialiser makes it on the stack before it is moved to where it was wanted. Storage without a
/// Swift type can't be loaded, and with it nothing around it: such a value is made in place, and always passed by its address
/// (decision 0009).
@_rawLayout(size: 0, alignment: 1) public struct InPlace: ~Copyable, @unchecked Sendable {
  /// It takes no memory.
  @inlinable public init() {}

  // Without it Embedded Swift does not know in another module that there is nothing to be done at the end.
  @inlinable deinit {}
}
