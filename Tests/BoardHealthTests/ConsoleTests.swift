import ASCIIText
import BoardHealth
import InlineStorage
import Testing

/// What a line gave, as text.
private func told(_ line: ConsoleLine, by reader: ConsoleReader) -> String {
  switch line {
  case .request: return "request " + text(reader.line.span)
  case .garbage(let kind): return "garbage \(kind.name)"
  case .command(.log(let place)): return "log \(place)"
  case .command(.inject(let port, let piece)): return "inject \(port.name) \(text(piece.bytes.span))"
  case .command(let command): return "\(command)"
  }
}

private func text(_ bytes: Span<UInt8>) -> String {
  String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
}

/// What the reader makes of bytes.
private func hear(_ bytes: [UInt8], _ reader: inout ConsoleReader) -> [String] {
  bytes.compactMap { byte in reader.receive(byte).map { told($0, by: reader) } }
}

private func hear(_ text: String) -> [String] {
  var reader = ConsoleReader()
  return hear(Array(text.utf8), &reader)
}

private func piece(_ content: String) -> String {
  var sink = InlineBytes<512>()
  ConsolePiece(Array(content.utf8).span).encode(into: &sink)
  return text(sink.span)
}

@Suite struct ConsoleTests {
  @Test func everyCommandIsRead() {
    let lines =
      "@status\n@tail\r\n@log\n@log 4711\n@self-test\r@fault\n@restart\n\n\r\n@inject receiver \(piece("$GP"))\n"
      + "@update\n@update any words\n"
    #expect(
      hear(lines) == [
        "status", "tail", "logLength", "log 4711", "selfTest", "fault", "restart", "inject receiver $GP",
        "update", "update",
      ])
    #expect(hear("@inject  sensor \(piece("U")) \n") == ["inject sensor U"])
  }

  @Test func anyOtherLineIsARequest() {
    #expect(
      hear("status\ncheckpoint Café\n @status\n") == ["request status", "request checkpoint Café", "request  @status"])
  }

  @Test func noBytesMakeAnythingElseThanLinesWithOneAnswerEach() {
    // Every byte in every place of a line, and what comes behind it is read as ever.
    let line = Array("@log 12".utf8)
    for place in line.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = line
        changed[place] = byte
        var reader = ConsoleReader()
        let answers = hear(changed + Array("\n@status\n".utf8), &reader)
        let lines = String(decoding: changed.map { $0 == 0x0D || $0 == 0x0A ? 0x0A : 0x21 }, as: UTF8.self)
          .split(separator: "\n").count
        #expect(answers.count == lines + 1 && answers.last == "status", "byte \(byte) at \(place)")
      }
    }
  }

  @Test func garbageIsToldByItsKindAndCounted() {
    var reader = ConsoleReader()
    let long = [UInt8](repeating: 0x41, count: 417)
    let bytes =
      Array("@sttus\n@\n@log x\n@log 1 2\n@status now\n@inject modem 00 D202EF8D\n".utf8) + [
        0x80, 0x0A, 0x41, 0x00, 0x0A, 0x7F, 0x0A,
      ]
      + long + [0x0A]
    #expect(
      hear(bytes, &reader) == [
        "garbage command", "garbage command", "garbage argument", "garbage argument", "garbage argument",
        "garbage argument",
        "garbage characters", "garbage characters", "garbage characters", "garbage length",
      ])
    #expect(reader.garbageLines == 10)
    #expect(reader.garbageBytes == UInt32(bytes.count - 10))
    var answer = InlineBytes<128>()
    reader.encodeGarbage(.length, into: &answer)
    #expect(text(answer.span) == #"@garbage {"reason":"length","lines":10,"bytes":\#(bytes.count - 10)}"#)
    // A line as long as can be is none.
    #expect(hear(Array(long.dropLast()) + [0x0A], &reader).first?.hasPrefix("request AAA") == true)
  }

  @Test func noControlCharacterReachesTheTracker() {
    for byte in UInt8.min...UInt8.max where byte < 0x20 || byte == 0x7F {
      guard byte != 0x0A, byte != 0x0D else { continue }
      var reader = ConsoleReader()
      #expect(hear(Array("sta".utf8) + [byte] + Array("us\n".utf8), &reader) == ["garbage characters"], "\(byte)")
    }
  }

  @Test func aMegabyteWithoutAnEndIsOneLineOfGarbage() {
    var reader = ConsoleReader()
    for _ in 0..<1_000_000 { _ = reader.receive(0x55) }
    #expect(hear(Array("\n@fault\n".utf8), &reader) == ["garbage length", "fault"])
    #expect(reader.garbageBytes == 1_000_000)
  }

  @Test func howBytesAreCutChangesNothing() {
    let lines = Array("status\r\n@tail\n\u{FF}\n@inject sensor \(piece("0123456789"))\n\n@log 7".utf8) + [0x0A]
    let whole = String(decoding: lines, as: UTF8.self)
    let expected = hear(whole)
    // The reader takes byte by byte, so a chunk is where the line is looked at: never between two bytes.
    for cut in 0...lines.count {
      var reader = ConsoleReader()
      let first = hear(Array(lines[..<cut]), &reader)
      #expect(first + hear(Array(lines[cut...]), &reader) == expected)
    }
  }

  @Test func aPieceComesBackAndAChangedOneDoesNot() {
    for count in [0, 1, 2, 127, 128] {
      let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
      var sink = InlineBytes<512>()
      ConsolePiece(content.span).encode(into: &sink)
      let line = sink.span.indices.map { sink.span[$0] }
      var words = TextWords()
      let read = ConsolePiece(reading: &words, in: line.span)
      guard count > 0 else {
        // Nothing is no word.
        #expect(read == nil)
        continue
      }
      #expect(read.map { piece in piece.bytes.span.indices.map { piece.bytes.span[$0] } } == content)
      for place in line.indices where line[place] != 0x20 {
        var changed = line
        changed[place] = changed[place] == 0x30 ? 0x31 : 0x30
        var words = TextWords()
        #expect(ConsolePiece(reading: &words, in: changed.span) == nil, "\(count) bytes, place \(place)")
      }
    }
    // Letters behind F, with the checksum of what they would be.
    for wrong in ["0G CFB5FFE9", "0", "00", "00 D202EF8", "0G D202EF8D", "00 D202EF8G", "000 D202EF8D", "00 D202EF8D0"]
    {
      var words = TextWords()
      #expect(ConsolePiece(reading: &words, in: Array(wrong.utf8).span) == nil, "\(wrong)")
    }
    var words = TextWords()
    // By zlib: crc32(b"\0").
    #expect(ConsolePiece(reading: &words, in: Array("00 d202ef8d".utf8).span)?.bytes.count == 1)
    // More than there is room for, with the checksum of what there is.
    let long = String(repeating: "00", count: 129) + " C2A8FA9D"
    var more = TextWords()
    #expect(ConsolePiece(reading: &more, in: Array(long.utf8).span) == nil)
  }

  @Test func theTailHasTheLastLinesWhole() {
    var tail = ConsoleTail()
    var model: [String] = []
    for number in 0..<400 {
      let line = "{\"n\":\(number)," + String(repeating: "x", count: number * 7 % 300) + "}"
      tail.add(Array(line.utf8).span)
      model.append(line)
      while model.reduce(0, { $0 + $1.utf8.count + 1 }) > 2048 { model.removeFirst() }
      var sink = InlineBytes<8192>()
      let count = tail.encode(behind: "@tail ", into: &sink)
      #expect(Int(count) == model.count)
      #expect(text(sink.span) == model.map { "@tail \($0)\n" }.joined())
    }
    // What is longer than all room changes nothing; what has just room is alone.
    tail.add([UInt8](repeating: 0x41, count: 2048).span)
    var sink = InlineBytes<8192>()
    #expect(tail.encode(behind: "", into: &sink) == UInt32(model.count))
    tail.add([UInt8](repeating: 0x41, count: 2047).span)
    sink.removeAll()
    #expect(tail.encode(behind: "", into: &sink) == 1 && sink.count == 2048)
  }
}
