import Quantities

@testable import SIM7000

/// What the modem answers.
extension ScriptedModem {
  func hear() {
    while !pending.isEmpty {
      if let (command, count) = payloadFor {
        guard takePayload(for: command, count: count) else { return }
        continue
      }
      guard let end = pending.firstIndex(where: { $0 == 0x0D || $0 == 0x0A }) else { return }
      let line = String(decoding: pending[..<end], as: UTF8.self)
      pending.removeFirst(end + 1)
      guard !line.isEmpty else { continue }
      note("> \(line)")
      let command =
        line.replacing("\u{1B}", with: "").hasPrefix("AT") ? String(line.drop { $0 != "A" }.dropFirst(2)) : line
      heard.append(Heard(time: now, command: command))
      let echo = echoes ? Array((echoScript(self, line) + "\r").utf8) : []
      play(script(self, command, heard.count), echo: echo) { usual(command) }
    }
  }

  private func play(_ play: Play?, echo: [UInt8], usual: () -> [([String], Interval)]) {
    if case .dead = play { return }
    if !echo.isEmpty { plan(.bytes(echo), after: latency) }
    switch play {
    case .say(let lines): plan(lines, after: latency)
    case .sayLate(let lines, let delay): plan(lines, after: delay)
    case .late(let delay): for (lines, after) in usual() { plan(lines, after: latency + after + delay) }
    case .nothing, .dead: break
    case nil: for (lines, after) in usual() { plan(lines, after: latency + after) }
    }
  }

  /// False when it is not whole yet.
  private func takePayload(for command: String, count: Int) -> Bool {
    let isMessage = command.hasPrefix("+CMGS")
    let length = isMessage ? pending.firstIndex(of: 0x1A).map { $0 + 1 } : pending.count >= count ? count : nil
    if isMessage, pending.first == 0x1B {
      pending.removeFirst()
      payloadFor = nil
      return true
    }
    let echo = echoes && !command.hasPrefix("+SH") && !command.hasPrefix("+HTTP")
    let escape = isMessage && length == nil ? pending.firstIndex(of: 0x1B) : nil
    // What ends a message is not echoed.
    let end = escape ?? (isMessage ? length.map { $0 - 1 } : length) ?? pending.count
    let part = Array(pending[min(payloadBack, end)..<end])
    payloadBack = end
    let back = echo && !part.isEmpty ? payloadEcho(self, part) : []
    if let escape {
      if !back.isEmpty { plan(.bytes(back), after: latency) }
      pending.removeFirst(escape + 1)
      payloadFor = nil
      plan(["OK"], after: latency)
      return true
    }
    guard let length else {
      if !back.isEmpty { plan(.bytes(back), after: latency) }
      return false
    }
    let bytes = Array(pending[..<length])
    pending.removeFirst(length)
    payloadFor = nil
    payloads.append((now, bytes))
    note("> [\(bytes.count) bytes]")
    let isLine = command.hasPrefix("+CIPSEND") || command.hasPrefix("+CASEND")
    if isLine { serve(bytes) }
    play(payloadScript(self, command), echo: back) {
      afterPayload(command, count: bytes.count, endsLine: !isLine || bytes.last == 0x0A)
    }
    return true
  }

  private func prompt(_ command: String, count: Int, _ line: String = ">") -> [([String], Interval)] {
    payloadFor = (command, count)
    payloadBack = 0
    return [([line], .zero)]
  }

  private func numbers(_ command: String) -> [Int] {
    command.split { !$0.isNumber }.compactMap { Int($0) }
  }

  /// Bytes come to the server of a connection.
  private func serve(_ bytes: [UInt8]) {
    serverLine += bytes
    guard serverLine.last == 0x0A else { return }
    serverLines.append(String(decoding: serverLine.dropLast(), as: UTF8.self))
    serverLine = []
  }

