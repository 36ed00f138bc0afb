import Quantities

// SHCHEAD, SHAHEAD, SHCPARA, SHPARA, SHBOD, SHBODEXT: what a request carries. All need the connection.
//
// Source: [sim7000-at] chapter 13.

extension SimulatedModem {
  /// The commands of this file.
  static var httpBodyCommands: [SimulatedCommand] {
    [
      sessionCommand("+SHCHEAD") { modem, call in
        guard modem.data.http.phase == .open, call.form == .execute else { return .error }
        modem.data.http.headers = []
        return .ok
      },
      sessionCommand("+SHAHEAD") { modem, call in modem.shahead(call) },
      sessionCommand("+SHCPARA") { modem, call in
        guard modem.data.http.phase == .open, call.form == .execute else { return .error }
        modem.data.http.parameters = []
        return .ok
      },
      sessionCommand("+SHPARA") { modem, call in modem.shpara(call) },
      sessionCommand("+SHBOD") { modem, call in modem.shbod(call) },
      sessionCommand("+SHBODEXT") { modem, call in modem.shbodext(call) },
    ]
  }

  /// `AT+SHAHEAD="name","value"`; all together at most `HEADERLEN` bytes.
  private mutating func shahead(_ call: CommandCall) -> Answer {
    guard call.form == .write, call.count == 2, data.http.phase == .open, let name = call.string(0),
      let value = call.string(1), !name.isEmpty
    else { return .error }
    var headers = data.http.headers.filter { $0.name.lowercased() != name.lowercased() }
    headers.append(HTTPHeader(name: name, value: value))
    let length = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    guard length <= data.http.headerLength ?? 350 else { return .error }
    data.http.headers = headers
    return .ok
  }

  /// `AT+SHPARA="name","value"`: part of a form, sent when there is no body.
  private mutating func shpara(_ call: CommandCall) -> Answer {
    guard call.form == .write, call.count == 2, data.http.phase == .open, let name = call.bytes(0),
      let value = call.bytes(1), !name.isEmpty
    else { return .error }
    data.http.parameters.append(formEncoded(name) + "=" + formEncoded(value))
    return .ok
  }

  /// Bytes as a form carries them: space as plus, all but letters and digits as per cent.
  private func formEncoded(_ bytes: [UInt8]) -> String {
    var text = ""
    for byte in bytes {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x2A:
        text.unicodeScalars.append(UnicodeScalar(byte))
      case 0x20: text += "+"
      default: text += "%" + hexadecimal(Int(byte), digits: 2)
      }
    }
    return text
  }

  /// `AT+SHBOD="<body with \">",<length>`; quotes that are not escaped are an error.
  private mutating func shbod(_ call: CommandCall) -> Answer {
    guard call.form == .write, call.count == 2, data.http.phase == .open, let body = call.bytes(0),
      let length = call.integer(1), call.parameters[0].isQuoted, plainQuoteCount(call.text) == 2,
      length >= 1, length <= body.count, length <= data.http.bodyLength ?? 0
    else { return .error }
    data.http.body = Array(body.prefix(length))
    return .ok
  }

  /// How many quotes are not escaped.
  private func plainQuoteCount(_ text: [UInt8]) -> Int {
    var count = 0
    for (place, byte) in text.enumerated() where byte == UInt8(ascii: "\"") {
      if place == 0 || text[place - 1] != UInt8(ascii: "\\") { count += 1 }
    }
    return count
  }

  /// `AT+SHBODEXT=<length>,<ms>`; Ctrl-Z ends the body early, Escape gives it up.
  private mutating func shbodext(_ call: CommandCall) -> Answer {
    guard call.form == .write, call.count == 2, data.http.phase == .open,
      let length = call.integer(0, in: 1...max(1, data.http.bodyLength ?? 1)),
      let limit = call.integer(1, in: 100...10_000)
    else { return .error }
    var prompt = Prompt(
      text: .raw(Array("\r\n>".utf8)), length: length, timeout: .milliseconds(limit), purpose: .data(.httpBody))
    prompt.endsAtControlBytes = true
    return .prompt(prompt)
  }

  /// A body of which a part is missing counts as it is [U]; none at all is an error.
  mutating func setHTTPBody(_ bytes: [UInt8], outcome: Prompt.Outcome) -> Answer {
    guard !bytes.isEmpty, outcome != .cancelled else { return .error }
    data.http.body = bytes
    return .ok
  }
}
