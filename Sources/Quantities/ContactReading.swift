/// A switch at the vehicle that is open or closed. The numbers are those of logs and never change.
@frozen public enum Contact: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// A button of the owner's; on while it is pressed.
  case button = 0
  /// The kick-stand; on while it is down.
  case kickStand = 1
  /// The lock; on while it is locked.
  case lock = 2
  /// The brake lever; on while it is pulled.
  case brake = 3
  /// A switch in the tracker's box or at its cable; on while it is open.
  case tamper = 4

  /// The name used in logs and the configuration.
  public var name: StaticString {
    switch self {
    case .button: return "button"
    case .kickStand: return "kickStand"
    case .lock: return "lock"
    case .brake: return "brake"
    case .tamper: return "tamper"
    }
  }
}

/// How switches stand, those that are known.
@frozen public struct Contacts: Equatable, BitwiseCopyable, Sendable {
  @usableFromInline var known: UInt8 = 0
  @usableFromInline var on: UInt8 = 0

  /// Nothing is known.
  @inlinable public init() {}

  /// Whether a switch is on; nil while it is unknown.
  @inlinable public subscript(contact: Contact) -> Bool? {
    get { known >> contact.rawValue & 1 == 0 ? nil : on >> contact.rawValue & 1 == 1 }
    set {
      let bit: UInt8 = 1 << contact.rawValue
      known = newValue == nil ? known & ~bit : known | bit
      on = newValue == true ? on | bit : on & ~bit
    }
  }

  /// True when nothing is known.
  @inlinable public var isEmpty: Bool { known == 0 }

  /// Takes the newer state of those switches that another one knows.
  @inlinable public mutating func update(with newer: Contacts) {
    on = on & ~newer.known | newer.on
    known |= newer.known
  }
}

/// A reading of switches.
@frozen public struct ContactReading: ReadingContent {
  /// When they were read, on the monotonic clock.
  public var time: Instant
  /// How they stood; what is not known is as it was.
  public var contacts: Contacts

  /// A reading.
  @inlinable public init(time: Instant, _ contacts: Contacts) {
    self.time = time
    self.contacts = contacts
  }

  /// Its name in the JSON of a log.
  public static var name: StaticString { "contacts" }

  /// What the number at a place is; nil beyond the last.
  public static func field(at place: Int) -> ReadingField? {
    UInt8(exactly: place).flatMap { Contact(rawValue: $0) }.map { ReadingField($0.name, .flag) }
  }

  /// The number at a place; nil when it is unknown.
  public func number(at place: Int) -> Int64? {
    guard let contact = UInt8(exactly: place).flatMap({ Contact(rawValue: $0) }) else { return nil }
    return contacts[contact].map { $0 ? 1 : 0 }
  }

  /// A reading of numbers; nil when one of them is out of its range.
  public init?(time: Instant, number: (Int) -> Int64?) {
    var contacts = Contacts()
    for place in 0..<UInt8(Contact.allCases.count) {
      guard let contact = Contact(rawValue: place), let flag = number(Int(place)) else { continue }
      guard flag == 0 || flag == 1 else { return nil }
      contacts[contact] = flag == 1
    }
    self.init(time: time, contacts)
  }
}
