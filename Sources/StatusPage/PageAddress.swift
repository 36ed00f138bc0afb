/// Where the page is served.
public struct PageAddress: Equatable, Sendable {
  /// Name or address; loopback unless its owner says otherwise.
  public var host: String
  /// Port; 0 for any free one.
  public var port: UInt16

  /// An address.
  public init(host: String = "127.0.0.1", port: UInt16) {
    self.host = host
    self.port = port
  }

  /// `127.0.0.1:8080`, `[::1]:8080`: as in a link.
  public var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
