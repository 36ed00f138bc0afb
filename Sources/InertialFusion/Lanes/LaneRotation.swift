public import Quantities

#if hasFeature(BuiltinModule) && (arch(x86_64) || arch(arm64))
  /// A rotation in the lanes of one register, x, y, z, w. Its operations are those of `Quaternion`, to the last bit.
  @usableFromInline struct LaneRotation: BitwiseCopyable, Sendable {
    @usableFromInline let lanes: SIMD4<Float>

    @inlinable @inline(__always) init(_ q: Quaternion) {
      // As in `Lanes3`: a load and a shuffle.
      let first = UInt64(q.w.bitPattern) | UInt64(q.x.bitPattern) << 32
      let second = UInt64(q.y.bitPattern) | UInt64(q.z.bitPattern) << 32
      let stored = unsafeBitCast(SIMD2(first, second), to: SIMD4<Float>.self)
      lanes = SIMD4(stored.y, stored.z, stored.w, stored.x)
    }

    @inlinable @inline(__always) init(lanes: SIMD4<Float>) { self.lanes = lanes }

    @inlinable var quaternion: Quaternion {
      @inline(__always) get { Quaternion(w: lanes.w, x: lanes.x, y: lanes.y, z: lanes.z) }
    }

    @inlinable @inline(__always) static func * (a: LaneRotation, b: LaneRotation) -> LaneRotation {
      let (a, b) = (a.lanes, b.lanes)
      let byX = SIMD4(b.w, b.z, b.y, b.x).times(SIMD4(1, -1, 1, -1))
      let byY = SIMD4(b.z, b.w, b.x, b.y).times(SIMD4(1, 1, -1, -1))
      let byZ = SIMD4(b.y, b.x, b.w, b.z).times(SIMD4(-1, 1, 1, -1))
      let first = SIMD4(repeating: a.w).times(b).plus(SIMD4(repeating: a.x).times(byX))
      let second = first.plus(SIMD4(repeating: a.y).times(byY))
      return LaneRotation(lanes: second.plus(SIMD4(repeating: a.z).times(byZ)))
    }

    /// As `Quaternion.turned(by:)`: both series in one, sine in three lanes and cosine in the fourth.
    @inlinable @inline(__always) func turned(by v: Lanes3) -> LaneRotation {
      let squaredHalf = v.squaredLength * 0.25
      guard squaredHalf < 0.0625 else { return LaneRotation(quaternion.turned(by: v.vector)) }
      let h = SIMD4(repeating: squaredHalf)
      let thirdTerm = SIMD4<Float>(1.0 / 240, 1.0 / 240, 1.0 / 240, 1.0 / 24)
      let secondTerm = SIMD4<Float>(1.0 / 12, 1.0 / 12, 1.0 / 12, 0.5).minus(h.times(thirdTerm))
      let series = SIMD4<Float>(0.5, 0.5, 0.5, 1).minus(h.times(secondTerm))
      return self * LaneRotation(lanes: v.lanes.plus(SIMD4(0, 0, 0, 1)).times(series))
    }

    /// This rotation and after it one about the target's vertical, by half of its angle.
    @inlinable @inline(__always) func turnedAboutVertical(cosine: Float, sine: Float) -> LaneRotation {
      let aside = SIMD4(lanes.y, lanes.x, lanes.w, lanes.z).times(SIMD4(-1, 1, 1, -1))
      return LaneRotation(lanes: SIMD4(repeating: cosine).times(lanes).plus(SIMD4(repeating: sine).times(aside)))
    }

    /// As `Quaternion.rotate`.
    @inlinable @inline(__always) func rotate(_ v: Lanes3) -> Lanes3 {
      // The fourth lane of a product with it is zero in a cross product, whatever it is here.
      let u = Lanes3(lanes: lanes)
      let t = u.cross(v) * 2
      return v + t * lanes.w + u.cross(t)
    }

    @inline(__always) func rotateOnce(_ v: Lanes3) -> Lanes3 { rotate(v) }
  }
#else
  @usableFromInline typealias LaneRotation = Quaternion

  extension Quaternion {
    @inlinable @inline(__always) init(_ q: Quaternion) { self = q }
    @inlinable var quaternion: Quaternion { @inline(__always) get { self } }

    /// This rotation and after it one about the target's vertical, by half of its angle.
    @inlinable @inline(__always) func turnedAboutVertical(cosine c: Float, sine s: Float) -> Quaternion {
      Quaternion(w: c * w - s * z, x: c * x - s * y, y: c * y + s * x, z: c * z + s * w)
    }
  }
#endif
