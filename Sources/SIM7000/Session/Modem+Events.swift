import ATCommands
import InlineStorage
import Quantities

extension Modem {
  /// An event of the channel.
  mutating func handle(_ event: ATEvent) {
    switch event {
    case .none: break
    case .information: takeInformation()
    case .data: takeData()
    case .prompt: writePayload()
    case .finished(let result):
      guard let ended = step else { return }
      step = nil
      finish(ended, result)
    case .unsolicited: takeNotice()
    case .reset: modemStarted()
    case .poweredDown: modemPoweredDown()
    case .synchronised: linkIsThere()
    case .silent:
      facts.isAlive = false
      linkIsSilent()
    }
  }

  /// Something went wrong: says so, and does what the ladder says.
  mutating func trouble(_ trouble: ModemTrouble) {
    lastTrouble = trouble
    step = nil
    orders.removeAll()
    let (rung, wait) = ladder.climb(for: trouble)
    report(.recovery(rung, trouble))
    facts.delivery = .waiting
    pauseUntil = now + wait
    switch rung {
    case .retry: break
    case .session: orderSessionClosed()
    case .bearer:
      orderSessionClosed()
      orderBearerClosed()
    case .attach:
      facts.doubtBearers()
      order(.detach)
      order(.attach)
    case .radio:
      radioRest = trouble.isBeyondRepair && wait > .seconds(10) ? wait : .seconds(10)
      pauseUntil = now
      order(.radioOff)
      order(.radioOn)
    case .reset: order(.restart)
    case .power:
      // It rests switched off, not wedged.
      restAfter = wait
      pauseUntil = now
      order(.switchOff)
    }
  }

  private mutating func order(_ step: ModemStep) { orders.append(step) }

  private var sessionTransport: ModemTransport { delivery?.transport ?? .mqtt }

  private mutating func orderSessionClosed() {
    switch sessionTransport {
    case .http: order(.httpClose)
    case .legacyHTTP: order(.oldStop)
    case .mqtt: order(.mqttClose)
    case .tcp: order(.tcpClose)
    case .applicationTCP: order(.socketClose)
    case .sms: break
    }
    facts.loseSessions()
    // Whether the bearer is still there is quickly asked.
    facts.bearer = .unknown
    facts.profile = .unknown
  }

  private mutating func orderBearerClosed() {
    switch sessionTransport {
    case .http, .mqtt, .applicationTCP: order(.bearerClose)
    case .legacyHTTP: order(.profileClose)
    case .tcp: order(.socketsShut)
    case .sms: break
    }
    facts.doubtBearers()
    facts.registration = .unknown
  }
}
