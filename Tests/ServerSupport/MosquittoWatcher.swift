import Foundation
import LinuxDevices
import ModemBridge
import ModemSimulation
import Quantities
import Synchronization

/// A client of a broker that collects what is published, on a thread of its own, and publishes for tests.
package final class MosquittoWatcher: Sendable {
  /// A message.
  package struct Message: Equatable, Sendable {
    /// Where it was published.
    package var topic: String
    /// Its text.
    package var text: String
  }

  private let replies = Mutex<[NetworkReply]>([])
  private let requests = Mutex<[NetworkRequest]>([])
  private let wakeUp: WakeUp
  private let arrival = DispatchSemaphore(value: 0)
  private let isStopped = Atomic<Bool>(false)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Returns when it is subscribed to everything.
  package init(port: UInt16, user: String = "", password: String = "") throws {
    wakeUp = try WakeUp()
    let thread = Thread { [self] in run() }
    thread.start()
    var settings = MQTTConnectRequest(host: "127.0.0.1", port: port, clientID: "watcher-\(UUID().uuidString.prefix(8))")
    settings.user = user
    settings.password = password
    ask(.mqttConnect(id: 1, settings))
    try wait { $0.contains(.mqttConnected(id: 1)) }
    ask(.mqttSubscribe(id: 1, message: 1, topic: "#", qos: 1))
    try wait { $0.contains(.mqttAcknowledged(id: 1, message: 1)) }
  }

  /// Ends it.
  package func stop() {
    guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
    wakeUp.signal()
    hasEnded.wait()
  }

  private func ask(_ request: NetworkRequest) {
    requests.withLock { $0.append(request) }
    wakeUp.signal()
  }

  private func wait(until holds: ([NetworkReply]) -> Bool) throws {
    while !replies.withLock({ holds($0) }) {
      guard arrival.wait(timeout: .now() + 10) == .success else { throw POSIXError(.ETIMEDOUT) }
    }
  }

  /// Waits for so many messages in all; false when they do not come within ten seconds of one another.
  package func wait(forMessages count: Int) -> Bool {
    while messages.count < count {
      guard arrival.wait(timeout: .now() + 10) == .success else { return false }
    }
    return true
  }

  private func run() {
    defer { hasEnded.signal() }
    guard let bridge = try? NetworkBridge() else { return }
    var wait = EventWait()
    while !isStopped.load(ordering: .acquiring) {
      for request in requests.withLock({ requests in
        defer { requests = [] }
        return requests
      }) { bridge.take(request) }
      while let reply = bridge.nextReply() {
        replies.withLock { $0.append(reply) }
        arrival.signal()
      }
      wait.removeAll()
      wait.add(wakeUp.descriptor)
      bridge.addDescriptors(to: &wait)
      wait.wait(until: bridge.nextDeadline)
      if wait.isReadable(0) { wakeUp.clear() }
      bridge.process(wait)
    }
  }

  /// All messages so far.
  package var messages: [Message] {
    replies.withLock { replies in
      replies.compactMap { reply in
        guard case .mqttMessage(_, let topic, let payload) = reply else { return nil }
        return Message(topic: topic, text: String(decoding: payload, as: UTF8.self))
      }
    }
  }

  /// Publishes a text at quality of service 1.
  package func publish(_ text: String, to topic: String, isRetained: Bool = false) {
    ask(.mqttPublish(id: 1, message: 2, topic: topic, payload: Array(text.utf8), qos: 1, isRetained: isRetained))
  }
}
