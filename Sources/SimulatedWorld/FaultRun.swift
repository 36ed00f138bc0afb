import FaultInjection
import InlineStorage
import ModemSimulation
import Quantities
import SIM7000

/// When a fault strikes.
package enum FaultMoment: Equatable, Sendable {
  /// At a time.
  case time(Instant)
  /// When the driver begins this exchange for the first time after the packets were given to it.
  case step(ModemStep)
  /// When the driver is in this phase.
  case phase(ModemPhase)
}

/// A fault and its moment.
package struct PlannedFault: Equatable, Sendable {
  /// What goes wrong.
  package var fault: ModemFault
  /// When.
  package var moment: FaultMoment

  /// A fault at a moment.
  package init(_ fault: ModemFault, at moment: FaultMoment) {
    self.fault = fault
    self.moment = moment
  }
}

/// A story: packets that must get to the server through a modem on which things go wrong.
package struct FaultStory: Sendable {
  /// Seed of everything that is left to chance.
  package var seed: UInt64
  /// How the packets go.
  package var transport: ModemTransport
  /// When each packet is handed over, at the earliest. Their numbers count from 1.
  package var packets: [Instant]
  /// What goes wrong with the module.
  package var faults: [PlannedFault]
  /// What goes wrong on the line to the driver, up to `lineFaultsEnd`.
  package var line = LineFaultRates.none
  /// What goes wrong on the line from the driver, up to `lineFaultsEnd`.
  package var lineToModule = LineFaultRates.none
  /// When the line becomes good.
  package var lineFaultsEnd = Instant.zero
  /// What goes wrong in the network.
  package var mishaps: [(mishap: NetworkMishap, occasionsBefore: Int)] = []
  /// Times without any server.
  package var outages: [(from: Instant, until: Instant)] = []
  /// When somebody sends the modem a text message; see `FaultRun.request`.
  package var requests: [Instant] = []
  /// What its firmware does otherwise.
  package var traits: [FirmwareTrait] = []
  /// What another program had just typed when the driver began.
  package var typedBefore = ""
  /// How many bytes of a million are changed on their way to the modem while they are a payload, up to `lineFaultsEnd`.
  package var payloadChangesPerMillion = 0
  /// What was drawn for it besides, to be counted.
  package var encounters: [FieldEncounter] = []
  /// The driver.
  package var driver: ModemConfiguration
  /// The module.
  package var module: SimulatedModemConfiguration
  /// When all packets must have arrived.
  package var limit: Instant

  /// A story without faults, with servers for every transport.
  package init(seed: UInt64, transport: ModemTransport, packets: [Instant] = [.zero], faults: [PlannedFault] = []) {
    self.seed = seed
    self.transport = transport
    self.packets = packets
    self.faults = faults
    driver = FaultStory.driver()
    module = SimulatedModemConfiguration()
    limit = .seconds(3 * 3600)
  }

  /// The driver for the servers of the stories.
  package static func driver() -> ModemConfiguration {
    var driver = ModemConfiguration()
    driver.accessPoint = AccessPointName("iot.example") ?? driver.accessPoint
    driver.httpServer = ServerAddress("http://track.example:8080") ?? driver.httpServer
    driver.httpPath = ModemText("/pub") ?? driver.httpPath
    driver.mqttHost = ServerAddress("broker.example") ?? driver.mqttHost
    driver.tcpHost = ServerAddress("track.example") ?? driver.tcpHost
    driver.smsNumber = TelephoneNumber("+31600000000") ?? driver.smsNumber
    return driver
  }
}

