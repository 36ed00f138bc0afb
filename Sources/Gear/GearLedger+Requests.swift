import ASCIIText
import InlineStorage
import Quantities
import Rules
import Telemetry
import TrackerCore

// What requests do.
extension GearLedger {
  /// Does what a request wants, or nothing of it.
  ///
  /// - Parameters:
  ///   - words: What stands behind `gear`.
  ///   - request: Its number, 0 for none.
  ///   - utc: Now; nil while that is not known.
  ///   - tracker: The tracker's name, of which UUIDs are made.
  /// - Returns: What is answered.
  package mutating func obey(
    _ words: Span<UInt8>, request: UInt32, utc: UTCTime?, tracker: Span<UInt8>
  ) -> GearAnswer {
    var reader = TextWords()
    guard let change = GearChange(&reader, words), reader.next(in: words) == nil else { return refused(.unreadable) }
    if let utc { note(day: utc.daysSince1970) }
    switch change {
    case .tell:
      var answer = GearAnswer(.gear)
      if let row = row(ofGear: present) {
        answer.value.append(contentsOf: gears[row].name.span)
      } else {
        answer.value.append("none")
      }
      return answer
    case .show(let name):
      guard let row = row(named: name) else { return refused(.unknownGear) }
      return shown(row)
    case .add(let fields): return add(fields, tracker)
    case .edit(let name, let fields): return edit(name, fields, request, utc)
    case .use(let name):
      if name.isEmpty {
        present = 0
      } else {
        guard let row = row(named: name) else { return refused(.unknownGear) }
        present = gears[row].number
      }
      changed |= GearLedger.headBit
      return changed(name)
    case .imported(let name, let metres):
      guard let row = row(named: name) else { return refused(.unknownGear) }
      guard metres <= Gear.longestDistance else { return refused(.badDistance) }
      let source: Gear.Source = gears[row].source == .corrected ? .corrected : .imported
      correct(row, to: gears[row].ridden + metres, source, request, utc)
      return changed(name)
    case .counter(let name, let counter, let measure, let due):
      return setCounter(name, counter, measure, due)
    case .removeCounter(let name, let counter):
      guard let row = row(named: name) else { return refused(.unknownGear) }
      guard let place = gears[row].place(ofCounter: counter) else { return refused(.unknownCounter) }
      gears[row].removeCounter(at: place)
      noteChange(ofGear: row)
      return changed(name)
    case .reset(let name, let counter):
      guard let row = row(named: name) else { return refused(.unknownGear) }
      guard let place = gears[row].place(ofCounter: counter) else { return refused(.unknownCounter) }
      gears[row][counter: place].begin(after: lastRide, on: today)
      noteChange(ofGear: row)
      return changed(name)
    case .assign(let ride, let name): return assign(ride, name)
    case .delete(let name):
      guard let row = row(named: name) else { return refused(.unknownGear) }
      remove(row)
      return changed(name)
    }
  }

  /// There is no gear any more, nor any ride: the owner is forgotten.
  package mutating func forgetOwner() {
    guard isUsed else { return }
    var row = 0
    while row < GearLedger.capacity {
      gears[row] = Gear()
      row += 1
    }
    row = 0
    while row < GearLedger.rideCapacity {
      rides[row] = GearRide()
      row += 1
    }
    present = 0
    homecoming = nil
    changed = .max
  }

  private func refused(_ error: GearError) -> GearAnswer {
    var answer = GearAnswer(.gearRefused)
    answer.value.append(error.name)
    return answer
  }

  private func changed(_ name: InlineBytes<32>) -> GearAnswer {
    var answer = GearAnswer(.gearChanged)
    if name.isEmpty { answer.value.append("none") } else { answer.value.append(contentsOf: name.span) }
    return answer
  }

  /// `42815 m`, and the first counter that is due.
  private func shown(_ row: Int) -> GearAnswer {
    var answer = GearAnswer(.gear)
    answer.value.append(decimal: gears[row].distance)
    answer.value.append(" m")
    var place = 0
    while place < Int(gears[row].counterCount) {
      let counter = gears[row][counter: place]
      if counter.isDue(on: today) {
        answer.value.append(", due ")
        answer.value.append(contentsOf: counter.name.span)
        break
      }
      place += 1
    }
    return answer
  }

  // MARK: One piece

  private mutating func add(_ fields: GearFields, _ tracker: Span<UInt8>) -> GearAnswer {
    var free: Int?
    var row = 0
    while row < GearLedger.capacity {
      if free == nil, gears[row].number == 0 { free = row }
      row += 1
    }
    var gear = Gear()
    if let error = fields.error ?? take(fields, into: &gear, of: nil) { return refused(error) }
    guard let free, lastNumber < .max else { return refused(.tooManyGears) }
    lastNumber += 1
    gear.number = lastNumber
    if gear.uuid.isNil { gear.uuid = GearUUID(tracker: tracker, number: gear.number) }
    if fields.has(.distance), fields.distance > 0 {
      gear.offset = fields.distance
      gear.source = .imported
    }
    isUsed = true
    gears[free] = gear
    changed |= GearLedger.headBit
    noteChange(ofGear: free)
    return changed(gear.name)
  }

  private mutating func edit(
    _ name: InlineBytes<32>, _ fields: GearFields, _ request: UInt32, _ utc: UTCTime?
  ) -> GearAnswer {
    guard let row = row(named: name) else { return refused(.unknownGear) }
    var gear = gears[row]
    if let error = fields.error ?? take(fields, into: &gear, of: row) { return refused(error) }
    gears[row] = gear
    if fields.has(.distance) { correct(row, to: fields.distance, .corrected, request, utc) }
    noteChange(ofGear: row)
    return changed(gear.name)
  }

