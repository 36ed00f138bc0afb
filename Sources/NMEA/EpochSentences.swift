public import Quantities

/// Metres per second in a knot: 1852 m an hour.
private var metresPerSecondPerKnot: Double { 1.852 / 3.6 }

extension EpochAssembler {
  /// Takes time, date, position, speed and course, if the receiver vouches for them.
  public mutating func receive(_ sentence: RMC) {
    satellites.endGSARun()
    var part = Contribution()
    guard sentence.status == .valid || sentence.status == .differential else {
      // Receivers send nonsense for the time while they warn, so nothing of it is used.
      part.mode = 1
      if sentence.timeOfDayMicroseconds == nil || sentence.date == nil {
        clock.forgetDate()
        learner.distrust()
        part.endsEpoch = true
        part.setsTime = true
      }
      add(part, tag: SentenceKind.rmc.tag)
      return
    }
    if let time = sentence.timeOfDayMicroseconds, let date = sentence.date?.civilDate {
      part.utc = clock.set(date, microsecondsOfDay: time)
      part.setsTime = true
      part.stamp = time
    }
    part.position = position(sentence.latitudeE9, sentence.longitudeE9)
    part.mode = part.position == nil ? 1 : (last.mode == 3 ? 3 : 2)
    if satellites.usedCount > 3 || draft.hasHeight { part.mode = 3 }
    part.speed = speed(knotsE6: sentence.speedKnotsE6)
    part.courseDegrees = course(sentence.courseDegreesE4)
    part.quality = FixQuality(sentence.mode) ?? (sentence.status == .differential ? .differential : nil)
    add(part, tag: SentenceKind.rmc.tag)
  }

  /// Takes time, position, height, quality and the number of satellites.
  public mutating func receive(_ sentence: GGA) {
    satellites.endGSARun()
    satellites.noteUsed(sentence.satellitesUsed)
    var part = Contribution()
    if sentence.quality == 0, sentence.timeOfDayMicroseconds == nil {
      clock.forgetDate()
      learner.distrust()
    }
    // A receiver that lost its satellites may repeat its last epoch; a second talker repeats the time by right.
    if let lastGGATalker, lastGGATalker != sentence.talker {
      isGGATimeStuck = false
    } else {
      isGGATimeStuck = lastGGATalker != nil && sentence.timeOfDayMicroseconds == lastGGATime
    }
    lastGGATalker = sentence.talker
    lastGGATime = sentence.timeOfDayMicroseconds
    time(sentence.timeOfDayMicroseconds, into: &part)
    part.position = position(sentence.latitudeE9, sentence.longitudeE9)
    part.mode = 1
    if part.position != nil {
      let used = sentence.satellitesUsed ?? 0
      part.mode = 2
      part.geoidSeparation = metres(sentence.geoidSeparationE4)
      part.heightAboveSeaLevel = metres(sentence.heightE4)
      if part.heightAboveSeaLevel != nil, used >= 4 { part.mode = 3 }
      if used < 3 { part.mode = countsSatellites || (sentence.quality ?? 0) == 0 ? 1 : vouchedMode }
    }
    vouchedMode = nil
    part.quality = sentence.quality.flatMap { FixQuality(rawValue: UInt8(truncatingIfNeeded: $0)) }
    if let value = plausibleDilution(sentence.horizontalDilutionE2) { dilution.horizontal = value }
    add(part, tag: SentenceKind.gga.tag)
  }

  /// Takes mode, dilutions and the satellites used.
  public mutating func receive(_ sentence: GSA) {
    var part = Contribution()
    if !isGGATimeStuck {
      if !sentence.isDeadReckoning { part.mode = mode(sentence.mode) }
      if let value = plausibleDilution(sentence.positionDilutionE2) { dilution.position = value }
      if let value = plausibleDilution(sentence.horizontalDilutionE2) { dilution.horizontal = value }
      if let value = plausibleDilution(sentence.verticalDilutionE2) { dilution.vertical = value }
      let isFirstCombined = satellites.add(sentence)
      // Beside those of other constellations the GSA of GPS alone does not speak for the fix.
      let isGPSAlone = satellites.hasOtherThanGPS && sentence.talker.letters & 0xFF == 0x50
      if isGPSAlone { part.mode = nil }
      if isFirstCombined, !isGPSAlone { part.mode = mode(sentence.mode) }
      vouchedMode = part.mode.flatMap { $0 > 1 ? $0 : nil }
    }
    add(part, tag: SentenceKind.gsa.tag)
  }

  /// Takes the satellites in view.
  public mutating func receive(_ sentence: GSV) {
    satellites.endGSARun()
    satellites.add(sentence)
    add(Contribution(), tag: SentenceKind.gsv.tag)
  }

