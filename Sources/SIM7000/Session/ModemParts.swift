import InlineStorage

/// What of the driver is built.
///
/// A board that sends by MQTT alone leaves out the other transports, text messages and the modem's satellite receiver with
/// `-D LEASH_MODEM_MQTT_ONLY`: what is asked of them is refused, and their code is not linked. `scripts/driver-size.sh` shows what that
/// saves.
enum ModemParts {
  #if !LEASH_MODEM_MQTT_ONLY
    /// True for a driver that has MQTT and nothing else.
    @inline(__always) static var isMQTTAlone: Bool { false }
    /// The packet under way.
    typealias PacketBytes = InlineBytes<1024>
    /// NMEA sentences of the satellite receiver.
    typealias SentenceBytes = InlineBytes<1024>
    /// A text message.
    typealias MessageBytes = InlineBytes<512>
    /// A line of a TCP server.
    typealias ConnectionBytes = InlineBytes<256>
  #else
    /// True for a driver that has MQTT and nothing else.
    @inline(__always) static var isMQTTAlone: Bool { true }
    /// The packet under way: what MQTT takes.
    typealias PacketBytes = InlineBytes<512>
    /// What only other parts fill.
    typealias SentenceBytes = InlineBytes<1>
    typealias MessageBytes = InlineBytes<1>
    typealias ConnectionBytes = InlineBytes<1>
  #endif
}