  /// Takes over what is told, all but the distance.
  ///
  /// - Parameter row: Where the gear is; nil for new one.
  private func take(_ fields: GearFields, into gear: inout Gear, of row: Int?) -> GearError? {
    if fields.has(.name) { gear.name = fields.name }
    if fields.has(.kind) { gear.kind = fields.kind }
    if fields.has(.uuid) { gear.uuid = fields.uuid }
    if fields.has(.make) { gear.make = fields.make }
    if fields.has(.model) { gear.model = fields.model }
    if fields.has(.year) { gear.year = fields.year }
    if fields.has(.id) { gear.serviceID = fields.serviceID }
    if let error = GearLedger.error(of: gear) { return error }
    var other = 0
    while other < GearLedger.capacity {
      if other != row, gears[other].number != 0 {
        if gears[other].name == gear.name { return .takenName }
        if gears[other].uuid == gear.uuid { return .takenUUID }
        if !gear.serviceID.isEmpty, gears[other].serviceID == gear.serviceID { return .takenID }
      }
      other += 1
    }
    return nil
  }

  /// Why it can be no gear, whatever others there are.
  static func error(of gear: Gear) -> GearError? {
    let name = gear.name
    if name.isEmpty || !isPrintableUTF8(name.span) || TextWord(in: name.span).equals("none", in: name.span) {
      return .badName
    }
    if gear.kind.isEmpty || !isPrintableUTF8(gear.kind.span) { return .badKind }
    if !isPrintableUTF8(gear.make.span) || !isPrintableUTF8(gear.model.span) { return .badText }
    if gear.year != 0, !Gear.years.contains(gear.year) { return .badYear }
    return isPrintableUTF8(gear.serviceID.span) ? nil : .badID
  }

  /// Its distance is another from now on, and what it was is kept.
  private mutating func correct(
    _ row: Int, to metres: Int64, _ source: Gear.Source, _ request: UInt32, _ utc: UTCTime?
  ) {
    let before = gears[row].distance
    gears[row].offset = metres - gears[row].ridden
    gears[row].source = source
    gears[row].change = Gear.Change(
      before: before, after: metres, second: utc?.secondsSince1970 ?? 0, request: request)
    noteChange(ofGear: row)
  }

  private mutating func remove(_ row: Int) {
    let number = gears[row].number
    if present == number { present = 0 }
    gears[row] = Gear()
    noteChange(ofGear: row)
    changed |= GearLedger.headBit
    var place = 0
    while place < GearLedger.rideCapacity {
      if rides[place].gear == number, rides[place].number != 0 {
        rides[place].gear = 0
        noteChange(ofRide: rides[place].number)
      }
      place += 1
    }
  }

  // MARK: Counters and rides

  private mutating func setCounter(
    _ name: InlineBytes<32>, _ counter: InlineBytes<16>, _ measure: GearCounter.Measure, _ due: Int64
  ) -> GearAnswer {
    guard let row = row(named: name) else { return refused(.unknownGear) }
    guard isPrintableUTF8(counter.span) else { return refused(.badName) }
    if let place = gears[row].place(ofCounter: counter) {
      // What it has counted so far is of another kind.
      if gears[row][counter: place].measure != measure { gears[row][counter: place].begin(after: lastRide, on: today) }
      gears[row][counter: place].measure = measure
      gears[row][counter: place].due = due
      if !gears[row][counter: place].isDue(on: today) { gears[row][counter: place].isTold = false }
    } else {
      var new = GearCounter()
      new.name = counter
      new.measure = measure
      new.due = due
      new.begin(after: lastRide, on: today)
      guard gears[row].append(new) else { return refused(.tooManyCounters) }
    }
    noteChange(ofGear: row)
    return changed(name)
  }

  /// The last ride was carried: no gear was ridden on it, and nothing of it was ridden.
  package mutating func carryLastRide() {
    guard let ride = ride(lastRide) else { return }
    if ride.gear != 0 { _ = assign(lastRide, InlineBytes()) }
    let row = GearLedger.row(of: lastRide)
    (rides[row].metres, rides[row].moving) = (0, 0)
    noteChange(ofRide: lastRide)
  }

  private mutating func assign(_ number: UInt32, _ name: InlineBytes<32>) -> GearAnswer {
    guard let ride = ride(number) else { return refused(.unknownRide) }
    let target = row(named: name)
    guard target != nil || name.isEmpty else { return refused(.unknownGear) }
    if let from = row(ofGear: ride.gear) {
      gears[from].count(ride, -1)
      // What is not due any more will be told when it is again.
      var place = 0
      while place < Int(gears[from].counterCount) {
        if !gears[from][counter: place].isDue(on: today) { gears[from][counter: place].isTold = false }
        place += 1
      }
      noteChange(ofGear: from)
    }
    if let target {
      gears[target].count(ride, 1)
      noteChange(ofGear: target)
    }
    rides[GearLedger.row(of: number)].gear = target.map { gears[$0].number } ?? 0
    noteChange(ofRide: number)
    return changed(name)
  }
}

extension UTCTime {
  /// Days since 1970; 0 before, and where there is no such number.
  package var daysSince1970: Int32 {
    microseconds < 0 ? 0 : Int32(clamping: microseconds / 86_400_000_000)
  }
  /// Seconds since 1970; 0 before, and where there is no such number.
  package var secondsSince1970: UInt32 { UInt32(clamping: microseconds / 1_000_000) }
}
