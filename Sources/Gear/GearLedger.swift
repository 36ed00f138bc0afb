import ASCIIText
import InlineStorage
import Telemetry

/// Gear and what was ridden on it: beside the tracker, which tells it when a ride is over.
///
/// Its state follows from the rides, the days and the requests that it is told in their order, and from nothing else.
package struct GearLedger: ~Copyable {
  /// The most pieces of gear.
  package static var capacity: Int { 8 }
  /// The rides that are remembered, and can be assigned to other gear.
  package static var rideCapacity: Int { 80 }

  /// Rows, of which some are without gear.
  var gears = InlineVector<8, Gear>()
  /// Rides in the rows of their numbers, modulo `rideCapacity`.
  var rides = InlineVector<80, GearRide>()
  /// The number of the gear that the tracker is on; 0 for none.
  var present: UInt16 = 0
  /// The highest number that gear had.
  var lastNumber: UInt16 = 0
  /// The number of the last ride.
  package internal(set) var lastRide: UInt32 = 0
  /// The last ride that ended at home.
  var lastHome: UInt32 = 0
  /// Days since 1970; 0 while the date is not known.
  package internal(set) var today: Int32 = 0
  /// True once there was gear or a ride: from then on there are sections.
  package internal(set) var isUsed = false

  /// The number of the last keeping; sections with a higher one are newer.
  var revision: UInt32 = 0
  /// Sections that have changed and are not kept, a bit each.
  var changed: UInt16 = 0
  /// True when there may be something to tell.
  package internal(set) var hasNews = false
  /// What is told about a ride that has ended at home.
  var homecoming: GearAnswer?

  /// No gear.
  package init() {
    while gears.count < GearLedger.capacity { gears.append(Gear()) }
    while rides.count < GearLedger.rideCapacity { rides.append(GearRide()) }
  }

  // MARK: What is looked at

  /// The gear in a row, 0 to `capacity` - 1; nil where there is none.
  package func gear(in row: Int) -> Gear? { gears[row].number == 0 ? nil : gears[row] }

  /// True for the gear that the tracker is on.
  package func isPresent(_ gear: Gear) -> Bool { gear.number == present }

  /// A ride; nil for one that there was not, or that is too long ago.
  package func ride(_ number: UInt32) -> GearRide? {
    let ride = rides[GearLedger.row(of: number)]
    return number > 0 && ride.number == number ? ride : nil
  }

  /// The row of a ride.
  static func row(of ride: UInt32) -> Int { Int(ride % UInt32(GearLedger.rideCapacity)) }

  /// The row of gear; nil for a number that none has.
  package func row(ofGear number: UInt16) -> Int? {
    var row = 0
    while row < GearLedger.capacity {
      if number != 0, gears[row].number == number { return row }
      row += 1
    }
    return nil
  }

  func row(named name: InlineBytes<32>) -> Int? {
    var row = 0
    while row < GearLedger.capacity {
      if gears[row].number != 0, gears[row].name == name { return row }
      row += 1
    }
    return nil
  }

  // MARK: What is told by the tracker

  /// A ride is over. Without any gear it is nobody's.
  ///
  /// - Parameters:
  ///   - ride: Its numbers; which it is, and on what, is decided here.
  ///   - isHome: True when it ended at the secure place that is called `home`.
  package mutating func note(_ ride: GearRide, isHome: Bool = false) {
    isUsed = true
    lastRide &+= 1
    var ride = ride
    ride.number = lastRide
    ride.gear = present
    rides[GearLedger.row(of: lastRide)] = ride
    noteChange(ofRide: lastRide)
    changed |= GearLedger.headBit
    if let row = row(ofGear: present) {
      gears[row].count(ride, 1)
      noteChange(ofGear: row)
    }
    guard isHome else { return }
    comeHome()
  }

  /// When the last ride began and ended, s since 1970, which was not known when it was over.
  package mutating func date(start: UInt32, end: UInt32) {
    let row = GearLedger.row(of: lastRide)
    guard lastRide > 0, rides[row].number == lastRide, rides[row].end == 0 else { return }
    (rides[row].start, rides[row].end) = (start, end)
    noteChange(ofRide: lastRide)
  }

  /// How long the last ride was, m, which was not seen when it was over.
  package mutating func lengthenLastRide(to metres: UInt32) {
    guard var ride = ride(lastRide), metres > ride.metres else { return }
    if let row = row(ofGear: ride.gear) {
      gears[row].count(ride, -1)
      ride.metres = metres
      gears[row].count(ride, +1)
      noteChange(ofGear: row)
    }
    ride.metres = metres
    rides[GearLedger.row(of: lastRide)] = ride
    noteChange(ofRide: lastRide)
  }

  /// It is this day, since 1970. A day that is earlier than one before is a clock that was wrong then, or is now.
  package mutating func note(day: Int32) {
    guard isUsed, day > 0, day != today else { return }
    today = day
    hasNews = true
    // What was reset while the date was not known counts from the first day that is.
    var row = 0
    while row < GearLedger.capacity {
      var place = 0
      while place < Int(gears[row].counterCount) {
        if gears[row][counter: place].day == 0 {
          gears[row][counter: place].day = day
          noteChange(ofGear: row)
        }
        place += 1
      }
      row += 1
    }
  }

  /// The rides of the present gear since it was last at home.
  private mutating func comeHome() {
    var count: UInt32 = 0
    var metres: Int64 = 0
    var number = lastRide
    while number > lastHome, let ride = ride(number) {
      if ride.gear == present {
        count += 1
        metres += Int64(ride.metres)
      }
      number -= 1
    }
    lastHome = lastRide
    changed |= GearLedger.headBit
    guard let row = row(ofGear: present) else { return }
    var answer = GearAnswer(.cameHome)
    answer.value.append(decimal: UInt64(count))
    answer.value.append(0x20)
    answer.value.append(decimal: metres)
    answer.value.append(0x20)
    answer.value.append(contentsOf: gears[row].name.span)
    homecoming = answer
    hasNews = true
  }

  /// What is to be told by itself: a counter that is due, once until it is reset; and who came home. Nil when there is nothing.
  package mutating func nextNotice() -> GearAnswer? {
    guard hasNews else { return nil }
    if let answer = homecoming {
      homecoming = nil
      return answer
    }
    var row = 0
    while row < GearLedger.capacity {
      var place = 0
      while place < Int(gears[row].counterCount) {
        if !gears[row][counter: place].isTold, gears[row][counter: place].isDue(on: today) {
          gears[row][counter: place].isTold = true
          changed |= GearLedger.bit(ofRow: row)
          var answer = GearAnswer(.gearDue)
          answer.value.append(contentsOf: gears[row][counter: place].name.span)
          answer.value.append(", ")
          answer.value.append(contentsOf: gears[row].name.span)
          return answer
        }
        place += 1
      }
      row += 1
    }
    hasNews = false
    return nil
  }

  // MARK: What is to be kept

  static var headBit: UInt16 { 1 }
  static func bit(ofRow row: Int) -> UInt16 { 1 << UInt16(3 + row) }
  mutating func noteChange(ofRide number: UInt32) {
    changed |= 1 << UInt16(1 + GearLedger.row(of: number) / GearLedger.ridesOfSection)
  }
  /// What counters say may have changed, too.
  mutating func noteChange(ofGear row: Int) {
    changed |= GearLedger.bit(ofRow: row)
    hasNews = true
  }
}

/// What gear has to tell.
package struct GearAnswer: BitwiseCopyable, Sendable {
  /// The reason of the status.
  package var reason: StatusReason
  /// Its value, of which as much is told as a packet has room for.
  package var value = InlineBytes<64>()

  init(_ reason: StatusReason) { self.reason = reason }

  /// As much of the value as a packet has room for, and no part of a character.
  package var text: PacketText {
    var end = min(value.count, PacketText.capacity)
    if end < value.count { while end > 0, value[end] & 0xC0 == 0x80 { end -= 1 } }
    return PacketText(value.span.extracting(0..<end))
  }
}
