import NMEA
import Quantities

/// Which sentence says what.
extension PlainEpochs {
  mutating func receive(_ sentence: RMC) {
    satellites.otherSentence()
    var part = Part()
    if sentence.status == .valid || sentence.status == .differential {
      if let time = sentence.timeOfDayMicroseconds, let date = sentence.date?.civilDate {
        part.time = dated(date, time)
        part.stamp = time
      }
      part.position = place(sentence.latitudeE9, sentence.longitudeE9)
      part.mode = part.position == nil ? 1 : last.mode == 3 ? 3 : 2
      if draft.hasHeight || satellites.listedCount >= 4 { part.mode = 3 }
      part.speed = knots(sentence.speedKnotsE6)
      part.degrees = course(sentence.courseDegreesE4)
      part.quality = FixQuality(sentence.mode) ?? (sentence.status == .differential ? .differential : nil)
    } else {
      part.mode = 1
      if sentence.timeOfDayMicroseconds == nil || sentence.date == nil {
        day = nil
        knowsEnd = false
        part.ends = true
        part.time = .some(nil)
      }
    }
    add(part, "RMC")
  }

  mutating func receive(_ sentence: GGA) {
    satellites.otherSentence()
    satellites.tell(sentence.satellitesUsed)
    var part = Part()
    let time = sentence.timeOfDayMicroseconds
    if sentence.quality == 0, time == nil {
      day = nil
      knowsEnd = false
    }
    isStuck = formerGGA.map { $0.talker == sentence.talker && $0.time == time } ?? false
    formerGGA = (time, sentence.talker)
    timed(time, &part)
    part.position = place(sentence.latitudeE9, sentence.longitudeE9)
    part.mode = 1
    if part.position != nil {
      part.geoid = e4(sentence.geoidSeparationE4)
      part.seaLevel = e4(sentence.heightE4)
      switch sentence.satellitesUsed ?? 0 {
      // Who counts so few may still be vouched for by others.
      case 0...2: part.mode = counts || sentence.quality == 0 || sentence.quality == nil ? 1 : lateWitness
      case 3: part.mode = 2
      default: part.mode = part.seaLevel == nil ? 2 : 3
      }
    }
    lateWitness = nil
    if let quality = sentence.quality { part.quality = FixQuality(rawValue: UInt8(quality & 0xFF)) }
    dilution.horizontal = e2(sentence.horizontalDilutionE2) ?? dilution.horizontal
    add(part, "GGA")
  }

  mutating func receive(_ sentence: GSA) {
    var part = Part()
    if !isStuck {
      let mode = sentence.mode.map { $0 <= 3 ? Int($0) : 0 } ?? 0
      if !sentence.isDeadReckoning { part.mode = mode }
      dilution.position = e2(sentence.positionDilutionE2) ?? dilution.position
      dilution.horizontal = e2(sentence.horizontalDilutionE2) ?? dilution.horizontal
      dilution.vertical = e2(sentence.verticalDilutionE2) ?? dilution.vertical
      let isFirst = satellites.take(sentence)
      if isFirst { part.mode = mode }
      if satellites.hasOthers, sentence.talker.letters & 0xFF == 0x50 { part.mode = nil }
      lateWitness = part.mode == 2 || part.mode == 3 ? part.mode : nil
    }
    add(part, "GSA")
  }

  mutating func receive(_ sentence: GSV) {
    satellites.otherSentence()
    satellites.take(sentence)
    add(Part(), "GSV")
  }

  mutating func receive(_ sentence: GLL) {
    satellites.otherSentence()
    var part = Part()
    timed(sentence.timeOfDayMicroseconds, &part)
    part.mode = 1
    let position = place(sentence.latitudeE9, sentence.longitudeE9)
    if sentence.status == .valid, sentence.mode != .notValid, position != nil {
      part.position = position
      part.quality = FixQuality(sentence.mode)
      if draft.hasHeight || satellites.listedCount >= 4 {
        part.mode = 3
      } else {
        part.mode = draft.mode >= 2 && older.hasHeight ? 0 : 2
      }
    }
    add(part, "GLL")
  }

