public import ASCIIText

/// A sentence that can be written. `encode(into:)` writes it whole, from `$` to the line end, with checksum, and gives
/// false when the sink was full.
///
/// What is unknown is written as an empty field. Reading what was written gives the same sentence again, positions to
/// 0.2 mm.
public protocol EncodableSentence {
  /// Writes the sentence into a sink.
  @discardableResult func encode(into sink: inout some ByteSink) -> Bool
}

extension RMC: EncodableSentence {
  /// Writes it in the form of NMEA 4.1 when the navigation status is known, else of 2.3.
  @discardableResult public func encode(into sink: inout some ByteSink) -> Bool {
    var line = SentenceLine(talker, "RMC")
    line.time(timeOfDayMicroseconds)
    line.letter(status.letter)
    line.latitude(latitudeE9)
    line.longitude(longitudeE9)
    line.fixed(speedKnotsE6, decimals: 6, keeping: 1)
    line.fixed(courseDegreesE4, decimals: 4, keeping: 1)
    if let date {
      line.integer(UInt16(date.day), minimumDigits: 2)
      line.appendDigits(date.month)
      line.appendDigits(date.yearOfCentury)
    } else {
      line.empty()
    }
    line.fixed(magneticVariationDegreesE4.map { $0 < 0 ? 0 &- $0 : $0 }, decimals: 4, keeping: 1)
    line.letter(magneticVariationDegreesE4.map { $0 < 0 ? 0x57 : 0x45 })
    line.letter(mode.letter)
    if navigationStatus != .absent { line.letter(navigationStatus.letter) }
    return line.finish(into: &sink)
  }
}

extension GGA: EncodableSentence {
  /// Writes it.
  @discardableResult public func encode(into sink: inout some ByteSink) -> Bool {
    var line = SentenceLine(talker, "GGA")
    line.epoch(timeOfDayMicroseconds, latitudeE9, longitudeE9)
    line.integer(quality)
    line.integer(satellitesUsed, minimumDigits: 2)
    line.fixed(horizontalDilutionE2, decimals: 2, keeping: 1)
    line.fixed(heightE4, decimals: 4, keeping: 1)
    line.letter(0x4D)
    line.fixed(geoidSeparationE4, decimals: 4, keeping: 1)
    line.letter(0x4D)
    line.fixed(correctionAgeE2, decimals: 2, keeping: 0)
    line.integer(correctionStation, minimumDigits: 4)
    return line.finish(into: &sink)
  }
}

extension GSA: EncodableSentence {
  /// Writes it with twelve satellites, in the form of NMEA 4.1 when the system identifier is known.
  @discardableResult public func encode(into sink: inout some ByteSink) -> Bool {
    var line = SentenceLine(talker, "GSA")
    line.letter(selection)
    if isDeadReckoning { line.letter(0x45) } else { line.integer(mode) }
    var place = 0
    while place < 12 {
      line.integer(satellites[place] == 0 ? nil : satellites[place], minimumDigits: 2)
      place += 1
    }
    line.fixed(positionDilutionE2, decimals: 2, keeping: 1)
    line.fixed(horizontalDilutionE2, decimals: 2, keeping: 1)
    line.fixed(verticalDilutionE2, decimals: 2, keeping: 1)
    if systemIdentifier != 0 { line.letter(hexadecimalDigit(systemIdentifier & 15)) }
    return line.finish(into: &sink)
  }
}

extension GSV: EncodableSentence {
  /// Writes it, with the signal identifier when there is one.
  @discardableResult public func encode(into sink: inout some ByteSink) -> Bool {
    var line = SentenceLine(talker, "GSV")
    line.integer(sentenceCount)
    line.integer(sentenceNumber)
    line.integer(satelliteCount, minimumDigits: 2)
    var entry = 0
    while entry < min(Int(entryCount), 4) {
      let satellite = satellites[entry]
      line.integer(satellite.number == 0 ? nil : satellite.number, minimumDigits: 2)
      line.signedInteger(satellite.elevationDegrees, minimumDigits: 2)
      line.integer(satellite.azimuthDegrees, minimumDigits: 3)
      line.integer(satellite.signalToNoise, minimumDigits: 2)
      entry += 1
    }
    if signalIdentifier != 0 { line.letter(hexadecimalDigit(signalIdentifier & 15)) }
    return line.finish(into: &sink)
  }
}

extension GLL: EncodableSentence {
  /// Writes it.
  @discardableResult public func encode(into sink: inout some ByteSink) -> Bool {
    var line = SentenceLine(talker, "GLL")
    line.latitude(latitudeE9)
    line.longitude(longitudeE9)
    line.time(timeOfDayMicroseconds)
    line.letter(status.letter)
    line.letter(mode.letter)
    return line.finish(into: &sink)
  }
}

