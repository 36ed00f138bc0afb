import ASCIIText
import ATCommands
import InlineStorage
import Testing

@testable import SIM7000

/// What a command writes; nil when it is longer than a line of the modem may be.
func written(_ command: some ATCommand) -> String? {
  var line = InlineBytes<559>()
  command.encode(into: &line)
  guard !line.isTruncated else { return nil }
  return String(decoding: (0..<line.count).map { line[$0] }, as: UTF8.self)
}

/// What a command reads from a line.
func read<Command: ATCommand>(_ command: Command.Type, _ line: String) -> Command.Response? {
  let bytes = Array(line.utf8)
  return Command.decode(ATLine(bytes.span))
}

/// The notice that a line is.
func notice(_ line: String) -> ModemNotice? {
  let bytes = Array(line.utf8)
  return ModemNotice.decode(ATLine(bytes.span))
}

/// The text of a buffer.
func text<let capacity: Int>(_ bytes: InlineBytes<capacity>) -> String {
  var copy: [UInt8] = []
  var place = 0
  while place < bytes.count {
    copy.append(bytes[place])
    place += 1
  }
  return String(decoding: copy, as: UTF8.self)
}

/// A test's literal is not a text that the modem takes.
struct NotAModemText: Error {}

/// A literal that is known to be a valid text.
func modemText<let capacity: Int>(_ literal: StaticString) throws -> ModemText<capacity> {
  guard let text = ModemText<capacity>(literal) else { throw NotAModemText() }
  return text
}
