import ASCIIText
import InlineStorage
import MotionDetection
public import Quantities
import Requests
import Rules
public import Telemetry

// Requests: who is let in, and what each does.
extension Tracker {
  // MARK: The door

  /// Judges what may be a request; nothing changes by it. What is to happen follows from `take` with the verdict.
  ///
  /// - Parameters:
  ///   - text: The bytes as they came.
  ///   - origin: Which way.
  ///   - door: The owner's key and whom the owner trusts with what.
  ///   - time: Now.
  public func judge(
    _ text: Span<UInt8>, from origin: RequestOrigin, by door: RequestDoor, at time: Instant
  ) -> RequestVerdict {
    func refused(_ reason: RequestRefusal) -> RequestVerdict { .refused(reason, channel: origin.channel) }
    guard text.count <= RequestEnvelope.longestText else { return refused(.tooLong) }
    guard let envelope = RequestEnvelope(text) else { return refused(.unreadable) }
    let words = text.extracting(envelope.start..<envelope.end)
    guard let request = Request(words) else {
      // What a form has no request for it hands on under this word, which is none.
      var rest = TextWords()
      return refused(rest.next(in: words)?.equals("cmd", in: words) == true ? .unsupported : .unreadable)
    }
    var hasCredit = true
    if envelope.counter != nil {
      let id = configuration.trackerID
      guard let key = door.key(of: request.kind, claim: requests.claim, for: id.span) else { return refused(.noKey) }
      guard envelope.isSigned(text, by: key, for: id.span) else { return refused(.forged) }
      guard door.reach.contains(request.kind) else { return refused(.notAllowed) }
    } else {
      guard origin != .page else { return refused(.notAllowed) }
      let isKnown = origin.channel != 1 || origin.isListedSender || envelope.hasPIN(door.pin.span, in: text)
      let isListed = isKnown && door[origin].contains(request.kind) && !request.kind.isOfOwnership
      // Without a counter there is no claim.
      hasCredit = origin.isOwners ? request != .claim : isListed
      guard hasCredit || (isKnown && request.kind.isReadOnly) else { return refused(.notAllowed) }
    }
    if origin.isAnswerToAnswer { return refused(.answerToAnswer) }
    if let counter = envelope.counter {
      guard counter > requests.counter else { return refused(.replayed) }
      if let utc = journal.utc(of: time) {
        let now = UInt64(max(0, utc.microseconds) / 1000)
        if counter &+ 3_600_000 < now { return refused(.stale) }
        if counter > now &+ 86_400_000 { return refused(.early) }
      }
    }
    if request.kind == .gear, !hasGear { return refused(.unsupported) }
    if !hasActivity, case .status(.activity) = request { return refused(.unsupported) }
    if request == .claim, requests.claim > 0 || door.key != nil { return refused(.owned) }
    if request == .unclaim, door.key != nil { return refused(.keyInFile) }
    guard pace.allows(origin.channel, hasCredit: hasCredit, at: time) else { return refused(.flooded) }
    return .admitted(
      request, channel: origin.channel, number: envelope.number ?? 0,
      counter: envelope.counter ?? 0)
  }

  /// Takes a verdict in: a request that was let in, or one that was refused, which is counted.
  public mutating func take(_ verdict: RequestVerdict, at time: Instant) {
    defer { noteDeadline() }
    guard begin(at: time) else { return }
    act(on: verdict)
  }

  /// Takes bytes of a port in that are a request, if the owner's key or list lets them.
  ///
  /// - Returns: What became of them.
  @discardableResult public mutating func receive(
    _ text: Span<UInt8>, from origin: RequestOrigin, by door: RequestDoor, at time: Instant
  ) -> RequestVerdict {
    defer { noteDeadline() }
    guard begin(at: time) else { return .refused(.unreadable, channel: origin.channel) }
    let verdict = judge(text, from: origin, by: door, at: now)
    act(on: verdict)
    return verdict
  }

  /// Without anybody's word on who may ask what, only the console is heard.
  @inline(never) mutating func hear(_ text: Span<UInt8>, from port: Port) {
    act(on: judge(text, from: port == .console ? .console : .textMessage(), by: RequestDoor(), at: now))
  }

