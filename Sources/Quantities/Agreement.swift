extension Float {
  /// What two values agree on: the smaller, or nothing when one is up and the other down.
  package func agreed(with other: Float) -> Float {
    guard self * other > 0 else { return 0 }
    return magnitude < other.magnitude ? self : other
  }
}

extension Vector3 {
  /// What two vectors agree on, component by component.
  package func agreed(with other: Vector3) -> Vector3 {
    Vector3(x.agreed(with: other.x), y.agreed(with: other.y), z.agreed(with: other.z))
  }
}
