import Quantities

// CIPRXGET, and what received bytes look like without it.
//
// Source: [sim7000-at] section 12.2.26; [sim7000-tcpip] section 5.

extension SimulatedModem {
  /// The commands of this file.
  static var toolkitReceiveCommands: [SimulatedCommand] {
    [SimulatedCommand("+CIPRXGET") { modem, call in modem.ciprxget(call) }]
  }

  /// Bytes from the peer: pushed at the host, or kept for `CIPRXGET`.
  mutating func toolkitReceives(_ bytes: [UInt8], _ place: Int) {
    guard data.toolkit.sockets[place].phase == .connected else { return }
    if input.mode == .transparent {
      send(bytes)
      return
    }
    guard data.toolkit.getsManually else {
      push(bytes, place)
      return
    }
    let wasEmpty = data.toolkit.sockets[place].received.isEmpty
    data.toolkit.sockets[place].received += bytes.prefix(
      max(0, ToolkitSocketTable.bufferCapacity - data.toolkit.sockets[place].received.count))
    if wasEmpty { urc(data.toolkit.isMultiple ? "+CIPRXGET: 1,\(place)" : "+CIPRXGET: 1") }
  }

  /// Received bytes at the moment they come, in one piece with what stands before them.
  private mutating func push(_ bytes: [UInt8], _ place: Int) {
    let socket = data.toolkit.sockets[place]
    var block: [UInt8] = []
    if data.toolkit.printsSource { block += frame(Array("RECV FROM:\(socket.host):\(socket.port)".utf8)) }
    if data.toolkit.isMultiple {
      block += frame(Array("+RECEIVE,\(place),\(bytes.count):".utf8))
    } else if data.toolkit.printsHead {
      block += Array("\r\n+IPD,\(bytes.count):".utf8)
    }
    urc(raw: block + bytes)
  }

  /// `AT+CIPRXGET=<mode>[,<n>][,<length>]`: 0 and 1 switch, 2 reads, 3 reads in hexadecimal, 4 asks.
  private mutating func ciprxget(_ call: CommandCall) -> Answer {
    let toolkit = data.toolkit
    switch call.form {
    case .test: return Answer.ok.line("+CIPRXGET: (0-4),(0-7),(1-1460)")
    case .read: return Answer.ok.line("+CIPRXGET: \(toolkit.getsManually ? 1 : 0)")
    case .execute: return .error
    case .write: break
    }
    guard let mode = call.integer(0, in: 0...4) else { return .error }
    if mode <= 1 {
      let isOpen = toolkit.sockets.contains { $0.phase == .connected || $0.phase == .connecting }
      guard call.count == 1, !isOpen else { return .error }
      data.toolkit.getsManually = mode == 1
      return .ok
    }
    guard toolkit.getsManually else { return .error }
    var place = 0
    if toolkit.isMultiple {
      guard let number = call.integer(1, in: 0...7) else { return .error }
      place = number
    }
    let lengthAt = toolkit.isMultiple ? 2 : 1
    let socket = toolkit.sockets[place]
    guard socket.phase == .connected || !socket.received.isEmpty else { return .error }
    let number = toolkit.isMultiple ? "\(place)," : ""
    if mode == 4 {
      guard call.count == lengthAt else { return .error }
      return Answer.ok.line("+CIPRXGET: 4,\(number)\(socket.received.count)")
    }
    guard call.count == lengthAt + 1, let wanted = call.integer(lengthAt, in: 1...(mode == 2 ? 1460 : 730)) else {
      return .error
    }
    let bytes = Array(socket.received.prefix(wanted))
    data.toolkit.sockets[place].received.removeFirst(bytes.count)
    let rest = socket.received.count - bytes.count
    let header = frame(Array("+CIPRXGET: \(mode),\(number)\(bytes.count),\(rest)".utf8))
    let digits = bytes.flatMap { Array(hexadecimal(Int($0), digits: 2).utf8) }
    return Answer.ok.raw(header + (mode == 2 ? bytes : digits))
  }
}
