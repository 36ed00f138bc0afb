import LinuxDevices
import Quantities
import TrackerRuntime
import Telemetry

/// One way to a server, in an event loop.
///
/// It keeps trying by itself, with back-off, for as long as it runs. It never waits in a call. A packet taken twice for
/// the same way while it is under way is sent once.
package protocol Uplink: DeliveryPort, LoopMember {
  /// Joins the loop.
  ///
  /// - Throws: What no retry will mend, such as a certificate file that is not there. A server that can't be reached is
  ///   no failure here: it shows in `state`.
  func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure)

  /// Says goodbye as far as that takes no time, and leaves the loop.
  func stop()

  /// Why it failed last, while it would try the next packet but has delivered nothing since; nil when there is no such doubt. Delivery
  /// takes it for open, or a server that is back would not be found; people are not told that it works.
  var doubt: String? { get }

  /// Facts for `leash status`: what was sent and acknowledged, reconnections, signal strength.
  var facts: [(name: String, value: String)] { get }
}

extension DeliveryPort where Self: Uplink {
  /// Yes: each has a queue in which alerts go first, and makes room for them.
  package var takesEveryAlert: Bool { true }
}

extension Uplink {
  /// None: what is open has been opened with the server.
  package var doubt: String? { nil }
}

/// An uplink that tells its owner what is new as soon as it is.
protocol TellingUplink: AnyObject {
  /// How it stands.
  var state: UplinkState { get set }
  /// What the owner has not taken yet.
  var news: [UplinkNews] { get set }
  /// Called when there is news or the state has changed.
  var onNews: () -> Void { get }
}

extension TellingUplink {
  func show(_ next: UplinkState) {
    guard next != state else { return }
    state = next
    onNews()
  }

  func tell(_ item: UplinkNews) {
    news.append(item)
    onNews()
  }
}
