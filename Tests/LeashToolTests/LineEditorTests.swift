import Testing

@testable import LeashTool

/// What the editor asks for when these keys are pressed.
private func actions(_ editor: inout LineEditor, _ keys: String) -> [LineEditor.Outcome] {
  keys.utf8.compactMap { editor.receive($0) }
}

@Test func typedTextIsEditedInTheMiddle() {
  var editor = LineEditor()
  #expect(actions(&editor, "AT+CQ\u{1B}[DS\u{1B}[F?\u{7F}") == [])
  #expect(editor.text == "AT+CSQ")
  #expect(actions(&editor, "\r") == [.line("AT+CSQ")])
  #expect(editor.text == "")
}

@Test func theArrowsBringBackEarlierLinesAndTheUnfinishedOne() {
  var editor = LineEditor()
  _ = actions(&editor, "one\rtwo\rtwo\rthr")
  _ = actions(&editor, "\u{1B}[A")
  #expect(editor.text == "two")
  _ = actions(&editor, "\u{1B}[A\u{1B}[A")
  #expect(editor.text == "one", "equal lines are kept once, and the first is the end")
  _ = actions(&editor, "\u{1B}[B\u{1B}[B\u{1B}[B")
  #expect(editor.text == "thr")
}

@Test func theControlKeysDoWhatShellsDo() {
  for (keys, text) in [
    ("abc def\u{17}", "abc "), ("abc\u{1}x", "xabc"), ("abc\u{1}\u{4}", "bc"), ("abc\u{2}\u{B}", "ab"),
    ("abc\u{2}\u{15}", "c"), ("abc\u{3}", ""), ("ab\u{1B}[H\u{1B}[3~", "b"), ("ab cd\u{1B}[1;5Dx", "ab xcd"),
    ("gr\u{FC}n", "grün"), ("\u{7F}\u{4}x", ""),
  ] {
    var editor = LineEditor()
    var asked: [LineEditor.Outcome] = []
    for byte in keys.utf8 where asked.isEmpty { if let action = editor.receive(byte) { asked.append(action) } }
    #expect(editor.text == text, "\(keys.debugDescription)")
  }
}

@Test func payloadEscapeAndQuitAreTold() {
  var editor = LineEditor()
  #expect(actions(&editor, "hello\u{1A}") == [.payload("hello")])
  #expect(actions(&editor, "\u{1B}") == [])
  #expect(editor.isInsideSequence)
  #expect(editor.endSequence() == .escape)
  #expect(actions(&editor, "x\u{3}") == [])
  #expect(actions(&editor, "\u{3}") == [.quit])
  #expect(actions(&editor, "\u{4}") == [.quit])
  #expect(actions(&editor, "\u{C}") == [.clearScreen])
}

@Test func bytesThatAreNoCharacterDoNotReachTheLine() {
  var editor = LineEditor()
  for byte: UInt8 in [0xFF, 0x80, 0xC3, 0x28, 0xE2, 0x82, 0x41, 0xED, 0xA0, 0x80] { _ = editor.receive(byte) }
  #expect(editor.text == "(A")
}

@Test func aLongLineIsDrawnAboutTheCursor() {
  var editor = LineEditor()
  _ = actions(&editor, String(repeating: "a", count: 50) + "END")
  let drawing = editor.drawing(prompt: "> ", width: 20)
  #expect(drawing.contains("END"))
  #expect(drawing.filter { $0 == "a" }.count <= 16)
}
