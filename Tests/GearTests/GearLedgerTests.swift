import Gear
import Quantities
import Telemetry
import Testing
import TrackerRuntime

@Suite struct GearLedgerTests {
  @Test func aBikeIsAddedWithAllThatIsToldOfIt() throws {
    let bench = LedgerBench()
    #expect(bench.ask("") == "gear none")
    let answer = bench.ask(
      "add \"road bike\" bike make \"Koga Miyata\" model \"F 3\" year 2019 id b12345678987655 distance 1200000")
    #expect(answer == "gearChanged road bike")
    #expect(bench.ask("set \"road bike\" uuid 1B4E28BA-2fa1-41d2-883f-0016d3cca427") == "gearChanged road bike")
    let gear = try #require(bench.gear("road bike"))
    #expect(text(gear.kind.span) == "bike" && text(gear.make.span) == "Koga Miyata" && text(gear.model.span) == "F 3")
    #expect(gear.year == 2019 && text(gear.serviceID.span) == "b12345678987655")
    #expect(gear.distance == 1_200_000 && gear.source == .imported && gear.ridden == 0)
    #expect(uuid(gear) == "1b4e28ba-2fa1-41d2-883f-0016d3cca427")
    #expect(bench.ask("show \"road bike\"") == "gear 1200000 m")
    #expect(bench.ask("use \"road bike\"") == "gearChanged road bike" && bench.ask("") == "gear road bike")
    #expect(bench.ask("use none") == "gearChanged none" && bench.ask("") == "gear none")
  }

