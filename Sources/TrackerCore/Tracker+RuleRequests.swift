import ASCIIText
import InlineStorage
import MotionDetection
import Positioning
import Quantities
import Rules
import Telemetry

// What requests about fences, secure places and alarms do.
extension Tracker {
  @inline(never) mutating func changeFences(_ change: FenceChange, request number: UInt32) {
    var fence = change.number
    switch change {
    case .set(let outline):
      if fence == 0 { fence = fenceNumber(of: outline.name) }
      if let error = setFence(outline, as: fence) { return refuseRule(error, of: .fence, number) }
      noteRows(.fence, fence)
    case .enable(let fence, let isOn):
      if let error = activate(fence, isOn: isOn) { return refuseRule(error, number) }
      noteRows(.fence, fence)
    case .only(let numbers):
      if let error = rules.fences.activate(numbers.span, at: now) { return refuseRule(RuleError(error), number) }
      noteRows(.fence, 0)
    case .delete(let fence):
      let user = userOfFence(fence)
      if user != 0 { return refuseFence(usedBy: user, number) }
      // The row is noted while it is known.
      noteRows(.fence, fence)
      if let error = rules.fences.delete(fence, at: now) { return refuseRule(RuleError(error), number) }
    case .clear:
      let user = userOfFence(0)
      if user != 0 { return refuseFence(usedBy: user, number) }
      noteRows(.fence, 0)
      rules.fences.removeAll(at: now)
    case .tell, .list: return tellRules(.fence, fence, number)
    }
    finishRule(.fence, fence, number)
  }

  /// The number of an alarm about a fence, about any when that is 0; 0 for none. Without its fence it would fall silent.
  private func userOfFence(_ fence: UInt8) -> UInt8 {
    var row = 0
    while row < RuleKeeper.alarmRows {
      let alarm = rules.alarms[row]
      if alarm.number != 0, alarm.fence != 0, fence == 0 || alarm.fence == fence,
        rules.fences.fences.row(of: alarm.fence) != nil
      {
        return alarm.number
      }
      row += 1
    }
    return 0
  }

  private mutating func refuseFence(usedBy alarm: UInt8, _ number: UInt32) {
    var text = InlineBytes<20>(RuleError.usedByAlarm.name)
    text.append(ruleNumber: alarm)
    sendStatus(.ruleRefused, request: number, value: text.span)
  }

  /// The number of the fence with that name; the lowest that no fence has when there is none.
  private func fenceNumber(of name: InlineBytes<32>) -> UInt8 {
    var row = 0
    while row < RuleKeeper.fenceRows {
      let number = rules.fences.fences[row].number
      if number != 0, rules.fences.fences[row].name == name { return number }
      row += 1
    }
    var number: UInt8 = 1
    while number < .max, rules.fences.fences.row(of: number) != nil { number += 1 }
    return number
  }

  private mutating func setFence(_ outline: FenceOutline, as number: UInt8) -> RuleError? {
    guard !outline.isOverfull else { return .tooManyPoints }
    rules.fences.begin(Int(number), name: outline.name.span, outline.shape, width: Double(outline.width))
    if outline.isHere {
      guard let here = herePosition else { return .noPosition }
      rules.fences.append(latitudeE9: here.latitudeE9, longitudeE9: here.longitudeE9)
    }
    var place = 0
    while place < Int(outline.count) {
      if outline.holes & (1 << UInt8(place)) != 0 { rules.fences.beginHole() }
      let corner = outline.corner(place)
      rules.fences.append(latitudeE9: Int64(corner.latitudeE7) * 100, longitudeE9: Int64(corner.longitudeE7) * 100)
      place += 1
    }
    return rules.fences.finish(at: now).map { RuleError($0) }
  }

  /// Where it is now, if that is known.
  private var herePosition: GeodeticPosition? { scene.hasFix ? places.lastFix?.position : nil }

  private mutating func activate(_ number: UInt8, isOn: Bool) -> RuleError? {
    guard rules.fences.fences.row(of: number) != nil else { return .unknownNumber }
    var active = InlineBytes<8>()
    var row = 0
    while row < RuleKeeper.fenceRows {
      let fence = rules.fences.fences[row].number
      if fence != 0, fence == number ? isOn : rules.fences.fences[row].isActive { active.append(fence) }
      row += 1
    }
    return rules.fences.activate(active.span, at: now).map { RuleError($0) }
  }