  private mutating func act(on verdict: RequestVerdict) {
    switch verdict {
    case .refused(let reason, let channel): refuse(reason, channel, times: 1)
    case .refusedTogether(let reason, let channel, let times): refuse(reason, channel, times: times)
    case .told(let reason, let value, let number): tell(reason, value, request: number)
    case .admitted(let request, let channel, let number, let counter):
      requests.lastAnswer = nil
      requests.lastValue = nil
      requests.noteAdmitted(counter: counter)
      pace.noteAdmitted(channel, at: now)
      journal.emit(.request(kind: request.kind.rawValue, channel: channel, number: number), at: now)
      if counter > 0 || number > 0 { journal.noteChange(.requests) }
      // What only reads is not remembered: it could use up the number of a request that matters.
      if number > 0, !request.kind.isReadOnly, !requests.isNew(number) {
        sendStatus(.repeated, request: number)
        return
      }
      // Who may claim knows the secret: what is signed by it has a counter, and the key follows from both.
      if request == .claim, requests.claim == 0 { requests.claim = counter }
      obey(request, number: number, isNumbered: true)
    }
  }

  private mutating func refuse(_ reason: RequestRefusal, _ channel: UInt8, times: UInt16) {
    pace.note(reason, times: times)
    journal.counts.requestsRefused &+= UInt32(times)
    journal.emit(.requestRefused(reason: reason.rawValue, channel: channel, times: times), at: now)
  }

  // MARK: What each does

  /// - Parameters:
  ///   - number: Its number, 0 for none.
  ///   - isNumbered: False for one that did not come through the door: what tells its result by itself has no answer then.
  mutating func obey(_ request: Request, number: UInt32, isNumbered: Bool) {
    journal.noteChange()
    switch request {
    case .setAlerts(let enabled):
      if requests.isDisarmed {
        requests.isDisarmed = false
        journal.noteChange(.requests)
      }
      guard !requests.isDisabled else {
        requests.wantsAlerts = enabled
        journal.noteChange(.requests)
        sendStatus(enabled ? .disabled : .alertsOff, request: number)
        return
      }
      monitor.setAlerts(enabled: enabled, at: now)
      handleMotion()
      sendStatus(enabled ? .alertsOn : .alertsOff, request: number)
    case .dismiss(let alert):
      let isPresent = alarm.isPresent(alert)
      if isPresent {
        endAlarm()
        journal.emit(.dismissed(alert: alert), at: now)
      }
      let isOutside = endOutside(alert)
      if isPresent || isOutside { sendStatus(.dismissed, request: number) } else { refuse(alert, number) }
    case .found: endAll(number)
    case .foundAlert(let alert):
      let isOpen = !alarm.isOver || alarm.isUnanswered
      if isOpen && alarm.isPresent(alert) || alert == openFenceAlert { endAll(number) } else { refuse(alert, number) }
    case .track(_, .zero):
      reports.endLive()
      endPath()
      journal.emit(.liveTracking(until: now), at: now)
      if isNumbered { sendStatus(.trackingOff, request: number) }
    case .track(let interval, let duration):
      let until = now + duration
      reports.goLive(interval: max(interval, .milliseconds(100)), until: until)
      journal.emit(.liveTracking(until: until), at: now)
      if isNumbered { sendStatus(.tracking, request: number) }
    case .locate:
      send(packet(.location, at: now))
      if isNumbered, number > 0 { sendStatus(.located, request: number) }
    case .set(let changes): change(changes, request: number)
    case .get(let setting):
      tellSetting(setting, number)
    case .arm, .disarm: arm(request == .arm, number)
    case .ping: sendStatus(.pong, request: number)
    case .status(let question): answer(question, request: number)
    case .info:
      var text = InlineBytes<20>("refused ")
      text.append(decimal: UInt64(pace.refusedCount))
      sendStatus(.info, request: number, value: text.span)
    case .sound(let pattern, let duration):
      buzzer.sound(pattern, duration, for: .request, at: now)
      sendStatus(.sounding, request: number)
    case .privacy(let isOn):
      // What was ridden before is told.
      endPath()
      requests.isPrivate = isOn
      journal.noteChange(.requests)
      sendStatus(isOn ? .privacyOn : .privacyOff, request: number)
    case .near(let duration):
      presence.come(for: duration, &journal)
      sendStatus(.near, request: number)
      judgePresence()
    case .away:
      presence.leave(&journal)
      sendStatus(.away, request: number)
      judgePresence()
    case .reboot:
      requests.isRebooting = true
      requests.isRebootTold = false
      requests.rebootNumber = number
      journal.noteChange(.requests)
      sendStatus(.rebooting, request: number)
    case .setEnabled(let isOn):
      enable(isOn)
      sendStatus(isOn ? .enabled : .disabled, request: number)
    case .fence(let change): changeFences(change, request: number)
    case .place(let change): changePlaces(change, request: number)
    case .alarm(let change): changeAlarms(change, request: number)
    case .zone(let zone): changeZone(zone, request: number)
    case .secure(let packet, let name): answerPlace(packet, isSecure: true, name: name, request: number)
    case .temporary(let packet):
      answerPlace(packet, isSecure: false, name: InlineBytes(), request: number)
    case .snooze(let minutes): snooze(minutes, request: number)
    case .hush: hush(request: number)
    case .checkpoint(let place): sendStatus(.checkpoint, request: number, value: place.title.span)
    case .profile(let change): changeProfile(change, request: number)
    case .odometer(let change): changeOdometer(change, request: number)
    case .parking: tellParking(request: number, isAnswered: isNumbered && number > 0)
    // Whoever keeps it answers.
    case .gear: break
    case .claim: sendStatus(requests.claim > 0 ? .claimed : .unclaimed, request: number)
    case .unclaim:
      forgetOwner()
      sendStatus(.unclaimed, request: number)
    }
  }

