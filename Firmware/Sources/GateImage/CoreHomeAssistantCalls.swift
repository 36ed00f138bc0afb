import ASCIIText
import HomeAssistant
import InlineStorage

// What a firmware would have its broker keep for Home Assistant.

extension CoreRun {
  /// Calls what writes messages of discovery, in both forms.
  mutating func homeAssistant() {
    var id = InlineBytes<32>("bike")
    id.append(opaque(0x2E))
    var device = HomeAssistantDevice(trackerID: id.span)
    device.topic.append("leash/bike/packet")
    device.commandTopic.append("leash/bike/request")
    device.availabilityTopic.append("leash/bike/available")
    device.requests = HomeAssistantRequests(rawValue: UInt16(opaque(0x55)))
    let prefix = InlineBytes<16>("homeassistant")
    var text = TextSum()
    var shown: UInt8 = 0
    var place: UInt8 = 0
    while let entity = HomeAssistantEntity(rawValue: place) {
      device.encodeTopic(of: entity, prefix: prefix.span, into: &text)
      if device.encode(entity, into: &text) { shown += 1 }
      place += 1
    }
    expect(place == HomeAssistantEntity.count && shown == HomeAssistantEntity.count - 4)
    device.encodeTopic(prefix: prefix.span, into: &text)
    expect(device.addZone(prefix.span))
    device.encode(into: &text)
    note(text.sum)
  }
}
