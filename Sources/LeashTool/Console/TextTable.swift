/// Rows of text in aligned columns.
package struct TextTable {
  /// How the cells of a column stand.
  package enum Alignment: Sendable {
    /// Words.
    case left
    /// Numbers.
    case right
  }

  private let columns: [(title: String, alignment: Alignment)]
  private var rows: [[String]] = []

  /// A table with these titles; a table whose titles are all empty has no title line.
  package init(_ columns: (title: String, alignment: Alignment)...) { self.columns = columns }

  /// A table with columns that are only known now.
  package init(columns: [(title: String, alignment: Alignment)]) { self.columns = columns }

  /// Adds a row; cells that are missing are empty.
  package mutating func add(_ cells: String...) { rows.append(cells) }

  /// Adds a row.
  package mutating func add(cells: [String]) { rows.append(cells) }

  /// True when there are no rows.
  package var isEmpty: Bool { rows.isEmpty }

  /// The table's lines, without spaces at their ends, each with a line end.
  package func text(indent: Int = 0) -> String {
    let titles = columns.map(\.title)
    let lines = titles.allSatisfy(\.isEmpty) ? rows : [titles] + rows
    let widths = columns.indices.map { column in
      lines.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    var text = ""
    for line in lines {
      var pending = String(repeating: " ", count: indent)
      for column in columns.indices {
        let cell = column < line.count ? line[column] : ""
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        if column > 0 { pending += "  " }
        switch columns[column].alignment {
        case .left:
          if !cell.isEmpty {
            text += pending + cell
            pending = padding
          } else {
            pending += padding
          }
        case .right:
          pending += padding
          if !cell.isEmpty {
            text += pending + cell
            pending = ""
          }
        }
      }
      text += "\n"
    }
    return text
  }
}
