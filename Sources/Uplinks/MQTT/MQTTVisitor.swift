import LinuxDevices
import Quantities

/// A short visit to a broker, for a command: it waits in its calls, which nothing else may do.
package final class MQTTVisitor {
  /// Why a broker can't be visited, for people.
  package struct Failure: Error, Equatable {
    /// The reason, with the broker in front.
    package var message: String
  }

  private let client: any MQTTClient
  private var acknowledged: Set<Int32> = []
  private var heard: [MQTTMessage] = []

  /// Connects, with a session that ends with the visit.
  ///
  /// - Parameters:
  ///   - settings: The broker; its will and announcement are left out.
  ///   - name: What is put behind the client's name, so that the tracker itself is not thrown out.
  ///   - limit: How long it may take.
  /// - Throws: Why it can't be reached, for people.
  package init(_ settings: MQTTSettings, as name: String, within limit: Interval) throws(Failure) {
    var settings = settings
    settings.clientID += name
    settings.keepsSession = false
    settings.will = nil
    settings.announcement = nil
    var reason = "libmosquitto refused the settings"
    for host in settings.hosts {
      (settings.host, settings.port) = (host.name, host.port)
      guard let client = MQTTUplink.mosquitto(settings) else { continue }
      guard let problem = MQTTVisitor.problem(connecting: client, settings, within: limit) else {
        self.client = client
        return
      }
      reason = "\(host.text): \(problem)"
    }
    throw Failure(message: reason)
  }

  /// Connects; nil when the broker has said yes.
  private static func problem(
    connecting client: any MQTTClient, _ settings: MQTTSettings, within limit: Interval
  ) -> String? {
    guard let mailbox = try? Mailbox<MQTTConnection>() else { return "no file descriptors left" }
    let deadline = MonotonicClock.now + limit
    guard client.connect(settings, mailbox: mailbox) else { return "the system has no threads left" }
    var connection: MQTTConnection?
    while connection == nil, MonotonicClock.now < deadline {
      var wait = EventWait()
      wait.add(mailbox.wakeUp.descriptor, reading: true, writing: false)
      wait.wait(until: deadline)
      connection = mailbox.takeAll().first
    }
    guard let connection else {
      client.abandon()
      return "it can't be reached in time"
    }
    var code = connection.code
    while code == 0, client.socket >= 0, MonotonicClock.now < deadline {
      code = turn(client, until: deadline)
      for case .answered(let answer) in client.takeEvents() {
        return answer == 0 ? nil : MQTTWords.refusal(answer)
      }
    }
    guard code != 0 || client.socket < 0 else { return "connected, but the broker does not answer" }
    return MQTTWords.failure(
      code, errorNumber: connection.errorNumber, complaint: client.complaint, host: settings.host
    ).reason
  }

  /// Waits for the socket and reads or writes.
  private static func turn(_ client: any MQTTClient, until deadline: Instant) -> Int32 {
    var wait = EventWait()
    wait.add(client.socket, reading: true, writing: client.wantsToWrite)
    wait.wait(until: deadline)
    let code = client.process([.reading, .writing])
    return code != 0 ? code : client.processTime()
  }

  private func turn(until deadline: Instant) -> Bool {
    guard client.socket >= 0 else { return false }
    let code = MQTTVisitor.turn(client, until: min(deadline, MonotonicClock.now + .milliseconds(200)))
    for event in client.takeEvents() {
      switch event {
      case .acknowledged(let number): acknowledged.insert(number)
      case .message(let bytes, let topic, _): heard.append(MQTTMessage(topic: topic, bytes: bytes))
      case .answered, .subscribed: break
      }
    }
    return code == 0
  }

  /// Has the broker keep messages, one after another.
  ///
  /// - Returns: How many it has acknowledged: all, or those before the connection broke or the time was over.
  package func publish(_ messages: [MQTTMessage], within limit: Interval) -> Int {
    let deadline = MonotonicClock.now + limit
    for (place, message) in messages.enumerated() {
      let (code, number) = client.publish(message.bytes, topic: message.topic, isRetained: true)
      guard code == 0 else { return place }
      while !acknowledged.contains(number) {
        guard MonotonicClock.now < deadline, turn(until: deadline) else { return place }
      }
    }
    return messages.count
  }

  /// Listens to topics.
  ///
  /// - Parameters:
  ///   - topics: The topics.
  ///   - limit: How long.
  ///   - isEnough: Ends it before.
  /// - Returns: What came, the oldest first.
  package func listen(
    to topics: [String], for limit: Interval, until isEnough: ([MQTTMessage]) -> Bool = { _ in false }
  ) -> [MQTTMessage] {
    heard = []
    for topic in topics { client.subscribe(topic) }
    let deadline = MonotonicClock.now + limit
    while MonotonicClock.now < deadline, !isEnough(heard), turn(until: deadline) {}
    return heard
  }

  /// Says goodbye.
  package func leave() { client.disconnect(within: .milliseconds(500)) }
}
