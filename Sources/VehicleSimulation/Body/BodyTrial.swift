import Quantities

/// A body on a way of given speeds, with a sensor: for comparisons with recordings, whose speeds are known.
package struct BodyTrial: Sendable {
  private var body: StreetBody
  private var instrument: InstrumentRun
  private let hertz: Double
  private var index = 0
  private var way = 0.0

  /// - Parameters:
  ///   - kind: How it goes: `ride`, `roll` or `drive`.
  ///   - seconds: How long at most.
  package init(
    _ vehicle: StreetVehicle, van: CarFrame = CarFrame(), mount: SensorMount? = nil, kind: StreetDeed.Kind,
    seconds: Double, instrument: Instrument,
    arm: (x: Double, y: Double, z: Double), hertz: Double, seed: UInt64
  ) {
    body = StreetBody(
      vehicle, van: van, mount: mount, sensor: arm, bandwidth: instrument.bandwidth, seed: seed)
    self.instrument = InstrumentRun(instrument, hertz: hertz, seed: seed)
    self.hertz = hertz
    var deed = StreetDeed(kind)
    deed.set("speed", 1)
    if !deed.set("seconds", seconds + 60) { deed.set("metres", seconds + 60) }
    body.begin(deed, at: 0)
  }

  /// The members of families: a vehicle, a sensor, a mounting, a road, a van.
  package init(_ members: [FamilyMember], kind: StreetDeed.Kind, seconds: Double, hertz: Double, seed: UInt64) {
    var scene = StreetScene()
    scene.take(members)
    self.init(
      scene.vehicle ?? .bike(StreetBike()), van: scene.van, mount: scene.mount, kind: kind, seconds: seconds,
      instrument: scene.instrument ?? Instrument(), arm: scene.sensor.arm, hertz: hertz, seed: seed)
  }

  /// The next reading, at a speed, m/s; nil for one that is lost.
  package mutating func next(speed: Double) -> InertialSample? {
    let time = Double(index) / hertz
    index += 1
    var motion = RigidMotion()
    way += speed / hertz
    motion.east = Jet(way, rate: speed)
    let felt = body.advance(to: time, along: motion)
    return instrument.read(at: time, angularRate: felt.rate, specificForce: felt.force)
  }
}
