// Choice of the network and the packet service.
//
// Source: [sim7000-at] chapter 5 (`CNMP`, `CMNB`, `CBANDCFG`, …), chapter 6 (`CGATT`, `CGDCONT`, …).

extension SimulatedModem {
  static var radioCommands: [SimulatedCommand] {
    registrationCommands + [
      SimulatedCommand("+CNMP") { modem, call in
        modem.access(
          call, allowed: [2, 13, 38, 51], values: "((2-Automatic),(13-GSM Only),(38-LTE Only),(51-GSM And LTE Only))",
          \.flash.networkMode)
      },
      SimulatedCommand("+CMNB") { modem, call in
        modem.access(
          call, allowed: [1, 2, 3], values: "((1-Cat-M),(2-NB-IoT),(3-Cat-M And NB-IoT))", \.flash.narrowBandMode)
      },
      SimulatedCommand("+CBANDCFG") { modem, call in modem.cbandcfg(call) },
      SimulatedCommand("+CBAND") { modem, call in modem.cband(call) },
      .number("+CNETLIGHT", 0...1, \.flash.netLight),
      .remembered("+SLEDS", values: "(1-3),(0,40-65535),(0,40-65535)", initial: "1,64,800"),
      .remembered("+CRATSRCH", values: "(1-65535)", initial: "60"),
      .remembered("+CNBS", values: "(1-5)", initial: "1"),
      .remembered("+CAPNMODE", values: "(0,1)", initial: "0"),
      .remembered("+AUTOCSQ", values: "(0,1),(0,1)", initial: "0,0"),
      SimulatedCommand("+CGATT") { modem, call in modem.cgatt(call) },
      SimulatedCommand("+CGDCONT") { modem, call in modem.cgdcont(call) },
      SimulatedCommand("+CGACT") { modem, call in modem.cgact(call) },
      SimulatedCommand("+CGPADDR") { modem, call in
        if call.form == .test { return Answer.ok.line("+CGPADDR: (1)") }
        guard modem.hasPacketService else { return Answer.ok.line("+CGPADDR: 1,0.0.0.0") }
        return Answer.ok.line("+CGPADDR: 1,\(modem.configuration.network.address)")
      },
      SimulatedCommand("+CGNAPN") { modem, call in
        if call.form == .test { return Answer.ok.line("+CGNAPN: (0,1),50") }
        guard modem.hasPacketService, modem.radio.access != .gsm else { return Answer.ok.line("+CGNAPN: 0,\"\"") }
        return Answer.ok.line("+CGNAPN: 1,\"\(modem.configuration.network.defaultAccessPointName)\"")
      },
    ]
  }

  /// `CNMP` and `CMNB`: a change that shuts the present network out makes the modem look again.
  private mutating func access(
    _ call: CommandCall, allowed: [Int], values: String, _ path: WritableKeyPath<SimulatedModem, Int>
  ) -> Answer {
    switch call.form {
    case .test: return Answer.ok.line("\(call.name): \(values)")
    case .read: return Answer.ok.line("\(call.name): \(self[keyPath: path])")
    case .execute: return .error
    case .write:
      guard let value = call.integer(0), allowed.contains(value) else { return .error }
      let changes = self[keyPath: path] != value
      self[keyPath: path] = value
      if changes { settingsChanged() }
      return .ok
    }
  }

  private mutating func cbandcfg(_ call: CommandCall) -> Answer {
    switch call.form {
    case .test: return Answer.ok.line("+CBANDCFG: (CAT-M,NB-IOT),(1,2,3,4,5,8,12,13,17,18,19,20,26,28,39)")
    case .read:
      let catM = flash.catMBands.map(String.init).joined(separator: ",")
      let narrow = flash.narrowBands.map(String.init).joined(separator: ",")
      return Answer.ok.lines(["+CBANDCFG: \"CAT-M\",\(catM)", "+CBANDCFG: \"NB-IOT\",\(narrow)"])
    case .execute: return .error
    case .write:
      let bands = (1..<max(call.count, 1)).compactMap { call.integer($0, in: 1...85) }
      guard !bands.isEmpty, bands.count == call.count - 1 else { return .error }
      switch call.string(0)?.uppercased() {
      case "CAT-M": flash.catMBands = bands
      case "NB-IOT": flash.narrowBands = bands
      default: return .error
      }
      return .ok
    }
  }

  private mutating func cband(_ call: CommandCall) -> Answer {
    let bands = ["EGSM_MODE", "DCS_MODE", "ALL_MODE"]
    switch call.form {
    case .test: return Answer.ok.line("+CBAND: (" + bands.joined(separator: ",") + ")")
    case .read: return Answer.ok.line("+CBAND: \(flash.gsmBand)")
    case .execute: return .error
    case .write:
      guard let band = call.string(0), bands.contains(band) else { return .error }
      flash.gsmBand = band
      return .ok
    }
  }

  private mutating func cgatt(_ call: CommandCall) -> Answer {
    switch call.form {
    case .test: return Answer.ok.line("+CGATT: (0,1)")
    case .read: return Answer.ok.line("+CGATT: \(hasPacketService ? 1 : 0)")
    case .execute: return .error
    case .write:
      guard let value = call.integer(0, in: 0...1) else { return .error }
      guard radio.function == 1 else { return .cme(797) }
      if value == 0, radio.wantsAttachment {
        radio.wantsAttachment = false
        dataLosesBearers(isSilent: false)
      } else if value == 1 {
        guard radio.status == .registered else { return .cme(30) }
        radio.wantsAttachment = true
      }
      return .ok
    }
  }

  private mutating func cgdcont(_ call: CommandCall) -> Answer {
    switch call.form {
    case .test:
      return Answer.ok.lines(
        ["IP", "IPV6", "IPV4V6"].map { "+CGDCONT: (1-24),\"\($0)\",,,(0-2),(0-4),(0-1),(0-1)" })
    case .read:
      return Answer.ok.lines(
        flash.contexts.sorted { $0.key < $1.key }.map { number, context in
          "+CGDCONT: \(number),\"\(context.type)\",\"\(context.accessPointName)\",\"0.0.0.0\",0,0,0,0"
        })
    case .execute: return .error
    case .write:
      guard let number = call.integer(0, in: 1...24) else { return .error }
      if call.count == 1 {
        flash.contexts[number] = nil
      } else {
        guard let type = call.string(1)?.uppercased(), ["IP", "PPP", "IPV6", "IPV4V6"].contains(type) else {
          return .error
        }
        let name = call.string(2) ?? ""
        guard name.utf8.count <= 100 else { return .error }
        flash.contexts[number] = PacketContext(type: type, accessPointName: name)
      }
      settingsChanged()
      return .ok
    }
  }

  /// Contexts by `CGACT` follow the packet service; the bearers of the applications are other things.
  private mutating func cgact(_ call: CommandCall) -> Answer {
    switch call.form {
    case .test: return Answer.ok.line("+CGACT: (0,1)")
    case .read:
      return Answer.ok.lines(
        flash.contexts.keys.sorted().map { "+CGACT: \($0),\($0 == 1 && hasPacketService ? 1 : 0)" })
    case .execute: return .error
    case .write:
      guard call.integer(0, in: 0...1) != nil else { return .error }
      return hasPacketService ? .ok : .cme(148)
    }
  }

  /// A setting of the search changed: the modem looks again where it has to.
  private mutating func settingsChanged() {
    switch radio.status {
    case .registered: if radio.access != possibleAccess { loseNetwork() }
    case .searching: startSearch(after: configuration.network.reselectionDelay)
    case .idle, .denied: break
    }
  }
}
