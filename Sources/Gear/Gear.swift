import InlineStorage
import TrackerCore

/// A piece of gear, of any kind: a bike, shoes, a rope.
package struct Gear: BitwiseCopyable, Sendable {
  /// The most counters of one.
  package static var counterCapacity: Int { 8 }
  /// Model years that are taken: from before there were safety bicycles on.
  package static var years: ClosedRange<UInt16> { 1850...2100 }
  /// The farthest that a request can put its distance, m.
  package static var longestDistance: Int64 { 1 << 53 }

  /// Where its distance is from.
  package enum Source: UInt8, BitwiseCopyable, Sendable, CaseIterable {
    /// All of it is of rides with the tracker.
    case measured
    /// A part was travelled without the tracker, as somebody has told.
    case imported
    /// Its owner has set it.
    case corrected

    /// Its word in JSON.
    package var word: StaticString {
      switch self {
      case .measured: return "measured"
      case .imported: return "imported"
      case .corrected: return "corrected"
      }
    }
  }

  /// The last change of its distance by a request, for whoever wants to know why it is what it is.
  package struct Change: Equatable, BitwiseCopyable, Sendable {
    /// Its distance before, m.
    package var before: Int64
    /// Its distance then, m.
    package var after: Int64
    /// When, s since 1970; 0 where the time was not known.
    package var second: UInt32
    /// The number of the request, 0 for none.
    package var request: UInt32
  }

  /// Its number, which no other has or will have on this tracker; 0 for a row without gear.
  package internal(set) var number: UInt16 = 0
  /// What its owner calls it, UTF-8; no two have the same.
  package internal(set) var name = InlineBytes<32>()
  /// What it is, a word.
  package internal(set) var kind = InlineBytes<16>()
  /// Its UUID.
  package internal(set) var uuid = GearUUID()
  /// Who made it, UTF-8; empty when that was not told.
  package internal(set) var make = InlineBytes<32>()
  /// Its model, UTF-8; empty when that was not told.
  package internal(set) var model = InlineBytes<32>()
  /// Its model year; 0 when that was not told.
  package internal(set) var year: UInt16 = 0
  /// Its id at a service, as `b12345678987655`; empty for none.
  package internal(set) var serviceID = InlineBytes<24>()

  /// The sum of its rides, m.
  package internal(set) var ridden: Int64 = 0
  /// The time of its rides without stops, s.
  package internal(set) var moving: Int64 = 0
  /// Its rides.
  package internal(set) var rides: UInt32 = 0
  /// What its owner has added to `ridden`, m.
  package internal(set) var offset: Int64 = 0
  /// Where its distance is from.
  package internal(set) var source = Source.measured
  /// The last change of its distance; nil while there was none.
  package internal(set) var change: Change?
  /// How many counters it has.
  package internal(set) var counterCount: UInt8 = 0
  private var counters = InlineArray<8, GearCounter>(repeating: GearCounter())

  init() {}

  /// Its distance, m. It falls only when a ride is assigned to another, or when its owner sets it.
  package var distance: Int64 { ridden + offset }

  /// A counter, 0 to `counterCount` - 1.
  package internal(set) subscript(counter place: Int) -> GearCounter {
    get { counters[place] }
    set { counters[place] = newValue }
  }

  /// The place of a counter; nil when there is none of that name.
  func place(ofCounter name: InlineBytes<16>) -> Int? {
    var place = 0
    while place < Int(counterCount) {
      if counters[place].name == name { return place }
      place += 1
    }
    return nil
  }

  /// Adds a counter; false when there are eight.
  mutating func append(_ counter: GearCounter) -> Bool {
    guard Int(counterCount) < Gear.counterCapacity else { return false }
    counters[Int(counterCount)] = counter
    counterCount += 1
    return true
  }

  mutating func removeCounter(at place: Int) {
    counterCount -= 1
    var place = place
    while place < Int(counterCount) {
      counters[place] = counters[place + 1]
      place += 1
    }
    counters[place] = GearCounter()
  }

  /// Takes a ride in, or with -1 out again, with all counters that were reset before it.
  mutating func count(_ ride: GearRide, _ sign: Int64) {
    ridden += sign * Int64(ride.metres)
    moving += sign * Int64(ride.moving)
    rides = sign > 0 ? rides &+ 1 : rides &- 1
    var place = 0
    while place < Int(counterCount) {
      counters[place].count(ride, sign)
      place += 1
    }
  }
}