extension VTG: EncodableSentence {
  /// Writes it.
  @discardableResult public func encode(into sink: inout some ByteSink) -> Bool {
    var line = SentenceLine(talker, "VTG")
    line.fixed(courseDegreesE4, decimals: 4, keeping: 1)
    line.letter(0x54)
    line.fixed(magneticCourseDegreesE4, decimals: 4, keeping: 1)
    line.letter(0x4D)
    line.fixed(speedKnotsE6, decimals: 6, keeping: 1)
    line.letter(0x4E)
    line.fixed(speedKilometresPerHourE4, decimals: 4, keeping: 1)
    line.letter(0x4B)
    line.letter(mode.letter)
    return line.finish(into: &sink)
  }
}

extension ZDA: EncodableSentence {
  /// Writes it.
  @discardableResult public func encode(into sink: inout some ByteSink) -> Bool {
    var line = SentenceLine(talker, "ZDA")
    line.time(timeOfDayMicroseconds)
    line.integer(day, minimumDigits: 2)
    line.integer(month, minimumDigits: 2)
    line.integer(year, minimumDigits: 4)
    line.signedInteger(zoneHours, minimumDigits: 2)
    line.signedInteger(zoneMinutes, minimumDigits: 2)
    return line.finish(into: &sink)
  }
}

extension GNS: EncodableSentence {
  /// Writes it in the form of NMEA 4.1 when the navigation status is known, else of 3.0.
  @discardableResult public func encode(into sink: inout some ByteSink) -> Bool {
    var line = SentenceLine(talker, "GNS")
    line.epoch(timeOfDayMicroseconds, latitudeE9, longitudeE9)
    line.letters(modes)
    line.integer(satellitesUsed, minimumDigits: 2)
    line.fixed(horizontalDilutionE2, decimals: 2, keeping: 1)
    line.fixed(heightE4, decimals: 4, keeping: 1)
    line.fixed(geoidSeparationE4, decimals: 4, keeping: 1)
    line.fixed(correctionAgeE2, decimals: 2, keeping: 0)
    line.integer(correctionStation, minimumDigits: 4)
    if navigationStatus != .absent { line.letter(navigationStatus.letter) }
    return line.finish(into: &sink)
  }
}

extension GST: EncodableSentence {
  /// Writes it.
  @discardableResult public func encode(into sink: inout some ByteSink) -> Bool {
    var line = SentenceLine(talker, "GST")
    line.time(timeOfDayMicroseconds)
    line.fixed(rangeResidualE4, decimals: 4, keeping: 1)
    line.fixed(semiMajorE4, decimals: 4, keeping: 1)
    line.fixed(semiMinorE4, decimals: 4, keeping: 1)
    line.fixed(orientationDegreesE4, decimals: 4, keeping: 1)
    line.fixed(latitudeDeviationE4, decimals: 4, keeping: 1)
    line.fixed(longitudeDeviationE4, decimals: 4, keeping: 1)
    line.fixed(heightDeviationE4, decimals: 4, keeping: 1)
    return line.finish(into: &sink)
  }
}

extension GBS: EncodableSentence {
  /// Writes it, with the identifiers of NMEA 4.1 when the system is known.
  @discardableResult public func encode(into sink: inout some ByteSink) -> Bool {
    var line = SentenceLine(talker, "GBS")
    line.time(timeOfDayMicroseconds)
    line.fixed(latitudeErrorE4, decimals: 4, keeping: 1)
    line.fixed(longitudeErrorE4, decimals: 4, keeping: 1)
    line.fixed(heightErrorE4, decimals: 4, keeping: 1)
    line.integer(failedSatellite, minimumDigits: 2)
    line.fixed(missedDetectionE4, decimals: 4, keeping: 1)
    line.fixed(biasE4, decimals: 4, keeping: 1)
    line.fixed(biasDeviationE4, decimals: 4, keeping: 1)
    if systemIdentifier != 0 {
      line.letter(hexadecimalDigit(systemIdentifier & 15))
      line.letter(hexadecimalDigit(signalIdentifier & 15))
    }
    return line.finish(into: &sink)
  }
}

extension HDT: EncodableSentence {
  /// Writes it.
  @discardableResult public func encode(into sink: inout some ByteSink) -> Bool {
    var line = SentenceLine(talker, "HDT")
    line.fixed(headingDegreesE4, decimals: 4, keeping: 1)
    line.letter(0x54)
    return line.finish(into: &sink)
  }
}

extension THS: EncodableSentence {
  /// Writes it.
  @discardableResult public func encode(into sink: inout some ByteSink) -> Bool {
    var line = SentenceLine(talker, "THS")
    line.fixed(headingDegreesE4, decimals: 4, keeping: 1)
    line.letter(mode.letter)
    return line.finish(into: &sink)
  }
}

extension TXT: EncodableSentence {
  /// Writes it.
  @discardableResult public func encode(into sink: inout some ByteSink) -> Bool {
    var line = SentenceLine(talker, "TXT")
    line.integer(sentenceCount, minimumDigits: 2)
    line.integer(sentenceNumber, minimumDigits: 2)
    line.integer(identifier, minimumDigits: 2)
    line.text(text)
    return line.finish(into: &sink)
  }
}
