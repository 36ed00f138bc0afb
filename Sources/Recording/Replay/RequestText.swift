import ASCIIText
public import TrackerCore

/// Requests of the owner as Swift text; the core has their grammar.
extension Request {
  /// Reads a request; nil when the text is none.
  public init?(text: String) { self.init(Array(text.utf8).span) }

  /// The request as text.
  public var text: String {
    var buffer = ByteBuffer()
    encode(into: &buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}