  private func afterPayload(_ command: String, count: Int, endsLine: Bool) -> [([String], Interval)] {
    let line = "ACK \(ticket)\n"
    // A server knows a packet when it sees one.
    let isPacket = payloads.last?.bytes.first == 0x7B || serverLines.last?.hasPrefix("{") == true
    let acknowledges = acknowledges && isPacket && endsLine
    if command.hasPrefix("+CIPSEND") {
      if acknowledges { waiting += line }
      let notice = acknowledges ? [(["+CIPRXGET: 1,0"], Interval.milliseconds(300))] : []
      return [(["0, SEND OK"], .milliseconds(100))] + notice
    }
    if command.hasPrefix("+CASEND") {
      if acknowledges { waiting += line }
      let notice = acknowledges ? [(["+CADATAIND: 0"], Interval.milliseconds(300))] : []
      return [(["OK"], .zero), (["+CASEND: 0,0,\(count)"], .milliseconds(100))] + notice
    }
    if command.hasPrefix("+CMGS") { return [(["+CMGS: 1", "OK"], .milliseconds(500))] }
    return [(["OK"], .milliseconds(100))]
  }

  private func usual(_ command: String) -> [([String], Interval)] {
    let ok: [([String], Interval)] = [(["OK"], .zero)]
    func answer(_ line: String) -> [([String], Interval)] { [([line, "OK"], .zero)] }
    let name = String(command.prefix { $0 != "=" })
    let values = numbers(command)
    switch name {
    case "E1", "E0":
      echoes = name == "E1"
      return ok
    case "+IPR?": return answer("+IPR: \(rate)")
    case "+IPR":
      rate = String(command.dropFirst(5))
      defer { lineRate = Int(rate) ?? lineRate }
      return ok
    case "+CMEE?": return answer("+CMEE: \(errorForm)")
    case "+CMEE":
      errorForm = String(command.dropFirst(6))
      return ok
    case "+CSCLK?": return answer("+CSCLK: \(sleeps ? 1 : 0)")
    case "+CSCLK":
      sleeps = command.hasSuffix("1")
      return ok
    case "+CPSMS?": return answer("+CPSMS: \(savesPower ? 1 : 0)")
    case "+CPSMS":
      savesPower = command.hasPrefix("+CPSMS=1")
      return ok
    case "+CGDCONT?":
      let contexts = [(1, accessPoint)] + otherContexts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
      return [(contexts.map { "+CGDCONT: \($0),\"IP\",\"\($1)\",\"0.0.0.0\",0,0,0,0" } + ["OK"], .zero)]
    case "+CGDCONT":
      let name = String(command.split(separator: "\"").last ?? "")
      let number = command.drop { !$0.isNumber }.prefix { $0.isNumber }
      if number == "1" { accessPoint = name } else { otherContexts[Int(number) ?? 0] = name }
      return ok
    case "+CMGF":
      sendsDigits = command.hasSuffix("0") && takesDigits
      return command.hasSuffix("0") && !takesDigits ? [(["ERROR"], .zero)] : ok
    case "+CSCS?": return answer("+CSCS: \"IRA\"")
    case "+CMGL": return list()
    case "+CGMR": return answer("Revision:1351B08SIM7000E")
    case "+CPIN?": return now < cardReady ? [(["+CME ERROR: 14"], .zero)] : answer("+CPIN: \(card)")
    case "+CEREG?": return answer("+CEREG: 1,\(registration)")
    case "+CGREG?": return answer("+CGREG: 1,0")
    case "+CNMP?": return answer("+CNMP: \(radio)")
    case "+CMNB?": return answer("+CMNB: \(narrow)")
    case "+CSQ": return answer("+CSQ: 20,99")
    case "+CBC": return answer("+CBC: 0,80,3900")
    case "+CCLK?": return answer("+CCLK: \"26/11/22,16:00:00+04\"")
    case "+CNACT?": return answer(bearerIsUp ? "+CNACT: 1,\"10.0.0.2\"" : "+CNACT: 0,\"0.0.0.0\"")
    case "+CNACT":
      bearerIsUp = command.hasPrefix("+CNACT=1")
      return ok + [(["+APP PDP: \(bearerIsUp ? "ACTIVE" : "DEACTIVE")"], .milliseconds(200))]
    case "+SAPBR":
      if command == "+SAPBR=2,1" {
        return answer(profileIsUp ? "+SAPBR: 1,1,\"10.0.0.3\"" : "+SAPBR: 1,3,\"0.0.0.0\"")
      }
      if command == "+SAPBR=1,1" { profileIsUp = true }
      if command == "+SAPBR=0,1" { profileIsUp = false }
      return ok
    default: return data(name, command, values, ok)
    }
  }

