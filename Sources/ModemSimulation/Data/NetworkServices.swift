import Quantities

// SNPING4, CNTP, CNTPCID, CLBS, HTTPTOFS.
//
// Source: [sim7000-at] chapters 8, 10 and 19; [sim7000-gnss] section 5.

/// State of the small services.
struct ServiceState: Equatable, Sendable {
  /// `CNTP`: server.
  var timeServer = "pool.ntp.org"
  /// `CNTP`: zone, quarter hours.
  var timeZoneQuarters = 0
  /// `CNTPCID`.
  var timeContext = 1
  /// `CNTP`: true when the outcome holds the time.
  var printsTime = false
  /// Number of the running question.
  var timeID: Int?
  /// `CLBS`: kind of the request that runs.
  var locationKind: Int?
  /// `SNPING4`: number of the look-up.
  var pingID: Int?
  /// Address that is pinged.
  var pingAddress = ""
  /// Lines that were asked for.
  var pingsToGo = 0
  /// Lines told.
  var pingCount = 0
  /// `HTTPTOFS`: number of the connection.
  var downloadID: Int?
  /// URL of the file.
  var downloadURL = ""
  /// Where it goes, as in `DataFlash.files`.
  var downloadPath = ""
  /// True until the outcome is told.
  var isDownloading = false
  /// Bytes of the last download.
  var downloadedCount = 0
}

extension SimulatedModem {
  /// The commands of this file.
  static var serviceCommands: [SimulatedCommand] {
    [
      SimulatedCommand("+CNTPCID") { modem, call in
        if call.form == .read { return Answer.ok.line("+CNTPCID: \(modem.data.services.timeContext)") }
        guard call.form == .write, let context = call.integer(0, in: 1...3) else { return .error }
        modem.data.services.timeContext = context
        return .ok
      },
      SimulatedCommand("+CNTP") { modem, call in modem.cntp(call) },
      SimulatedCommand("+CLBS") { modem, call in modem.clbs(call) },
      SimulatedCommand("+SNPING4") { modem, call in modem.snping4(call) },
      SimulatedCommand("+HTTPTOFS") { modem, call in modem.httptofs(call) },
      SimulatedCommand("+HTTPTOFSRL") { modem, call in
        guard call.form == .read else { return .error }
        let services = modem.data.services
        let count = services.downloadedCount
        return Answer.ok.line("+HTTPTOFSRL: \(services.isDownloading ? 1 : 0),\(count),\(count)")
      },
    ]
  }

  // MARK: CNTP

  /// `AT+CNTP="host"[,<zone>[,<cid>[,<mode>]]]` sets, `AT+CNTP` asks: `OK` first, the outcome later.
  private mutating func cntp(_ call: CommandCall) -> Answer {
    let services = data.services
    switch call.form {
    case .test: return .ok
    case .read:
      let zone = services.timeZoneQuarters
      return Answer.ok.line(
        "+CNTP: \"\(services.timeServer)\",\(zone),\(services.timeContext),\(services.printsTime ? 1 : 0)")
    case .write:
      guard let host = call.string(0), !host.isEmpty, call.count <= 4 else { return .error }
      let zone = call.has(1) ? call.integer(1, in: -48...56) : services.timeZoneQuarters
      let context = call.has(2) ? call.integer(2, in: 0...3) : services.timeContext
      let mode = call.has(3) ? call.integer(3, in: 0...2) : 0
      guard let zone, let context, let mode else { return .error }
      data.services.timeServer = host
      data.services.timeZoneQuarters = zone
      data.services.timeContext = context
      data.services.printsTime = mode > 0
      return .ok
    case .execute: break
    }
    guard services.timeID == nil else { return .error }
    guard data.profile.phase == .connected, !nextConnectFails() else {
      schedule(.data(.timeFails(61)), after: .milliseconds(500))
      return .ok
    }
    let id = newID(for: .time)
    data.services.timeID = id
    ask(.networkTime(id: id, host: services.timeServer))
    schedule(.data(.timeFails(65)), after: .seconds(60))
    return .ok
  }

  /// The time server answers.
  mutating func handleTime(_ reply: NetworkReply) {
    if case .time(_, let time) = reply { timeIsKnown(time, code: 1) } else { timeIsKnown(nil, code: 62) }
  }

  /// `CNTP` comes to its end.
  mutating func timeIsKnown(_ time: UTCTime?, code: Int) {
    forgetID(data.services.timeID)
    data.services.timeID = nil
    timers.cancel(.data(.timeFails(65)))
    guard let time else {
      urc("+CNTP: \(code)")
      return
    }
    setClock(utc: time)
    flash.timeZoneQuarters = data.services.timeZoneQuarters
    let local = time + .seconds(data.services.timeZoneQuarters * 900)
    urc(data.services.printsTime ? "+CNTP: 1,\"\(ClockParts(local).long)\"" : "+CNTP: 1")
  }

  // MARK: CLBS

  /// `AT+CLBS=<1 place|4 place and time>,<cid>`: longitude first.
  private mutating func clbs(_ call: CommandCall) -> Answer {
    if call.form == .test { return Answer.ok.line("+CLBS: (1,4),(1)") }
    guard call.form == .write, let kind = call.integer(0), kind == 1 || kind == 4, call.integer(1) == 1 else {
      return .error
    }
    guard data.profile.phase == .connected else { return Answer.ok.line("+CLBS: 3") }
    data.services.locationKind = kind
    schedule(.data(.located), after: .seconds(1))
    return .later
  }

