import Quantities
import VehicleSimulation

extension RealityClass {
  /// All that there are recordings of.
  package static var all: [RealityClass] {
    let rides = "data:rides/"
    func bike(_ name: String, _ sensor: String, _ from: Double, _ to: Double, _ half: SceneHalf) -> Source {
      Source(
        file: rides + name + sensor + ".csv.gz", speeds: rides + name + "_wheel.csv.gz", from: from, to: to, half: half)
    }
    let laps = ["_imu", "_imu2"].flatMap { sensor in
      [
        bike("bike_campus_laps_2", sensor, 5, 450, .tuning), bike("bike_campus_laps_2", sensor, 450, 900, .held),
      ]
    }
    let push = ["_imu", "_imu2"].flatMap { sensor in
      [
        bike("bike_campus_laps_1", sensor, 62, 78, .tuning), bike("bike_campus_laps_1", sensor, 78, 94, .held),
      ]
    }
    return [
      RealityClass(
        name: "rest", about: "an MPU-6050 on a table; two on a parked bicycle",
        sources: [
          Source(file: rides + "still_mpu6050_11min_imu.csv.gz", from: 5, to: 650, half: .tuning),
          Source(file: rides + "bike_still_15min_imu.csv.gz", from: 5, to: 950, half: .held),
          Source(file: rides + "bike_still_15min_imu2.csv.gz", from: 5, to: 950, half: .held),
        ], lowest: 0.1, isRest: true, models: RealityModel.rest),
      RealityClass(
        name: "ride", about: "a bicycle, two laps of a campus, sensors at the seat tube", sources: laps,
        speeds: 3...20, models: RealityModel.ride + [bodies("pavement", .ride, road: "pavement", isFitted: true)]),
      RealityClass(
        name: "ride, smooth", about: "the third of it that shakes least for its speed", sources: laps, share: .smooth,
        speeds: 3...20, models: RealityModel.ride + [bodies("asphalt", .ride, road: "asphalt", isFitted: true)]),
      RealityClass(
        name: "ride, rough", about: "the third of it that shakes most", sources: laps, share: .rough,
        speeds: 3...20, models: RealityModel.ride + [bodies("gravel", .ride, road: "gravel", isFitted: false)]),
      RealityClass(
        name: "walk with the bicycle", about: "a bicycle pushed 34 m by hand", sources: push, speeds: 0.3...3,
        models: RealityModel.push + [bodies("floor", .roll, road: "floor", isFitted: true)]),
      RealityClass(
        name: "drive", about: "two cars, the sensor inside and on the roof",
        sources: [
          Source(
            file: rides + "car_dresden_1_imu.csv.gz", speeds: rides + "car_dresden_1_gnss.csv.gz", half: .tuning),
          Source(
            file: rides + "car_rtk_drive_imu.csv.gz", speeds: rides + "car_rtk_drive_gnss.csv.gz", half: .held),
        ], speeds: 3...30,
        models: RealityModel.drive + [bodies("car", .drive, road: "asphalt", isFitted: true)]),
    ]
  }

  /// Bodies of the families, another member for each stretch.
  private static func bodies(_ name: String, _ kind: StreetDeed.Kind, road: String, isFitted: Bool) -> RealityModel {
    let words = kind == .drive ? "family `\(name)`" : "`bikeOnSideStand` on `\(name)`"
    return RealityModel(name: words, isFitted: isFitted, isOneRoad: kind == .ride, members: 4) { hertz, speeds, seed in
      let isCar = kind == .drive
      let wanted: [(FamilyKind, String)] = [
        (.sensor, "mpu6050"), (.mounting, "seatTube"), (.road, road), (.vehicle, "bikeOnSideStand"),
        (.van, "car"),
      ]
      let members = wanted.compactMap { ParameterFamily.named($0.1, $0.0)?.drawn(seed: seed) }
      var trial = BodyTrial(
        isCar ? members.filter { $0.family.kind != .mounting } : members, kind: kind,
        seconds: Double(speeds.count) / hertz, hertz: hertz, seed: seed)
      // What is lost is read again: a recording has no such holes.
      var result = SignalStretch()
      var last = InertialSample(time: .zero)
      for speed in speeds {
        if let sample = trial.next(speed: speed) { last = sample }
        result.take(last)
      }
      return result
    }
  }

  /// What there is no recording of.
  package static var without: [String] {
    [
      "wind", "rain", "lorries, neighbours and people who lean on it", "a fall, a crash", "saw, grinder, bolt cutter",
      "lifting and carrying", "a bicycle in a van, train and ferry",
      "a collar at rest, walking, running, digging, shaking",
      "sensors other than an MPU-6050", "temperature", "a parked receiver's days",
    ]
  }
}

