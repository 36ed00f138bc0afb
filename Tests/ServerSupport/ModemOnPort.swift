import Foundation
import LinuxDevices
import ModemBridge
import ModemSimulation

/// A simulated modem behind a pseudo-terminal, its requests carried to real servers, served on a thread until `unplug`.
package final class ModemOnPort: Sendable {
  /// The port, or the link to it.
  package let path: String
  private let stop: WakeUp
  private let isDone = DispatchSemaphore(value: 0)

  /// Plugs it in.
  ///
  /// - Parameter link: Where a link to the port is to stand, for a path that is the same after it was plugged in again.
  package init(_ settings: ModemServer.Settings = ModemServer.Settings(), link: String? = nil) throws {
    var settings = settings
    settings.link = link
    let stop = try WakeUp()
    let server = try ModemServer(settings)
    path = link ?? server.path
    self.stop = stop
    let isDone = isDone
    nonisolated(unsafe) var own: ModemServer? = server
    Thread {
      try? own?.run(until: stop.descriptor)
      own = nil
      isDone.signal()
    }.start()
  }

  /// Pulls the plug; returns when the port is gone.
  package func unplug() {
    stop.signal()
    isDone.wait()
    isDone.signal()
  }

  deinit { unplug() }
}
