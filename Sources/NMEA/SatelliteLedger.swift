import Quantities

/// Counts satellites in view and used over the several GSV and GSA sentences of a cycle.
@usableFromInline struct SatelliteLedger: BitwiseCopyable, Sendable {
  /// In view per constellation, from the last complete GSV reports.
  var inView = SatelliteCounts()
  /// Used per constellation, from the last GSA sentences.
  var usedByConstellation = SatelliteCounts()
  /// Number of satellites used by GSA; 0 before the first.
  var usedCount: UInt16 = 0
  private var usedByGGA: UInt16?
  private var lastTalker: Talker?
  /// Whose GSV report is coming in.
  private var reporter = Talker.combined
  /// Number of its next sentence; 0 while one of it is missing.
  private var nextNumber: UInt16 = 0
  /// How many sentences it has.
  private var reportLength: UInt16 = 0
  private var counting = SatelliteCounts()
  /// Set once a GSA of another talker than GP was seen: then GP alone does not speak for all.
  private(set) var hasOtherThanGPS = false

  /// Satellites used: what GSA lists, else what GGA or GNS says.
  var used: UInt8? {
    if usedCount > 0 { return UInt8(min(usedCount, 255)) }
    guard let usedByGGA else { return nil }
    return UInt8(min(usedByGGA, 255))
  }

  mutating func noteUsed(_ count: UInt16?) { if let count { usedByGGA = count } }

  /// A sentence other than GSA came: the next GSA begins a new list.
  mutating func endGSARun() { lastTalker = nil }

  /// Takes the satellites of a GSA sentence.
  ///
  /// - Returns: True for the first sentence of a run with talker GN.
  mutating func add(_ sentence: GSA) -> Bool {
    let talker = sentence.talker
    let isCombined = talker.letters & 0xFF == 0x4E
    let isFirstCombined = isCombined && (lastTalker.map { $0.letters & 0xFF != 0x4E } ?? true)
    let continues = lastTalker.map { $0.letters & 0xFF != talker.letters & 0xFF || isCombined } ?? false
    if !continues {
      usedCount = 0
      usedByConstellation = SatelliteCounts()
    }
    lastTalker = talker
    switch UInt8(truncatingIfNeeded: talker.letters) {
    case 0x41, 0x42, 0x44, 0x49, 0x4C, 0x4E, 0x51, 0x5A: hasOtherThanGPS = true
    default: break
    }
    var place = 0
    while place < 24 {
      let number = sentence.satellites[place]
      place += 1
      guard number > 0 else { continue }
      usedCount = usedCount &+ 1
      let system = Constellation(systemIdentifier: sentence.systemIdentifier)
      if let constellation = Constellation(satelliteNumber: number, talker: talker, system: system) {
        usedByConstellation[constellation] = min(usedByConstellation[constellation], 254) + 1
      }
    }
    return isFirstCombined
  }

  /// Takes one GSV sentence. A satellite may be reported once per signal; only the first report of a talker counts, and
  /// none that has lost a sentence.
  mutating func add(_ sentence: GSV) {
    if sentence.signalIdentifier > 1, let number = sentence.sentenceNumber, number > 0,
      !isPrimarySignal(sentence)
    {
      return
    }
    guard let count = sentence.sentenceCount, let number = sentence.sentenceNumber, number >= 1 else { return }
    if number == 1 {
      counting = SatelliteCounts()
      reporter = sentence.talker
      reportLength = count
    } else if number != nextNumber || count != reportLength || sentence.talker != reporter {
      nextNumber = 0
      return
    }
    nextNumber = number &+ 1
    var entry = 0
    while entry < Int(sentence.entryCount) {
      let satellite = sentence.satellites[entry]
      entry += 1
      guard satellite.number > 0 else { continue }
      let constellation = Constellation(satelliteNumber: satellite.number, talker: sentence.talker, system: nil)
      if let constellation { counting[constellation] = min(counting[constellation], 254) + 1 }
    }
    guard number == count else { return }
    publish(sentence.talker)
  }

  /// The report of a talker is whole: it replaces what that talker said before.
  private mutating func publish(_ talker: Talker) {
    if let own = talker.constellation, own != .gps {
      inView[own] = counting[own]
      return
    }
    var number: UInt8 = 0
    while let constellation = Constellation(rawValue: number) {
      number += 1
      let seen = counting[constellation]
      let isOwn = constellation == .gps || constellation == .sbas || talker.constellation == nil
      if isOwn || seen > 0 { inView[constellation] = seen }
    }
  }

  /// Signal 7 is Galileo's E1, which every receiver tracks first; all others count by signal 1.
  private func isPrimarySignal(_ sentence: GSV) -> Bool {
    sentence.signalIdentifier == 7 && sentence.talker == .galileo
  }
}
