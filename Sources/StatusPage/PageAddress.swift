/// Where the page is served.
package struct PageAddress: Equatable, Sendable {
  /// Name or address; loopback unless its owner says otherwise.
  package var host: String
  /// Port; 0 for any free one.
  package var port: UInt16

  /// An address.
  package init(host: String = "127.0.0.1", port: UInt16) {
    self.host = host
    self.port = port
  }

  /// `127.0.0.1:8080`, `[::1]:8080`: as in a link.
  package var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