  /// The places that hold a message, their texts left out.
  private func list() -> [([String], Interval)] {
    guard listsStore else { return [(["ERROR"], .zero)] }
    let lines = store.keys.sorted().map { "+CMGL: \($0),\"REC UNREAD\",\"+31600000001\",\"\",\"26/11/22,16:00:00+04\"" }
    return [(lines + ["OK"], .zero)]
  }

  private func data(
    _ name: String, _ command: String, _ values: [Int], _ ok: [([String], Interval)]
  ) -> [([String], Interval)] {
    switch name {
    case "+CIPSHUT": return [(["SHUT OK"], .zero)]
    case "+CIFSR": return [(["10.0.0.4"], .zero)]
    case "+CIPSTART": return ok + [(["0, CONNECT OK"], .milliseconds(200))]
    case "+CIPCLOSE":
      serverLine = []
      return [(["0, CLOSE OK"], .zero)]
    case "+CACLOSE":
      serverLine = []
      return ok
    case "+CIPSEND": return prompt(command, count: values.last ?? 0)
    case "+CIPRXGET" where values.count > 1:
      defer { waiting = "" }
      return [(["+CIPRXGET: 2,0,\(waiting.utf8.count),0", "\u{1}" + waiting, "OK"], .zero)]
    case "+CAOPEN": return [(["+CAOPEN: 0,0", "OK"], .milliseconds(200))]
    case "+CASEND": return prompt(command, count: values.last ?? 0)
    case "+CASTATE?": return [(["+CASTATE: 0,1", "OK"], .zero)]
    case "+CARECV?": return [(["+CARECV: 0,\(waiting.utf8.count)", "OK"], .zero)]
    case "+CARECV":
      defer { waiting = "" }
      return [(["\u{1}\r\n+CARECV: \(waiting.utf8.count),\(waiting)", "OK"], .zero)]
    case "+SHBODEXT": return prompt(command, count: values.first ?? 0)
    case "+SHREQ": return ok + [(["+SHREQ: \"POST\",\(status),\(body.utf8.count)"], .milliseconds(300))]
    case "+SHREAD": return ok + [(["+SHREAD: \(body.utf8.count)", "\u{1}" + body], .milliseconds(50))]
    case "+HTTPDATA": return prompt(command, count: values.first ?? 0, "DOWNLOAD")
    case "+HTTPACTION": return ok + [(["+HTTPACTION: 1,\(status),\(body.utf8.count)"], .milliseconds(300))]
    case "+HTTPREAD": return [(["+HTTPREAD: \(body.utf8.count)", "\u{1}" + body, "OK"], .zero)]
    case "+SMSTATE?": return [(["+SMSTATE: \(brokerIsUp ? 1 : 0)", "OK"], .zero)]
    case "+SMCONN":
      brokerIsUp = true
      return [(["OK"], .milliseconds(400))]
    case "+SMDISC":
      brokerIsUp = false
      return ok
    case "+SMPUB": return prompt(command, count: values.dropLast(2).last ?? 0)
    case "+CMGS": return prompt(command, count: 0)
    case "+CMGR":
      let place = values.first ?? 0
      guard place <= storeSize else { return [(["+CMS ERROR: 321"], .zero)] }
      return store[place].map { [([$0, "OK"], .zero)] } ?? ok
    case "+CMGD":
      store[values.first ?? 0] = nil
      return ok
    case "+CGNSPWR":
      satellitesAreOn = command == "+CGNSPWR=1"
      return ok
    case "+CGNSINF": return [([satellites, "OK"], .zero)]
    case "+CFUN" where command == "+CFUN=1,1":
      defer { begin() }
      plan(["OK"], after: latency)
      return []
    case "+CFUN":
      return ok + (command == "+CFUN=1" ? [(["+CPIN: \(card)"], .seconds(1)), (["SMS Ready"], .seconds(3))] : [])
    case "+CPOWD":
      plan(.status(false), after: .milliseconds(1500))
      return [(["NORMAL POWER DOWN"], .milliseconds(300))]
    default: return ok
    }
  }
}