  @Test func whoeverTellsNoUUIDGetsOneThatIsAnotherForEachGearAndTheSameInEachReplay() throws {
    let (bench, again) = (LedgerBench(), LedgerBench())
    for name in ["a", "b"] {
      bench.ask("add \(name) bike")
      again.ask("add \(name) bike")
    }
    let (first, second) = (uuid(try #require(bench.gear("a"))), uuid(try #require(bench.gear("b"))))
    let repeated = uuid(try #require(again.gear("a")))
    #expect(first != second && first == repeated)
    // Of version 8, and of the variant of RFC 9562.
    let digits = Array(first)
    let bytes = Array(first.utf8)
    let read = GearUUID(bytes.span)
    #expect(digits[14] == "8" && "89ab".contains(digits[19]) && read != nil)
    bench.ask("delete a")
    bench.ask("add a bike")
    let third = uuid(try #require(bench.gear("a")))
    #expect(third != first, "what was deleted does not come back")
  }

  @Test(arguments: [
    ("add", "unreadable"), ("add x", "unreadable"), ("wash x", "unreadable"), ("use", "unreadable"),
    ("add y bike colour red", "unreadable"), ("add y bike year 2019 year 2020", "unreadable"),
    ("set \"road bike\"", "unreadable"), ("counter \"road bike\" chain distance 0", "unreadable"),
    ("counter \"road bike\" chain metres 5", "unreadable"), ("counter \"road bike\" chain days 36501", "unreadable"),
    ("assign 0 none", "unreadable"), ("import \"road bike\" -1", "unreadable"),
    ("delete \"road bike\" now", "unreadable"),
    ("add \"123456789012345678901234567890123\" bike", "nameTooLong"), ("add none bike", "badName"),
    ("add \"a\u{1}b\" bike", "badName"), ("add \"road bike\" shoes", "takenName"),
    ("set other name \"road bike\"", "takenName"),
    ("add y anything-else-at", "gearChanged y"), ("add y anything-else-any", "badKind"),
    ("add y bike make \"123456789012345678901234567890123\"", "badText"),
    ("add y bike uuid 1b4e28ba-2fa1-41d2-883f-0016d3cca42", "badUUID"),
    ("add y bike uuid 1b4e28ba-2fa1-41d2-883f-0016d3cca42g", "badUUID"),
    ("add y bike uuid 1b4e28ba2fa1-41d2-883f-0016d3cca4277", "badUUID"),
    ("add y bike uuid 00000000-0000-0000-0000-000000000000", "badUUID"),
    ("add y bike uuid 1b4e28ba-2fa1-41d2-883f-0016d3cca427", "takenUUID"),
    ("set \"road bike\" uuid 1b4e28ba-2fa1-41d2-883f-0016d3cca427", "gearChanged road bike"),
    ("add y bike year 1849", "badYear"), ("add y bike year 1850", "gearChanged y"),
    ("add y bike year 2100", "gearChanged y"), ("add y bike year 2101", "badYear"),
    ("add y bike year 67555", "badYear"),
    ("add y bike id b1", "takenID"), ("add y bike id 1234567890123456789012345", "badID"),
    ("set \"road bike\" distance 9007199254740992", "gearChanged road bike"),
    ("set \"road bike\" distance 9007199254740993", "badDistance"),
    ("import \"road bike\" 18446744073709551615", "badDistance"),
    ("use nothing", "unknownGear"), ("show nothing", "unknownGear"), ("delete nothing", "unknownGear"),
    ("set nothing year 2000", "unknownGear"), ("import nothing 1", "unknownGear"),
    ("counter nothing chain days 1", "unknownGear"), ("reset \"road bike\" chain", "unknownCounter"),
    ("counter \"road bike\" chain delete", "unknownCounter"), ("assign 1 \"road bike\"", "unknownRide"),
  ])
  func whatIsWrongIsNamedAndChangesNothing(_ text: String, _ expected: String) {
    let bench = LedgerBench()
    bench.ask("add \"road bike\" bike uuid 1b4e28ba-2fa1-41d2-883f-0016d3cca427 id b1")
    bench.ask("add other bike")
    let before = bench.state
    let answer = bench.ask(text)
    guard !expected.hasPrefix("gearChanged") else {
      #expect(answer == expected, "\(text)")
      return
    }
    let after = bench.state
    #expect(answer == "gearRefused \(expected)", "\(text)")
    #expect(before == after, "\(text)")
  }

  @Test func thereAreEightOfEachAndRoomAgainWhereOneWasDeleted() {
    let bench = LedgerBench()
    for number in 1...8 { #expect(bench.ask("add g\(number) shoes") == "gearChanged g\(number)") }
    #expect(bench.ask("add g9 shoes") == "gearRefused tooManyGears")
    #expect(bench.ask("add g1 shoes") == "gearRefused takenName", "what is wrong anyway is told first")
    for number in 1...8 { #expect(bench.ask("counter g1 c\(number) distance \(number)") == "gearChanged g1") }
    #expect(bench.ask("counter g1 c9 distance 9") == "gearRefused tooManyCounters")
    #expect(bench.ask("counter g1 c3 delete") == "gearChanged g1" && bench.counter("c3", of: "g1") == nil)
    #expect(bench.ask("counter g1 c9 distance 9") == "gearChanged g1")
    bench.ask("use g1")
    bench.ride(4)
    #expect(bench.notices() == ["gearDue c1, g1", "gearDue c2, g1", "gearDue c4, g1"])
    #expect(bench.ask("delete g1") == "gearChanged g1" && bench.ask("add g9 shoes") == "gearChanged g9")
    #expect(bench.gear("g9")?.counterCount == 0)
  }

  @Test func aRideCountsForTheGearThatTheTrackerIsOn() throws {
    let bench = LedgerBench()
    bench.ride(9999)
    bench.ask("add road bike")
    bench.ask("add mud bike")
    bench.ride(500)
    bench.ask("use road")
    bench.ride(12_345, moving: 1800)
    bench.ride(1)
    bench.ask("use mud")
    bench.ride(.max)
    bench.ride(.max)
    let (road, mud) = (try #require(bench.gear("road")), try #require(bench.gear("mud")))
    #expect(road.distance == 12_346 && road.moving == 1860 && road.rides == 2 && road.source == .measured)
    #expect(mud.distance == 8_589_934_590, "64 bits")
    // What was ridden before there was any gear is remembered, too, as is what was ridden on none.
    #expect(bench.lastRide == 6 && bench.ride(number: 1)?.metres == 9999 && bench.ride(number: 1)?.gear == 0)
    #expect(bench.ride(number: 2)?.metres == 500 && bench.ride(number: 2)?.gear == 0)
  }

  @Test func aRideThatTurnsOutToBeLongerCountsSo() throws {
    let bench = LedgerBench()
    bench.lengthen(50)
    #expect(bench.lastRide == 0)
    bench.ask("add road bike")
    bench.ask("use road")
    bench.ask("counter road chain distance 1000")
    bench.ride(300)
    bench.ride(0, moving: 90)
    bench.lengthen(800)
    let road = try #require(bench.gear("road"))
    #expect(road.distance == 1100 && road.moving == 150 && road.rides == 2)
    #expect(bench.ride(number: 2)?.metres == 800 && bench.ride(number: 1)?.metres == 300)
    #expect(bench.counter("chain", of: "road")?.value == 1100 && bench.notices() == ["gearDue chain, road"])
    bench.lengthen(700)
    #expect(bench.gear("road")?.distance == 1100 && bench.ride(number: 2)?.metres == 800, "no ride gets shorter")
    // Of a ride that counts for nothing there is nothing to add to.
    bench.ask("use none")
    bench.ride(10)
    bench.lengthen(20)
    #expect(bench.gear("road")?.distance == 1100 && bench.ride(number: 3)?.metres == 20)
  }

  @Test func aCounterIsToldOnceWhenItIsDueAndShownUntilItIsReset() {
    let bench = LedgerBench()
    bench.ask("add road bike")
    bench.ask("use road")
    bench.ride(700)
    bench.ask("counter road chain distance 1000")
    bench.ride(999)
    #expect(bench.notices() == [] && bench.counter("chain", of: "road")?.isDue == false)
    bench.ride(1)
    #expect(bench.notices() == ["gearDue chain, road"] && bench.notices() == [])
    bench.ride(5)
    #expect(bench.notices() == [] && bench.ask("show road") == "gear 1705 m, due chain")
    #expect(bench.counter("chain", of: "road")?.value == 1005)
    bench.ask("reset road chain")
    #expect(bench.counter("chain", of: "road")?.value == 0 && bench.ask("show road") == "gear 1705 m")
    bench.ride(1000)
    #expect(bench.notices() == ["gearDue chain, road"])
    // An owner who gives it longer is told again then.
    bench.ask("counter road chain distance 1500")
    #expect(bench.counter("chain", of: "road")?.isDue == false && bench.notices() == [])
    bench.ride(500)
    #expect(bench.notices() == ["gearDue chain, road"])
    #expect(bench.ask("counter road chain delete") == "gearChanged road" && bench.ask("show road") == "gear 3205 m")
  }

  @Test func hoursAndDaysAreDueFromTheLastSecondAndTheLastDayOn() {
    let bench = LedgerBench()
    bench.ask("add rope climbing")
    bench.ask("use rope")
    bench.ask("counter rope check moving 2")
    bench.ask("counter rope discard days 365")
    bench.ride(10, moving: 7199)
    #expect(bench.notices() == [])
    bench.ride(10, moving: 1)
    #expect(bench.notices() == ["gearDue check, rope"])
    bench.begin(day: 20_364)
    #expect(bench.notices() == [] && bench.counter("discard", of: "rope")?.value == 364)
    bench.begin(day: 20_365)
    #expect(bench.notices() == ["gearDue discard, rope"])
    // A counter of hours that becomes one of days begins anew.
    bench.ask("counter rope check days 7200")
    #expect(bench.counter("check", of: "rope")?.value == 0)
  }

  @Test func withoutADateDaysCountFromTheFirstOneOn() {
    let bench = LedgerBench()
    bench.day = 0
    bench.ask("add rope climbing")
    bench.ask("counter rope discard days 10")
    #expect(bench.counter("discard", of: "rope")?.value == 0)
    bench.begin(day: 20_000)
    #expect(bench.counter("discard", of: "rope")?.value == 0 && bench.notices() == [])
    // A clock that was set back counts nothing, and takes nothing away.
    bench.begin(day: 19_000)
    #expect(bench.counter("discard", of: "rope")?.value == 0)
    bench.begin(day: 20_010)
    #expect(bench.notices() == ["gearDue discard, rope"])
  }

  @Test func aRideThatWasOnAnotherBikeIsAssignedWithAllThatItCounted() throws {
    let bench = LedgerBench()
    for name in ["road", "mud"] {
      bench.ask("add \(name) bike")
      bench.ask("counter \(name) chain distance 1000")
      bench.ask("counter \(name) brakes moving 1")
    }
    bench.ask("use road")
    bench.ride(600, moving: 1800)
    bench.ride(400, moving: 1800)
    #expect(bench.notices() == ["gearDue chain, road", "gearDue brakes, road"])
    #expect(bench.ask("assign 2 mud") == "gearChanged mud")
    let (road, mud) = (try #require(bench.gear("road")), try #require(bench.gear("mud")))
    #expect(road.distance == 600 && road.moving == 1800 && road.rides == 1)
    #expect(mud.distance == 400 && mud.moving == 1800 && mud.rides == 1)
    #expect(bench.counter("chain", of: "road")?.value == 600 && bench.counter("chain", of: "mud")?.value == 400)
    #expect(bench.counter("brakes", of: "road")?.value == 1800 && bench.counter("brakes", of: "road")?.isDue == false)
    // Due again it is told again.
    bench.ride(400)
    #expect(bench.notices() == ["gearDue chain, road"])
    // What was ridden before a reset is worn off with the old chain.
    bench.ask("reset mud chain")
    bench.ask("assign 1 mud")
    #expect(bench.counter("chain", of: "mud")?.value == 0 && bench.gear("mud")?.distance == 1000)
    #expect(bench.notices() == ["gearDue brakes, mud"])
    bench.ask("assign 1 none")
    #expect(bench.gear("mud")?.distance == 400 && bench.ride(number: 1)?.gear == 0)
    bench.ask("assign 1 road")
    #expect(bench.gear("road")?.distance == 1000)
    #expect(bench.ask("assign 4 road") == "gearRefused unknownRide")
  }

  @Test func aDeletedBikeLeavesItsRidesToOthers() {
    let bench = LedgerBench()
    bench.ask("add road bike")
    bench.ask("use road")
    bench.ride(600)
    #expect(bench.ask("delete road") == "gearChanged road" && bench.ask("") == "gear none")
    bench.ask("add mud bike")
    #expect(bench.gear("mud")?.distance == 0)
    bench.ask("assign 1 mud")
    #expect(bench.gear("mud")?.distance == 600)
  }

  @Test func aCorrectionKeepsWhatItWasAndSaysWho() throws {
    let bench = LedgerBench()
    bench.ask("add road bike")
    bench.ask("use road")
    bench.ride(600)
    bench.ask("import road 1000", number: 7)
    var gear = try #require(bench.gear("road"))
    #expect(gear.distance == 1600 && gear.source == .imported)
    #expect(text(gear.change) == "600 1600 1728000005 7")
    bench.ride(50)
    bench.ask("set road distance 100")
    gear = try #require(bench.gear("road"))
    #expect(gear.distance == 100 && gear.source == .corrected && gear.ridden == 650)
    #expect(text(gear.change) == "1650 100 1728000005 0")
    bench.ask("import road 5000")
    #expect(bench.gear("road")?.source == .corrected && bench.gear("road")?.distance == 5650)
    bench.ride(1)
    #expect(bench.gear("road")?.distance == 5651)
  }

  @Test func eightyRidesAreRemembered() {
    let bench = LedgerBench()
    bench.ask("add road bike")
    bench.ask("use road")
    bench.ask("add mud bike")
    for _ in 1...81 { bench.ride(10) }
    #expect(bench.ask("assign 1 mud") == "gearRefused unknownRide" && bench.ask("assign 2 mud") == "gearChanged mud")
    #expect(bench.ask("assign 81 mud") == "gearChanged mud" && bench.ask("assign 82 mud") == "gearRefused unknownRide")
    #expect(bench.gear("road")?.distance == 790 && bench.gear("mud")?.distance == 20)
  }

  @Test func whoComesHomeTellsTheRidesSinceItLeft() {
    let bench = LedgerBench()
    bench.ask("add \"the road bike\" bike")
    bench.ask("add mud bike")
    bench.ask("use \"the road bike\"")
    bench.ride(1000)
    bench.ride(500)
    #expect(bench.notices() == [])
    bench.ride(20, isHome: true)
    #expect(bench.notices() == ["cameHome 3 1520 the road bik"])
    bench.ride(7)
    bench.ask("use mud")
    bench.ride(9, isHome: true)
    #expect(bench.notices() == ["cameHome 1 9 mud"])
    bench.ask("use none")
    bench.ride(9, isHome: true)
    #expect(bench.notices() == [], "nobody knows who came home")
  }

  // MARK: State

  @Test func aRestartKeepsAllOfIt() throws {
    let bench = LedgerBench()
    bench.ask("add \"road bike\" bike make Koga model F3 year 2019 id b1 distance 77")
    bench.ask("set \"road bike\" distance 99", number: 3)
    for number in 1...8 { bench.ask("counter \"road bike\" \"counter no. \(number)\" distance 100000") }
    bench.ask("counter \"road bike\" \"counter no. 8\" days 400")
    bench.ask("add shoes shoes")
    bench.ask("use \"road bike\"")
    for number in 1...85 { bench.ride(UInt32(number)) }
    let state = bench.state
    #expect(state.count < 4096)
    let next = LedgerBench.restored(state)
    #expect(next.state == state && next.ask("") == "gear road bike")
    let gear = try #require(next.gear("road bike"))
    #expect(gear.distance == 99 + 85 * 86 / 2 && gear.change?.request == 3 && gear.counterCount == 8)
    next.ride(1)
    next.ask("assign 85 shoes")
    #expect(next.gear("shoes")?.distance == 85 && next.lastRide == 86)
    next.begin(day: 20_400)
    #expect(next.notices() == ["gearDue counter no. 8, road"])
    // Told is told.
    let third = LedgerBench.restored(next.state, day: 20_401)
    #expect(third.notices() == [])
  }

  @Test func itNeedsNoMoreMemoryThanThePagesSay() {
    #expect(MemoryLayout<GearLedger>.size <= 9216)
  }

  /// Rides are remembered for whoever has no gear yet, and can be assigned to it once there is some.
  @Test func ridesOfBeforeThereWasGearAreRemembered() {
    let bench = LedgerBench.restored([])
    #expect(!bench.isUsed && bench.changes() == [])
    bench.ride(5)
    #expect(bench.lastRide == 1 && bench.changes() != [])
    let next = LedgerBench.restored(bench.state, day: 20_401)
    #expect(next.lastRide == 1)
    #expect(next.ask("add road bike") == "gearChanged road" && next.ask("show road") == "gear 0 m")
    #expect(next.ask("assign 1 road") == "gearChanged road" && next.ask("show road") == "gear 5 m")
  }

  @Test func onlyWhatHasChangedIsKept() {
    let bench = LedgerBench()
    bench.ask("add road bike")
    bench.ask("add mud bike")
    bench.ask("use mud")
    #expect(bench.changes() == [64, 67, 68] && bench.changes() == [])
    bench.ride(100)
    #expect(bench.changes() == [64, 65, 68])
    for _ in 2...40 { bench.ride(100) }
    #expect(bench.changes() == [64, 65, 66, 68])
    bench.ask("assign 1 road")
    #expect(bench.changes() == [65, 67, 68])
    bench.ask("show road")
    #expect(bench.changes() == [])
  }

  @Test func aDamagedSectionCostsWhatWasInIt() throws {
    let bench = LedgerBench()
    bench.ask("add road bike")
    bench.ask("add mud bike")
    bench.ask("use mud")
    for _ in 1...3 { bench.ride(100) }
    let state = bench.state
    var places: [Int] = []
    var place = 0
    while let section = StoredSection.next(in: state.span, from: place) {
      places.append(section.start)
      place = section.end
    }
    try #require(places.count == 11)
    for (number, start) in places.enumerated() where number != 2 && number < 5 {
      var damaged = state
      damaged[start] ^= 1
      let next = LedgerBench.restored(damaged)
      #expect(next.gear("road") == nil || number != 3)
      #expect((next.gear("mud")?.distance ?? 0) == (number == 4 ? 0 : 300))
      #expect(next.ask("") == (number == 0 || number == 4 ? "gear none" : "gear mud"))
      next.ride(5)
      // Numbers are not used twice, even where the head is lost.
      #expect(next.lastRide == 4 && next.ride(number: 4)?.metres == 5)
      #expect(next.ask("add new bike") == "gearChanged new")
      #expect(next.gear("new").map { uuid($0) } != bench.gear("mud").map { uuid($0) })
    }
  }

  /// Whatever the bytes of a section: it is read and can go on, or it is left out.
  @Test func noBytesOfAStateTrap() {
    let bench = LedgerBench()
    bench.ask("add road bike")
    bench.ask("counter road chain distance 5")
    bench.ask("use road")
    for _ in 1...3 { bench.ride(100) }
    var random = SplitMix64(seed: 7)
    for tag in GearLedger.firstTag..<GearLedger.endTag {
      var record = ByteBuffer()
      bench.encode(tag, into: &record)
      let content = Array(record.bytes.dropFirst(StoredSection.headLength))
      for _ in 0..<400 {
        var changed = content
        for _ in 0...Int(random.next() % 3) where !changed.isEmpty {
          changed[Int(random.next() % UInt64(changed.count))] = UInt8(truncatingIfNeeded: random.next())
        }
        if random.next() % 4 == 0 { changed.removeLast(min(changed.count, Int(random.next() % 9))) }
        var section = ByteBuffer()
        StoredSection(tag: tag, version: 1, revision: 1).encode(changed.span, into: &section)
        let next = LedgerBench.restored(section.bytes)
        for row in 0..<GearLedger.capacity {
          if let gear = next.gear(in: row) { next.ask("use \"\(text(gear.name.span))\"") }
        }
        next.ride(.max, moving: .max, isHome: true)
        next.ask("assign \(next.lastRide) none")
        _ = next.notices()
      }
    }
  }

  /// Against a plain list of what happened, from which all is counted anew each time.
  @Test(arguments: 1...20) func afterAnyHistoryTotalsAndCountersAreThoseOfTheRides(seed: Int) throws {
    struct Ride {
      var number: Int
      var gear: String
      var metres: Int64
    }
    var random = SplitMix64(seed: UInt64(seed))
    func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
    var bench = LedgerBench()
    let names = ["a", "b", "c"]
    for name in names {
      bench.ask("add \(name) bike")
      bench.ask("counter \(name) chain distance 1000")
    }
    var rides: [Ride] = []
    var present = ""
    var resets: [String: Int] = [:]
    for _ in 0..<200 {
      switch pick(6) {
      case 0, 1:
        let metres = UInt32(pick(500))
        bench.ride(metres)
        rides.append(Ride(number: rides.count + 1, gear: present, metres: Int64(metres)))
      case 2:
        present = names[pick(3)]
        bench.ask("use \(present)")
      case 3:
        let name = names[pick(3)]
        resets[name] = rides.count
        bench.ask("reset \(name) chain")
      case 4 where !rides.isEmpty:
        let (ride, name) = (pick(rides.count), pick(4) == 0 ? "" : names[pick(3)])
        let answer = bench.ask("assign \(ride + 1) \(name.isEmpty ? "none" : name)")
        if rides.count - ride <= GearLedger.rideCapacity {
          rides[ride].gear = name
        } else {
          #expect(answer == "gearRefused unknownRide")
        }
      default:
        bench = LedgerBench.restored(bench.state)
      }
      for name in names {
        let own = rides.filter { $0.gear == name }
        let worn = own.filter { $0.number > resets[name] ?? 0 }
        #expect(bench.gear(name)?.distance == own.reduce(0) { $0 + $1.metres })
        #expect(bench.counter("chain", of: name)?.value == worn.reduce(0) { $0 + $1.metres })
      }
    }
  }
}

private func text(_ change: Gear.Change?) -> String {
  change.map { "\($0.before) \($0.after) \($0.second) \($0.request)" } ?? "none"
}

private func uuid(_ gear: Gear) -> String {
  var bytes = ByteBuffer()
  gear.uuid.encode(into: &bytes)
  return String(decoding: bytes.bytes, as: UTF8.self)
}
