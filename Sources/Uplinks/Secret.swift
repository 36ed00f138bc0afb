/// A password or PIN: it is never printed, not even by accident.
public struct Secret: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The text itself, for the library that needs it.
  public var revealed: String

  /// A secret.
  public init(_ text: String) { revealed = text }

  /// Stars, whatever the text is.
  public var description: String { "***" }
  /// Stars, whatever the text is.
  public var debugDescription: String { "***" }
  /// No children: `dump` shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