  /// Takes position and time.
  public mutating func receive(_ sentence: GLL) {
    satellites.endGSARun()
    var part = Contribution()
    time(sentence.timeOfDayMicroseconds, into: &part)
    part.mode = 1
    if sentence.status == .valid, sentence.mode != .notValid,
      let position = position(sentence.latitudeE9, sentence.longitudeE9)
    {
      part.position = position
      if draft.hasHeight || satellites.usedCount > 3 {
        part.mode = 3
      } else {
        part.mode = draft.mode < 2 || !older.hasHeight ? 2 : 0
      }
      part.quality = FixQuality(sentence.mode)
    }
    add(part, tag: SentenceKind.gll.tag)
  }

  /// Takes course and speed.
  public mutating func receive(_ sentence: VTG) {
    satellites.endGSARun()
    var part = Contribution()
    let isUsable = sentence.mode != .notValid && sentence.mode != .estimated
    if isUsable, sentence.courseDegreesE4 != nil, sentence.speedKnotsE6 != nil {
      part.courseDegrees = course(sentence.courseDegreesE4)
      part.speed = speed(knotsE6: sentence.speedKnotsE6)
    }
    add(part, tag: SentenceKind.vtg.tag)
  }

  /// Takes time and date. Its time does not judge the cycle: some receivers send ZDA only with a fix.
  public mutating func receive(_ sentence: ZDA) {
    satellites.endGSARun()
    var part = Contribution()
    if let time = sentence.timeOfDayMicroseconds, let day = sentence.day, let month = sentence.month,
      let year = sentence.year, year >= 1980,
      let date = CivilDate(year: Int(year), month: Int(month), day: Int(day))
    {
      part.utc = clock.set(date, microsecondsOfDay: time)
      part.setsTime = true
    }
    add(part, tag: SentenceKind.zda.tag)
  }

  /// Takes time, position and height. Any system makes a fix; the first that does gives its quality.
  public mutating func receive(_ sentence: GNS) {
    satellites.endGSARun()
    satellites.noteUsed(sentence.satellitesUsed)
    var part = Contribution()
    time(sentence.timeOfDayMicroseconds, into: &part)
    let told = firstMode(sentence)
    if told == .absent {
      part.mode = 1
    } else if sentence.navigationStatus != .unsafe, sentence.navigationStatus != .notProvided {
      part.position = position(sentence.latitudeE9, sentence.longitudeE9)
      part.mode = part.position == nil ? 1 : 2
      if part.position != nil {
        part.heightAboveSeaLevel = metres(sentence.heightE4)
        if part.heightAboveSeaLevel != nil {
          if let used = sentence.satellitesUsed, used > 3 { part.mode = 3 }
          part.geoidSeparation = metres(sentence.geoidSeparationE4)
        }
      }
      if let value = plausibleDilution(sentence.horizontalDilutionE2) { dilution.horizontal = value }
      part.quality = FixQuality(told)
    }
    add(part, tag: SentenceKind.gns.tag)
  }

  /// Takes the standard deviations. Its time is that of the fix it belongs to, which may be an earlier one.
  public mutating func receive(_ sentence: GST) {
    satellites.endGSARun()
    var part = Contribution()
    part.horizontalAccuracy = radius(sentence.latitudeDeviationE4, sentence.longitudeDeviationE4)
    part.verticalAccuracy = metres(sentence.heightDeviationE4)
    add(part, tag: SentenceKind.gst.tag)
  }

  /// Takes the expected errors when they belong to the epoch being assembled.
  public mutating func receive(_ sentence: GBS) {
    satellites.endGSARun()
    var part = Contribution()
    part.stamp = sentence.timeOfDayMicroseconds
    if let time = sentence.timeOfDayMicroseconds, let utc = draft.utc,
      time / 1_000_000 == utc.microsecondsOfDay / 1_000_000
    {
      part.horizontalAccuracy = radius(sentence.latitudeErrorE4, sentence.longitudeErrorE4)
      part.verticalAccuracy = metres(sentence.heightErrorE4)
    }
    add(part, tag: SentenceKind.gbs.tag)
  }

  /// Takes nothing: the heading of a vessel is not its course.
  public mutating func receive(_ sentence: HDT) { addNothing(.hdt) }

  /// Takes nothing: the heading of a vessel is not its course.
  public mutating func receive(_ sentence: THS) { addNothing(.ths) }

  /// Takes nothing.
  public mutating func receive(_ sentence: TXT) { addNothing(.txt) }

