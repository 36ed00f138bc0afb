import CMicroHTTPD

/// Bytes of answers that slow clients have not taken yet.
final class OutgoingBytes {
  /// So many wait now.
  fileprivate(set) var count = 0
}

/// An answer for the server, destroyed with the value; the server keeps what it still needs of it.
struct PageResponse: ~Copyable {
  /// The server's own.
  let pointer: OpaquePointer
  /// Status code.
  let status: UInt32

  /// One answer's bytes: freed, and no longer counted, when the server has sent them or given up.
  private final class Body {
    let bytes: UnsafeMutableRawBufferPointer
    let outgoing: OutgoingBytes

    init(_ content: [UInt8], _ outgoing: OutgoingBytes) {
      bytes = .allocate(byteCount: content.count, alignment: 1)
      bytes.copyBytes(from: content)
      self.outgoing = outgoing
      outgoing.count += content.count
    }

    deinit {
      outgoing.count -= bytes.count
      bytes.deallocate()
    }
  }

  /// An answer.
  ///
  /// - Parameters:
  ///   - status: Status code.
  ///   - type: Media type of the body.
  ///   - content: The body.
  ///   - outgoing: Where its bytes are counted while they wait.
  ///   - allow: The methods that a resource knows, for 405.
  /// - Returns: nil when there is no memory.
  init?(_ status: UInt32, type: String, _ content: [UInt8], in outgoing: OutgoingBytes, allow: String? = nil) {
    let body = Unmanaged.passRetained(Body(content, outgoing))
    let bytes = body.takeUnretainedValue().bytes
    let made = MHD_create_response_from_buffer_with_free_callback_cls(
      bytes.count, bytes.baseAddress,
      { context in if let context { Unmanaged<Body>.fromOpaque(context).release() } }, body.toOpaque())
    guard let made else {
      body.release()
      return nil
    }
    pointer = made
    self.status = status
    MHD_add_response_header(pointer, "Content-Type", type)
    for (name, value) in Self.headers { MHD_add_response_header(pointer, name, value) }
    if let allow { MHD_add_response_header(pointer, "Allow", allow) }
    if status == 503 { MHD_add_response_header(pointer, "Retry-After", "5") }
  }

  /// A line of text, for whoever gets no page.
  init?(_ status: UInt32, _ line: String, in outgoing: OutgoingBytes) {
    self.init(
      status, type: "text/plain; charset=utf-8", Array((line + "\n").utf8), in: outgoing,
      allow: status == 405 ? "GET, HEAD" : nil)
  }

  deinit { MHD_destroy_response(pointer) }

  /// In every answer. The page may load and ask only its own server, no other page may frame it or read from it, and
  /// nothing of it stays in a cache.
  private static let headers = [
    ("Cache-Control", "no-store"),
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
  ]
}