/// What came of a story.
package struct FaultOutcome: Equatable, Sendable {
  /// Packets that the driver says are delivered.
  package var delivered: [UInt32] = []
  /// Packets that were not delivered by the limit: the driver hangs, or has given up.
  package var missing: [UInt32] = []
  /// Packets that the driver says are delivered and the server has never seen whole: lost.
  package var lost: [UInt32] = []
  /// Times a server got a packet it had before.
  package var duplicates = 0
  /// Of these, those whose earlier copy the network lost the answer to: nothing but sending it again can help.
  package var answersLost = 0
  /// Of the rest, those in whose time the modem has started anew.
  package var startsBetween = 0
  /// Of the rest, those where a fault has destroyed the evidence between the modem and the driver: see `DuplicateCauses`.
  package var evidenceLost = 0
  /// Payloads a server got that are no packet.
  package var damaged = 0
  /// Packets that the driver says are delivered, of which the server has taken a changed copy for good, where the modem echoes no
  /// payload: nothing between the serial port and the server could show it.
  package var changedUnseen: [UInt32] = []
  /// Times the driver handed a packet back, and was given it again.
  package var handedBack = 0
  /// From the first fault to the last packet's acknowledgement; nil when no fault struck, or a packet is missing.
  package var recovery: Interval?
  /// Faults that have struck.
  package var struck = 0
  /// When it was over.
  package var end = Instant.zero
  /// How often each rung of the ladder was climbed.
  package var rungs: [UInt32] = []
  /// Charge the modem took, µC.
  package var microcoulombs: Int64 = 0
  /// Most times that one packet was given to the modem.
  package var transmissions = 0
  /// Times the SIM card was given a PIN.
  package var pinTries = 0
  /// Bytes that the driver has sent.
  package var bytes = 0
  /// Text messages that had come to the modem and were still in its store when all had been quiet for `FaultRun.quiet`.
  package var storedMessages = 0
  /// Text messages that were read only when the modem's rest ended, hours later, or when it was switched on again.
  package var sleptOverRequests = 0
  /// Text messages that left the modem's store and never came up as they were sent.
  package var lostRequests = 0
  /// Times that a text message came up again.
  package var repeatedRequests = 0
  /// Texts that came up and that nobody had sent.
  package var foreignRequests = 0
  /// From the first packet that was handed over while none waited to its acknowledgement, summed: when the driver had work.
  package var busy = Interval.zero

  /// Nothing has happened yet.
  package init() {}

  /// True when every packet arrived, and none is only thought to have; and when every text message that has come to the modem came
  /// up once, as it was sent, and left the store.
  package var isGood: Bool { missing.isEmpty && lost.isEmpty && requestFaults.isEmpty }

  /// What is wrong with the text messages, in words.
  package var requestFaults: [String] {
    var words: [String] = []
    if lostRequests > 0 { words.append("\(lostRequests) text messages lost") }
    if repeatedRequests > 0 { words.append("\(repeatedRequests) text messages repeated") }
    if foreignRequests > 0 { words.append("\(foreignRequests) requests that nobody sent") }
    if storedMessages > 0 { words.append("\(storedMessages) text messages left in the modem") }
    return words
  }
}

