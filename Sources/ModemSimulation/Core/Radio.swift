import Quantities

extension SimulatedModem {
  /// True when the network would give a bearer: registered, attached, radio on.
  var hasPacketService: Bool {
    radio.function == 1 && radio.status == .registered && radio.wantsAttachment && power.isRunning
  }

  /// How long the search takes that begins now.
  var searchDelay: Interval {
    power.keepsRegistration ? configuration.network.returnDelay : configuration.network.registrationDelay
  }

  /// Begins to look for a network; zero finds it at once.
  mutating func startSearch(after delay: Interval) {
    timers.cancel(.radio(.registers))
    guard radio.function == 1, sim.isReady, !radio.isDeregistered else { return }
    guard delay.microseconds > 0 else {
      register()
      return
    }
    radio.status = .searching
    radio.access = nil
    reportRegistration()
    schedule(.radio(.registers), after: delay)
  }

  mutating func handle(_ event: RadioEvent) {
    switch event {
    case .registers: register()
    case .flaps: flap()
    case .powerSavingGranted: powerSavingIsGranted()
    case .activeTimerEnds: enterPowerSaving()
    case .sleeps: powerSavingBegins()
    case .periodicTimerEnds: leavePowerSaving()
    case .operatorsFound: complete(Answer.ok.line(operatorList))
    }
  }

  /// The technology that the settings and the network allow.
  var possibleAccess: RadioAccess? {
    configuration.network.access.first { access in
      switch access {
      case .gsm: return flash.networkMode != 38
      case .catM: return flash.networkMode != 13 && flash.narrowBandMode != 2 && !hasWrongAccessPoint
      case .nbIoT: return flash.networkMode != 13 && flash.narrowBandMode != 1 && !hasWrongAccessPoint
      }
    }
  }

  /// LTE attaches with a name: a wrong one in the contexts the module uses for it keeps it out (fault F22).
  private var hasWrongAccessPoint: Bool {
    for context in [1, 13, 14] {
      guard let name = flash.contexts[context]?.accessPointName, !name.isEmpty else { continue }
      if name == "stale" { return true }
      if let accepted = configuration.network.accessPointNames, !accepted.contains(name) { return true }
    }
    return false
  }

  private mutating func register() {
    guard radio.function == 1, sim.isReady, !radio.isDeregistered else { return }
    if configuration.network.deniesRegistration || faults.deniesRegistration {
      radio.status = .denied
      radio.access = nil
    } else if let access = possibleAccess {
      radio.status = .registered
      radio.access = access
    } else {
      radio.status = .searching
      radio.access = nil
    }
    reportRegistration()
    guard radio.status == .registered else {
      searchGoesOn()
      return
    }
    power.keepsRegistration = false
    radio.searchingSince = nil
    noteTransmission()
    receiveNetworkTime()
    if flash.powerSaving { powerSavingIsGranted() }
    deliverWaitingMessages()
  }

  /// Nothing was found, or the network refused: later again, if the modem does not give up.
  private mutating func searchGoesOn() {
    let since = radio.searchingSince ?? now
    radio.searchingSince = since
    if let limit = configuration.network.searchGivesUpAfter, now - since >= limit, radio.status == .searching {
      radio.status = .idle
      radio.searchingSince = nil
      reportRegistration()
    } else {
      schedule(.radio(.registers), after: .seconds(30))
    }
  }

  /// The network is gone; the modem looks for it again.
  mutating func loseNetwork() {
    guard power.isRunning else { return }
    let had = radio.status == .registered
    timers.cancel(.radio(.registers))
    timers.cancel(.radio(.activeTimerEnds))
    radio.status = .idle
    radio.access = nil
    if had { dataLosesBearers(isSilent: false) }
    if sim.isReady && radio.function == 1 && !radio.isDeregistered {
      startSearch(after: configuration.network.reselectionDelay)
    } else {
      reportRegistration()
    }
  }

  /// `CFUN`: 0 switches SIM and radio off, 4 the radio, 1 all on.
  mutating func changeFunction(to level: Int) {
    guard level != radio.function else { return }
    let before = radio.function
    radio.function = level
    if level != 0 { flash.function = level }
    if level == 1 {
      if before == 0 {
        sim.isUp = false
        sim.areMessagesReady = false
        sim.needsPIN = sim.pin != nil
        schedule(.boot(.sim), after: .milliseconds(800))
        schedule(.boot(.messages), after: .milliseconds(3_300))
      } else if sim.isReady {
        startSearch(after: searchDelay)
      }
      return
    }
    timers.cancel(.boot(.sim))
    timers.cancel(.boot(.messages))
    loseNetwork()
    if level == 0 {
      sim.isUp = false
      sim.areMessagesReady = false
      urc("+CPIN: NOT READY")
    }
  }