  @inline(never) mutating func changePlaces(_ change: PlaceChange, request number: UInt32) {
    switch change {
    case .set(let outline):
      var latitude = Int64(outline.latitudeE7) * 100
      var longitude = Int64(outline.longitudeE7) * 100
      if outline.isHere {
        guard let here = herePosition else { return refuseRule(.noPosition, number) }
        (latitude, longitude) = (here.latitudeE9, here.longitudeE9)
      }
      let error = rules.secure.set(
        Int(outline.number), name: outline.name.span, latitudeE9: latitude, longitudeE9: longitude,
        radius: outline.radius)
      if let error { return refuseRule(error, of: .place, number) }
      noteRows(.place, outline.number)
      // Where it is parked is said with it.
      if securePlace != 0 { withdrawPlaceQuestion() }
    case .delete(let place):
      noteRows(.place, place)
      if let error = rules.secure.delete(place) { return refuseRule(error, number) }
    case .clear:
      noteRows(.place, 0)
      var row = 0
      while row < RuleKeeper.placeRows {
        _ = rules.secure.delete(rules.secure[row].number)
        row += 1
      }
    // No place is on or off.
    case .enable, .only: return refuseRule(.unknownNumber, number)
    case .tell, .list: return tellRules(.place, change.number, number)
    }
    finishRule(.place, change.number, number)
  }

  @inline(never) mutating func changeAlarms(_ change: AlarmChange, request number: UInt32) {
    let error: RuleError?
    switch change {
    case .set(let rule):
      let isKnown = rule.fence == 0 || rules.fences.fences.row(of: rule.fence) != nil
      let isPast = rules.alarms.isPast(rule, at: journal.utc(of: now))
      error = isPast ? .pastDate : isKnown ? rules.alarms.set(rule) : .unknownFence
    case .enable(let alarm, let isOn):
      let isPast = isOn && rules.alarms.isPast(alarm, at: journal.utc(of: now))
      error = isPast ? .pastDate : rules.alarms.enable(alarm, isOn)
    case .delete(let alarm): error = rules.alarms.delete(alarm)
    case .clear:
      rules.alarms.removeAll()
      error = nil
    case .only: error = .unknownNumber
    case .tell, .list: return tellRules(.alarm, change.number, number)
    }
    if let error { return refuseRule(error, of: .alarm, number) }
    keepAlarms()
    finishRule(.alarm, change.number, number)
    advanceAlarms()
  }

  @inline(never) mutating func changeZone(_ zone: InlineBytes<48>?, request number: UInt32) {
    guard let zone else {
      let text = zoneValue
      return sendStatus(.rules, request: number, value: text.span)
    }
    guard rules.alarms.setZone(zone.span) else { return refuseRule(.badZone, number) }
    rules.noteUse()
    journal.noteChange(.rules)
    let text = zoneValue
    sendStatus(.ruleChanged, request: number, value: text.span)
    advanceAlarms()
  }

  /// The time zone as an answer has room for it: of a longer one whole parts, and what has no room is told by a sign.
  private var zoneValue: InlineBytes<48> {
    var text = rules.alarms.zoneText
    if text.isEmpty { text.append("UTC") }
    guard text.count > PacketText.capacity else { return text }
    var count = PacketText.capacity - 1
    while count > 0, text[count - 1] != 0x2C { count -= 1 }
    text.truncate(to: count > 0 ? count : PacketText.capacity - 1)
    text.append(0x2B)
    return text
  }

  /// The owner says whether it is parked at a secure place.
  @inline(never) mutating func answerPlace(
    _ packet: UInt32, isSecure: Bool, name: InlineBytes<32>, request number: UInt32
  ) {
    // A place can be made secure without a question; "no" is said only to one.
    guard isParked, packet == 0 || packet == rules.question, isSecure || rules.question != 0, let here = parkedPosition
    else {
      sendStatus(.unknownParking, request: number)
      return
    }
    rules.question = 0
    rules.noteUse()
    journal.noteChange(.rules)
    guard isSecure else {
      sendStatus(.temporary, request: number)
      return
    }
    // Said twice it is one place, which may have another name then.
    var place = rules.secure.number(at: here)
    if let row = rules.secure.row(of: place), !name.isEmpty, rules.secure[row].name != name {
      let known = rules.secure[row]
      let error = rules.secure.set(
        Int(place), name: name.span, latitudeE9: known.latitudeE9, longitudeE9: known.longitudeE9, radius: known.radius)
      if let error { return refuseRule(error, of: .place, number) }
      noteRows(.place, place)
      journal.emit(.ruleChanged(table: PacketRule.Table.place.rawValue, number: place), at: now)
    }
    if place == 0 {
      place = rules.secure.freeNumber
      var called = name
      if called.isEmpty {
        called = InlineBytes("place ")
        called.append(decimal: UInt64(place))
      }
      let error = rules.secure.set(
        Int(place), name: called.span, latitudeE9: here.latitudeE9, longitudeE9: here.longitudeE9,
        radius: configuration.rules.placeRadius)
      if let error { return refuseRule(error, of: .place, number) }
      noteRows(.place, place)
      journal.emit(.ruleChanged(table: PacketRule.Table.place.rawValue, number: place), at: now)
    }
    tellRule(.secured, about: .place, place, request: number)
  }