  /// What stands beside the tracker has an answer or a notice.
  @inline(never) private mutating func tell(_ reason: StatusReason, _ value: PacketText, request number: UInt32) {
    let (answer, told) = (requests.lastAnswer, requests.lastValue)
    sendStatus(reason, request: number, value: value.text.span)
    // Of a notice nobody has asked.
    if reason.isNoticeFromBeside { (requests.lastAnswer, requests.lastValue) = (answer, told) }
  }

  /// Where it is parked is told again, also at a secure place; nothing while it is not parked.
  @inline(never) private mutating func tellParking(request number: UInt32, isAnswered: Bool) {
    guard monitor.phase == .parked || monitor.phase == .suspicious else {
      sendStatus(.unknownParking, request: number)
      return
    }
    var parking = packet(.parking, at: now)
    places.describeParking(in: &parking)
    send(parking)
    if isAnswered { sendStatus(.located, request: number) }
  }

  // MARK: Owner

  /// Wipes what the owner has set. What the device has lived through stays, and so does the counter: what an owner has signed once is
  /// never good again.
  private mutating func forgetOwner() {
    requests.forgetOwner()
    settings.forgetOwner(&configuration)
    configureParts()
    reports.endLive()
    if wearer.delete() { journal.noteChange(.profile) }
    if rules.isUsed {
      journal.noteChange(rules.usedRows.union(.rules))
      rules.forgetOwner(at: now)
      handleFences()
    }
    journal.noteChange(.requests)
    journal.noteChange(.settings)
    monitor.setAlerts(enabled: configuration.alertsEnabled, at: now)
    handleMotion()
  }

  private mutating func enable(_ isOn: Bool) {
    guard requests.isDisabled == isOn else { return }
    if !isOn { requests.wantsAlerts = alertsAreWanted }
    requests.isDisabled = !isOn
    journal.noteChange(.requests)
    rules.fences.setEnabled(isOn, at: now)
    handleFences()
    monitor.setAlerts(enabled: isOn && requests.wantsAlerts && !requests.isDisarmed, at: now)
    handleMotion()
  }

  /// A section of motion that was lost has alerts as the file has them: not where the tracker is disabled.
  mutating func stayDisabled(at time: Instant) {
    if requests.isDisabled, monitor.alertsEnabled { monitor.setAlerts(enabled: false, at: time) }
  }