extension RealityModel {
  /// A sensor that nothing moves.
  static var rest: [RealityModel] {
    [
      RealityModel(name: "`SensorModel`", isFitted: true) { hertz, speeds, seed in
        var model = SensorModel.seatTubeMPU6050
        model.hertz = Int(hertz.rounded())
        var sensor = SimulatedSensor(model, seed: seed)
        var result = SignalStretch()
        for _ in speeds {
          result.take(sensor.read(at: .zero, angularRate: .zero, specificForce: Vector3(0, 0, 9.80665)))
        }
        return result
      },
      RealityModel(name: "family `mpu6050`", isFitted: true, members: 4) { hertz, speeds, seed in
        var result = SignalStretch()
        guard let member = ParameterFamily.named("mpu6050", .sensor)?.drawn(seed: seed) else { return result }
        var instrument = Instrument(member)
        instrument.drops = (0, 1)
        // The day is not over in a quarter of an hour, and the recorded parts were warm.
        instrument.temperature = (mean: 25, daySwing: 0, warmUp: 0, warmUpTime: 1)
        instrument.bodyFromSensor = SensorModel.seatTubeMPU6050.bodyFromSensor
        var run = InstrumentRun(instrument, hertz: hertz, seed: seed)
        for place in speeds.indices {
          let sample = run.read(
            at: Double(place) / hertz, angularRate: .zero, specificForce: Vector3(0, 0, 9.80665))
          if let sample { result.take(sample) }
        }
        return result
      },
    ]
  }

  static var ride: [RealityModel] {
    [
      RealityModel(name: "`RideSynthesizer`", isFitted: true) { hertz, speeds, seed in
        RealityModel.synthesized(hertz, speeds, seed)
      },
      street("`ride`", .ride, mounting: .seatTube, usual: 5),
    ]
  }

  static var push: [RealityModel] { [street("`roll`", .roll, mounting: .seatTube, usual: 1)] }

  static var drive: [RealityModel] { [street("`drive`", .drive, mounting: .upright, usual: 10)] }

  /// A deed of the street model at the mean speed of the recording.
  private static func street(
    _ name: String, _ kind: StreetDeed.Kind, mounting: StreetSensor.Placement, usual: Double
  ) -> RealityModel {
    RealityModel(name: name, isFitted: false) { hertz, speeds, seed in
      let mean = max(0.3, speeds.reduce(0, +) / Double(max(1, speeds.count)))
      // The deed's soft ramps lie before and behind what counts.
      let ramp = 40.0
      let seconds = Double(speeds.count) / hertz + 2 * ramp
      var deed = StreetDeed(kind)
      deed.set("speed", mean)
      if !deed.set("seconds", seconds) { deed.set("metres", mean * seconds) }
      var scene = StreetScene()
      scene.deeds = [deed]
      scene.seed = seed
      scene.sensor.hertz = hertz
      scene.sensor.mounting = mounting
      var player = StreetPlayer(scene)
      var result = SignalStretch()
      let first = Int(ramp * hertz)
      var number = 0
      while let output = player.next(), result.count < speeds.count {
        guard case .inertial(let sample) = output else { continue }
        number += 1
        if number > first { result.take(sample) }
      }
      return result
    }
  }

  /// The ride model along a winding way at the speeds of the recording.
  private static func synthesized(_ hertz: Double, _ speeds: [Double], _ seed: UInt64) -> SignalStretch {
    var synthesizer = RideSynthesizer(seed: seed, hertz: Int(hertz.rounded()))
    guard let origin = GeodeticPosition(latitudeE9: 52_000_000_000, longitudeE9: 5_000_000_000) else {
      return SignalStretch()
    }
    var (east, north, course) = (0.0, 0.0, 0.0)
    let every = Int(hertz.rounded())
    for (place, speed) in speeds.enumerated() {
      // Bends of some seconds, as of paths between buildings.
      course += 0.25 * Elementary.sin(0.35 * Double(place) / hertz) / hertz
      let nose = Elementary.sincos(course)
      east += speed * nose.cos / hertz
      north += speed * nose.sin / hertz
      guard place.isMultiple(of: every) else { continue }
      var fix = GNSSFix(time: .seconds(place / every))
      fix.mode = .threeDimensional
      fix.position = GeodeticPosition(
        latitudeE9: origin.latitudeE9 + Int64(north / 111_300 * 1e9),
        longitudeE9: origin.longitudeE9 + Int64(east / 68_500 * 1e9))
      fix.speed = speed
      synthesizer.receive(fix)
    }
    synthesizer.finish()
    var result = SignalStretch()
    while let sample = synthesizer.next(), result.count < speeds.count { result.take(sample) }
    return result
  }
}

extension SignalStretch {
  /// Takes a reading that is whole.
  mutating func take(_ sample: InertialSample) {
    append(sample.angularRate ?? .zero, sample.specificForce ?? .zero)
  }
}
