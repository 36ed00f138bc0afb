import Quantities
import TrackerRuntime

extension LifeRun {
  // MARK: Faults

  func happen(_ event: LifeEvent) throws(RecordingError) {
    faultObserver(event)
    report.faults[event.fault.kind?.rawValue ?? "owner", default: 0] += 1
    let bench = modem.bench
    if run != nil { try run?.attend(at: own(now)) } else { bench.run(until: now) }
    switch event.fault {
    case .modem(let fault):
      bench.module.apply(fault, at: bench.now)
      bench.settle()
    case .line(let to, let from, let lasting):
      bench.toModule.rates = to
      bench.fromModule.rates = from
      lineEnd = max(lineEnd ?? .zero, event.time + lasting)
    case .outage(let length):
      outageEnd = max(outageEnd ?? .zero, event.time + length)
      bench.network.addOutage(from: event.time, until: event.time + length)
    case .mishap(let mishap): bench.network.plan(mishap, on: FaultRun.channel(of: scenario.transport))
    case .power(let cut):
      guard run != nil, self.cut == nil else { return }
      self.cut = cut
      store.tearsLast = cut.loss == .torn || cut.loss == .shuffled
      cutAfterChanges = cut.changesBefore
      if cut.changesBefore == nil { die(at: now) }
    case .charger(let isOn): plug(isOn)
    case .text(let text, let sender): send(text, from: sender)
    case .request(let text): try ask(text)
    case .server(let fault, let length):
      server.begin(fault, until: now + length)
      checker.noteSecondAway(from: now, until: now + length)
    case .wheel(let fault, let length):
      wheel?.begin(fault, until: now + length)
      trips.noteWheelTrouble(from: now, until: now + length)
    case .sensor(let fault, let length):
      markTrouble()
      trouble.begin(fault, until: now + length)
      witness.noteTrouble(from: now, until: now + length)
    }
    if isCut, run != nil { die(at: now) }
  }

  /// The owner asks at the tracker itself.
  private func ask(_ text: String) throws(RecordingError) {
    let heard = try run?.hear(Array(text.utf8), from: .console, at: own(now))
    let answer: String? = heard.flatMap { $0.verdict.isAdmitted ? $0.answer.map { "\($0.name)" } : "refused" }
    report.answers.append(LifeAnswer(text: text, time: now, number: nil, answer: isCut ? nil : answer))
  }

  /// A text message is sent to the tracker's number.
  private func send(_ text: String, from sender: TextSender) {
    guard let message = telephone.write(text, from: sender, at: now) else { return }
    if let (number, isOwner) = message.request {
      checker.noteAsked(number, isOwner: isOwner, at: now)
      if isOwner { markRequest() }
      if isOwner { report.answers.append(LifeAnswer(text: text, time: now, number: number, answer: nil)) }
    }
    modem.bench.module.deliver(sms: message.text, from: message.number, at: modem.bench.now)
    modem.bench.settle()
  }
}
