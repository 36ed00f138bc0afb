// What is short and stands in a hundred places, once. A choice between two numbers takes a microcontroller 14 bytes where it is written out,
// a call 4 and what moves its arguments. With lanes they are those of the standard library; the bits are the same.

/// The larger of two numbers, as `Swift.max`.
@inlinable @inline(__always) func max(_ x: Float, _ y: Float) -> Float {
  Lanes3.isWhole ? Swift.max(x, y) : larger(x, y)
}

/// The smaller of two numbers, as `Swift.min`.
@inlinable @inline(__always) func min(_ x: Float, _ y: Float) -> Float {
  Lanes3.isWhole ? Swift.min(x, y) : smaller(x, y)
}

@usableFromInline @inline(never) func larger(_ x: Float, _ y: Float) -> Float { Swift.max(x, y) }

@usableFromInline @inline(never) func smaller(_ x: Float, _ y: Float) -> Float { Swift.min(x, y) }