  /// Takes Garmin's errors as radii of 50 % probability.
  public mutating func receive(_ sentence: PGRME) {
    satellites.endGSARun()
    var part = Contribution()
    if let error = metres(sentence.horizontalErrorE4) {
      part.horizontalAccuracy = error * EpochAssembler.radiusPerCircularErrorProbable
    }
    // Half of a normal distribution lies within 0.6745 standard deviations.
    if let error = metres(sentence.verticalErrorE4) { part.verticalAccuracy = error / 0.6745 }
    add(part, tag: SentenceKind.pgrme.tag)
  }

  /// Takes Garmin's height and mode.
  public mutating func receive(_ sentence: PGRMZ) {
    satellites.endGSARun()
    var part = Contribution()
    if let hundredths = sentence.heightFeetE2 { part.heightAboveSeaLevel = Double(hundredths) / 100 * 0.3048 }
    if let number = sentence.mode, number >= 1, number <= 3 { part.mode = UInt8(number) }
    add(part, tag: SentenceKind.pgrmz.tag)
  }

  /// Takes Garmin's whole fix.
  public mutating func receive(_ sentence: PGRMF) {
    satellites.endGSARun()
    var part = Contribution()
    if let time = sentence.timeOfDayMicroseconds, let date = sentence.date?.civilDate {
      part.utc = clock.set(date, microsecondsOfDay: time)
      part.setsTime = true
    }
    if sentence.selection == 0x41 {
      part.position = position(sentence.latitudeE9, sentence.longitudeE9)
      if let type = sentence.fixType, type <= 2 { part.mode = UInt8(type) + 1 }
      part.speed = speed(kilometresPerHourE4: sentence.speedKilometresPerHourE4)
      part.courseDegrees = course(sentence.courseDegreesE4)
      if let value = plausibleDilution(sentence.positionDilutionE2) { dilution.position = value }
    }
    add(part, tag: SentenceKind.pgrmf.tag)
  }

  /// Takes Magellan's mode.
  public mutating func receive(_ sentence: PMGNST) {
    satellites.endGSARun()
    var part = Contribution()
    part.mode = 1
    if sentence.hasFix, let number = sentence.mode, number == 2 || number == 3 { part.mode = UInt8(number) }
    add(part, tag: SentenceKind.pmgnst.tag)
  }

  /// Takes SiRF's errors.
  public mutating func receive(_ sentence: PSRFEPE) {
    satellites.endGSARun()
    var part = Contribution()
    time(sentence.timeOfDayMicroseconds, into: &part)
    if sentence.status == .valid {
      if let value = plausibleDilution(sentence.horizontalDilutionE2) { dilution.horizontal = value }
      part.horizontalAccuracy = metres(sentence.horizontalErrorE4)
      part.verticalAccuracy = metres(sentence.verticalErrorE4)
    }
    add(part, tag: SentenceKind.psrfepe.tag)
  }

  /// Takes SkyTraq's whole fix.
  public mutating func receive(_ sentence: PSTI030) {
    satellites.endGSARun()
    var part = Contribution()
    if sentence.status == .void || sentence.mode == .notValid {
      part.mode = 1
    } else if sentence.status == .valid {
      if let time = sentence.timeOfDayMicroseconds, let date = sentence.date?.civilDate {
        part.utc = clock.set(date, microsecondsOfDay: time)
        part.setsTime = true
        part.stamp = time
      }
      part.position = position(sentence.latitudeE9, sentence.longitudeE9)
      if part.position != nil {
        part.heightAboveSeaLevel = metres(sentence.heightE4)
        part.mode = part.heightAboveSeaLevel == nil ? 2 : 3
      }
      part.velocityEast = metres(sentence.velocityEastE4)
      part.velocityNorth = metres(sentence.velocityNorthE4)
      part.quality = FixQuality(sentence.mode)
    }
    add(part, tag: SentenceKind.psti030.tag)
  }

  /// Takes Ashtech's whole fix, which begins an epoch.
  public mutating func receive(_ sentence: PASHRPOS) {
    satellites.endGSARun()
    var part = Contribution()
    part.startsEpoch = true
    part.mode = 1
    if let quality = sentence.quality {
      part.mode = 3
      part.quality = FixQuality(ashtech: quality)
      time(sentence.timeOfDayMicroseconds, into: &part)
      part.position = position(sentence.latitudeE9, sentence.longitudeE9)
      if part.position != nil { part.heightAboveEllipsoid = metres(sentence.ellipsoidHeightE4) }
      part.courseDegrees = course(sentence.courseDegreesE4)
      part.speed = speed(kilometresPerHourE4: sentence.speedKilometresPerHourE4)
      if let value = plausibleDilution(sentence.positionDilutionE2) { dilution.position = value }
      if let value = plausibleDilution(sentence.horizontalDilutionE2) { dilution.horizontal = value }
      if let value = plausibleDilution(sentence.verticalDilutionE2) { dilution.vertical = value }
      satellites.noteUsed(sentence.satellitesUsed)
    }
    add(part, tag: SentenceKind.pashrpos.tag)
  }

