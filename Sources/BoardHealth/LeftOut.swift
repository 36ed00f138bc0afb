import ASCIIText

/// What a board does without, because it has crashed there again and again.
package struct LeftOut: Equatable, BitwiseCopyable, Sendable {
  var bits: UInt32

  /// Nothing is left out.
  package static var nothing: LeftOut { LeftOut(bits: 0) }

  /// True when a part of the loop is left out.
  ///
  /// Of the flash memory both parts are: what is in it stays as it is.
  package func contains(_ part: LoopPart) -> Bool { bits & 1 << UInt32(LeftOut.whole(of: part).rawValue) != 0 }

  /// True when the tracker is left out: only the console is answered.
  package var hasNoTracker: Bool { contains(.deadlines) }

  /// Leaves out a part that has failed, or more where that was left out before.
  ///
  /// Nobody can go on without what is before the loop, and without what is due: the whole tracker is left out then. After that the
  /// console, and what waits for an interrupt; then there is nothing that could fail.
  mutating func add(_ part: LoopPart) {
    let ladder: InlineArray<4, LoopPart> = [LeftOut.whole(of: part), .deadlines, .console, .sleep]
    for place in 0..<4 where !contains(ladder[place]) {
      bits |= 1 << UInt32(ladder[place].rawValue)
      return
    }
  }

  private static func whole(of part: LoopPart) -> LoopPart {
    switch part {
    case .restore: .storage
    case .start: .deadlines
    default: part
    }
  }

  /// Writes it as a list of words in JSON.
  package func encodeJSON(into sink: inout some ByteSink) {
    sink.append("[")
    var isFirst = true
    for number in 0..<UInt8(LoopPart.count) {
      guard let part = LoopPart(rawValue: number), LeftOut.whole(of: part) == part, contains(part) else { continue }
      sink.append(isFirst ? "\"" : ",\"")
      sink.append(part == .deadlines ? "tracker" : part.name)
      sink.append("\"")
      isFirst = false
    }
    sink.append("]")
  }
}
