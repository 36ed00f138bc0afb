/// Where MQTT is to bring a packet.
@frozen public struct ModemPublication: Equatable, BitwiseCopyable, Sendable {
  /// Its topic; empty for that of the configuration.
  public var topic: TopicName
  /// Whether the broker keeps it for those who come later. Default: no.
  public var isRetained: Bool

  /// To the topic of the configuration, unless said otherwise.
  @inlinable public init(topic: TopicName = TopicName(), isRetained: Bool = false) {
    self.topic = topic
    self.isRetained = isRetained
  }
}
