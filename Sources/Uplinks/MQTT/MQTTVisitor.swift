package import LinuxDevices
package import Quantities

/// A short visit to a broker, for a command: it waits in its calls, which nothing else may do.
package final class MQTTVisitor {
  private let client: any MQTTClient
  private var acknowledged: Set<Int32> = []
  private var heard: [MQTTMessage] = []
  private var answer: Int32?

  /// Connects, with a session that ends with the visit.
  ///
  /// - Parameters:
  ///   - settings: The broker; its will and announcement are left out.
  ///   - name: What is put behind the client's name, so that the tracker itself is not thrown out.
  ///   - limit: How long it may take.
  /// - Throws: Why it can't be reached, for people.
  package init(_ settings: MQTTSettings, as name: String, within limit: Interval) throws(DeviceFailure) {
    var settings = settings
    settings.clientID += name
    settings.keepsSession = false
    settings.will = nil
    settings.announcement = nil
    var reason = "libmosquitto does not take the settings"
    for host in settings.hosts {
      (settings.host, settings.port) = (host.name, host.port)
      guard let client = MQTTUplink.mosquitto(settings) else { continue }
      let mailbox = try Mailbox<MQTTConnection>()
      let deadline = MonotonicClock.now + limit
      guard client.connect(settings, mailbox: mailbox) else { continue }
      var connection: MQTTConnection?
      while connection == nil, MonotonicClock.now < deadline {
        var wait = EventWait()
        wait.add(mailbox.wakeUp.descriptor, reading: true, writing: false)
        wait.wait(until: deadline)
        connection = mailbox.takeAll().first
      }
      guard let connection else {
        client.abandon()
        reason = "\(host.text): it can't be reached in time"
        continue
      }
      guard connection.code == 0 else {
        reason =
          "\(host.text): "
          + MQTTWords.failure(
            connection.code, errorNumber: connection.errorNumber, complaint: client.complaint, host: host.name
          ).reason
        continue
      }
      self.client = client
      var answer: Int32?
      var code: Int32 = 0
      while answer == nil, code == 0, client.socket >= 0, MonotonicClock.now < deadline {
        code = MQTTVisitor.turn(client, until: deadline)
        for case .answered(let given) in client.takeEvents() { answer = given }
      }
      if answer == 0 { return }
      reason =
        "\(host.text): "
        + (answer.map { MQTTWords.refusal($0) }
          ?? (code == 0 ? "connected, but the broker does not answer" : MQTTWords.failure(
            code, errorNumber: 0, complaint: client.complaint, host: host.name
          ).reason))
    }
    throw DeviceFailure(reason)
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
