import LinuxDevices
import Quantities
import TrackerRuntime
import Telemetry

/// One way to a server, in an event loop.
///
/// It keeps trying by itself, with back-off, for as long as it runs. It never waits in a call. A packet taken twice while it
/// is under way is sent once.
package protocol Uplink: DeliveryPort, LoopMember {
  /// Joins the loop.
  ///
  /// - Throws: What no retry will mend, such as a certificate file that is not there. A server that can't be reached is
  ///   no failure here: it shows in `state`.
  func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure)

  /// Says goodbye as far as that takes no time, and leaves the loop.
  func stop()

  /// Facts for `leash status`: what was sent and acknowledged, reconnections, signal strength.
  var facts: [(name: String, value: String)] { get }
}

extension DeliveryPort where Self: Uplink {
  /// Yes: each has a queue in which alerts go first, and makes room for them.
  package var takesEveryAlert: Bool { true }
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