  /// Takes note of ships' instruments on the same line: with a depth sounder there the epochs go on behind the sentences
  /// with times, and depth, heading and wind belong to them.
  public mutating func receive(unrecognized fields: borrowing SentenceFields) {
    satellites.endGSARun()
    var tag: UInt8 = 0
    if fields.length(of: 0) == 5 {
      let formatter =
        UInt32(fields.byte(2, of: 0)) << 16 | UInt32(fields.byte(3, of: 0)) << 8 | UInt32(fields.byte(4, of: 0))
      switch formatter {
      case 0x444254:  // DBT
        learner.extendBeyondTimedSentences()
        tag = instrumentTag
      case 0x484447, 0x4D5744, 0x4D5756: tag = instrumentTag  // HDG MWD MWV
      default: break
      }
    }
    add(Contribution(), tag: tag)
  }

  private mutating func addNothing(_ kind: SentenceKind) {
    satellites.endGSARun()
    add(Contribution(), tag: kind.tag)
  }

  private mutating func time(_ microseconds: Int64?, into part: inout Contribution) {
    guard let microseconds else { return }
    part.stamp = microseconds
    if let utc = clock.advance(toMicrosecondsOfDay: microseconds) {
      part.utc = utc
      part.setsTime = true
    }
  }
}

// What numbers of sentences mean. No methods of the assembler, which would look at a copy of the whole of it.

private func position(_ latitudeE9: Int64?, _ longitudeE9: Int64?) -> GeodeticPosition? {
  guard let latitudeE9, let longitudeE9 else { return nil }
  return GeodeticPosition(latitudeE9: latitudeE9, longitudeE9: longitudeE9)
}

/// The mode of the first system that has a fix; absent when none has.
private func firstMode(_ sentence: GNS) -> ModeIndicator {
  var place = 0
  while place < 6 {
    let mode = ModeIndicator(sentence.modes[place])
    if mode != .absent, mode != .notValid { return mode }
    place += 1
  }
  return .absent
}

private func mode(_ number: UInt16?) -> UInt8 {
  guard let number, number <= 3 else { return 0 }
  return UInt8(number)
}

private func metres(_ valueE4: Int32?) -> Double? { valueE4.map { Double($0) / 10_000 } }

private func speed(knotsE6: Int32?) -> Double? {
  knotsE6.map { Double($0) / 1_000_000 * metresPerSecondPerKnot }
}

private func speed(kilometresPerHourE4: Int32?) -> Double? {
  kilometresPerHourE4.map { Double($0) / 10_000 / 3.6 }
}

/// A dilution of precision; negative ones are damage that a checksum did not show.
private func plausibleDilution(_ hundredths: Int32?) -> Float? {
  guard let hundredths, hundredths >= 0 else { return nil }
  return Float(hundredths) / 100
}

/// A course from 0 up to but not including 360 degrees.
private func course(_ degreesE4: Int32?) -> Double? {
  guard let degreesE4 else { return nil }
  let remainder = degreesE4 % 3_600_000
  return Double(remainder < 0 ? remainder + 3_600_000 : remainder) / 10_000
}

private func radius(_ first: Int32?, _ second: Int32?) -> Double? {
  guard let first = metres(first), let second = metres(second) else { return nil }
  return (first * first + second * second).squareRoot() * EpochAssembler.radiusPerDistanceDeviation
}

/// Number of depth, heading and wind sentences for `CycleLearner`, after those of `SentenceKind`.
private var instrumentTag: UInt8 { 31 }

extension SentenceKind {
  /// Number of the kind for `CycleLearner`: 1 to 20, 0 for those that are not read.
  var tag: UInt8 { minimumFieldCount > 0 ? rawValue + 1 : 0 }
}

extension FixQuality {
  /// The quality of a PASHR,POS by its table; nil for other numbers.
  fileprivate init?(ashtech number: UInt16) {
    switch number {
    case 0: self = .autonomous
    case 1: self = .differential
    case 2: self = .realTimeKinematicFloat
    case 3: self = .realTimeKinematicFixed
    default: return nil
    }
  }

  /// The quality that a mode indicator stands for; nil when it is absent or not known.
  public init?(_ mode: ModeIndicator) {
    switch mode {
    case .autonomous: self = .autonomous
    case .differential: self = .differential
    case .estimated: self = .estimated
    case .realTimeKinematicFloat: self = .realTimeKinematicFloat
    case .manual: self = .manual
    case .notValid: self = .invalid
    case .precise: self = .precise
    case .realTimeKinematicFixed: self = .realTimeKinematicFixed
    case .simulated: self = .simulated
    default: return nil
    }
  }
}