/// Runs stories.
package final class FaultRun {
  /// The world of the story, for a closer look.
  package let bench: ModemBench
  /// Told of the world before each of its steps is judged, for those who look on.
  package var watcher: ((FaultRun) -> Void)?
  /// The faults that have struck, and when.
  package private(set) var strikes: [(time: Instant, fault: PlannedFault)] = []
  private let story: FaultStory
  private var outcome = FaultOutcome()
  private var pending: [PlannedFault]
  private var firstFault: Instant?
  private var next = 0
  /// A packet that was handed back is given to the driver again then.
  private var resumption = Instant.zero
  private static var retryAfter: Interval { .seconds(10) }
  /// After the last packet and the last fault, for what has still to be read: the driver looks at the store each five minutes.
  package static var quiet: Interval { .seconds(330) }
  private var nextRequest = 0
  private var seen = 0
  private var lastStep: ModemStep?
  private var causes = DuplicateCauses()
  /// Attempts before the packet under way, and since when there is one.
  private var attempts: UInt32 = 0
  /// Text messages in the modem when it was last looked at, and when one was more than before.
  private var lastStored = 0
  private var lastArrival = Instant.zero
  private var busySince: Instant?

  /// A story about to begin.
  package init(_ story: FaultStory) {
    self.story = story
    pending = story.faults
    var network = VirtualNetwork.withServers(seed: story.seed)
    let channel = FaultRun.channel(of: story.transport)
    for (mishap, count) in story.mishaps { network.plan(mishap, on: channel, after: count) }
    for (from, until) in story.outages { network.addOutage(from: from, until: until) }
    bench = ModemBench(
      driver: story.driver, module: SimulatedModem(story.module, seed: story.seed), network: network, seed: story.seed)
    if !story.typedBefore.isEmpty { bench.module.receive(Array((story.typedBefore + "\r").utf8), at: .zero) }
    bench.payloadChangesPerMillion = story.payloadChangesPerMillion
    bench.fromModule.rates = story.line
    bench.toModule.rates = story.lineToModule
  }

  /// Which servers a transport meets.
  static func channel(of transport: ModemTransport) -> NetworkChannel {
    switch transport {
    case .http, .legacyHTTP: return .http
    case .mqtt: return .mqtt
    case .tcp, .applicationTCP: return .tcp
    case .sms: return .sms
    }
  }

  /// The payload of a packet.
  package static func payload(_ ticket: UInt32) -> [UInt8] {
    Array("{\"type\":\"movement\",\"trackerId\":\"leash\",\"sequence\":\(ticket),\"latitude\":50.3926018}".utf8)
  }

  /// The text of a request.
  package static func request(_ number: Int) -> String { "#\(number) locate" }

  private static let owner = "+31611111111"

  /// Runs the story to its end.
  package func run() -> FaultOutcome {
    bench.observer = { [unowned self] bench in self.watch(bench) }
    watch(bench)
    while outcome.delivered.count < story.packets.count, bench.now < story.limit {
      // What the story does at a time, nobody in the world knows of.
      let end = min(story.limit, nextMoment ?? story.limit)
      // A packet that is handed back meanwhile makes a time of its own.
      let known = resumption
      _ = bench.run(until: end) { [unowned self] _ in
        outcome.delivered.count < story.packets.count && resumption == known
      }
    }
    finish()
    readRequests()
    return outcome
  }

  private var nextMoment: Instant? {
    var earliest: Instant?
    for planned in pending {
      guard case .time(let time) = planned.moment, time > bench.now else { continue }
      earliest = min(earliest ?? time, time)
    }
    for time in story.packets + story.requests + [story.lineFaultsEnd, resumption] where time > bench.now {
      earliest = min(earliest ?? time, time)
    }
    return earliest
  }

  private func watch(_ bench: ModemBench) {
    watcher?(self)
    let count = bench.module.storedMessageCount
    if count > lastStored { lastArrival = bench.now }
    lastStored = count
    account(bench)
    strike(bench)
    if story.lineFaultsEnd <= bench.now {
      bench.fromModule.rates = .none
      bench.toModule.rates = .none
      bench.payloadChangesPerMillion = 0
    }
    causes.watch(bench)
    takeOutcomes(bench)
    while nextRequest < story.requests.count, story.requests[nextRequest] <= bench.now {
      nextRequest += 1
      bench.module.deliver(sms: FaultRun.request(nextRequest), from: FaultRun.owner, at: bench.now)
      bench.settle()
    }
    guard next < story.packets.count, story.packets[next] <= bench.now, resumption <= bench.now else { return }
    guard bench.driver.modem.isFree else { return }
    let ticket = UInt32(next + 1)
    if bench.submit(FaultRun.payload(ticket), ticket: ticket, by: story.transport) { next += 1 }
  }

  /// What it costs.
  private func account(_ bench: ModemBench) {
    let step = bench.driver.modem.step
    if step == .simEnter, lastStep != .simEnter { outcome.pinTries += 1 }
    lastStep = step
    let count = bench.driver.modem.diagnostics.attempts
    outcome.transmissions = max(outcome.transmissions, Int(count &- attempts))
    if bench.driver.modem.isFree {
      attempts = count
      if let since = busySince { outcome.busy = outcome.busy + (bench.now - since) }
      busySince = nil
    } else if busySince == nil {
      busySince = bench.now
    }
  }

  private func takeOutcomes(_ bench: ModemBench) {
    while seen < bench.actions.count {
      let action = bench.actions[seen].action
      seen += 1
      switch action {
      case .delivered(let ticket): outcome.delivered.append(ticket)
      case .undelivered(let ticket, _):
        // The outbox above would try again; so does this.
        outcome.handedBack += 1
        next = Int(ticket) - 1
        resumption = bench.now + FaultRun.retryAfter
      default: break
      }
    }
  }

  private func strike(_ bench: ModemBench) {
    var place = 0
    while place < pending.count {
      let isDue: Bool
      switch pending[place].moment {
      case .time(let time): isDue = time <= bench.now
      case .step(let step): isDue = bench.driver.modem.step == step
      case .phase(let phase): isDue = bench.driver.modem.phase == phase
      }
      guard isDue else {
        place += 1
        continue
      }
      let planned = pending.remove(at: place)
      firstFault = firstFault ?? bench.now
      outcome.struck += 1
      strikes.append((bench.now, planned))
      bench.module.apply(planned.fault, at: bench.now)
      bench.settle()
    }
  }

  private func finish() {
    outcome.end = bench.now
    var counts: [UInt32: Int] = [:]
    var earlier: [UInt32: ReceivedPayload] = [:]
    causes.finish(bench)
    for payload in bench.network.received {
      guard let ticket = FaultRun.ticket(of: payload.bytes) else {
        outcome.damaged += 1
        continue
      }
      counts[ticket, default: 0] += 1
      let last = earlier.updateValue(payload, forKey: ticket)
      guard let last else { continue }
      switch causes.cause(of: payload, after: last) {
      case .answerLost: outcome.answersLost += 1
      case .startBetween: outcome.startsBetween += 1
      case .evidenceLost: outcome.evidenceLost += 1
      case .driver: break
      }
    }
    outcome.duplicates = counts.values.reduce(0) { $0 + $1 - 1 }
    outcome.lost = outcome.delivered.filter { counts[$0] == nil }
    if !story.module.link.echoesPayloads {
      outcome.changedUnseen = outcome.lost.filter(isChangedUnseen)
      outcome.lost.removeAll(where: outcome.changedUnseen.contains)
    }
    let expected = story.packets.indices.map { UInt32($0 + 1) }
    outcome.missing = expected.filter { !outcome.delivered.contains($0) }
    if outcome.missing.isEmpty, let firstFault { outcome.recovery = bench.now - firstFault }
    let counters = bench.driver.modem.ladder.counts
    outcome.bytes = bench.bytesToModule
    outcome.rungs = (0..<7).map { counters[$0] }
    outcome.microcoulombs = bench.driver.modem.energy.microcoulombs
  }

  /// True when a server has taken a changed copy of a packet for good. One that acknowledges by number has named this one's: an
  /// acknowledgement of another number is none.
  private func isChangedUnseen(_ ticket: UInt32) -> Bool {
    let whole = FaultRun.payload(ticket)
    let namesIt = story.transport == .tcp || story.transport == .applicationTCP
    return bench.network.received.contains { payload in
      var bytes = payload.bytes
      while bytes.last == 0x0A || bytes.last == 0x0D { bytes.removeLast() }
      if namesIt { return VirtualNetwork.sequence(in: bytes) == "\(ticket)" }
      // A text message has no length: nothing shows that bytes of it were lost, either, or lost and changed.
      if story.transport == .sms, FaultRun.isWithin(whole, bytes) { return true }
      return bytes.count == whole.count && zip(bytes, whole).filter { $0 != $1 }.count <= 8
    }
  }

  /// True when no more than eight bytes are missing or changed.
  private static func isWithin(_ whole: [UInt8], _ bytes: [UInt8]) -> Bool {
    guard bytes.count <= whole.count, whole.count - bytes.count <= 8 else { return false }
    // What each beginning of the bytes costs against the whole so far: a byte that is missing one, one that is another one.
    var costs = (0...bytes.count).map { $0 == 0 ? 0 : 9 }
    for (place, byte) in whole.enumerated() {
      var diagonal = costs[0]
      costs[0] = place + 1
      for end in 1..<costs.count {
        let next = min(costs[end] + 1, diagonal + (bytes[end - 1] == byte ? 0 : 1))
        diagonal = costs[end]
        costs[end] = next
      }
    }
    return costs[bytes.count] <= 8
  }

  /// What became of the requests, when the driver had time to read them.
  ///
  /// One that the modem has not got yet waits in the network, which is where it should be.
  private func readRequests() {
    guard !story.requests.isEmpty else { return }
    while let moment = nextMoment { bench.run(until: moment) }
    var end = bench.now
    for strike in strikes { end = max(end, strike.time + (strike.fault.fault.lasting ?? .zero)) }
    bench.run(until: end + FaultRun.quiet)
    // What a network had kept may have come just now, and has its time from then on.
    while bench.module.storedMessageCount > 0, lastArrival + FaultRun.quiet > bench.now {
      bench.run(until: lastArrival + FaultRun.quiet)
    }
    if bench.module.storedMessageCount > 0, let rest = restAhead {
      outcome.sleptOverRequests = bench.module.storedMessageCount
      // One that is off starts when it is wanted again.
      if rest == .zero {
        bench.driver.modem.prepare(for: story.transport, at: bench.now)
        // The key goes down now, not when it is let go.
        bench.settle()
      }
      bench.run(until: bench.now + rest + FaultRun.quiet)
    }
    outcome.storedMessages = bench.module.storedMessageCount
    var counts: [String: Int] = [:]
    for reply in bench.replies where reply.source == .sms {
      counts[String(decoding: reply.bytes, as: UTF8.self), default: 0] += 1
    }
    for number in 1...nextRequest {
      let isThere = bench.module.unreadMessages.contains(FaultRun.request(number))
      let count = counts.removeValue(forKey: "\(FaultRun.owner)\n\(FaultRun.request(number))") ?? 0
      if count == 0, !isThere { outcome.lostRequests += 1 }
      outcome.repeatedRequests += max(0, count - 1)
    }
    outcome.foreignRequests = counts.values.reduce(0, +)
  }

  /// How long a modem may rest from which nothing wakes the driver, since the line or the modem has lost what should: to the driver's
  /// own end of it. Nothing for one that is off: it stays off.
  private var restAhead: Interval? {
    switch bench.driver.modem.phase {
    case .asleep: return .seconds(6 * 3600)
    case .dormant: return story.driver.periodicUpdate + .seconds(600)
    case .off: return story.driver.idle == .off ? .zero : nil
    default: return nil
    }
  }

  /// The number of a whole, undamaged packet.
  private static func ticket(of bytes: [UInt8]) -> UInt32? {
    var bytes = bytes
    while bytes.last == 0x0A || bytes.last == 0x0D { bytes.removeLast() }
    for ticket in 1...UInt32(64) where payload(ticket) == bytes { return ticket }
    return nil
  }
}
