/// Why a recording could not be read or written, in words a person can act on.
public struct RecordingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What sort of failure it is; the tool maps it to its exit code.
  public enum Kind: Equatable, Sendable {
    /// The operating system refused; the value is `errno`.
    case system(code: Int32)
    /// The content is not what the format asks for.
    case malformed
    /// The content ends too early; everything before the end was delivered.
    case truncated
    /// The caller gave something the format cannot hold.
    case unsupported
  }

  /// Sort of failure.
  public var kind: Kind
  /// Path of the file as it was given, or `standard input`.
  public var file: String
  /// Line, counted from 1, where there is one.
  public var line: Int?
  /// What was found.
  public var found: String
  /// What would be right; empty when the first part says it all.
  public var expected: String

  /// An error from its parts.
  public init(kind: Kind, file: String, line: Int? = nil, found: String, expected: String = "") {
    self.kind = kind
    self.file = file
    self.line = line
    self.found = found
    self.expected = expected
  }

  /// One line: the file, the line, what was found and what would be right.
  public var description: String {
    var text = file
    if let line { text += ":\(line)" }
    text += ": " + found
    if !expected.isEmpty { text += "; expected " + expected }
    return text
  }
}