  /// `CLBS` comes to its end.
  mutating func located() {
    guard let kind = data.services.locationKind else { return }
    data.services.locationKind = nil
    guard isRunning("+CLBS") else { return }
    guard data.profile.phase == .connected, !faults.isConnectionStale else {
      complete(Answer.ok.line("+CLBS: 3"))
      return
    }
    let place = configuration.data.cellLocation
    let time = kind == 4 ? ",\(ClockParts(utcNow).long)" : ""
    complete(Answer.ok.line("+CLBS: 0,\(place.longitude),\(place.latitude),\(place.accuracy)\(time)"))
  }

  // MARK: SNPING4

  /// `AT+SNPING4="host",<count>,<size>,<ms>`: a line for each answer, then `OK`.
  private mutating func snping4(_ call: CommandCall) -> Answer {
    guard call.form == .write, call.count == 4, let host = call.string(0), !host.isEmpty,
      let count = call.integer(1, in: 1...500), call.integer(2, in: 1...1400) != nil,
      let limit = call.integer(3, in: 1...60_000), data.app.phase == .active
    else { return .error }
    data.services.pingsToGo = count
    data.services.pingCount = 0
    schedule(.data(.pingFails), after: .milliseconds(limit) + .seconds(30))
    let id = newID(for: .ping)
    data.services.pingID = id
    askOpen(.resolve(id: id, host: host))
    return .later
  }

  /// The name to ping is looked up.
  mutating func handlePing(_ reply: NetworkReply) {
    forgetID(reply.id)
    data.services.pingID = nil
    timers.cancel(.data(.pingFails))
    guard case .resolved(_, let address) = reply else {
      pingFails()
      return
    }
    data.services.pingAddress = address
    schedulePing()
  }

  /// Waits for the next answer to a ping.
  private mutating func schedulePing() {
    data.services.pingCount += 1
    schedule(.data(.pinged), after: .milliseconds(60 + random.integer(below: 240)))
  }

  /// An answer to a ping.
  mutating func pinged() {
    guard isRunning("+SNPING4") else { return }
    let services = data.services
    // The time printed is one of those a Cat-M1 link has; nothing really leaves.
    urc("+SNPING4: \(services.pingCount),\(services.pingAddress),\(60 + random.integer(below: 240))")
    if services.pingCount >= services.pingsToGo { complete(.ok) } else { schedulePing() }
  }

  /// `SNPING4` ends in `ERROR`.
  mutating func pingFails() {
    forgetID(data.services.pingID)
    data.services.pingID = nil
    timers.cancel(.data(.pinged))
    timers.cancel(.data(.pingFails))
    if isRunning("+SNPING4") { complete(.error) }
  }

  // MARK: HTTPTOFS

  /// `AT+HTTPTOFS="url","/customer/name"[,<timeout s>[,<retries>]]`: `OK` first, the outcome later.
  private mutating func httptofs(_ call: CommandCall) -> Answer {
    guard call.form == .write, (2...4).contains(call.count), let url = call.string(0), let file = call.string(1),
      let path = SimulatedModem.storagePath(file), URLParts(url: url) != nil, data.app.phase == .active,
      !data.services.isDownloading
    else { return .error }
    data.services.isDownloading = true
    data.services.downloadURL = url
    data.services.downloadPath = path
    data.services.downloadedCount = 0
    guard !nextConnectFails() else {
      schedule(.data(.downloadFails(601)), after: configuration.data.connectFailureDelay)
      return .ok
    }
    let id = newID(for: .download)
    data.services.downloadID = id
    ask(.httpConnect(id: id, url: url))
    schedule(.data(.downloadFails(408)), after: .seconds(call.integer(2, in: 10...1000) ?? 50))
    return .ok
  }

  /// `3/name` of `/customer/name`; nil for a folder that is none.
  static func storagePath(_ path: String) -> String? {
    for (number, folder) in ["/custapp/", "/fota/", "/datatx/", "/customer/"].enumerated() where path.hasPrefix(folder)
    {
      let name = path.dropFirst(folder.count)
      return name.isEmpty || name.utf8.count > maximumFileName ? nil : "\(number)/\(name)"
    }
    return nil
  }

  /// The server of a download answers.
  mutating func handleDownload(_ reply: NetworkReply) {
    switch reply {
    case .httpConnected(let id):
      askOpen(.httpRequest(id: id, method: "GET", url: data.services.downloadURL, headers: [], body: []))
    case .httpResponse(_, let status, _, let body): downloadEnds(status: status, body: body)
    case .httpFailed(let id, let reason):
      forgetID(id)
      data.services.downloadID = nil
      downloadEnds(status: reason == .noSuchHost ? 603 : 601, body: [])
    case .httpClosed: downloadEnds(status: 601, body: [])
    default: break
    }
  }

  /// `HTTPTOFS` comes to its end.
  mutating func downloadEnds(status: Int, body: [UInt8]) {
    guard data.services.isDownloading else { return }
    data.services.isDownloading = false
    if let id = data.services.downloadID { ask(.httpDisconnect(id: id)) }
    forgetID(data.services.downloadID)
    data.services.downloadID = nil
    timers.cancel {
      if case .data(.downloadFails) = $0 { true } else { false }
    }
    if status == 200 { flash.data.files[data.services.downloadPath] = body }
    data.services.downloadedCount = body.count
    urc("+HTTPTOFS: \(status),\(body.count)")
  }

  /// The application network is gone.
  mutating func loseAppServices() {
    if data.services.isDownloading { downloadEnds(status: 601, body: []) }
    if isRunning("+SNPING4") { pingFails() }
  }
}
