import SIM7000

extension ModemText {
  /// A text; nil when the modem can't take it.
  package init?(string: String) { self.init(Array(string.utf8).span) }

  /// The text.
  package var string: String {
    bytes.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
