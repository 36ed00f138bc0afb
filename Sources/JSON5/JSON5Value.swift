/// A place in a text, both counted from 1; the column counts characters.
public struct TextPosition: Equatable, Sendable {
  /// Line.
  public var line: Int
  /// Column.
  public var column: Int

  /// A place.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}
