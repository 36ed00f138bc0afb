import Requests
import TrackerCore

/// Requests as people, servers and Home Assistant's controls send them, and the words that say who is there.
enum RequestReading {
  /// A request; nil when the text is none.
  ///
  /// - Parameter isWhole: Whether it must be one that a tracker understands; else one that only begins like one is shown with what
  ///   is expected.
  static func message(_ text: [UInt8], isWhole: Bool) -> DecodedMessage? {
    // A file of several is read line by line.
    guard !text.contains(0x0A), let envelope = RequestEnvelope(text.span) else { return nil }
    let request = Array(text[envelope.start..<envelope.end])
    let words = request.split(separator: 0x20)
    guard let first = words.first.flatMap({ String(validating: $0, as: UTF8.self) }),
      let shown = String(validating: request, as: UTF8.self),
      let kind = RequestKind.allCases.first(where: { "\($0.word)" == first.lowercased() })
    else { return nil }
    let isRight = Request(request.span) != nil
    guard isRight || !isWhole else { return nil }
    var fields: [DecodedField] = []
    // A secret of the owner's: whoever looks over a shoulder does not read it here.
    if let word = text[..<envelope.start].split(separator: 0x20).first, word.first != 0x23 {
      fields.append(DecodedField("pin", "****", meaning: "PIN, not shown"))
    }
    if let number = envelope.number {
      fields.append(DecodedField("number", "\(number)", meaning: "its number: it is obeyed once"))
    }
    var meaning = "\(kind.help)"
    if words.count > 1 || !isRight { meaning += "; written \(kind.syntax)" }
    fields.append(
      DecodedField(
        "request", shown, meaning: meaning, trap: .retainedCommand,
        problem: isRight ? nil : "no tracker understands it; expected \(kind.syntax)"))
    if let counter = envelope.counter {
      fields.append(DecodedField("counter", "\(counter)", meaning: "higher than that of the signature before"))
      let code = text[envelope.end...].split(separator: 0x3A).last ?? []
      fields.append(
        DecodedField(
          "signature", String(decoding: code, as: UTF8.self), meaning: "HMAC by the owner's key, not checked here"))
    }
    return DecodedMessage(form: .request, type: "\(kind.word)", fields: fields, facts: DecodedFacts())
  }

  /// `online` or `offline` on a topic, of a tracker or of Home Assistant itself; nil for other text.
  static func availability(_ text: [UInt8], topic: String) -> DecodedMessage? {
    let isThere = text.elementsEqual("online".utf8)
    guard isThere || text.elementsEqual("offline".utf8) else { return nil }
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    let isServer = levels.count == 2 && levels[1] == "status"
    let meaning =
      switch (isServer, isThere) {
      case (true, true): "Home Assistant has started: trackers announce themselves again"
      case (true, false): "Home Assistant has stopped"
      case (false, true): "the tracker is connected"
      case (false, false): "the tracker is not connected, by its own word or the broker's"
      }
    return DecodedMessage(
      form: .homeAssistant, type: "availability",
      fields: [
        DecodedField(
          "availability", isThere ? "online" : "offline", meaning: meaning, trap: isServer ? nil : .availability)
      ], facts: DecodedFacts())
  }
}
