import Quantities

/// The sum of vectors and that of their squared lengths: four numbers side by side, which lanes add at once.
struct LaneSums: Equatable, BitwiseCopyable, Sendable {
  private(set) var sum = Vector3.zero
  private(set) var sumOfSquares: Float = 0

  @inline(__always) mutating func add(_ v: Lanes3) {
    #if hasFeature(BuiltinModule) && (arch(x86_64) || arch(arm64))
      let first = UInt64(sum.x.bitPattern) | UInt64(sum.y.bitPattern) << 32
      let second = UInt64(sum.z.bitPattern) | UInt64(sumOfSquares.bitPattern) << 32
      let before = unsafeBitCast(SIMD2(first, second), to: SIMD4<Float>.self)
      let now = before.plus(SIMD4(v.lanes.x, v.lanes.y, v.lanes.z, v.squaredLength))
      sum = Vector3(now.x, now.y, now.z)
      sumOfSquares = now.w
    #else
      add(v, squares: v.squaredLength)
    #endif
  }

  mutating func add(_ sum: Vector3, squares: Float) {
    self.sum = self.sum + sum
    sumOfSquares += squares
  }
}
