/// A password or PIN: it is never printed, not even by accident.
package struct Secret: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The text itself, for the library that needs it.
  package var revealed: String

  /// A secret.
  package init(_ text: String) { revealed = text }

  /// Stars, whatever the text is.
  package var description: String { "***" }
  /// Stars, whatever the text is.
  package var debugDescription: String { "***" }
  /// No children: `dump` shows nothing.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
