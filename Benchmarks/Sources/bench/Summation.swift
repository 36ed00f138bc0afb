import NMEA

/// Adds up every number of every sentence, as the C peer does: equal sums show that both did the same work.
struct Summation: SentenceVisitor {
  var sum: Int64 = 0
  var sentenceCount = 0

  mutating func receive(_ sentence: RMC) {
    sentenceCount &+= 1
    sum &+= (sentence.timeOfDayMicroseconds ?? 0) &+ (sentence.latitudeE9 ?? 0) &+ (sentence.longitudeE9 ?? 0)
    sum &+= Int64(sentence.speedKnotsE6 ?? 0) &+ Int64(sentence.courseDegreesE4 ?? 0)
    sum &+= Int64(sentence.magneticVariationDegreesE4 ?? 0)
    if let date = sentence.date {
      sum &+= Int64(date.day) * 10_000 + Int64(date.month) * 100 + Int64(date.yearOfCentury)
    }
  }

  mutating func receive(_ sentence: GGA) {
    sentenceCount &+= 1
    sum &+= (sentence.timeOfDayMicroseconds ?? 0) &+ (sentence.latitudeE9 ?? 0) &+ (sentence.longitudeE9 ?? 0)
    sum &+= Int64(sentence.quality ?? 0) &+ Int64(sentence.satellitesUsed ?? 0)
    sum &+= Int64(sentence.horizontalDilutionE2 ?? 0) &+ Int64(sentence.heightE4 ?? 0)
    sum &+= Int64(sentence.geoidSeparationE4 ?? 0) &+ Int64(sentence.correctionAgeE2 ?? 0)
    sum &+= Int64(sentence.correctionStation ?? 0)
  }

  mutating func receive(_ sentence: GSA) {
    sentenceCount &+= 1
    var total = Int64(sentence.mode ?? 0)
    for place in 0..<12 { total &+= Int64(sentence.satellites[place]) }
    total &+= Int64(sentence.positionDilutionE2 ?? 0) &+ Int64(sentence.horizontalDilutionE2 ?? 0)
    total &+= Int64(sentence.verticalDilutionE2 ?? 0) &+ Int64(sentence.systemIdentifier)
    sum &+= total
  }

  mutating func receive(_ sentence: GSV) {
    sentenceCount &+= 1
    var total = Int64(sentence.sentenceCount ?? 0) &+ Int64(sentence.sentenceNumber ?? 0)
    total &+= Int64(sentence.satelliteCount ?? 0) &+ Int64(sentence.signalIdentifier)
    for place in 0..<4 {
      let satellite = sentence.satellites[place]
      total &+= Int64(satellite.number) &+ Int64(satellite.elevationDegrees ?? 0)
      total &+= Int64(satellite.azimuthDegrees ?? 0) &+ Int64(satellite.signalToNoise ?? 0)
    }
    sum &+= total
  }

  mutating func receive(_ sentence: VTG) {
    sentenceCount &+= 1
    sum &+= Int64(sentence.courseDegreesE4 ?? 0) &+ Int64(sentence.magneticCourseDegreesE4 ?? 0)
    sum &+= Int64(sentence.speedKnotsE6 ?? 0) &+ Int64(sentence.speedKilometresPerHourE4 ?? 0)
  }
}
