import ASCIIText
import InlineStorage

/// A port that recorded bytes can stand in for.
package enum InjectedPort: UInt8, BitwiseCopyable, Sendable {
  /// Sentences of a satellite receiver.
  case receiver
  /// Frames of an inertial sensor.
  case sensor

  /// As a command has it.
  package var name: StaticString {
    switch self {
    case .receiver: "receiver"
    case .sensor: "sensor"
    }
  }
}

/// What the console of a board is asked, in a line that begins with `@`; every other line is a request to the tracker.
package enum ConsoleCommand: BitwiseCopyable, Sendable {
  /// How it is.
  case status
  /// The last events and packets.
  case tail
  /// How many bytes its log has.
  case logLength
  /// Bytes of its log from a place on.
  case log(UInt64)
  /// Bytes in the place of a port's own.
  case inject(InjectedPort, ConsolePiece)
  /// Whether everything works.
  case selfTest
  /// What is known of the last crash.
  case fault
  /// It is to restart, with everything.
  case restart
  /// An image comes for it: whoever takes it reads the words of the line, and knows whether they make sense.
  case update

  /// Reads the words behind the `@`.
  static func read(_ line: Span<UInt8>) -> ConsoleLine {
    var words = TextWords()
    guard let first = words.next(in: line) else { return .garbage(.command) }
    let command: ConsoleCommand
    if first.equals("@status", in: line) {
      command = .status
    } else if first.equals("@tail", in: line) {
      command = .tail
    } else if first.equals("@self-test", in: line) {
      command = .selfTest
    } else if first.equals("@fault", in: line) {
      command = .fault
    } else if first.equals("@restart", in: line) {
      command = .restart
    } else if first.equals("@update", in: line) {
      return .command(.update)
    } else if first.equals("@log", in: line) {
      guard let word = words.next(in: line) else { return .command(.logLength) }
      guard let place = scanUnsigned(word.bytes(of: line)) else { return .garbage(.argument) }
      command = .log(place)
    } else if first.equals("@inject", in: line) {
      guard let name = words.next(in: line), let port = port(name, in: line),
        let piece = ConsolePiece(reading: &words, in: line)
      else { return .garbage(.argument) }
      command = .inject(port, piece)
    } else {
      return .garbage(.command)
    }
    return words.next(in: line) == nil ? .command(command) : .garbage(.argument)
  }

  private static func port(_ word: TextWord, in line: Span<UInt8>) -> InjectedPort? {
    if word.equals(InjectedPort.receiver.name, in: line) { return .receiver }
    return word.equals(InjectedPort.sensor.name, in: line) ? .sensor : nil
  }
}

/// Up to 128 bytes as text: two hexadecimal digits for each, a blank, and eight of their checksum.
package struct ConsolePiece: BitwiseCopyable, Sendable {
  /// The most bytes of one.
  package static var capacity: Int { 128 }

  package private(set) var bytes = InlineBytes<128>()

  /// Takes as many as there is room for.
  package init(_ content: Span<UInt8>) { bytes.append(contentsOf: content) }

  /// Reads one; nil unless it is whole and its checksum is right.
  package init?(reading words: inout TextWords, in line: Span<UInt8>) {
    guard let digits = words.next(in: line), digits.count % 2 == 0, digits.count <= 2 * ConsolePiece.capacity,
      let sum = words.next(in: line), sum.count == 8
    else { return nil }
    var place = digits.start
    while place < digits.end {
      guard let high = ConsolePiece.value(line[place]), let low = ConsolePiece.value(line[place + 1]) else {
        return nil
      }
      bytes.append(high << 4 | low)
      place += 2
    }
    var expected: UInt32 = 0
    for place in sum.start..<sum.end {
      guard let digit = ConsolePiece.value(line[place]) else { return nil }
      expected = expected << 4 | UInt32(digit)
    }
    guard CRC32.extend(0, bytes.span) == expected else { return nil }
  }

  /// Writes it.
  package func encode(into sink: inout some ByteSink) {
    for place in 0..<bytes.count { sink.append(hexadecimal: bytes[place]) }
    sink.append(0x20)
    let sum = CRC32.extend(0, bytes.span)
    var shift: UInt32 = 32
    while shift > 0 {
      shift -= 8
      sink.append(hexadecimal: UInt8(truncatingIfNeeded: sum >> shift))
    }
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    if digit &- 0x30 < 10 { return digit &- 0x30 }
    let letter = digit | 0x20
    return letter &- 0x61 < 6 ? letter &- 0x57 : nil
  }
}
