import Quantities

// What the core of the modem asks of the data commands (sockets, HTTP, MQTT, bearers, files). The core calls nothing
// else of them; the data commands keep all their state in `DataState` and `DataFlash`.

extension SimulatedModem {
  /// The commands of this folder.
  static var dataCommands: [SimulatedCommand] {
    appBearerCommands + profileBearerCommands + toolkitCommands + toolkitSocketCommands + toolkitReceiveCommands
      + applicationSocketCommands + httpCommands + httpBodyCommands + legacyHTTPCommands + mqttCommands
      + mqttTopicCommands + fileCommands + tlsCommands + serviceCommands
  }

  /// A timed event is due.
  mutating func handle(_ event: DataEvent) {
    switch event {
    case .appActivates: appActivates()
    case .appDeactivates: appDeactivates()
    case .appRetries: appRetries()
    case .toolkitActivates: toolkitActivates()
    case .toolkitShut: toolkitIsShut()
    case .toolkitConnectTimeout(let place), .toolkitConnectFails(let place): toolkitConnectFails(place)
    case .toolkitSendTimeout(let place): toolkitSocketCloses(place, byPeer: false)
    case .transparentGap: flushTransparent()
    case .profileOpens: profileOpens()
    case .profileCloses: profileCloses()
    case .httpConnectFails: httpConnectFails()
    case .httpTimeout: httpTimesOut()
    case .httpDrops: httpDrops()
    case .legacyFails(let status): legacyEnds(status: status, headers: [], body: [])
    case .mqttConnectFails: mqttConnectFails()
    case .mqttDrops: mqttDrops()
    case .applicationConnectFails(let cid, let result): applicationConnectFails(cid, result: result)
    case .applicationSent(let cid, let result, let count): urc("+CASEND: \(cid),\(result),\(count)")
    case .timeFails(let code): timeIsKnown(nil, code: code)
    case .located: located()
    case .pinged: pinged()
    case .pingFails: pingFails()
    case .downloadFails(let status): downloadEnds(status: status, body: [])
    case .lookUpTimeout(let id): handleData(.unresolved(id: id))
    }
  }

  /// The network answers, or tells something unasked.
  ///
  /// While a connection is stale (fault F4), nothing comes in any more.
  mutating func handleData(_ reply: NetworkReply) {
    guard let operation = data.operations[reply.id], !faults.isConnectionStale else {
      if faults.isConnectionStale { tellingsLost += 1 }
      return
    }
    switch operation {
    case .toolkitSocket(let place): handleToolkit(reply, place)
    case .applicationSocket(let cid): handleApplication(reply, cid)
    case .http: handleHTTP(reply)
    case .legacyHTTP: handleLegacy(reply)
    case .mqtt: handleMQTT(reply)
    case .lookUp(let host): handleLookUp(reply, host)
    case .ping: handlePing(reply)
    case .time: handleTime(reply)
    case .download: handleDownload(reply)
    }
  }

  /// A payload is there (or the host gave up, or took too long).
  mutating func finishDataPayload(_ payload: DataPayload, bytes: [UInt8], outcome: Prompt.Outcome) -> Answer {
    switch payload {
    case .toolkitSend(let place): return toolkitSend(bytes, to: place, outcome: outcome)
    case .applicationSend(let cid): return applicationSend(bytes, to: cid)
    case .publication(let topic, let qos, let isRetained):
      return publish(bytes, to: topic, qos: qos, isRetained: isRetained)
    case .httpBody: return setHTTPBody(bytes, outcome: outcome)
    case .legacyData: return setLegacyData(bytes)
    case .file(let path, let appends): return writeFile(bytes, to: path, appends: appends, outcome: outcome)
    }
  }

  /// The network is gone or took the bearers away: all connections are lost.
  ///
  /// When the host is not told, the sessions go on looking alive until they are used.
  ///
  /// - Parameter isSilent: True when the host is not told.
  mutating func dataLosesBearers(isSilent: Bool) {
    tellingsLost += 1
    loseAppBearer(isSilent: isSilent)
    loseToolkit(isSilent: isSilent)
    loseProfileBearer(isSilent: isSilent)
  }

  /// The module resets or loses its power. Called before `data` is replaced by a fresh value.
  ///
  /// Nothing is said to the network: it notices by itself, as with a real module.
  mutating func dataWillReset() {}

  /// A number for the network, remembered with its meaning.
  mutating func newID(for operation: DataOperation) -> Int {
    let id = newID()
    data.operations[id] = operation
    return id
  }

  /// Forgets a number, so that late answers find nobody.
  mutating func forgetID(_ id: Int?) {
    if let id { data.operations[id] = nil }
  }

  /// Asks something of an open connection; a stale one (fault F4) swallows it.
  mutating func askOpen(_ request: NetworkRequest) {
    if faults.isConnectionStale { noteTransmission() } else { ask(request) }
  }

  /// True when this connect is one that fails (faults F4 and F7).
  mutating func nextConnectFails() -> Bool { faults.takeConnectFailure() || faults.isConnectionStale }

  /// True when bringing up what is up is an error.
  var refusesRepeatedActivation: Bool { configuration.data.refusesRepeatedActivation || faults.hasStrictStates }

  /// A command that keeps a text and gives it back.
  static func remembering(_ name: String) -> SimulatedCommand {
    SimulatedCommand(name) { modem, call in
      switch call.form {
      case .write:
        modem.data.remembered[name] = String(decoding: call.text, as: UTF8.self)
        return .ok
      case .read:
        guard let text = modem.data.remembered[name] else { return .ok }
        return Answer.ok.line("\(name): \(text)")
      case .test, .execute: return .ok
      }
    }
  }
}
