import ATCommands

/// Lines that a SIM7000 sends only when it has started.
///
/// - Source: [sim7000at] `RDY` and `AT+CFUN`; neither is sent while the rate is found automatically.
package enum BootSign {
  /// True for `RDY`, also with rubbish of the wrong rate before it.
  package static func matches(_ line: borrowing ATLine) -> Bool {
    guard line.ends(with: "RDY") else { return false }
    var place = 0
    while place < line.bytes.count - 3 {
      let byte = line.bytes[place]
      if byte >= 0x20, byte < 0x7F { return false }
      place += 1
    }
    return true
  }
}
