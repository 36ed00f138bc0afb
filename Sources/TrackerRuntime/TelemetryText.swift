public import Telemetry

extension ReceiverList {
  /// The kinds that each receiver wants: `all`, or kinds joined by `+`; receivers are separated by commas. A `#` and a number
  /// behind them say who they are.
  public var text: String {
    let kinds = (0..<count).map { self[$0].text }.joined(separator: ",")
    return identity == 0 ? kinds : "\(kinds)#\(identity)"
  }

  /// Reads such a list; nil when the text is none.
  public init?(text: String) {
    let words = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = words[0].split(separator: ",", omittingEmptySubsequences: false)
    guard (1...ReceiverList.capacity).contains(parts.count) else { return nil }
    self.init()
    if words.count == 2 {
      guard let identity = UInt32(words[1]) else { return nil }
      self.identity = identity
    }
    for (place, part) in parts.enumerated() {
      guard let kinds = PacketKindSet(String(part)) else { return nil }
      if place == 0 { self[0] = kinds } else { append(kinds) }
    }
  }
}

extension PacketFormat {
  /// The format of a name; nil when there is none.
  public init?(_ name: String) {
    guard let format = PacketFormat.allCases.first(where: { "\($0.name)" == name }) else { return nil }
    self = format
  }
}

extension PacketKindSet {
  /// `all`, or the kinds joined by `+`.
  public var text: String {
    if self == .all { return "all" }
    return PacketKind.allCases.filter { contains($0) }.map { "\($0.name)" }.joined(separator: "+")
  }

  /// Reads `all`, or kinds joined by `+`; nil when the text is neither.
  public init?(_ text: String) {
    self = text == "all" ? .all : []
    guard text != "all" else { return }
    for word in text.split(separator: "+", omittingEmptySubsequences: false) {
      guard let kind = PacketKind.allCases.first(where: { "\($0.name)" == word }) else { return nil }
      insert(PacketKindSet(kind))
    }
  }
}