  @inline(never) mutating func snooze(_ minutes: UInt8, request number: UInt32) {
    if let error = rules.alarms.snooze(minutes, at: journal.utc(of: now)) { return refuseRule(error, number) }
    buzzer.hush()
    sendStatus(.snoozed, request: number)
    advanceAlarms()
  }

  @inline(never) mutating func hush(request number: UInt32) {
    buzzer.hush()
    rules.alarms.endSnooze()
    sendStatus(.hushed, request: number)
    if rules.isUsed { advanceAlarms() }
  }

  /// A row has changed, or all of a table when its number is 0, and is to be kept.
  private mutating func noteRows(_ table: PacketRule.Table, _ number: UInt8) {
    let row: StateSections?
    switch table {
    case .fence: row = rules.fences.fences.row(of: number).map { .fence($0) }
    case .place: row = rules.secure.row(of: number).map { .place($0) }
    case .alarm: row = rules.alarms.row(of: number).map { .alarmRule($0) }
    }
    let rows = number == 0 ? rules.used(table) : row ?? []
    rules.noteUse(rows)
    journal.noteChange(rows.union(.rules))
  }

  private mutating func finishRule(_ table: PacketRule.Table, _ rule: UInt8, _ number: UInt32) {
    rules.noteUse()
    journal.emit(.ruleChanged(table: table.rawValue, number: rule), at: now)
    handleFences()
    var text = InlineBytes<20>()
    text.append(table.name)
    if rule != 0 { text.append(ruleNumber: rule) }
    sendStatus(.ruleChanged, request: number, value: text.span)
    rules.hurry()
  }

  /// - Parameter table: That of the rule.
  private mutating func refuseRule(_ error: RuleError, of table: PacketRule.Table? = nil, _ number: UInt32) {
    var text = InlineBytes<20>(error.name)
    if error == .tableFull, let table {
      text.append(" ")
      text.append(table.name)
      text.append("s")
    }
    text.truncate(to: PacketText.capacity)
    sendStatus(.ruleRefused, request: number, value: text.span)
  }

  /// The number and the name of a rule, or the numbers of all of a table, those that are on with `*`.
  private mutating func tellRules(_ table: PacketRule.Table, _ rule: UInt8, _ number: UInt32) {
    if rule != 0 {
      let name = ruleName(table, rule)
      if name.isEmpty { return refuseRule(.unknownNumber, number) }
      var text = InlineBytes<64>()
      text.append(decimal: UInt64(rule))
      if isOn(table, rule) { text.append(0x2A) }
      text.append(" ")
      text.append(contentsOf: name.span)
      text.truncate(to: countOfWholeCharacters(text.span, upTo: PacketText.capacity))
      return sendStatus(.rules, request: number, value: text.span)
    }
    let text = ruleNumbers(table)
    sendStatus(.rules, request: number, value: text.span)
  }

  private func isOn(_ table: PacketRule.Table, _ number: UInt8) -> Bool {
    switch table {
    case .fence: return rules.fences.fences.row(of: number).map { rules.fences.fences[$0].isActive } ?? false
    case .place: return false
    case .alarm: return rules.alarms.row(of: number).map { rules.alarms[$0].isEnabled } ?? false
    }
  }

  /// The numbers of all rules of a table, those that are on with `*`, as far as a packet has room.
  func ruleNumbers(_ table: PacketRule.Table) -> InlineBytes<64> {
    var text = InlineBytes<64>()
    var rows = used(table, number: &text)
    if rows == 0 { text.append("none") }
    rows = min(text.count, PacketText.capacity)
    // What has no room is told by a sign.
    if rows < text.count {
      text.truncate(to: rows - 1)
      text.append(0x2B)
    }
    return text
  }

  private func used(_ table: PacketRule.Table, number text: inout InlineBytes<64>) -> Int {
    var count = 0
    var row = 0
    while row < 8 {
      defer { row += 1 }
      let rule: UInt8
      let isOn: Bool
      switch table {
      case .fence:
        guard row < RuleKeeper.fenceRows else { continue }
        (rule, isOn) = (rules.fences.fences[row].number, rules.fences.fences[row].isActive)
      case .place:
        guard row < RuleKeeper.placeRows else { continue }
        (rule, isOn) = (rules.secure[row].number, false)
      case .alarm:
        guard row < RuleKeeper.alarmRows else { continue }
        (rule, isOn) = (rules.alarms[row].number, rules.alarms[row].isEnabled)
      }
      guard rule != 0 else { continue }
      if count > 0 { text.append(0x20) }
      text.append(decimal: UInt64(rule))
      if isOn { text.append(0x2A) }
      count += 1
    }
    return count
  }
}
