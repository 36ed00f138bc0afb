import Quantities

extension AttitudeFilter {
  /// Field weaker than this, µT, has no usable direction: the earth's horizontal part is 8 to 40 nearly everywhere.
  static var leastHorizontalField: Float { 2 }

  /// The rotation about the vertical from the level frame to ENU, from the magnetic field, the courses, or both.
  mutating func turnHeading() {
    var east: Float = 0
    var north: Float = 0
    var weights: Float = 0
    let m = state.magnetic.field
    let variance = magneticHeadingVariance(of: m, isStated: false)
    if variance.isFinite {
      // ENU has magnetic north at (sin δ, cos δ) for declination δ, east positive.
      let s = 1 / (m.x * m.x + m.y * m.y).squareRoot()
      let (cosine, sine) = (m.y * s, m.x * s)
      let weight = 1 / variance
      east += weight * (sine * coefficients.declinationCosine - cosine * coefficients.declinationSine)
      north += weight * (cosine * coefficients.declinationCosine + sine * coefficients.declinationSine)
      weights += weight
    }
    if state.course.variance.isFinite {
      let weight = 1 / state.course.variance
      let direction = Elementary.shortSincos(state.course.offset)
      east += weight * direction.sin
      north += weight * direction.cos
      weights += weight
    }
    let length = (east * east + north * north).squareRoot()
    guard weights > 0, length > 1e-3 * weights, length.isFinite else { return }
    let cosine = north / length
    // Half of the angle: from −90° to 90°, so its cosine is not negative. Of both ways to its sine each is exact where the
    // other divides by next to nothing or takes the difference of equals.
    if cosine < 0 {
      let sine = min((0.5 * (1 - cosine)).squareRoot(), 1)
      state.headingSine = east < 0 ? -sine : sine
    } else {
      state.headingSine = min(max(0.5 * (east / length) / (0.5 * (1 + cosine)).squareRoot(), -1), 1)
    }
    state.headingCosine = max(0, 1 - state.headingSine * state.headingSine).squareRoot()
  }

  /// Variance of the heading from the magnetic field, rad²; infinite without one. It is the whole of it: the body's field,
  /// known or not, what fields differ by from place to place, and what readings that are refused say take part.
  @inline(__always)
  func magneticHeadingVariance(of m: Vector3, isStated: Bool) -> Float {
    Lanes3.isWhole ? headingVariance(of: m, isStated: isStated) : headingVarianceOnce(of: m, isStated: isStated)
  }

  @inline(never)
  private func headingVarianceOnce(of m: Vector3, isStated: Bool) -> Float {
    headingVariance(of: m, isStated: isStated)
  }

  @inline(__always)
  private func headingVariance(of m: Vector3, isStated: Bool) -> Float {
    guard state.magnetic.isKnown else { return .infinity }
    let squared = m.x * m.x + m.y * m.y
    guard squared > AttitudeFilter.leastHorizontalField * AttitudeFilter.leastHorizontalField else { return .infinity }
    let across = state.magnetic.variance(across: m, squared: squared, parameters.magnetic, isStated: isStated)
    return across / squared + state.magnetic.rival.doubt
  }

  /// Takes a course over ground in as a second source of heading.
  ///
  /// - Parameters:
  ///   - course: Direction of travel, rad clockwise from true north.
  ///   - uncertainty: One standard deviation, rad, of the body's x axis about that course.
  public mutating func update(course: Float, uncertainty: Float) {
    guard state.isAligned, course.isFinite, course > -100, course < 100, uncertainty > 0, uncertainty < 3 else {
      return
    }
    let forward = state.motion.rotation.rotateOnce(Vector3(1, 0, 0))
    // A body on end has no heading.
    guard forward.x * forward.x + forward.y * forward.y > 0.1 else { return }
    // ENU azimuth of travel is π/2 − course, counted from east to north.
    let measured = Float.pi / 2 - course - Elementary.atan2(forward.y, forward.x)
    let turns = Float(Int(measured / (2 * .pi) + (measured < 0 ? -0.5 : 0.5)))
    // Better than a twentieth of a degree no course is; a square that underflows would divide zero by zero.
    state.course.update(offset: measured - turns * (2 * .pi), uncertainty: max(uncertainty, 1e-3))
    turnHeading()
    stateUncertainty()
  }
}
