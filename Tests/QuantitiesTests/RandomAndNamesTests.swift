import Quantities
import Testing

/// Numbers and names that others have written down: in packets, logs, standards and papers.
struct RandomAndNamesTests {
  /// The first draws of the authors' own program, `splitmix64.c`, and of Java's `SplittableRandom`, which has the same mixer.
  @Test func randomBitsAreThoseThatArePublished() {
    for (seed, expected) in [
      (0, [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F, 0xF88B_B8A8_724C_81EC]),
      (
        1_234_567,
        [
          6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
          16_408_922_859_458_223_821,
        ]
      ),
    ] as [(UInt64, [UInt64])] {
      var random = SplitMix64(seed: seed)
      let copy = random
      for wanted in expected {
        let draw = random.next()
        #expect(draw == wanted)
      }
      #expect(random != copy && copy == SplitMix64(seed: seed))
    }
  }

  /// The names stand in packets and timelines that servers read, the numbers in logs.
  @Test func phasesAndDetectorsHaveTheirNamesAndNumbers() {
    let phases = ["starting", "riding", "settling", "parked", "suspicious", "alarmed", "stolen"]
    #expect(MotionPhase.allCases.map { "\($0.name)" } == phases)
    #expect(MotionPhase.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6])
    let detectors = [
      "touch", "handling", "tilt", "heading", "speed", "displacement", "lift", "carry", "brake", "kickStand", "lock",
      "tamper", "fence", "shift",
    ]
    #expect(MovementDetector.allCases.map { "\($0.name)" } == detectors)
    #expect(MovementDetector.allCases.map(\.rawValue) == Array(0...13))
    #expect(Contact.allCases.map { "\($0.name)" } == ["button", "kickStand", "lock", "brake", "tamper"])
    #expect(Contact.allCases.map(\.rawValue) == [0, 1, 2, 3, 4])
  }

  /// The numbers of NMEA 0183's GGA, field 6.
  @Test func qualitiesAndModesHaveTheNumbersOfTheStandard() {
    let qualities: [FixQuality] = [
      .invalid, .autonomous, .differential, .precise, .realTimeKinematicFixed, .realTimeKinematicFloat, .estimated,
      .manual,
      .simulated,
    ]
    #expect(qualities.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7, 8] && FixQuality(rawValue: 9) == nil)
    let modes: [FixMode] = [.unknown, .none, .twoDimensional, .threeDimensional]
    #expect(modes.map(\.rawValue) == [0, 1, 2, 3] && FixMode(rawValue: 4) == nil)
    #expect(Constellation.allCases == [.gps, .glonass, .galileo, .beiDou, .qzss, .navIC, .sbas])
  }

  @Test func satellitesAreCountedForEachConstellation() {
    var counts = SatelliteCounts()
    #expect(counts.total == 0 && counts.packed == 0)
    var model = [Int](repeating: 0, count: 7)
    var random = SplitMix64(seed: 3)
    for _ in 0..<300 {
      let draw = random.next()
      let constellation = Constellation.allCases[Int(draw % 7)]
      let value = draw >> 8 & 3 == 0 ? 255 : UInt8(truncatingIfNeeded: draw >> 16)
      counts[constellation] = value
      model[Int(constellation.rawValue)] = Int(value)
      #expect(Constellation.allCases.map { Int(counts[$0]) } == model && counts.total == model.reduce(0, +))
    }
  }

  @Test func onlyAPositionThatTheReceiverVouchesForIsOne() throws {
    let here = try #require(GeodeticPosition(latitudeE9: 1, longitudeE9: 2))
    for (mode, vouches) in [
      (FixMode.unknown, false), (.none, false), (.twoDimensional, true), (.threeDimensional, true),
    ] {
      var fix = GNSSFix(time: .seconds(3))
      fix.mode = mode
      #expect(!fix.hasPosition)
      fix.position = here
      #expect(fix.hasPosition == vouches)
      fix.quality = .simulated
      #expect(!fix.hasPosition)
      fix.quality = .estimated
      #expect(fix.hasPosition == vouches)
    }
    let empty = GNSSFix(time: .seconds(3))
    #expect(empty.time == .seconds(3) && empty.mode == .unknown && empty.utc == nil && empty.quality == nil)
    #expect(empty.position == nil && empty.speed == nil && empty.course == nil && empty.satellitesUsed == nil)
    #expect(empty.heightAboveSeaLevel == nil && empty.heightAboveEllipsoid == nil && empty.horizontalAccuracy == nil)
    #expect(empty.verticalAccuracy == nil && empty.satellitesInView.total == 0)
    #expect(empty.dilution == DilutionOfPrecision(horizontal: nil, vertical: nil, position: nil))
    let dilution = DilutionOfPrecision(horizontal: 1, vertical: 2, position: 3)
    #expect(dilution.horizontal == 1 && dilution.vertical == 2 && dilution.position == 3)
  }

  @Test func samplesAndEvidenceKeepWhatTheyAreMadeOf() {
    let sample = InertialSample(
      time: .seconds(1), angularRate: Vector3(1, 2, 3), specificForce: Vector3(4, 5, 6),
      magneticFluxDensity: Vector3(7, 8, 9))
    #expect(sample.time == .seconds(1) && sample.angularRate == Vector3(1, 2, 3))
    #expect(sample.specificForce == Vector3(4, 5, 6) && sample.magneticFluxDensity == Vector3(7, 8, 9))
    let empty = InertialSample(time: .zero)
    #expect(empty.angularRate == nil && empty.specificForce == nil && empty.magneticFluxDensity == nil)
    let evidence = MovementEvidence(
      detector: .tilt, ratio: 2, onset: .seconds(4), duration: .seconds(5), tilt: 0.1, displacement: 7)
    #expect(evidence.detector == .tilt && evidence.ratio == 2 && evidence.onset == .seconds(4))
    #expect(evidence.duration == .seconds(5) && evidence.tilt == 0.1 && evidence.displacement == 7)
    #expect(evidence.turn == nil && evidence.measure(at: 2)?.value == nil && evidence.measure(at: 3) == nil)
    var turned = evidence
    turned.turn = .pi / 2
    turned.tilt = nil
    #expect(turned.turn == .pi / 2 && turned.tilt == nil && turned != evidence)
    #expect(turned.measure(at: 2)?.value == 90 && "\(turned.measure(at: 2)?.name ?? "")" == "turn")
  }
}