  /// F17: registered, searching, refused (if the fault says so), registered …, a step every four seconds.
  mutating func flap() {
    timers.cancel(.radio(.flaps))
    guard let end = radio.flapsUntil, now < end else { return }
    schedule(.radio(.flaps), after: .seconds(4))
    guard power.isRunning, sim.isReady, radio.function == 1, !radio.isDeregistered else { return }
    switch radio.status {
    case .registered, .denied:
      loseNetwork()
      timers.cancel(.radio(.registers))
    case .searching, .idle:
      register()
      if radio.status == .denied { timers.cancel(.radio(.registers)) }
    }
  }

  // MARK: What is told about it

  /// Number of the status for a domain.
  func statusNumber(_ domain: RegistrationDomain) -> Int {
    let network = configuration.network
    guard radio.status == .registered else { return radio.status.rawValue }
    let number = network.isRoaming ? 5 : 1
    switch domain {
    case .packet: return number
    case .evolved: return radio.access == .gsm ? 0 : number
    case .circuit:
      if radio.access == .gsm { return number }
      return radio.lies ? 0 : network.circuitStatusOnLTE ?? number
    }
  }

  /// Number of a technology in `CREG`, `COPS` and `CNSMOD`.
  func accessNumber(_ access: RadioAccess?) -> Int {
    switch access {
    case .catM: return 7
    case .nbIoT: return 9
    case .gsm, nil: return 0
    }
  }

  /// Status and, for `n` 2 and more, the place; for 4 also the timers of power saving mode.
  ///
  /// - Source: [ts27007] sections 7.2, 10.1.20, 10.1.22; [sim7000-power] section 4 (no rac in `CEREG`).
  func registrationText(_ domain: RegistrationDomain, detail: Int) -> String {
    var text = "\(statusNumber(domain))"
    guard detail >= 2, radio.status == .registered, statusNumber(domain) != 0 else { return text }
    let network = configuration.network
    text += ",\"\(hexadecimal(Int(network.areaCode), digits: 4))\""
    if domain == .evolved, network.registrationHasRoutingArea { text += ",\"00\"" }
    text += ",\"\(hexadecimal(Int(network.cell), digits: 1))\""
    text += ",\(accessNumber(radio.access))"
    if detail >= 4, domain != .circuit, radio.hasPowerSaving {
      text += ",,,\"\(flash.activeTimer)\",\"\(flash.periodicTimer)\""
    }
    return text
  }

  /// Tells changes of the registration to a host that wants to know.
  mutating func reportRegistration() {
    let names: [(RegistrationDomain, String)] = [(.circuit, "+CREG"), (.packet, "+CGREG"), (.evolved, "+CEREG")]
    for (domain, name) in names {
      let detail = session.registrationReports[domain] ?? 0
      let text = registrationText(domain, detail: detail)
      if detail > 0, radio.reported[domain] != text { urc("\(name): \(text)") }
      radio.reported[domain] = text
    }
    let mode = systemMode
    if session.reportsSystemMode, radio.reportedMode != mode { urc("+CNSMOD: \(mode)") }
    radio.reportedMode = mode
  }

  /// `CNSMOD`.
  var systemMode: Int {
    guard radio.status == .registered else { return 0 }
    return radio.access == .gsm ? 3 : accessNumber(radio.access)
  }

  /// The network's time, if both sides want it.
  ///
  /// - Source: [sim7000-at] section 5.2.6 for the manual's form; the other is that of logs: a quote is missing.
  private mutating func receiveNetworkTime() {
    guard configuration.network.sendsTime, session.reportsTime else { return }
    setClock(utc: utcNow)
    let network = configuration.network
    flash.timeZoneQuarters = network.timeZoneQuarters
    let zone = zoneText(network.timeZoneQuarters)
    let parts = ClockParts(utcNow)
    urc("DST: \(network.daylightSaving)")
    switch configuration.profile {
    case .b03, .b05: urc("*PSUTTZ: \(parts.short)\",\"\(zone)\",\(network.daylightSaving)")
    case .g10:
      urc(
        "*PSNWID: \"\(network.countryCode)\",\"\(network.networkCode)\",\"\(network.longName)\",0,"
          + "\"\(network.shortName)\",0")
      urc("*PSUTTZ: \(parts.plain),\"\(zone)\",\(network.daylightSaving)")
      urc("+CTZV: \(zone)")
    }
  }

  /// Quarter hours as `+08`.
  func zoneText(_ quarters: Int) -> String { (quarters < 0 ? "-" : "+") + twoDigits(abs(quarters)) }
}
