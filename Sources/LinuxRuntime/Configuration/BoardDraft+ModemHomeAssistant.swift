import HomeAssistant
import JSON5
import SIM7000
import Uplinks

/// Home Assistant behind the modem's broker.
extension BoardDraft {
  private func transport(of draft: UplinkDraft) -> ModemTransport {
    draft.transport ?? configuration.modem?.transport ?? .http
  }

  /// What follows from Home Assistant for the modem's settings that the file does not have, and which messages it takes.
  mutating func fillForModemHomeAssistant(
    _ draft: inout UplinkDraft, _ given: [String: GivenValue], _ label: String, _ position: TextPosition
  ) {
    draft.usesModem = true
    guard draft.homeAssistant.isOn, let modem = configuration.modem else { return }
    if transport(of: draft) != .mqtt {
      draft.homeAssistant.isOn = false
      return reader.note(
        "'\(label).homeAssistant': Home Assistant listens to a broker, and the transport is "
          + "\"\(transport(of: draft))\"; expected \"mqtt\"", at: given["homeAssistant"]?.position ?? position)
    }
    draft.mqtt.topic = modem.driver.mqttTopic.string
    draft.mqtt.commandTopic = modem.driver.mqttCommandTopic.isEmpty ? nil : modem.driver.mqttCommandTopic.string
    draft.mqtt.isRetained = modem.isRetained
    // One message for all is too long.
    draft.homeAssistant.form = .components
    let told = Set(places.modem.keys.compactMap { $0.hasPrefix("mqtt.") ? String($0.dropFirst("mqtt.".count)) : nil })
    fillForHomeAssistant(&draft, told.union(given.keys))
  }

  /// Sets the modem up for Home Assistant, as far as it is wanted, and checks what it can't carry.
  mutating func setModemHomeAssistant(_ draft: UplinkDraft, _ label: String, _ position: TextPosition) {
    guard draft.homeAssistant.isOn, configuration.modem != nil else { return }
    let settings = homeAssistant(draft)
    let place = places.modem["mqtt.topic"] ?? position
    let (message, topic) = (settings.longestMessage, settings.longestTopic)
    if message > ModemTransport.mqtt.payloadLimit {
      reader.note(
        "'\(label).homeAssistant': the longest announcement has \(message) bytes, and the modem takes "
          + "\(ModemTransport.mqtt.payloadLimit); expected a shorter id, name, list of zones or topic", at: position)
    }
    guard topic <= TopicName.capacity else {
      return reader.note(
        "'\(label).homeAssistant': the longest topic has \(topic) bytes, and the modem takes "
          + "\(TopicName.capacity); expected a shorter id or 'homeAssistant.prefix'", at: position)
    }
    guard let own = TopicName(string: draft.mqtt.topic),
      let commands = TopicName(string: draft.mqtt.commandTopic ?? ""),
      let available = TopicName(string: draft.homeAssistant.availability),
      let server = TopicName(string: draft.homeAssistant.prefix + "/status")
    else {
      return reader.note(
        "'\(label).homeAssistant': the modem takes topics without quotes, backslashes and control characters", at: place
      )
    }
    let rows: [String: ConfigurationValue] = [
      "topic": .text(draft.mqtt.topic), "commandTopic": .text(draft.mqtt.commandTopic ?? ""),
      "retain": .boolean(draft.mqtt.isRetained),
    ]
    changeModem(showing: rows) { modem in
      modem.driver.mqttTopic = own
      modem.driver.mqttCommandTopic = commands
      modem.driver.mqttAvailabilityTopic = available
      modem.driver.mqttServerTopic = server
      modem.isRetained = draft.mqtt.isRetained
      modem.homeAssistant = settings
    }
  }
}