  mutating func receive(_ sentence: VTG) {
    satellites.otherSentence()
    var part = Part()
    let isDoubtful = sentence.mode == .notValid || sentence.mode == .estimated
    if !isDoubtful, sentence.courseDegreesE4 != nil, sentence.speedKnotsE6 != nil {
      part.degrees = course(sentence.courseDegreesE4)
      part.speed = knots(sentence.speedKnotsE6)
    }
    add(part, "VTG")
  }

  mutating func receive(_ sentence: ZDA) {
    satellites.otherSentence()
    var part = Part()
    if let time = sentence.timeOfDayMicroseconds, let day = sentence.day, let month = sentence.month,
      let year = sentence.year, year >= 1980, let date = CivilDate(year: Int(year), month: Int(month), day: Int(day))
    {
      part.time = dated(date, time)
    }
    add(part, "ZDA")
  }

  mutating func receive(_ sentence: GNS) {
    satellites.otherSentence()
    satellites.tell(sentence.satellitesUsed)
    var part = Part()
    timed(sentence.timeOfDayMicroseconds, &part)
    let letters = (0..<6).map { ModeIndicator(sentence.modes[$0]) }
    let told = letters.first { $0 != .notValid && $0 != .absent }
    if told == nil {
      part.mode = 1
    } else if !(sentence.navigationStatus == .unsafe || sentence.navigationStatus == .notProvided) {
      part.mode = 1
      part.position = place(sentence.latitudeE9, sentence.longitudeE9)
      if part.position != nil {
        part.seaLevel = e4(sentence.heightE4)
        if part.seaLevel != nil { part.geoid = e4(sentence.geoidSeparationE4) }
        part.mode = part.seaLevel != nil && (sentence.satellitesUsed ?? 0) >= 4 ? 3 : 2
      }
      dilution.horizontal = e2(sentence.horizontalDilutionE2) ?? dilution.horizontal
      part.quality = told.flatMap { FixQuality($0) }
    }
    add(part, "GNS")
  }

  mutating func receive(_ sentence: GST) {
    satellites.otherSentence()
    var part = Part()
    part.horizontal = radius(sentence.latitudeDeviationE4, sentence.longitudeDeviationE4)
    part.vertical = e4(sentence.heightDeviationE4)
    add(part, "GST")
  }

  mutating func receive(_ sentence: GBS) {
    satellites.otherSentence()
    var part = Part()
    part.stamp = sentence.timeOfDayMicroseconds
    if let time = sentence.timeOfDayMicroseconds, let utc = draft.utc,
      time / 1_000_000 == utc.microsecondsOfDay / 1_000_000
    {
      part.horizontal = radius(sentence.latitudeErrorE4, sentence.longitudeErrorE4)
      part.vertical = e4(sentence.heightErrorE4)
    }
    add(part, "GBS")
  }

  private mutating func nothing(_ kind: String?) {
    satellites.otherSentence()
    add(Part(), kind)
  }

  mutating func receive(_ sentence: HDT) { nothing("HDT") }
  mutating func receive(_ sentence: THS) { nothing("THS") }
  mutating func receive(_ sentence: TXT) { nothing("TXT") }

  mutating func receive(_ sentence: PGRME) {
    satellites.otherSentence()
    var part = Part()
    part.horizontal = e4(sentence.horizontalErrorE4).map { $0 * 1.2821 }
    part.vertical = e4(sentence.verticalErrorE4).map { $0 / 0.6745 }
    add(part, "PGRME")
  }

  mutating func receive(_ sentence: PGRMZ) {
    satellites.otherSentence()
    var part = Part()
    part.seaLevel = sentence.heightFeetE2.map { Double($0) / 100 * 0.3048 }
    if let mode = sentence.mode, (1...3).contains(mode) { part.mode = Int(mode) }
    add(part, "PGRMZ")
  }

