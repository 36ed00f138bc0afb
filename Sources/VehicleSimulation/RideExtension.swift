public import Quantities
public struct ParkingScene: Sendable { public static let tenMinutesThenThief = ParkingScene() }
public struct RideExtension {
  public enum Output: Equatable, Sendable { case inertial(InertialSample), fix(GNSSFix) };
  public struct Remark: Sendable { public var time: Instant; public var text: String }
  public init(seed: UInt64, hertz: Int = 100, scene: ParkingScene?) {}; public mutating func receive(_ fix: GNSSFix) {};
  public mutating func finish() { isFinished = true }; public mutating func next() -> Output? { nil };
  public var isFinished = false; public var remarks: [Remark] { [] }
}
