public import Quantities

/// What the owner carries, as it is distinguished from others by Bluetooth Low Energy.
public enum OwnerTag: Equatable, Hashable, Sendable {
  /// A device by its address, as in `C0:FF:EE:01:02:03`.
  case address(String)
  /// Whatever offers a service, by its UUID of 128 bits in small letters.
  case service(String)

  /// Reads an address, or a UUID of 16 or 128 bits; nil when the text is neither.
  ///
  /// - Source: a UUID of 16 bits stands for one of 128 with the base of the Bluetooth Core Specification, volume 3, part B, 2.5.1.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count == 6, parts.allSatisfy({ $0.utf8.count == 2 && OwnerTag.isHexadecimal($0) }) {
      self = .address(text.uppercased())
    } else if text.utf8.count == 4, OwnerTag.isHexadecimal(text[...]) {
      self = .service("0000\(text.lowercased())-0000-1000-8000-00805f9b34fb")
    } else {
      let groups = text.split(separator: "-", omittingEmptySubsequences: false)
      guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12], groups.allSatisfy(OwnerTag.isHexadecimal) else { return nil }
      self = .service(text.lowercased())
    }
  }

  private static func isHexadecimal(_ text: Substring) -> Bool { text.allSatisfy { $0.isASCII && $0.isHexDigit } }

  /// As it is written.
  public var text: String {
    switch self {
    case .address(let text), .service(let text): text
    }
  }
}

/// Looks out for devices that advertise themselves; BlueZ on a board, whatever a test says elsewhere.
public protocol TagScanner: AnyObject {
  /// Where it looks, for people: `Bluetooth`.
  var name: String { get }
  /// Takes what was just heard: a device's address, and the services it is known to offer.
  var onSighting: (_ address: String, _ services: Set<String>, _ time: Instant) -> Void { get set }
  /// Begins; it never waits in a call.
  ///
  /// - Throws: When there is nothing to look with; what shows only later is in `failure`.
  func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure)
  /// Ends.
  func stop()
  /// Why it looks no more since the last `start`; nil while it works.
  var failure: DeviceFailure? { get }
}