  mutating func receive(_ sentence: PGRMF) {
    satellites.otherSentence()
    var part = Part()
    if let time = sentence.timeOfDayMicroseconds, let date = sentence.date?.civilDate { part.time = dated(date, time) }
    if sentence.selection == UInt8(ascii: "A") {
      part.position = place(sentence.latitudeE9, sentence.longitudeE9)
      if let type = sentence.fixType, type < 3 { part.mode = Int(type) + 1 }
      part.speed = kilometres(sentence.speedKilometresPerHourE4)
      part.degrees = course(sentence.courseDegreesE4)
      dilution.position = e2(sentence.positionDilutionE2) ?? dilution.position
    }
    add(part, "PGRMF")
  }

  mutating func receive(_ sentence: PMGNST) {
    satellites.otherSentence()
    var part = Part()
    part.mode = 1
    if sentence.hasFix, let mode = sentence.mode, mode == 2 || mode == 3 { part.mode = Int(mode) }
    add(part, "PMGNST")
  }

  mutating func receive(_ sentence: PSRFEPE) {
    satellites.otherSentence()
    var part = Part()
    timed(sentence.timeOfDayMicroseconds, &part)
    if sentence.status == .valid {
      dilution.horizontal = e2(sentence.horizontalDilutionE2) ?? dilution.horizontal
      part.horizontal = e4(sentence.horizontalErrorE4)
      part.vertical = e4(sentence.verticalErrorE4)
    }
    add(part, "PSRFEPE")
  }

  mutating func receive(_ sentence: PSTI030) {
    satellites.otherSentence()
    var part = Part()
    if sentence.status == .void || sentence.mode == .notValid {
      part.mode = 1
    } else if sentence.status == .valid {
      if let time = sentence.timeOfDayMicroseconds, let date = sentence.date?.civilDate {
        part.time = dated(date, time)
        part.stamp = time
      }
      part.position = place(sentence.latitudeE9, sentence.longitudeE9)
      if part.position != nil {
        part.seaLevel = e4(sentence.heightE4)
        part.mode = part.seaLevel == nil ? 2 : 3
      }
      part.east = e4(sentence.velocityEastE4)
      part.north = e4(sentence.velocityNorthE4)
      part.quality = FixQuality(sentence.mode)
    }
    add(part, "PSTI030")
  }

  mutating func receive(_ sentence: PASHRPOS) {
    satellites.otherSentence()
    var part = Part()
    part.begins = true
    part.mode = 1
    if let quality = sentence.quality {
      part.mode = 3
      part.quality =
        [0: .autonomous, 1: .differential, 2: .realTimeKinematicFloat, 3: .realTimeKinematicFixed][quality]
      timed(sentence.timeOfDayMicroseconds, &part)
      part.position = place(sentence.latitudeE9, sentence.longitudeE9)
      if part.position != nil { part.ellipsoid = e4(sentence.ellipsoidHeightE4) }
      part.degrees = course(sentence.courseDegreesE4)
      part.speed = kilometres(sentence.speedKilometresPerHourE4)
      dilution.position = e2(sentence.positionDilutionE2) ?? dilution.position
      dilution.horizontal = e2(sentence.horizontalDilutionE2) ?? dilution.horizontal
      dilution.vertical = e2(sentence.verticalDilutionE2) ?? dilution.vertical
      satellites.tell(sentence.satellitesUsed)
    }
    add(part, "PASHR")
  }

  mutating func receive(unrecognized fields: borrowing SentenceFields) {
    let letters = (0..<5).map { fields.byte($0, of: 0) }
    let name = fields.length(of: 0) == 5 ? String(decoding: letters[2...], as: UTF8.self) : ""
    if name == "DBT" { goesOn = true }
    nothing(["DBT", "HDG", "MWD", "MWV"].contains(name) ? "instrument" : nil)
  }
}