  /// The owner has it: whatever alarm there is ends.
  @inline(never) private mutating func endAll(_ number: UInt32) {
    let isOpen = !alarm.isOver || alarm.isUnanswered
    if isOpen {
      endAlarm()
      journal.emit(.dismissed(alert: alarm.ownAlert), at: now)
    }
    let isOutside = endOutside(rules.alert)
    sendStatus(isOpen || isOutside ? .found : .nothingToFind, request: number)
  }

  /// Answers with a setting as it is in force.
  @inline(never) private mutating func tellSetting(_ setting: UInt8, _ number: UInt32) {
    var editor = SettingEditor(telling: setting)
    let given = configuration.alertsEnabled
    configuration.alertsEnabled = alertsAreWanted
    configuration.visitSettings(&editor)
    configuration.alertsEnabled = given
    sendStatus(editor.text.isEmpty ? .settingsRefused : .setting, request: number, value: editor.text.span)
  }

  /// The alert that was answered is not that at hand.
  @inline(never) private mutating func refuse(_ alert: UInt32, _ number: UInt32) {
    guard alarm.isOutdone(alert) else { return sendStatus(.unknownAlert, request: number) }
    var newest = InlineBytes<20>()
    newest.append(decimal: UInt64(alarm.ownAlert))
    sendStatus(.newerAlert, request: number, value: newest.span)
  }

  /// The pet is found; false when it is not outside, or by another alert.
  private mutating func endOutside(_ alert: UInt32) -> Bool {
    guard alert != 0, alert == rules.alert, rules.fences.found(at: now) else { return false }
    journal.noteChange(.rules)
    handleFences()
    return true
  }

  private mutating func endAlarm() {
    monitor.dismiss(at: now)
    // What travels goes on as a ride.
    handleMotion()
    alarm.end()
  }

  private mutating func arm(_ isOn: Bool, _ number: UInt32) {
    // Off by `enabled off` or `alerts off`: stronger than these two.
    guard alertsAreOn else {
      sendStatus(requests.isDisabled ? .disabled : .alertsOff, request: number)
      return
    }
    if requests.isDisarmed == isOn {
      requests.isDisarmed = !isOn
      journal.noteChange(.requests)
    }
    monitor.setAlerts(enabled: isOn, at: now)
    handleMotion()
    sendStatus(isOn ? .armed : .disarmed, request: number)
  }

  /// Whether alerts are on as far as `alerts` goes.
  var alertsAreWanted: Bool {
    requests.isDisabled ? requests.wantsAlerts : monitor.alertsEnabled || requests.isDisarmed
  }
  /// Whether alerts come, but for `disarm`.
  var alertsAreOn: Bool { alertsAreWanted && !requests.isDisabled }

  /// A parking place ends `disarm`.
  mutating func armAgain() {
    guard requests.isDisarmed else { return }
    requests.isDisarmed = false
    journal.noteChange(.requests)
    monitor.setAlerts(enabled: !requests.isDisabled, at: now)
  }

  /// A theft ends privacy.
  mutating func endPrivacy() {
    guard requests.isPrivate else { return }
    requests.isPrivate = false
    journal.noteChange(.requests)
    sendStatus(.privacyOff)
  }

  /// A start anew that was asked for has happened.
  mutating func tellRebooted() {
    guard requests.isRebooting else { return }
    requests.isRebooting = false
    journal.noteChange(.requests)
    sendStatus(.rebooted, request: requests.rebootNumber)
  }

  /// What the last request that was let in was answered; nil when its answer is no status.
  public var lastRequestAnswer: StatusReason? { requests.lastAnswer }
  /// The value of that answer, also where the outbox had no room for its packet; nil when it has none.
  public var lastRequestValue: PacketText? { requests.lastValue }

  /// True from an alert until somebody has answered it, or it turned out to be none; not while what moves is no alarm.
  public var isAlarmOpen: Bool { (!alarm.isOver && !alarm.isDowngraded) || alarm.isUnanswered }
  /// True when somebody has claimed it, and has not been forgotten.
  public var isClaimed: Bool { requests.claim > 0 }
  /// True when it raises no alerts, whatever else is said.
  public var isDisabled: Bool { requests.isDisabled }

  /// How many requests were refused for a reason in this life, up to 65,535.
  public func requestsRefused(_ reason: RequestRefusal) -> Int { pace.refused(reason) }
}
