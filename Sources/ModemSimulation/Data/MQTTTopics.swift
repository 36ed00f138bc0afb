import Quantities

// SMPUB, SMPUBHEX, SMSUB, SMUNSUB: messages.
//
// Source: [sim7000-at] chapter 14; [sim7000-mqtt] section 2.

extension SimulatedModem {
  /// The commands of this file.
  static var mqttTopicCommands: [SimulatedCommand] {
    [
      sessionCommand("+SMPUB") { modem, call in modem.smpub(call) },
      sessionCommand("+SMPUBHEX") { modem, call in
        switch call.form {
        case .read: return Answer.ok.line("+SMPUBHEX: \(modem.data.mqtt.publishesHexadecimal ? 1 : 0)")
        case .test: return Answer.ok.line("+SMPUBHEX: (0,1)")
        case .execute: return .error
        case .write:
          guard let value = call.integer(0, in: 0...1) else { return .error }
          modem.data.mqtt.publishesHexadecimal = value == 1
          return .ok
        }
      },
      sessionCommand("+SMSUB") { modem, call in
        guard call.form == .write, call.count == 2, let topic = modem.mqttTopic(call), TopicFilter.isValid(topic),
          let qos = call.integer(1, in: 0...2)
        else { return .error }
        return modem.askBroker { .mqttSubscribe(id: $0, message: $1, topic: topic, qos: qos) }
      },
      sessionCommand("+SMUNSUB") { modem, call in
        guard call.form == .write, call.count == 1, let topic = modem.mqttTopic(call) else { return .error }
        return modem.askBroker { .mqttUnsubscribe(id: $0, message: $1, topic: topic) }
      },
    ]
  }

  /// The topic of a command; nil when there is none, it is too long, or there is no session.
  private func mqttTopic(_ call: CommandCall) -> String? {
    guard data.mqtt.phase == .open, let topic = call.string(0), !topic.isEmpty,
      topic.utf8.count <= MQTTState.maximumTopic
    else { return nil }
    return topic
  }

  /// Asks the broker for something and waits until it has it. Without an answer the connection counts as broken.
  private mutating func askBroker(
    after limit: Interval? = nil, _ request: (_ id: Int, _ message: Int) -> NetworkRequest?
  ) -> Answer {
    data.mqtt.message += 1
    data.mqtt.pending = data.mqtt.message
    schedule(.data(.mqttDrops), after: limit ?? configuration.data.publicationTimeout)
    if let id = data.mqtt.id, let request = request(id, data.mqtt.message) { askOpen(request) }
    return .later
  }

  /// `AT+SMPUB="topic",<length>,<qos>,<retain>`.
  private mutating func smpub(_ call: CommandCall) -> Answer {
    guard call.form == .write, call.count == 4, let topic = mqttTopic(call), TopicFilter.isTopic(topic),
      let length = call.integer(1, in: 0...MQTTState.maximumPayload), let qos = call.integer(2, in: 0...2),
      let retain = call.integer(3, in: 0...1)
    else { return .error }
    return .prompt(
      Prompt(
        text: Prompt.greaterThan, length: length, timeout: nil,
        purpose: .data(.publication(topic: topic, qos: qos, isRetained: retain == 1))))
  }

  /// The payload is there. With quality of service 0 the module does not wait for anybody.
  mutating func publish(_ bytes: [UInt8], to topic: String, qos: Int, isRetained: Bool) -> Answer {
    guard data.mqtt.phase == .open else { return .error }
    var payload = bytes
    if data.mqtt.publishesHexadecimal {
      guard let decoded = SimulatedModem.decodeHexadecimal(bytes) else { return .error }
      payload = decoded
    }
    func request(_ id: Int, _ message: Int) -> NetworkRequest {
      .mqttPublish(
        id: id, message: message, topic: topic, payload: payload, qos: qos, isRetained: isRetained)
    }
    let isAlive = data.mqtt.id != nil && !faults.isConnectionStale
    if faults.dropsNextPublication || !isAlive {
      let isHandled = isAlive && random.integer(below: 2) == 0
      faults.dropsNextPublication = false
      tellingsLost += 1
      let answer = askBroker(after: configuration.data.publicationDropDelay) { id, message in
        // A dying connection may or may not have got the message out.
        isHandled ? request(id, message) : nil
      }
      // Whoever acknowledges it now is not heard.
      data.mqtt.pending = -1
      return answer
    }
    if qos == 0, let id = data.mqtt.id {
      data.mqtt.message += 1
      askOpen(request(id, data.mqtt.message))
      return .ok
    }
    return askBroker { request($0, $1) }
  }

  /// Bytes of pairs of hexadecimal digits; nil when they are none.
  static func decodeHexadecimal(_ digits: [UInt8]) -> [UInt8]? {
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let byte = UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  /// A message came: one line, nothing in it escaped.
  mutating func mqttReceives(_ topic: String, _ payload: [UInt8]) {
    guard data.mqtt.phase == .open else { return }
    urc(bytes: Array("+SMSUB: \"\(topic)\",\"".utf8) + payload + [UInt8(ascii: "\"")])
  }
}
