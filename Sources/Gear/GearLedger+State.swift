import ASCIIText
import InlineStorage
import Rules
import Telemetry

// What is kept over a restart: a section for what all have in common, two for rides, and one for each row of gear.
extension GearLedger {
  /// The tags of its sections, from this on: of the ledger, of two halves of the rides, and of the rows.
  package static var firstTag: UInt8 { 64 }
  /// Behind the last of them.
  package static var endTag: UInt8 { 75 }
  /// Rides in a section.
  static var ridesOfSection: Int { 40 }

  /// True for the tag of one of its sections.
  package static func isOwn(_ tag: UInt8) -> Bool { tag >= firstTag && tag < endTag }

  /// A section that has changed since it was asked for last; nil when all is kept.
  package mutating func nextChange() -> UInt8? {
    guard isUsed, changed != 0 else { return nil }
    revision &+= 1
    var place: UInt8 = 0
    while place < GearLedger.endTag - GearLedger.firstTag {
      let bit: UInt16 = 1 << UInt16(place)
      if changed & bit != 0 {
        changed &= ~bit
        return GearLedger.firstTag + place
      }
      place += 1
    }
    changed = 0
    return nil
  }

  /// Writes a section: 1 KiB at most.
  package func encode(_ tag: UInt8, into sink: inout some ByteSink) {
    var content = InlineBytes<1024>()
    switch tag {
    case GearLedger.firstTag:
      content.append(littleEndian: UInt64(present), bytes: 2)
      content.append(littleEndian: UInt64(lastNumber), bytes: 2)
      content.append(littleEndian: UInt64(lastRide), bytes: 4)
      content.append(littleEndian: UInt64(lastHome), bytes: 4)
    case GearLedger.firstTag + 1, GearLedger.firstTag + 2:
      let first = Int(tag - GearLedger.firstTag - 1) * GearLedger.ridesOfSection
      var row = first
      while row < first + GearLedger.ridesOfSection {
        if rides[row].number != 0 { rides[row].encode(into: &content) }
        row += 1
      }
    default:
      guard GearLedger.isOwn(tag) else { return }
      gears[Int(tag - GearLedger.firstTag - 3)].encode(into: &content)
    }
    StoredSection(tag: tag, version: 1, revision: revision).encode(content.span, into: &sink)
  }

  /// Goes on where an earlier life was. A section that is damaged or missing costs what was in it, and nothing else.
  package mutating func restore(_ state: Span<UInt8>) {
    var place = 0
    while let section = StoredSection.next(in: state, from: place) {
      place = section.end
      guard GearLedger.isOwn(section.tag), section.version == 1 else { continue }
      isUsed = true
      revision = max(revision, section.revision)
      restore(section, of: state)
    }
    guard isUsed else { return }
    // Where the head is lost, numbers go on behind all that are known.
    var row = 0
    while row < GearLedger.capacity {
      lastNumber = max(lastNumber, gears[row].number)
      row += 1
    }
    row = 0
    while row < GearLedger.rideCapacity {
      lastRide = max(lastRide, rides[row].number)
      row += 1
    }
    lastHome = min(lastHome, lastRide)
    changed = 0
    hasNews = true
  }

  private mutating func restore(_ section: StoredSection, of bytes: Span<UInt8>) {
    var reader = RecordReader(at: section.start)
    switch section.tag {
    case GearLedger.firstTag:
      let (kept, number) = (reader.uint16(bytes), reader.uint16(bytes))
      let (ride, home) = (reader.uint32(bytes), reader.uint32(bytes))
      guard reader.isValid, reader.place == section.end else { return }
      (present, lastNumber, lastRide, lastHome) = (kept, number, ride, home)
    case GearLedger.firstTag + 1, GearLedger.firstTag + 2:
      while reader.place < section.end {
        let ride = GearRide(bytes, &reader)
        guard reader.isValid, reader.place <= section.end, ride.number != 0 else { return }
        rides[GearLedger.row(of: ride.number)] = ride
      }
    default:
      let gear = Gear(bytes, &reader, end: section.end)
      let row = Int(section.tag - GearLedger.firstTag - 3)
      guard reader.isValid, reader.place == section.end else { return }
      gears[row] = gear
    }
  }
}

extension GearRide {
  fileprivate func encode(into content: inout InlineBytes<1024>) {
    content.append(littleEndian: UInt64(number), bytes: 4)
    content.append(littleEndian: UInt64(gear), bytes: 2)
    content.append(littleEndian: UInt64(metres), bytes: 4)
    content.append(littleEndian: UInt64(moving), bytes: 4)
    content.append(littleEndian: UInt64(start), bytes: 4)
    content.append(littleEndian: UInt64(end), bytes: 4)
  }

  fileprivate init(_ bytes: Span<UInt8>, _ reader: inout RecordReader) {
    number = reader.uint32(bytes)
    gear = reader.uint16(bytes)
    metres = reader.uint32(bytes)
    moving = reader.uint32(bytes)
    start = reader.uint32(bytes)
    end = reader.uint32(bytes)
  }
}

