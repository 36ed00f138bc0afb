import ASCIIText
import InlineStorage

/// What is wrong with a line that nobody can have meant.
package enum ConsoleGarbage: UInt8, BitwiseCopyable, Sendable {
  /// Bytes that are no text.
  case characters
  /// More of them than a line has.
  case length
  /// Behind the `@` stands no command.
  case command
  /// Behind the command stands what it does not take, or a checksum is wrong.
  case argument

  /// As the answer has it.
  package var name: StaticString {
    switch self {
    case .characters: "characters"
    case .length: "length"
    case .command: "command"
    case .argument: "argument"
    }
  }
}

/// A line of the console.
package enum ConsoleLine: BitwiseCopyable, Sendable {
  /// The tracker is asked: `ConsoleReader.line`.
  case request
  /// The board is asked.
  case command(ConsoleCommand)
  /// It is to be answered by one line, `ConsoleReader.encodeGarbage`.
  case garbage(ConsoleGarbage)
}

/// Cuts the bytes of a console into lines; each but an empty one gives one answer, whatever it holds.
package struct ConsoleReader: BitwiseCopyable, Sendable {
  /// The line that was completed last, until the next byte comes.
  package private(set) var line = InlineBytes<416>()
  private var isComplete = false
  /// Lines that were garbage, and their bytes.
  package private(set) var garbageLines: UInt32 = 0
  package private(set) var garbageBytes: UInt32 = 0

  package init() {}

  /// Takes a byte; the line that it completes.
  package mutating func receive(_ byte: UInt8) -> ConsoleLine? {
    if isComplete {
      line.removeAll()
      isComplete = false
    }
    guard byte == 0x0A || byte == 0x0D else {
      line.append(byte)
      return nil
    }
    isComplete = true
    guard !line.isEmpty else { return nil }
    let result = meaning
    if case .garbage = result { countGarbage() }
    return result
  }

  /// Counts the line that was completed last as garbage: also one whose words made no sense to whoever was to take them.
  package mutating func countGarbage() {
    garbageLines &+= 1
    garbageBytes &+= UInt32(truncatingIfNeeded: line.count) &+ line.rejectedCount
  }

  private var meaning: ConsoleLine {
    guard !line.isTruncated else { return .garbage(.length) }
    guard isText else { return .garbage(.characters) }
    return line[0] == 0x40 ? ConsoleCommand.read(line.span) : .request
  }

  /// True when it is text in UTF-8 without control characters.
  private var isText: Bool {
    var place = 0
    while place < line.count {
      let byte = line[place]
      guard byte >= 0x20, byte != 0x7F else { return false }
      if byte < 0x80 {
        place += 1
        continue
      }
      let (length, isValid) = utf8Sequence(in: line.span, at: place)
      guard isValid else { return false }
      place += length
    }
    return true
  }

  /// Writes the answer to a line of garbage, without its end.
  package func encodeGarbage(_ kind: ConsoleGarbage, into sink: inout some ByteSink) {
    sink.append("@garbage {\"reason\":\"")
    sink.append(kind.name)
    sink.append("\",\"lines\":")
    sink.append(decimal: UInt64(garbageLines))
    sink.append(",\"bytes\":")
    sink.append(decimal: UInt64(garbageBytes))
    sink.append("}")
  }
}

/// The last lines of events and packets, as many as there is room for.
package struct ConsoleTail: BitwiseCopyable, Sendable {
  private var text = InlineBytes<2048>()

  package init() {}

  /// Adds a line, and forgets the oldest that it leaves no room for; one that is longer than all room is left out.
  package mutating func add(_ line: Span<UInt8>) {
    guard line.count < 2048 else { return }
    while 2048 - text.count < line.count + 1 { text.removeFirst(firstLine + 1) }
    text.append(contentsOf: line)
    text.append(0x0A)
  }

  /// Writes each line behind a word, the oldest first, with their ends; how many there are.
  package func encode(behind word: StaticString, into sink: inout some ByteSink) -> UInt32 {
    var count: UInt32 = 0
    var isStart = true
    for place in 0..<text.count {
      if isStart {
        sink.append(word)
        count += 1
      }
      sink.append(text[place])
      isStart = text[place] == 0x0A
    }
    return count
  }

  private var firstLine: Int {
    var place = 0
    while place < text.count, text[place] != 0x0A { place += 1 }
    return place
  }
}

/// What a self-test found about one part.
package enum CheckResult: UInt8, Sendable {
  /// It works.
  case ok
  /// It does not.
  case failed
  /// Nothing has come from it lately.
  case silent
  /// The board does without it.
  case leftOut

  /// As the answer has it.
  package var name: StaticString {
    switch self {
    case .ok: "ok"
    case .failed: "failed"
    case .silent: "silent"
    case .leftOut: "left out"
    }
  }
}
