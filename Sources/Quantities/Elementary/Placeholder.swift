extension Elementary {
  public static func sin(_ x: Float) -> Float { x }
  public static func cos(_ x: Float) -> Float { 1 }
  public static func atan2(_ y: Float, _ x: Float) -> Float { y / x }
  public static func atan2(_ y: Double, _ x: Double) -> Double { y / x }
}
