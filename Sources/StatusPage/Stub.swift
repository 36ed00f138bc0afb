public import LinuxDevices
public import Quantities
public struct PageContent { public init(status: @escaping () -> [UInt8], history: @escaping (Int) -> [UInt8], dialogue: @escaping (Int) -> [UInt8], fences: @escaping () -> [UInt8]) {} }
public final class StatusPageServer: LoopMember { public init(_ a: PageAddress, content: PageContent) {}
 public var link: String? { nil }
 public func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {}
 public func stop() {}
 public func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}
 public func advance(to now: Instant) {}
 public var nextDeadline: Instant? { nil } }