extension Gear {
  /// A row without gear is empty.
  fileprivate func encode(into content: inout InlineBytes<1024>) {
    guard number != 0 else { return }
    content.append(littleEndian: UInt64(number), bytes: 2)
    content.append(text: name.span)
    content.append(text: kind.span)
    content.append(littleEndian: uuid.high, bytes: 8)
    content.append(littleEndian: uuid.low, bytes: 8)
    content.append(text: make.span)
    content.append(text: model.span)
    content.append(littleEndian: UInt64(year), bytes: 2)
    content.append(text: serviceID.span)
    content.append(littleEndian: UInt64(bitPattern: ridden), bytes: 8)
    content.append(littleEndian: UInt64(bitPattern: moving), bytes: 8)
    content.append(littleEndian: UInt64(rides), bytes: 4)
    content.append(littleEndian: UInt64(bitPattern: offset), bytes: 8)
    content.append(source.rawValue)
    content.append(change == nil ? 0 : 1)
    if let change {
      content.append(littleEndian: UInt64(bitPattern: change.before), bytes: 8)
      content.append(littleEndian: UInt64(bitPattern: change.after), bytes: 8)
      content.append(littleEndian: UInt64(change.second), bytes: 4)
      content.append(littleEndian: UInt64(change.request), bytes: 4)
    }
    content.append(counterCount)
    var place = 0
    while place < Int(counterCount) {
      self[counter: place].encode(into: &content)
      place += 1
    }
  }

  fileprivate init(_ bytes: Span<UInt8>, _ reader: inout RecordReader, end: Int) {
    self.init()
    guard reader.place < end else { return }
    number = reader.uint16(bytes)
    name = reader.text(bytes)
    kind = reader.text(bytes)
    uuid.high = reader.number(bytes, bytes: 8)
    uuid.low = reader.number(bytes, bytes: 8)
    make = reader.text(bytes)
    model = reader.text(bytes)
    year = reader.uint16(bytes)
    serviceID = reader.text(bytes)
    ridden = reader.int64(bytes)
    moving = reader.int64(bytes)
    rides = reader.uint32(bytes)
    offset = reader.int64(bytes)
    let source = Source(rawValue: reader.byte(bytes))
    let isChanged = reader.byte(bytes)
    reader.require(source != nil && isChanged <= 1)
    self.source = source ?? .measured
    if isChanged == 1 {
      change = Change(
        before: reader.int64(bytes), after: reader.int64(bytes), second: reader.uint32(bytes),
        request: reader.uint32(bytes))
    }
    let count = Int(reader.byte(bytes))
    reader.require(count <= Gear.counterCapacity)
    var place = 0
    while reader.isValid, place < count {
      _ = append(GearCounter(bytes, &reader))
      place += 1
    }
    // Far from where sums could overflow.
    let isPossible =
      ridden.magnitude <= 1 << 60 && offset.magnitude <= 1 << 60 && moving.magnitude <= 1 << 60
      && GearLedger.error(of: self) == nil
    reader.require(number != 0 && isPossible)
  }
}

extension GearCounter {
  fileprivate func encode(into content: inout InlineBytes<1024>) {
    content.append(text: name.span)
    content.append(measure.rawValue)
    content.append(littleEndian: UInt64(bitPattern: due), bytes: 8)
    content.append(littleEndian: UInt64(bitPattern: sum), bytes: 8)
    content.append(littleEndian: UInt64(lastRide), bytes: 4)
    content.append(littleEndian: UInt64(UInt32(bitPattern: day)), bytes: 4)
    content.append(isTold ? 1 : 0)
  }

  fileprivate init(_ bytes: Span<UInt8>, _ reader: inout RecordReader) {
    self.init()
    name = reader.text(bytes)
    let measure = Measure(rawValue: reader.byte(bytes))
    self.measure = measure ?? .distance
    due = reader.int64(bytes)
    sum = reader.int64(bytes)
    lastRide = reader.uint32(bytes)
    day = Int32(bitPattern: reader.uint32(bytes))
    let told = reader.byte(bytes)
    isTold = told == 1
    reader.require(measure != nil && told <= 1 && due > 0 && due <= 1 << 40 && sum.magnitude <= 1 << 60 && day >= 0)
  }
}

extension InlineBytes<1024> {
  fileprivate mutating func append(text: Span<UInt8>) {
    append(UInt8(truncatingIfNeeded: text.count))
    append(contentsOf: text)
  }
}

extension RecordReader {
  fileprivate mutating func text<let capacity: Int>(_ bytes: Span<UInt8>) -> InlineBytes<capacity> {
    var result = InlineBytes<capacity>()
    let count = Int(byte(bytes))
    require(count <= capacity)
    while isValid, result.count < count { result.append(byte(bytes)) }
    return result
  }
}
