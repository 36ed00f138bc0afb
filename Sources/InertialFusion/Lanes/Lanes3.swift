public import Quantities

// Swift compiles its own vectors of floats lane by lane, and what the optimiser puts together again it takes apart elsewhere. So the
// instructions for whole vectors are named here, where the processor and the compiler have them (decision 0039). Without them, as on
// a microcontroller, plain vectors stand in their place: the same operations in the same order, and so the same bits.
#if hasFeature(BuiltinModule) && (arch(x86_64) || arch(arm64))
  import Builtin

  /// A vector in the lanes of one register, for what is done with each sample; the fourth lane is zero. Its operations are those of
  /// `Vector3`, to the last bit.
  @usableFromInline struct Lanes3: BitwiseCopyable, Sendable {
    @usableFromInline let lanes: SIMD4<Float>

    @inlinable @inline(__always) init(_ v: Vector3) {
      // Put together from whole numbers it is a load and a mask; lane by lane it would be five instructions.
      let first = UInt64(v.x.bitPattern) | UInt64(v.y.bitPattern) << 32
      lanes = unsafeBitCast(SIMD2(first, UInt64(v.z.bitPattern)), to: SIMD4<Float>.self)
    }

    @inlinable @inline(__always) init(lanes: SIMD4<Float>) { self.lanes = lanes }

    /// Whether there are lanes.
    @inlinable static var isWhole: Bool { @inline(__always) get { true } }

    @inlinable static var zero: Lanes3 { @inline(__always) get { Lanes3(lanes: .zero) } }
    @inlinable var vector: Vector3 { @inline(__always) get { Vector3(lanes.x, lanes.y, lanes.z) } }
    @inlinable var squaredLength: Float { @inline(__always) get { dot(self) } }

    @inlinable @inline(__always) func dot(_ other: Lanes3) -> Float {
      let products = lanes.times(other.lanes)
      return products.x + products.y + products.z
    }

    @inlinable @inline(__always) func cross(_ other: Lanes3) -> Lanes3 {
      Lanes3(lanes: lanes.times(other.lanes.rolled).minus(lanes.rolled.times(other.lanes)).rolled)
    }

    @inlinable @inline(__always) func scaled(by other: Lanes3) -> Lanes3 { Lanes3(lanes: lanes.times(other.lanes)) }

    @inlinable @inline(__always) static func + (a: Lanes3, b: Lanes3) -> Lanes3 { Lanes3(lanes: a.lanes.plus(b.lanes)) }
    @inlinable @inline(__always) static func - (a: Lanes3, b: Lanes3) -> Lanes3 {
      Lanes3(lanes: a.lanes.minus(b.lanes))
    }
    @inlinable @inline(__always) static func * (a: Lanes3, s: Float) -> Lanes3 {
      Lanes3(lanes: a.lanes.times(SIMD4(repeating: s)))
    }
  }

  extension SIMD4<Float> {
    /// Sum in all lanes at once.
    @inlinable @inline(__always) func plus(_ other: SIMD4<Float>) -> SIMD4<Float> {
      SIMD4(lanes: Builtin.fadd_Vec4xFPIEEE32(_storage._value, other._storage._value))
    }

    /// Difference in all lanes at once.
    @inlinable @inline(__always) func minus(_ other: SIMD4<Float>) -> SIMD4<Float> {
      SIMD4(lanes: Builtin.fsub_Vec4xFPIEEE32(_storage._value, other._storage._value))
    }

    /// Product in all lanes at once.
    @inlinable @inline(__always) func times(_ other: SIMD4<Float>) -> SIMD4<Float> {
      SIMD4(lanes: Builtin.fmul_Vec4xFPIEEE32(_storage._value, other._storage._value))
    }

    /// The first three lanes moved on by one.
    @inlinable var rolled: SIMD4<Float> { @inline(__always) get { SIMD4(y, z, x, w) } }

    @inlinable @inline(__always) init(lanes: Builtin.Vec4xFPIEEE32) {
      self = unsafeBitCast(lanes, to: SIMD4<Float>.self)
    }
  }
#else
  @usableFromInline typealias Lanes3 = Vector3

  extension Vector3 {
    @inlinable static var isWhole: Bool { @inline(__always) get { false } }

    @inlinable @inline(__always) init(_ v: Vector3) { self = v }
    @inlinable var vector: Vector3 { @inline(__always) get { self } }
  }
#endif
