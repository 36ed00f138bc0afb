import FlashStorage

/// What an image that was started does about being confirmed.
///
/// A packet that gets through after the start shows that modem, driver, network and state work: what an image needs to take the next
/// update.
package struct UpdateTrial: BitwiseCopyable, Sendable {
  /// What is to be done.
  package enum Task: Equatable, Sendable {
    case nothing
    /// Write the mark `confirmed` to the slot that runs.
    case confirm
    /// Restart: no packet has got through in time. That counts as a start that has failed.
    case restart
  }

  /// So many milliseconds a start has for a packet.
  package static var patience: UInt32 { 3_600_000 }

  private var isOpen: Bool
  private var hasDelivered = false

  /// - Parameter isTrial: False for an image that is confirmed, which has nothing to do.
  package init(isTrial: Bool) { isOpen = isTrial }

  /// A packet has got through.
  package mutating func noteDelivery() { hasDelivered = true }

  /// What is to be done after so many milliseconds since the start.
  package func task(at uptime: UInt32) -> Task {
    guard isOpen else { return .nothing }
    if hasDelivered { return .confirm }
    return uptime >= UpdateTrial.patience ? .restart : .nothing
  }

  /// The mark was written, and nothing more is to be done.
  package mutating func noteConfirmed() { isOpen = false }
}