/// What is to be done with gear every so often: the chain is waxed, the brakes are looked at, the rope is given away.
package struct GearCounter: BitwiseCopyable, Sendable {
  /// What it counts.
  package enum Measure: UInt8, BitwiseCopyable, Sendable, CaseIterable, RequestWord {
    /// Metres of rides.
    case distance
    /// Time of rides without stops.
    case moving
    /// Days, ridden or not.
    case days

    /// Its word.
    package var word: StaticString {
      switch self {
      case .distance: return "distance"
      case .moving: return "moving"
      case .days: return "days"
      }
    }

    /// The longest after which it can be due, in the unit of requests: m, h, days.
    package var longest: Int { self == .distance ? 1_000_000_000 : self == .moving ? 100_000 : 36_500 }
    /// How many of what is counted, m, s or days, the unit of requests has.
    package var scale: Int64 { self == .moving ? 3600 : 1 }
    /// The unit of requests.
    package var unit: StaticString { self == .distance ? "metres" : self == .moving ? "hours" : "days" }
  }

  /// Its name, UTF-8; of one piece of gear no two have the same.
  package internal(set) var name = InlineBytes<16>()
  /// What it counts.
  package internal(set) var measure = Measure.distance
  /// At how much it is due, m, s or days.
  package internal(set) var due: Int64 = 0
  /// The sum since it was reset, m or s.
  var sum: Int64 = 0
  /// The last ride before it was reset: later ones count, also those that are assigned later.
  var lastRide: UInt32 = 0
  /// The day on which it was reset, since 1970; 0 while that is not known.
  var day: Int32 = 0
  /// True once it was told that it is due.
  package internal(set) var isTold = false

  /// How much it has counted, m, s or days.
  ///
  /// - Parameter today: Days since 1970; 0 while the date is not known.
  package func value(on today: Int32) -> Int64 {
    guard measure == .days else { return sum }
    return day == 0 || today < day ? 0 : Int64(today) - Int64(day)
  }

  /// True from when it has counted enough until it is reset.
  package func isDue(on today: Int32) -> Bool { due > 0 && value(on: today) >= due }

  /// It counts from here on.
  mutating func begin(after ride: UInt32, on today: Int32) {
    sum = 0
    lastRide = ride
    day = today
    isTold = false
  }

  mutating func count(_ ride: GearRide, _ sign: Int64) {
    guard ride.number > lastRide else { return }
    switch measure {
    case .distance: sum += sign * Int64(ride.metres)
    case .moving: sum += sign * Int64(ride.moving)
    case .days: break
    }
  }
}

/// A ride that is over, and on what it was.
package struct GearRide: Equatable, BitwiseCopyable, Sendable {
  /// Its number, from 1; 0 for a row without a ride.
  package var number: UInt32 = 0
  /// The number of the gear; 0 for none.
  package internal(set) var gear: UInt16 = 0
  /// Its length, m.
  package var metres: UInt32 = 0
  /// Its time without stops, s.
  package var moving: UInt32 = 0
  /// When it began, s since 1970; 0 where the time is not known.
  package var start: UInt32 = 0
  /// When it ended, likewise.
  package var end: UInt32 = 0

  /// A row without a ride.
  package init() {}
}

/// Why nothing was done with gear.
package enum GearError: UInt8, Equatable, BitwiseCopyable, Sendable, CaseIterable {
  /// The words are no request.
  case unreadable
  /// A name with more bytes than there is room for.
  case nameTooLong
  /// A name that is no UTF-8 without control characters and quotes, or that is `none`.
  case badName
  /// Another piece of gear has the name.
  case takenName
  /// A kind that is no word of at most 16 bytes.
  case badKind
  /// A make or a model that is too long, or no UTF-8 without control characters and quotes.
  case badText
  /// A UUID that is none.
  case badUUID
  /// Another piece of gear has the UUID.
  case takenUUID
  /// A model year outside of `Gear.years`.
  case badYear
  /// An id that is no word of at most 24 bytes.
  case badID
  /// Another piece of gear has the id.
  case takenID
  /// A distance beyond `Gear.longestDistance`.
  case badDistance
  /// There is no room for another piece of gear.
  case tooManyGears
  /// There is no room for another counter.
  case tooManyCounters
  /// There is no gear of that name.
  case unknownGear
  /// The gear has no counter of that name.
  case unknownCounter
  /// There was no ride of that number, or it is too long ago.
  case unknownRide

  /// Its name in answers, 19 bytes at most.
  package var name: StaticString {
    switch self {
    case .unreadable: return "unreadable"
    case .nameTooLong: return "nameTooLong"
    case .badName: return "badName"
    case .takenName: return "takenName"
    case .badKind: return "badKind"
    case .badText: return "badText"
    case .badUUID: return "badUUID"
    case .takenUUID: return "takenUUID"
    case .badYear: return "badYear"
    case .badID: return "badID"
    case .takenID: return "takenID"
    case .badDistance: return "badDistance"
    case .tooManyGears: return "tooManyGears"
    case .tooManyCounters: return "tooManyCounters"
    case .unknownGear: return "unknownGear"
    case .unknownCounter: return "unknownCounter"
    case .unknownRide: return "unknownRide"
    }
  }
}
