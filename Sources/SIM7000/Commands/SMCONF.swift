import ASCIIText
import ATCommands
import InlineStorage

/// Settings of the MQTT client: `AT+SMCONF="<tag>",<value>` → `OK`. Lost at reset.
///
/// `TOPIC`, `MESSAGE`, `QOS` and `RETAIN` describe the last will.
///
/// - Source: [sim7000at] `AT+SMCONF`; [sim7000an] MQTT(S).
package enum SMCONF {
  /// Sets the broker: `AT+SMCONF="URL","example.org","1883"`.
  @frozen package struct SetServer: ATCommand {
    /// Name or address.
    package let host: ServerAddress
    /// Port.
    package let port: UInt16
    /// True for `"example.org:1883"`, as older firmware wants it.
    package let isJoined: Bool
    /// The command; nil without a host or with port 0.
    package init?(host: ServerAddress, port: UInt16 = 1883, isJoined: Bool = false) {
      guard !host.isEmpty, port > 0 else { return nil }
      self.isJoined = isJoined
      self.host = host
      self.port = port
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+SMCONF=\"URL\"")
      sink.append(",\"")
      sink.append(bytes: host.bytes.span)
      sink.append(isJoined ? ":" : "\",\"")
      sink.append(number: port)
      sink.append("\"")
    }
  }

  /// Settings that are texts.
  @frozen package enum TextTag: UInt8, BitwiseCopyable, Sendable {
    /// Name of this client.
    case clientName
    /// User name.
    case user
    /// Password.
    case password
    /// Topic of the last will.
    case willTopic
    /// Last will.
    case willMessage
  }

  /// Sets a text: `AT+SMCONF="CLIENTID","tracker-1"`.
  @frozen package struct SetText: ATCommand {
    /// Which.
    package var tag: TextTag
    /// The text.
    package var text: TopicName
    /// The command.
    package init(_ tag: TextTag, _ text: TopicName) {
      self.tag = tag
      self.text = text
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+SMCONF=")
      switch tag {
      case .clientName: sink.append(quoted: "CLIENTID")
      case .user: sink.append(quoted: "USERNAME")
      case .password: sink.append(quoted: "PASSWORD")
      case .willTopic: sink.append(quoted: "TOPIC")
      case .willMessage: sink.append(quoted: "MESSAGE")
      }
      sink.append(nextQuoted: text)
    }
  }

  /// Settings that are numbers.
  @frozen package enum NumberTag: UInt8, BitwiseCopyable, Sendable {
    /// Seconds until the broker misses the client, 0 to 65,535.
    case keepAliveSeconds
    /// 1 to begin without what the broker kept, 0 to go on.
    case cleanSession
    /// Quality of service of the last will, 0 to 2.
    case willQuality
    /// 1 to have the broker retain the last will.
    case willRetained
  }

  /// Sets a number: `AT+SMCONF="KEEPTIME",60`.
  @frozen package struct SetNumber: ATCommand {
    /// Which.
    package let tag: NumberTag
    /// The number.
    package let number: UInt16
    /// The command; nil for a number the modem refuses.
    package init?(_ tag: NumberTag, _ number: UInt16) {
      switch tag {
      case .keepAliveSeconds: break
      case .willQuality: guard number <= 2 else { return nil }
      case .cleanSession, .willRetained: guard number <= 1 else { return nil }
      }
      self.tag = tag
      self.number = number
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+SMCONF=")
      switch tag {
      case .keepAliveSeconds: sink.append(quoted: "KEEPTIME")
      case .cleanSession: sink.append(quoted: "CLEANSS")
      case .willQuality: sink.append(quoted: "QOS")
      case .willRetained: sink.append(quoted: "RETAIN")
      }
      sink.append(next: number)
    }
  }
}
